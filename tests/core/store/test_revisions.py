"""Revisions: kept for some days and bytes, and without secrets that were taken out."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.config.schema.memory_search import HistorySettings
from scrubjay.notes.chunker import chunk_document
from scrubjay.records.chunks import ChunkSizes
from scrubjay.records.journal_records import ChangeKind, NoteChange
from scrubjay.records.note_records import Source
from scrubjay.store.reader import Reader
from scrubjay.store.revisions import BUCKET_NS, joined_text
from scrubjay.store.writer import Writer
from scrubjay.text.markdown import split_lines
from support.documents import document, publish

NOW = time.time_ns()
HOUR = 3_600_000_000_000
NEWEST = (2**62, 0)


@pytest.fixture(autouse=True)
def now() -> None:
    """The moment of each test: the store looks at the clock, and a long run takes minutes."""
    global NOW
    NOW = time.time_ns()


def compared(writer: Writer, hours_ago: float) -> None:
    """The index was complete so long ago."""
    when = dt.datetime.fromtimestamp(NOW / 1e9).astimezone() - dt.timedelta(hours=hours_ago)
    with writer.transaction():
        writer.set_checked(when)


def write(
    file: Path, *texts: tuple[str, str, float], limits: HistorySettings | None = None
) -> None:
    """One pass over notes (path, text, hours since their change); an empty text removes one."""
    writer = Writer.open(file, limits)
    for path, text, hours in texts:
        if text:
            publish(writer, document(path, text, mtime_ns=NOW - int(hours * HOUR)))
        else:
            with writer.transaction():
                writer.remove([path])
    with writer.transaction():
        writer.history.prune(NOW)
    writer.close()


@pytest.fixture
def index(file: Path) -> Path:
    """Two notes, and an index that was complete five days ago."""
    writer = Writer.open(file)
    publish(writer, document("a.md", "one\ntwo"), document("b.md", "bee"))
    compared(writer, 120)
    writer.close()
    return file


@pytest.fixture
def reading(index: Path) -> Iterator[Reader]:
    reader = Reader.open(index)
    yield reader
    reader.close()


def changes(reader: Reader, hours: float) -> list[NoteChange]:
    rows = reader.journal.changes(NOW - int(hours * HOUR), NEWEST, 100)
    return [change for _, change in rows]


def kinds(reader: Reader, hours: float) -> dict[str, ChangeKind]:
    return {change.path: change.kind for change in changes(reader, hours)}


def former(reader: Reader, path: str, hours: float) -> tuple[bool, str | None]:
    return reader.journal.former(path, NOW - int(hours * HOUR))


def test_filling_an_index_is_no_change(reading: Reader) -> None:
    assert changes(reading, 1000) == []


def test_what_was_added_changed_and_removed_is_told_apart(index: Path, reading: Reader) -> None:
    write(index, ("a.md", "one\n2", 3), ("b.md", "", 0), ("c.md", "new", 2))
    assert kinds(reading, 5) == {
        "a.md": ChangeKind.CHANGED,
        "b.md": ChangeKind.REMOVED,
        "c.md": ChangeKind.ADDED,
    }
    assert former(reading, "a.md", 5) == (True, "one\ntwo")
    assert former(reading, "b.md", 5) == (True, "bee")
    assert former(reading, "c.md", 5) == (False, None)


def test_what_a_note_held_depends_on_the_moment(index: Path, reading: Reader) -> None:
    write(index, ("a.md", "second", 50))
    write(index, ("a.md", "third", 26))
    write(index, ("a.md", "fourth", 2))
    texts = [former(reading, "a.md", hours)[1] for hours in (60, 30, 5, 1)]
    assert texts == ["one\ntwo", "second", "third", "fourth"]
    assert kinds(reading, 1) == {}


def test_the_last_change_comes_first_and_pages_go_on_behind_it(
    index: Path, reading: Reader
) -> None:
    write(index, *((f"{n}.md", f"text {n}", n) for n in range(1, 8)))
    since = NOW - 50 * HOUR
    page = reading.journal.changes(since, NEWEST, 3)
    last = page[-1][0]
    rest = reading.journal.changes(since, (last.moment, last.row), 10)
    assert [change.path for _, change in page] == ["1.md", "2.md", "3.md"]
    assert [change.path for _, change in rest] == ["4.md", "5.md", "6.md", "7.md"]


def test_of_changes_within_a_quarter_only_the_state_before_them_is_kept(
    index: Path, reading: Reader
) -> None:
    at = (NOW - NOW % BUCKET_NS) - 4 * BUCKET_NS
    hours = (NOW - at) / HOUR
    write(index, ("a.md", "draft", hours), ("a.md", "better draft", hours - 0.1))
    assert former(reading, "a.md", 24) == (True, "one\ntwo")
    assert former(reading, "a.md", 0) == (True, "better draft")


@pytest.mark.parametrize(
    "steps",
    [
        [("a.md", "other", 4), ("a.md", "one\ntwo", 2)],
        [("new.md", "came", 4), ("new.md", "", 0)],
        [("a.md", "", 0), ("a.md", "one\ntwo", 2)],
    ],
    ids=["changed back", "came and went", "removed and put back"],
)
def test_what_is_again_as_it_was_did_not_change(
    index: Path, reading: Reader, steps: list[tuple[str, str, float]]
) -> None:
    for step in steps:
        write(index, step)
    assert kinds(reading, 24) == {}


def test_a_change_with_an_old_time_is_dated_when_it_was_noticed(
    index: Path, reading: Reader
) -> None:
    write(index, ("restored.md", "from a backup", 24 * 400))
    assert kinds(reading, 1) == {"restored.md": ChangeKind.ADDED}


def test_a_removal_has_its_own_time_although_the_note_changed_a_moment_before(
    index: Path, reading: Reader
) -> None:
    write(index, ("a.md", "other", 0.002), ("a.md", "", 0))
    [change] = changes(reading, 1)
    assert change.kind is ChangeKind.REMOVED
    assert change.moment.timestamp() > NOW / 1e9 - 1


def test_conversations_are_no_changes(index: Path, reading: Reader) -> None:
    writer = Writer.open(index)
    publish(writer, document("sessions/1.jsonl", "User: hello", source=Source.SESSIONS))
    writer.close()
    assert kinds(reading, 1000) == {}


def test_old_texts_are_dropped_first_and_the_change_is_still_known(
    index: Path, reading: Reader
) -> None:
    some = HistorySettings(days=14, max_bytes=60)
    write(index, ("a.md", "second state of it", 50), limits=some)
    write(index, ("a.md", "third state of it, which is longer", 26), limits=some)
    write(index, ("a.md", "fourth", 2), limits=some)
    assert former(reading, "a.md", 60) == (True, None)
    assert former(reading, "a.md", 5) == (True, "third state of it, which is longer")
    assert kinds(reading, 60) == {"a.md": ChangeKind.CHANGED}


def test_history_ends_after_so_many_days(index: Path, reading: Reader) -> None:
    write(index, ("a.md", "second", 50), ("b.md", "wasp", 2), limits=HistorySettings(days=1))
    assert kinds(reading, 100) == {"b.md": ChangeKind.CHANGED}


def test_what_was_noted_while_the_clock_was_wrong_is_dropped(index: Path, reading: Reader) -> None:
    write(index, ("a.md", "second", 2))
    writer = Writer.open(index)
    with writer.transaction():
        writer.history.prune(NOW - 5 * HOUR)
    writer.close()
    assert kinds(reading, 100) == {}


def test_nothing_is_kept_when_no_days_are_wanted(index: Path, reading: Reader) -> None:
    write(index, ("a.md", "second", 50))
    write(index, ("b.md", "wasp", 2), limits=HistorySettings(days=0))
    assert kinds(reading, 100) == {}


def test_a_secret_that_was_taken_out_of_a_note_is_not_kept(index: Path, reading: Reader) -> None:
    secret = "sk-" + "a1B2" * 8
    write(index, ("a.md", f"key {secret}\ntwo", 50))
    write(index, ("a.md", "key removed\ntwo", 2))
    _, text = former(reading, "a.md", 24)
    assert text == "key [redacted]\ntwo"


def test_an_index_from_before_there_was_a_history_gets_one(index: Path) -> None:
    db = apsw.Connection(str(index))
    db.execute(
        "drop table name; drop table tag; drop table revision; drop index document_day;"
        " drop table line_sketch; drop table sketch_block; drop trigger sketch_gone;"
        " alter table document drop column ctime_ns; alter table vector add column lines blob;"
        " pragma user_version = 2"
    )
    db.close()
    reader = Reader.open(index)
    assert changes(reader, 24) == []
    assert former(reader, "a.md", 24) == (True, "one\ntwo")
    write(index, ("a.md", "one\n2", 3))
    assert kinds(reader, 24) == {"a.md": ChangeKind.CHANGED}
    reader.close()


LINES = st.lists(
    st.text(st.sampled_from("ab# -`\té中"), max_size=90) | st.sampled_from(["", "```", "# H"]),
    max_size=40,
)


def said(lines: list[str]) -> list[list[str]]:
    """The words of each line, up to the last one that has any."""
    words = [line.split() for line in lines]
    while words and not words[-1]:
        words.pop()
    return words


@given(LINES, st.integers(4, 40), st.integers(0, 20))
def test_a_text_is_put_together_again_from_its_chunks(
    lines: list[str], tokens: int, overlap: int
) -> None:
    text = "\n".join(lines)
    chunks = chunk_document(text, ChunkSizes(tokens, overlap)).chunks
    again = joined_text((chunk.first_line, chunk.last_line, chunk.text) for chunk in chunks)
    # Blank lines at the end, and runs of spaces longer than a chunk, are not kept.
    assert said(again.split("\n")) == said(split_lines(text))
