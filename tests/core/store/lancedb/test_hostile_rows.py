"""Rows of a shared memory that anybody may have written: the good ones are found beside them."""

from __future__ import annotations

import contextlib
import itertools
import math
import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import NoteRefused
from scrubjay.records.audience import AGENT, PERSON
from scrubjay.records.search_modes import Mode, Order
from scrubjay.records.search_records import Hit
from scrubjay.store.index_records import Filters
from scrubjay.store.lancedb.tables import MOST_LINES, MOST_TEXT, chunk_record
from support.attacks import mutated, tries
from support.hostile_memory import BYTES, PACKED, HostileMemory, hostile_rows
from support.providers import WordProvider
from support.shared_memory import Asker, Sharer
from support.vault import write_notes

ROWS_AT_ONCE = 250
QUESTIONS = (
    "tomatoes",
    "tomato",
    "#food",
    "after:2020-01-01 water",
    "tomatoes -cows",
    '"need water"',
    "path:gard tomatoes",
    "kind:note water",
    "today",
    "last week",
    "gardn",
)


@pytest.fixture
def dice() -> random.Random:
    return random.Random(2026)


@pytest.fixture
def memory(sharer: Sharer, notes: Path) -> HostileMemory:
    """One with a note that nobody damages, and three others."""
    write_notes(notes, {"food.md": "# Food\n\nCows need water. #food\n", "whole.md": "Zebras.\n"})
    assert sharer.publish()
    return HostileMemory(Path(sharer.store.place.uri))


@pytest.fixture
def good(memory: HostileMemory) -> list[dict[str, Any]]:
    return memory.chunks.to_pylist()


def others(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for row in rows if row["path"] != "whole.md"]


# -- records ---------------------------------------------------------------------------------------


@pytest.mark.soak
def test_a_record_is_sound_or_damaged(good: list[dict[str, Any]], dice: random.Random) -> None:
    damaged = 0
    wanted = tries(1_000, 10_000)
    for number in range(wanted):
        packed = mutated(dice, dice.choice(good)["record"])
        if number % 2:
            [row] = hostile_rows(dice, good, 1)
            packed = row["record"] or b""
        try:
            record = chunk_record(packed)
        except ValueError:
            damaged += 1
            continue
        lines = record.text.split("\n")
        assert len(lines) == record.last_line - record.first_line + 1 <= MOST_LINES, number
        assert len(record.text) <= MOST_TEXT, number
        assert record.first_line >= 1, number
        assert ".." not in Path(record.path).parts, number
        assert not Path(record.path).is_absolute(), number
    assert wanted // 10 < damaged < wanted


@pytest.mark.parametrize("field", range(12))
def test_each_field_of_a_record_is_checked(good: list[dict[str, Any]], field: int) -> None:
    fields = [*msgspec.structs.astuple(chunk_record(good[0]["record"]))]
    damaged = 0
    for value in PACKED:
        fields[field] = value
        try:
            chunk_record(msgspec.msgpack.encode(fields))
        except ValueError:
            damaged += 1
    assert damaged >= len(PACKED) // 2


@pytest.mark.parametrize("packed", [each for each in BYTES if each is not None])
def test_what_is_no_record_is_damaged(packed: bytes) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        chunk_record(packed)


# -- tables ----------------------------------------------------------------------------------------


def test_hostile_rows_have_the_types_of_their_columns(
    memory: HostileMemory, good: list[dict[str, Any]], dice: random.Random
) -> None:
    """Else the long form ends with what cannot be written, before anything is attacked."""
    rows = [*hostile_rows(dice, others(good), 5_000)]
    schema = [field.with_nullable(True) for field in memory.chunks.schema]
    assert len(pa.Table.from_pylist(rows, schema=pa.schema(schema))) == 5_000


@pytest.mark.soak
def test_good_passages_are_found_beside_hostile_ones(
    memory: HostileMemory, good: list[dict[str, Any]], asker: Asker, dice: random.Random
) -> None:
    wanted = tries(ROWS_AT_ONCE, 10_000)
    for start in range(0, wanted, ROWS_AT_ONCE):
        rows = [*hostile_rows(dice, others(good), min(ROWS_AT_ONCE, wanted - start))]
        memory.write_chunks([*good, *rows])
        for question, mode, audience in itertools.product(
            QUESTIONS, (Mode.LEXICAL, Mode.HYBRID), (AGENT, PERSON)
        ):
            for hit in asker.hits(question, mode, audience=audience):
                assert is_shown(hit), (start, question, hit)
            whole = asker.hits("zebras", mode, audience=audience)
            assert [hit.path for hit in whole][:1] == ["whole.md"], start
        assert read_all(asker, [*good, *rows]), start
        assert asker.reader().text("whole.md") == "Zebras."


def is_shown(hit: Hit) -> bool:
    """Whether a hit can be shown, and its numbers be numbers."""
    numbers = [hit.score, *hit.explanation.parts.values()]
    numbers += filter(None, (hit.text_score, hit.vector_score))
    return all(map(math.isfinite, numbers)) and 1 <= hit.first_line <= hit.last_line and hit.day


