"""Words that the index spells differently from the query."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.records.search_records import SearchRequest
from scrubjay.search.query.query_parser import parse_query
from scrubjay.search.retrieval.spelling import correct_spelling, one_letter_edits, words_of
from scrubjay.store.reader import Reader
from scrubjay.text.tokenizer import Analyzer
from scrubjay.text.word_lists import common_english
from support.vault import TIMEOUT, NewEngine, add, write_notes

_NOTES = {
    "travel.md": "# Papers\n\nThe passport is with the physiotherapist, near the wireguard key.\n",
    "casa.md": "# La casa\n\nReservamos la cabaña. Las facturas están en la mesa.\n",
    "home.md": "# Home\n\nBleed the radiators where the boiler says necessary.\n",
    "choir.md": "# Sunday\n\nThe rehearsal is in the licensed hall; the horse needs exercise.\n",
    "zoo.md": "# Animals\n\nThe guinea pigs wander about.\n",
}


@pytest.fixture
def reader(new_engine: NewEngine, tmp_path: Path) -> Iterator[Reader]:
    engine = new_engine()
    workspace = add(engine, write_notes(tmp_path / "spelled", _NOTES))
    engine.refresh(workspace, words_only=True).result(TIMEOUT)
    reader = Reader.open(next(engine.paths.indexes.glob("*.sqlite")))
    yield reader
    reader.close()


def added(query: str, reader: Reader) -> list[str]:
    """Words that the correction adds to a query."""
    analyzer = Analyzer()
    before = parse_query(query)
    after = correct_spelling(before, reader, analyzer)
    return [
        way
        for old, new in zip(before.terms, after.terms, strict=True)
        for way in new.alternatives
        if way not in old.alternatives
    ]


@pytest.mark.parametrize(
    ("typed", "stem"),
    [
        ("pasport", "passport"),
        ("passpport", "passport"),
        ("passpotr", "passport"),
        ("pysiotherapist", "physiotherapist"),
        ("wirguard", "wireguard"),
        ("wyreguard", "wireguard"),
        ("pessport", "passport"),
        ("boyler", "boiler"),
        ("nesessary", "necessari"),
        ("rehersal", "rehears"),
        ("exersise", "exercis"),
        ("lisensed", "licens"),
    ],
)
def test_a_mistyped_word_is_what_the_index_calls_it(reader: Reader, typed: str, stem: str) -> None:
    assert Analyzer().stems(" ".join(added(f"where is the {typed}", reader))) == [stem]


@pytest.mark.parametrize("typed", ["rehersal", "exersise", "horsse"])
def test_a_mistyped_word_is_found_whose_stem_has_another_stem(
    new_engine: NewEngine, tmp_path: Path, typed: str
) -> None:
    engine = new_engine()
    workspace = add(engine, write_notes(tmp_path / "stems", _NOTES))
    engine.refresh(workspace, words_only=True).result(TIMEOUT)
    answer = engine.search(SearchRequest(typed), CancelToken()).result(TIMEOUT)
    assert [hit.path for hit in answer.hits] == ["choir.md"]


def test_every_stem_of_a_common_word_has_a_word_with_that_stem() -> None:
    analyzer = Analyzer()
    stems = set(analyzer.stems(common_english()))
    lost = [
        stem for stem in stems if analyzer.stems(" ".join(words_of([stem], analyzer))) != [stem]
    ]
    assert lost == []


@pytest.mark.parametrize(
    "query",
    [
        "wonder",  # a right word, one letter from another that is there
        "passport",  # known
        "keyy",  # too short to tell
        "passp0rt",  # an identifier is meant as it stands
        "xyzzyxyzzy",
    ],
)
def test_what_is_no_typing_mistake_stays(reader: Reader, query: str) -> None:
    assert added(query, reader) == []


def test_a_word_that_is_still_being_typed_is_no_mistake(reader: Reader) -> None:
    query = parse_query("passpor", is_open=True)
    assert correct_spelling(query, reader, Analyzer()) == query


def test_a_last_word_that_no_word_begins_with_is_mended(reader: Reader) -> None:
    query = correct_spelling(parse_query("pasport", is_open=True), reader, Analyzer())
    assert "passport" in query.terms[0].alternatives


def test_a_spanish_word_is_found_in_its_other_forms(reader: Reader) -> None:
    assert "reservamo" in added("¿cuándo es la reserva?", reader)


def test_each_edit_is_one_mistake_away() -> None:
    words = {word for _, word in one_letter_edits("jay")}
    assert {"ay", "jy", "ja", "ajy", "jya", "kay", "jar", "jays", "tjay"} <= words
    assert all(abs(len(word) - 3) <= 1 for word in words)
