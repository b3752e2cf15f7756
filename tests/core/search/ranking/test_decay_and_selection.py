"""Ranked passages: temporal decay, diversity (with the examples that users know), selection."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from scrubjay.records.audience import AGENT, PERSON, Audience
from scrubjay.records.note_records import ChunkId, Source
from scrubjay.search.ranking.closeness import RankedPassage
from scrubjay.search.ranking.decay_and_selection import (
    Thresholds,
    decay_factor,
    jaccard,
    maximal_marginal_relevance,
    select_hits,
)
from scrubjay.search.retrieval.candidates import Candidate, Passage
from scrubjay.search.retrieval.query_terms import QueryTerms, RankedTerm, WordForm
from scrubjay.store.index_records import StoredChunk

TODAY = dt.date(2026, 2, 10)


@pytest.mark.parametrize(
    ("days", "factor"), [(0, 1.0), (7, 0.85), (30, 0.5), (90, 0.125), (148, 0.03), (-5, 1.0)]
)
def test_a_dated_note_fades(days: int, factor: float) -> None:
    date = TODAY - dt.timedelta(days=days)
    assert decay_factor(Source.MEMORY, date, TODAY, TODAY, 30) == pytest.approx(factor, abs=0.005)


@pytest.mark.parametrize("source", [Source.MEMORY, Source.NOTES])
def test_a_note_without_a_date_is_evergreen(source: Source) -> None:
    assert decay_factor(source, None, dt.date(2001, 1, 1), TODAY, 30) == 1.0


@pytest.mark.parametrize("source", [Source.SESSIONS, Source.EXTRA])
def test_other_sources_fade_by_their_last_change(source: Source) -> None:
    month_ago = TODAY - dt.timedelta(days=30)
    assert decay_factor(source, None, month_ago, TODAY, 30) == pytest.approx(0.5)


def tokens(text: str) -> frozenset[str]:
    return frozenset(text.lower().split())


def test_a_near_duplicate_comes_after_what_says_something_else() -> None:
    notes = {
        "memory/2026-02-10.md": "configured router vlan 10 for iot devices and set up the network",
        "memory/2026-02-08.md": "configured router vlan 10 for iot devices and set the network",
        "memory/network.md": "network reference router 192.168.1.1 switch access points",
        "memory/dns.md": "dns adguard on the home server upstream quad9",
        "memory/garden.md": "tomatoes need water",
    }
    relevance = [0.92, 0.89, 0.85, 0.78, 0.2]
    order = maximal_marginal_relevance(
        list(notes), relevance, [tokens(text) for text in notes.values()], 0.7
    )
    assert [path for path, _ in order][:3] == [
        "memory/2026-02-10.md",
        "memory/network.md",
        "memory/dns.md",
    ]
    penalties = dict(order)
    assert penalties["memory/2026-02-10.md"] == 0
    assert penalties["memory/2026-02-08.md"] > 0.2


ITEMS = st.lists(st.tuples(st.floats(0, 1), st.frozensets(st.sampled_from("abcdef"))), max_size=12)


@given(ITEMS, st.floats(0, 1))
@example([(0.0, frozenset()), (0.75, frozenset()), (1.0, frozenset())], 5e-324)
def test_diversity_loses_nothing_and_keeps_the_best_first(
    items: list[tuple[float, frozenset[str]]], lambda_: float
) -> None:
    relevance = [value for value, _ in items]
    numbers = list(range(len(items)))
    order = maximal_marginal_relevance(numbers, relevance, [words for _, words in items], lambda_)
    assert sorted(number for number, _ in order) == numbers
    assert all(0 <= penalty <= 1 - lambda_ + 1e-9 for _, penalty in order)
    if items and lambda_ > 0:
        assert relevance[order[0][0]] == pytest.approx(max(relevance))


@given(ITEMS)
def test_lambda_one_is_the_order_by_relevance(items: list[tuple[float, frozenset[str]]]) -> None:
    relevance = [value for value, _ in items]
    order = maximal_marginal_relevance(relevance, relevance, [words for _, words in items], 1.0)
    assert [value for value, _ in order] == pytest.approx(sorted(relevance, reverse=True))


@pytest.mark.parametrize(
    ("words", "others", "similarity"),
    [("a b", "a b", 1.0), ("a b", "b c", 1 / 3), ("a", "b", 0.0), ("", "", 1.0), ("a", "", 0.0)],
)
def test_jaccard(words: str, others: str, similarity: float) -> None:
    assert jaccard(tokens(words), tokens(others)) == pytest.approx(similarity)


def place(number: int, letter: str, score: float) -> RankedPassage:
    """A hit: S and s of a session, N and n of a note; small letters were found by meaning alone."""
    source = Source.SESSIONS if letter in "Ss" else Source.NOTES
    where = (f"{letter}{number}", Path(f"{number}.md"), source, "", None, 0, 1, 1, "", "x")
    bm25 = 1.0 if letter.isupper() else None
    candidate = Candidate(StoredChunk(ChunkId(number), number, *where), bm25=bm25)
    passage = Passage(1, ["x"], [candidate])
    return RankedPassage(passage, 0, 0, 0, candidate, score, {}, QueryTerms([]), {})


def ranked_term(text: str) -> RankedTerm:
    return RankedTerm(text, (WordForm((text,), 1.0, 1.0, (text,)),), "", 1, 1.0, text)


def selected_letters(strict: str, weak: str = "", places: int = 6) -> str:
    """Letters of the hits selected from strict and weaker ones."""
    ranked = [place(at, letter, 0.9 - at / 100) for at, letter in enumerate(strict)]
    ranked += [place(50 + at, letter, 0.3 - at / 100) for at, letter in enumerate(weak)]
    chosen = select_hits(ranked, Thresholds(min_scores={"": 0.35}, max_results=places), AGENT)
    return "".join(hit.candidate.chunk.path[0] for hit in chosen.hits)


@pytest.mark.parametrize(
    ("strict", "weak", "selected"),
    [("NNNNNNNN", "", "NNNNNN"), ("NN", "NNn", "NNNN"), ("nn", "nN", "nnN"), ("", "NN", "")],
)
def test_strict_hits_come_first_and_words_fill_the_spare_places(
    strict: str, weak: str, selected: str
) -> None:
    """Of sums that are no probabilities."""
    assert selected_letters(strict, weak) == selected


THRESHOLDS = Thresholds(min_scores={"": 0.35}, max_results=9)
PROBABLE = [0.9, 0.36, 0.34, 0.2, 0.1, 0.06, 0.04]


@pytest.mark.parametrize(
    ("scores", "audience", "hits", "perhaps", "uncertain"),
    [
        (PROBABLE, AGENT, 2, 0, [0.34, 0.2, 0.1]),
        (PROBABLE, PERSON, 2, 4, []),
        (PROBABLE[2:], AGENT, 0, 0, [0.34, 0.2, 0.1]),
        (PROBABLE[2:], PERSON, 0, 0, [0.34, 0.2, 0.1, 0.06, 0.04]),
        (PROBABLE[:1], AGENT, 1, 0, []),
    ],
)
def test_each_probability_is_sure_or_uncertain_by_itself(
    scores: list[float], audience: Audience, hits: int, perhaps: int, uncertain: list[float]
) -> None:
    ranked = [replace(place(at, "N", score), is_log_odds=True) for at, score in enumerate(scores)]
    chosen = select_hits(ranked, THRESHOLDS, audience)
    assert [hit.is_perhaps for hit in chosen.hits] == [False] * hits + [True] * perhaps
    assert [hit.score for hit in chosen.uncertain] == uncertain


def test_what_age_lets_pass_a_sure_hit_is_sure_as_well() -> None:
    """Else the stale hit would be all that an agent sees."""
    scores = [(0.2, 1.0), (0.9, 0.1), (0.07, 1.0)]
    ranked = [
        replace(place(at, "n", score), is_log_odds=True, decay=decay)
        for at, (score, decay) in enumerate(scores)
    ]
    chosen = select_hits(ranked, THRESHOLDS, AGENT)
    assert [hit.score for hit in chosen.hits] == [0.2, 0.9]
    assert [hit.score for hit in chosen.uncertain] == [0.07]


@pytest.mark.parametrize(
    ("closeness", "is_sure"), [(1.0, True), (0.8, True), (0.45, True), (0.4, False)]
)
def test_a_mended_beginning_is_never_sure(closeness: float, is_sure: bool) -> None:
    ranked = [
        replace(place(at, "N", score), is_log_odds=True, closeness=near)
        for at, (score, near) in enumerate([(0.2, closeness), (0.9, 0.0)])
    ]
    chosen = select_hits(ranked, THRESHOLDS, PERSON)
    assert [hit.is_perhaps for hit in chosen.hits] == ([False, True] if is_sure else [])
    assert len(chosen.hits) + len(chosen.uncertain) == 2


@pytest.mark.parametrize(
    ("strict", "weak", "selected"),
    [
        ("SSSSSSSSNNNNNN", "", "SSNNNN"),
        ("NSSSSSSSSNNNNN", "", "NSSNNN"),
        ("SSSSSSSS", "NNNN", "SSNNNN"),
        ("SSSSSSSSNN", "", "SSSSNN"),
        ("NN", "SSSSSS", "NNSSSS"),
        ("SSSSSSSS", "", "SSSSSS"),
        ("ssssssss", "nnnn", "ssssss"),
        ("SSSS", "SNSN", "SSSSNN"),
    ],
)
def test_transcripts_take_no_place_that_notes_want(strict: str, weak: str, selected: str) -> None:
    assert selected_letters(strict, weak) == selected


@pytest.mark.parametrize(
    ("order", "expected"),
    [("mmw", "wmm"), ("mpwm", "pwmm"), ("mm", "mm"), ("wpm", "wpm"), ("mp", "mp")],
)
def test_no_hit_by_meaning_alone_stands_before_one_with_all_words(
    order: str, expected: str
) -> None:
    """Of an agent: m was found by meaning, p has some of the words, w has all."""
    fields = {"m": {}, "p": {0: 1.0}, "w": {0: 1.0, 1: 1.0}}
    terms = QueryTerms([ranked_term("old"), ranked_term("car")])
    ranked = [
        replace(place(at, "n", 0.9 - at / 100), terms=terms, fields={"text": fields[letter]})
        for at, letter in enumerate(order)
    ]
    chosen = select_hits(ranked, THRESHOLDS, AGENT)
    letters = {id(hit): letter for hit, letter in zip(ranked, order, strict=True)}
    assert "".join(letters[id(hit)] for hit in chosen.hits) == expected


@pytest.mark.parametrize(("places", "selected"), [(1, "S"), (2, "SN"), (9, "SSSNNNNNN")])
def test_at_least_one_transcript_may_stay(places: int, selected: str) -> None:
    assert selected_letters("SSSSNNNNNN", places=places) == selected
