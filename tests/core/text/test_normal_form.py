"""The normal form of letters, and what is found by it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.search.query.query_parser import parse_query
from scrubjay.store.index_records import text_fields
from scrubjay.text.normal_form import mapped_form, normal_form
from scrubjay.text.tokenizer import TOKENIZER, Analyzer, fold

TABLE = Path(__file__).parent / "word_pairs.txt"
ALL_LETTERS = st.text(st.characters(exclude_categories=["Cs"]))
MIXED_PIECES = (
    "e\u0301 ß ﬁ и\u0306 한 \u1112\u1161\u11ab ｶﾞ ั้ ก ि क़ \u00ad \u200d أ ِ İ ı Σ ς ½ 🎉 👍🏽"
    " x １ º ཷ ำ ้"
)
MIXED = st.lists(st.sampled_from([*MIXED_PIECES.split(), " ", "\n"])).map("".join)


def word_pairs() -> Iterator[tuple[str, str, bool]]:
    """(text, question, whether the question finds the text)."""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        pair = re.fullmatch(r"(.+) ([=>!]) (.+)", line)
        if pair is None or line.startswith("#"):
            continue
        text, sign, question = pair.groups()
        yield text, question, sign != "!"
        if sign != ">":
            yield question, text, sign != "!"


@pytest.fixture(scope="module")
def words() -> Iterator[apsw.Connection]:
    """An index of words with the text of each pair."""
    db = apsw.Connection(":memory:")
    db.execute(f'create virtual table fts using fts5(text, heading, parts, tokenize="{TOKENIZER}")')
    for number, (text, _, _) in enumerate(word_pairs()):
        db.execute(
            "insert into fts(rowid, text, heading, parts) values (?, ?, ?, ?)",
            (number, *text_fields("", "", text)),
        )
    yield db
    db.close()


@pytest.mark.parametrize(
    ("number", "text", "question", "matches"),
    [(number, *pair) for number, pair in enumerate(word_pairs())],
)
def test_words_are_found_however_they_are_written(
    words: apsw.Connection, number: int, text: str, question: str, matches: bool
) -> None:
    # Every word of the question has to be there.
    query = parse_query(question, translates=False)
    for term in query.terms:
        expression = f"({term.expression()})"
        found = words.execute(
            "select 1 from fts where rowid = ? and fts match ?", (number, expression)
        ).fetchone()
        if not found:
            assert not matches
            return
    assert matches, query


def test_the_table_is_of_many_languages() -> None:
    assert len([*word_pairs()]) >= 400
    languages = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if line.isalpha()]
    assert len(set(languages)) >= 25


@given(ALL_LETTERS | MIXED)
def test_the_normal_form_is_its_own(text: str) -> None:
    form = normal_form(text)
    assert normal_form(form) == form
    assert fold(fold(text)) == fold(text)


@given(ALL_LETTERS | MIXED)
def test_each_letter_of_the_form_has_its_place(text: str) -> None:
    mapped = mapped_form(text)
    assert mapped.text == normal_form(text)
    assert mapped.starts == sorted(mapped.starts)
    assert mapped.ends == sorted(mapped.ends)
    for letter, start, end in zip(mapped.text, mapped.starts, mapped.ends, strict=False):
        assert start < end
        assert letter in normal_form(text[start:end])


@given(ALL_LETTERS | MIXED)
def test_composed_and_decomposed_letters_are_the_same(text: str) -> None:
    assert normal_form(unicodedata.normalize("NFD", text)) == normal_form(
        unicodedata.normalize("NFC", text)
    )


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_is_its_own_form(text: str) -> None:
    assert normal_form(text) is text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("die Straße entlang", ["die", "Straße", "entlang"]),
        ("zwei oﬃce Räume", ["zwei", "oﬃce", "Räume"]),
        ("ge\u00adsamt e\u0301te\u0301", ["ge\u00adsamt", "e\u0301te\u0301"]),
        ("요 \u1112\u1161\u11ab\u1100\u1173\u11af", ["요", "\u1112\u1161\u11ab\u1100\u1173\u11af"]),
        ("go 🎉now", ["go", "🎉", "now"]),
    ],
)
def test_tokens_stand_where_they_are_written(text: str, words: list[str]) -> None:
    analyzer = Analyzer()
    tokens = analyzer.tokens(text)
    written = [text[token.start : token.end] for token in tokens]
    analyzer.close()
    assert [word for word in words if word not in written] == []


def test_many_tones_and_rings_are_put_in_order_at_once() -> None:
    assert normal_form("\u0ec8\u0ecd" * 20_000) == "\u0ecd" * 20_000 + "\u0ec8" * 20_000
    assert normal_form("\u0e48" * 40_000) == "\u0e48" * 40_000
