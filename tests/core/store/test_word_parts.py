"""The parts that words are kept in."""

from __future__ import annotations

import apsw
import pytest

from scrubjay.store import word_parts
from scrubjay.store.reader import Reader
from scrubjay.store.writer import Writer
from support.documents import document, publish


def _parts(writer: Writer) -> int:
    db = apsw.Connection(str(writer._path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return int(db.execute("select count(distinct segid) from fts_idx").get)
    finally:
        db.close()


def _scatter(writer: Writer) -> None:
    for number in range(6):
        publish(writer, document(f"{number}.md", f"The jay number {number} hides acorns."))
    publish(writer, document("3.md", "The third one sleeps."))


def test_a_small_index_stays_in_its_parts(writer: Writer) -> None:
    _scatter(writer)
    assert list(writer.join_words()) == []
    assert _parts(writer) > 2


def test_the_words_of_a_large_index_are_joined_once(
    writer: Writer, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_parts, "_FEWEST_LEAVES", 2)
    monkeypatch.setattr(word_parts, "_PAGES", 1)
    _scatter(writer)
    words = ["hide", "acorn", "third", "number"]
    before = [reader.document_frequency(word) for word in words]
    assert before == [5, 5, 1, 5]
    assert list(writer.join_words())
    assert _parts(writer) == 1
    assert [reader.document_frequency(word) for word in words] == before
    assert list(writer.join_words()) == []