def read_all(asker: Asker, rows: list[dict[str, Any]]) -> int:
    """Ask for all that a reader gives of rows; the number of those that it counts as damaged."""
    reader = asker.reader()
    ids = [row["id"] for row in rows if row["id"] is not None and row["id"] >= 0]
    chunks = reader.chunks(ids, neighbours_of=ids[:50])
    assert {chunk.id for chunk in chunks.values()} == chunks.keys()
    vector = WordProvider().embed_queries(["tomatoes water"])[0]
    assert all(map(math.isfinite, reader.similarities(vector, ids).values()))
    assert all(math.isfinite(score) for _, score in reader.nearest(vector, 500, ANY, TOKEN))
    assert reader.line_signs(ids).keys() <= chunks.keys()
    reader.session_chunks(ids)
    for order in (Order.NEWEST, Order.OLDEST):
        assert reader.first_chunks(ANY, 30, order)
    tags = reader.read_tags(str(row["path"]) for row in rows)
    assert all(tag.isprintable() for labels in tags.values() for tag in labels)
    for path in {row["path"] for row in rows if row["path"]}:
        with contextlib.suppress(NoteRefused):  # a conversation
            reader.text(path)
    return len(asker.current().damaged)


ANY, TOKEN = Filters(), CancelToken()


def replaced(**fields: Any) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """A change of a row: its record says something else."""

    def change(row: Mapping[str, Any]) -> dict[str, Any]:
        record = msgspec.structs.replace(chunk_record(row["record"]), **fields)
        return {**row, "record": record.packed()}

    return change


def with_column(name: str, value: Any) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """A change of a row: a column says something else."""
    return lambda row: {**row, name: value}


DAMAGE = {
    "lines that its text does not have": replaced(first_line=1, last_line=10**9),
    "lines before the first": replaced(first_line=0),
    "a text of more lines": replaced(text="tomatoes\n" * 3),
    "a text that is too long": replaced(text="tomatoes " * 10_000),
    "a day that is none": replaced(day="9999-99-99"),
    "an unknown source": replaced(source="x"),
    "null in place of a text": replaced(text=None),
    "another id": replaced(id=7),
    "a path outside": replaced(path="../../etc/passwd"),
    "an absolute path": replaced(path="/etc/passwd"),
    "garbage": with_column("record", b"\xff\xff"),
    "no record": with_column("record", None),
    "a vector that is not a number": with_column("vector", [math.nan] * 256),
    "an endless vector": with_column("vector", [math.inf] * 256),
    "a vector that is too long": with_column("vector", [1e30] * 256),
}


@pytest.mark.parametrize("change", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_passage_is_excluded_and_counted(
    memory: HostileMemory, good: list[dict[str, Any]], asker: Asker, change
) -> None:
    rows = [change(row) if row["path"] == "garden.md" else row for row in good]
    memory.write_chunks(rows)
    for mode in (Mode.LEXICAL, Mode.HYBRID):
        paths = {hit.path for hit in asker.hits("tomatoes water", mode, min_score=0.0)}
        assert "food.md" in paths
        assert "garden.md" not in paths
    [damaged] = [row["id"] for row in good if row["path"] == "garden.md"]
    assert asker.current().damaged == {damaged}


def test_a_vector_without_a_length_is_no_damage(
    memory: HostileMemory, good: list[dict[str, Any]], asker: Asker
) -> None:
    rows = [{**row, "vector": [0.0] * 256} for row in good]
    memory.write_chunks(rows)
    assert asker.paths("tomatoes", Mode.HYBRID) == ["garden.md"]
    assert asker.current().damaged == set()


def test_a_passage_of_the_word_that_is_asked_for_is_cut_in_time(
    memory: HostileMemory, good: list[dict[str, Any]], asker: Asker
) -> None:
    change = replaced(text="tomatoes " * 4_000, first_line=1, last_line=1)
    rows = [change(row) if row["path"] == "garden.md" else row for row in good]
    memory.write_chunks(rows)
    [hit] = asker.hits("tomatoes", Mode.LEXICAL)
    assert hit.snippet.text.startswith("tomatoes tomatoes")


def test_stems_that_are_no_words_are_counted(memory: HostileMemory, asker: Asker) -> None:
    stems = memory.stems.to_pylist()
    wrong = [
        {"stem": None, "chunks": 1, "step": 1},
        {"stem": "x" * 2_000, "chunks": 1, "step": 1},
        {"stem": "negative", "chunks": -5, "step": 1},
        {"stem": "unknown", "chunks": None, "step": 1},
        {"stem": "late", "chunks": 1, "step": -1},
        {"stem": 'odd" OR "\x1b[2J', "chunks": 2**63 - 1, "step": 1},
    ]
    memory.write(memory.entry["stems_table"], [*stems, *wrong])
    assert asker.paths("tomatoes") == ["garden.md"]
    asker.hits("odd negativ unknow late", audience=PERSON)
    assert asker.current().vocabulary.damaged == 5
    reader = asker.reader()
    assert reader.document_frequency('odd" OR "\x1b[2J') == reader.chunk_count()
