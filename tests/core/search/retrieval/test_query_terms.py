"""Information and occurrences of a query's words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from scrubjay.search.retrieval.query_terms import (
    QueryTerms,
    RankedTerm,
    WordForm,
    inverse_document_frequency,
)
from scrubjay.text.tokenizer import Analyzer
from scrubjay.text.word_lists import common_english

WORDS = ["", "Run", "runs", "ran", "Happily", "happy", "tea", "teas", "bone", "bo-bo", "café", "x"]


def term(text: str, frequency: int = 1, prefix: str = "") -> RankedTerm:
    words = tuple(text.split())
    return RankedTerm(
        text=text,
        ways=(WordForm(words, 1.0, 1.0, words),),
        prefix=prefix,
        frequency=frequency,
        idf=inverse_document_frequency(frequency, 1_000_000),
        folded=text,
    )


def found(terms: list[RankedTerm], stems: str) -> set[int]:
    analyzer = Analyzer()
    numbers = set(QueryTerms(terms).find_terms(stems, analyzer))
    analyzer.close()
    return numbers


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_rarer_words_tell_more_and_none_tells_less_than_nothing(frequency: int, other: int) -> None:
    rare, common = sorted((frequency, other))
    assert inverse_document_frequency(rare, 1000) >= inverse_document_frequency(common, 1000) >= 0


@pytest.mark.parametrize(
    ("terms", "stems", "numbers"),
    [
        (["finch"], "the finch", {0}),
        (["finch", "crow"], "a crow", {1}),
        (["blue finch"], "finch blue finch", {0}),
        (["blue finch"], "finch blue", set()),
        (["finch finch"], "finch", set()),
    ],
)
def test_where_terms_occur(terms: list[str], stems: str, numbers: set[int]) -> None:
    assert found([term(text) for text in terms], stems) == numbers


def test_an_unfinished_word_is_found_by_its_beginning() -> None:
    assert found([term("finch", prefix="fi")], "film") == {0}
    assert found([term("finch", prefix="fi")], "hay") == set()


MANY = 1_000
"""Chunks in which words are looked for."""


@pytest.mark.parametrize(
    ("frequencies", "asked_for"),
    [
        ([5, 9], {0, 1}),
        ([MANY, 3], {1}),
        ([MANY - 3, 3], {0, 1}),
        ([MANY * 9, MANY * 8], {1}),
        ([0, MANY + 1], {0}),
        ([], set()),
    ],
)
def test_common_words_of_a_large_index_are_not_asked_for(
    frequencies: list[int], asked_for: set[int]
) -> None:
    terms = [term(str(at), frequency) for at, frequency in enumerate(frequencies)]
    assert QueryTerms(terms).selective_terms(MANY) == asked_for


def test_no_word_is_missed_where_lines_are_ruled_out_before_they_are_read() -> None:
    """The hint that is searched for in a text must be in every word with the same stem."""
    analyzer = Analyzer()
    words = common_english().split()
    stems = {word: analyzer.stems(word)[0] for word in words}
    analyzer.close()
    assert [word for word, stem in stems.items() if stem[:-1] not in word] == []


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=6), max_size=12), st.integers(0, 12))
def test_terms_are_counted_alike_whether_or_not_lines_are_ruled_out(
    lines: list[list[str]], border: int
) -> None:
    phrase = WordForm(("happili", "tea"), 1.0, 1.0, ("happily", "tea"))
    terms = QueryTerms(
        [
            replace(term("running"), ways=(WordForm(("run",), 1.0, 1.0, ("running",)),)),
            replace(term("happily tea"), ways=(phrase,)),
            replace(term("bo", prefix="bo"), ways=()),
        ]
    )
    analyzer = Analyzer()
    every = [" ".join(words) for words in lines]
    texts = ["\n".join(every[:border]), "\n".join(every[border:])]

    def counted(text: str) -> list[int]:
        tokens = analyzer.raw_tokens(text.encode())
        return [term for _, term, _, _ in terms.occurrences(tokens)]

    runs = terms.runs_of_lines(texts)
    every = [line for text in texts for line in text.split("\n")]
    some = [term for first, end in runs for term in counted("\n".join(every[first:end]))]
    assert sorted(some) == sorted(term for text in texts for term in counted(text))
    analyzer.close()
