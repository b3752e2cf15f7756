"""One's own notes are found whatever a shared memory holds, and what is wrong with it is told."""

from __future__ import annotations

import contextlib
import datetime as dt
import random
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.errors import SharedUnavailable
from scrubjay.health.findings import FindingKind, finding_words
from scrubjay.platform.paths import Paths
from scrubjay.records.audience import PERSON
from scrubjay.records.engine_limits import EngineLimits
from scrubjay.records.note_records import NoteAddress
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchAnswer
from scrubjay.sharing import shared_memories
from scrubjay.store.lancedb.tables import WORKSPACES, chunks_schema, stems_schema, workspaces_schema
from support import platforms
from support.attacks import command, mutated, tries
from support.limits import LOOK_ALWAYS
from support.providers import WordProvider
from support.vault import THREE_NOTES, TIMEOUT, NewEngine, add, ask, indexed, write_notes

platforms.require("shared memories")

import pyarrow as pa  # noqa: E402

from support.hostile_memory import ESCAPES, NUMBERS, TEXTS, HostileMemory  # noqa: E402

# What failed once stays excluded.
pytestmark = [LOOK_ALWAYS, pytest.mark.limits(memory_again_seconds=600)]

FIRST_DAY = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
TYPES = (
    pa.null(),
    pa.bool_(),
    pa.int8(),
    pa.int64(),
    pa.float32(),
    pa.string(),
    pa.large_string(),
    pa.binary(),
    pa.date32(),
    pa.list_(pa.int32()),
    pa.list_(pa.float32(), 3),
    pa.struct([("x", pa.int8())]),
)


@pytest.fixture
def dice() -> random.Random:
    return random.Random(2026)


@pytest.fixture(scope="module")
def computer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The home of a computer that is off now, its notes, and the place where it shared them."""
    computer = tmp_path_factory.mktemp("computer")
    notes = write_notes(computer / "notes", THREE_NOTES)
    limits = EngineLimits(**LOOK_ALWAYS.kwargs)
    with contextlib.closing(
        Engine(Paths.under(computer / "home"), provider=WordProvider(), limits=limits)
    ) as engine:
        workspace = add(engine, notes, "Handbook")
        engine.refresh(workspace).result(TIMEOUT)
        engine.sharing.share(workspace, str(computer / "team")).result(TIMEOUT)
    return computer


@pytest.fixture(scope="module")
def kept(computer: Path) -> Path:
    """A copy of all that."""
    return shutil.copytree(computer, computer.with_name("kept"))


@pytest.fixture
def team(computer: Path, kept: Path) -> Path:
    """The place as that computer left it, whatever the test before did to it."""
    shutil.rmtree(computer)
    shutil.copytree(kept, computer)
    return computer / "team"


@pytest.fixture
def publish(new_engine: NewEngine, computer: Path) -> Callable[[], None]:
    """Switches that computer on, which publishes what is there."""

    def publish() -> None:
        engine = new_engine(paths=Paths.under(computer / "home"))
        [workspace] = engine.workspaces()
        engine.sharing.publish(workspace).result(TIMEOUT)
        engine.close()

    return publish


@pytest.fixture
def other(new_engine: NewEngine, team: Path, tmp_path: Path) -> Engine:
    """A computer with a note of its own, that searches the place."""
    engine = new_engine(paths=Paths.under(tmp_path / "other"))
    indexed(engine, write_notes(tmp_path / "own", {"mine.md": "My tomatoes are red.\n"}))
    engine.sharing.add(str(team)).result(TIMEOUT)
    return engine


@pytest.fixture
def memory(team: Path, other: Engine) -> HostileMemory:
    return HostileMemory(team)


def answered(other: Engine, context: object = "") -> SearchAnswer:
    """The answer to a question that the note on this computer answers."""
    for text in ("#food", "today", "tomatoes -cows"):
        ask(other, text, audience=PERSON)
    answer = ask(other, "tomatoes")
    assert "mine.md" in {hit.path for hit in answer.hits}, context
    return answer


def published_again(memory: HostileMemory, other: Engine, number: int) -> None:
    """Let the list say that something was published at another moment."""
    moment = (FIRST_DAY + dt.timedelta(minutes=number)).isoformat()
    memory.write_entries({"published_at": moment})
    other.sharing.look().result(TIMEOUT)


def told(other: Engine) -> list[str]:
    """What a check-up says of shared memories."""
    findings = other.health.check().result(TIMEOUT).findings
    return [
        finding_words(each).detail for each in findings if each.kind is FindingKind.SHARED_MEMORY
    ]


# -- tables ----------------------------------------------------------------------------------------


def wrong_tables(schema: pa.Schema, table: pa.Table) -> Iterator[tuple[str, pa.Table]]:
    """The table with each column missing, and of each other type."""
    for at, column in enumerate(schema):
        yield f"no {column.name}", table.drop_columns([column.name])
        for kind in TYPES:
            if kind != column.type:
                field = pa.field(column.name, kind)
                yield (
                    f"{column.name} as {kind}",
                    table.set_column(at, field, pa.nulls(len(table), kind)),
                )


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["chunks", "stems", "list"])
def test_a_table_of_other_columns_is_told(
    memory: HostileMemory, other: Engine, dice: random.Random, kind: str
) -> None:
    name = {"chunks": memory.entry["chunks_table"], "stems": memory.entry["stems_table"]}.get(kind)
    schemas = {"chunks": chunks_schema(256), "stems": stems_schema(), "list": workspaces_schema()}
    table = memory.table(name or WORKSPACES)
    wrong = [*wrong_tables(schemas[kind], table)]
    for number, (what, rows) in enumerate(dice.sample(wrong, tries(8, len(wrong)))):
        if name:
            published_again(memory, other, number)
        memory.write(name or WORKSPACES, rows)
        assert answered(other, what).freshness.reason.startswith("Handbook was not searched. "), (
            what
        )
        assert "damaged" in " ".join(told(other)), what


def test_a_table_with_more_columns_is_searched(memory: HostileMemory, other: Engine) -> None:
    more = pa.array(["x" * 1_000] * len(memory.chunks))
    memory.write_chunks(memory.chunks.append_column("more", more))
    answer = answered(other)
    assert "garden.md" in {hit.path for hit in answer.hits}
    assert not answer.freshness.reason


@pytest.mark.parametrize("kind", ["chunks_table", "stems_table"])
def test_a_table_that_is_missing_is_told(memory: HostileMemory, other: Engine, kind: str) -> None:
    memory.db.drop_table(memory.entry[kind])
    published_again(memory, other, 1)
    assert "Some files of Handbook are missing" in answered(other).freshness.reason
    assert "Some files of Handbook are missing" in " ".join(told(other))


def test_the_publisher_makes_tables_anew_that_are_of_another_kind(
    memory: HostileMemory, other: Engine, publish: Callable[[], None]
) -> None:
    memory.write_chunks(memory.chunks.drop_columns(["labels"]))
    published_again(memory, other, 1)
    assert "Some files of Handbook are damaged" in answered(other).freshness.reason
    publish()
    other.sharing.look().result(TIMEOUT)
    answer = answered(other)
    assert "garden.md" in {hit.path for hit in answer.hits}
    assert not answer.freshness.reason


@pytest.mark.soak
@pytest.mark.parametrize("files", ["*/_versions/*", "*/data/*", "*/_indices/**/*.*"])
def test_bytes_of_tables_may_change(
    memory: HostileMemory, other: Engine, team: Path, dice: random.Random, files: str
) -> None:
    good = team.with_name("good")
    shutil.copytree(team, good)
    for number in range(tries(4, 300)):
        shutil.rmtree(team)
        shutil.copytree(good, team)
        published_again(memory, other, number)
        file = dice.choice(sorted(team.glob(files)))
        file.write_bytes(mutated(dice, file.read_bytes()))
        other.sharing.look().result(TIMEOUT)
        answered(other, (number, file.name))


def test_a_table_may_be_far_larger_than_its_list_says(memory: HostileMemory, other: Engine) -> None:
    count = tries(20_000, 1_000_000)
    [row] = [row for row in memory.chunks.to_pylist() if row["path"] == "garden.md"]
    ids = pa.array(range(1 << 15, (count + 1) << 15, 1 << 15), pa.int64())
    columns = {
        field.name: ids if field.name == "id" else pa.array([row[field.name]] * count, field.type)
        for field in memory.chunks.schema
    }
    rows = pa.table(columns, schema=memory.chunks.schema)
    memory.write_chunks(pa.concat_tables([memory.chunks, rows]))
    stems = pa.table(
        {
            "stem": pa.array([f"stem{number}" for number in range(count)]),
            "chunks": pa.array([2**62] * count),
            "step": pa.array([1] * count),
        },
        schema=stems_schema(),
    )
    memory.write(
        memory.entry["stems_table"],
        pa.concat_tables([memory.stems, stems.cast(memory.stems.schema)]),
    )
    memory.write_entries({"chunks": 1, "documents": 1})
    answered(other)


# -- the list --------------------------------------------------------------------------------------


@pytest.mark.soak
def test_each_value_of_the_list_may_be_wrong(
    memory: HostileMemory, other: Engine, dice: random.Random
) -> None:
    values = [
        (column.name, value)
        for column in workspaces_schema()
        for value in (TEXTS if column.type == pa.string() else NUMBERS)
        if column.type != pa.int32() or value is None or -(2**31) <= value < 2**31
    ]
    for column, value in dice.sample(values, tries(30, len(values))):
        memory.write_entries({column: value})
        other.sharing.look().result(TIMEOUT)
        answered(other, (column, value))
        for workspace in other.searchable_workspaces():
            assert re.fullmatch(r"[a-z0-9_-]+", workspace.id), (column, value)
            assert workspace.name.isprintable(), (column, value)
            assert 0 < len(workspace.name) <= 150, (column, value)
        told(other)
        other.status()


NAMES = ("../../x", "a/b", "a\\b", "..", ".", "", "A", "nul\0", f"x{ESCAPES}", "é", "x" * 61, None)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_can_be_none_is_excluded_and_counted(
    memory: HostileMemory, other: Engine, name: str | None
) -> None:
    memory.write_entries({}, {"name": name, "row": "0"})
    [shared] = other.sharing.look().result(TIMEOUT).memories
    assert [each.title for each in shared.workspaces] == ["Handbook"]
    assert shared.excluded == 1
    assert told(other) == [
        f"Scrubjay does not search 1 folder in the list of {shared.uri}, because the entry is "
        "damaged or the list is too long."
    ]
    assert "garden.md" in {hit.path for hit in answered(other).hits}


@pytest.mark.parametrize(
    "wrong",
    [
        {"schema": 0},
        {"schema": None},
        {"beat": None},
        {"documents": -7},
        {"chunks": -(2**63)},
        {"dimensions": 0},
        {"dimensions": 2**31 - 1},
        {"chunks_table": "../../x"},
        {"chunks_table": WORKSPACES},
        {"stems_table": "other.1.2.stems"},
        {"title": "x" * 20_000},
    ],
)
def test_an_entry_that_is_damaged_is_told_and_published_anew(
    memory: HostileMemory, other: Engine, publish: Callable[[], None], wrong: dict[str, Any]
) -> None:
    memory.write_entries(wrong)
    other.sharing.look().result(TIMEOUT)
    assert "The shared folder handbook is damaged" in answered(other).freshness.reason
    assert "The shared folder handbook is damaged" in " ".join(told(other))
    publish()
    other.sharing.look().result(TIMEOUT)
    assert "garden.md" in {hit.path for hit in answered(other).hits}
    assert told(other) == []


def test_of_very_many_folders_some_are_searched(memory: HostileMemory, other: Engine) -> None:
    # Their manifests are whole, and the files with their rows are not there.
    tables = [memory.entry[kind] for kind in ("chunks_table", "stems_table")]
    place = Path(memory.db.uri)
    entries: list[dict[str, Any]] = [{}]
    for number in range(tries(12, 400)):
        name = f"n{number}"
        own = [table.replace("handbook", name, 1) for table in tables]
        for table, copy in zip(tables, own, strict=True):
            shutil.copytree(place / f"{table}.lance", place / f"{copy}.lance")
        shutil.rmtree(place / f"{own[0]}.lance" / "data")
        chunks, stems = own
        entries.append({"name": name, "row": name, "chunks_table": chunks, "stems_table": stems})
    memory.write_entries(*entries)
    [shared] = other.sharing.look().result(TIMEOUT).memories
    assert len(shared.workspaces) <= shared_memories.MOST_WORKSPACES
    assert len(shared.workspaces) + shared.excluded == len(entries)
    ask(other, "tomatoes", Mode.LEXICAL)
    answer = ask(other, "tomatoes", Mode.LEXICAL)
    assert "mine.md" in {hit.path for hit in answer.hits}
    assert "were not searched" in answer.freshness.reason


def test_what_strangers_call_themselves_is_shown_as_it_can_be(
    memory: HostileMemory, other: Engine
) -> None:
    evil = f"evil{ESCAPES}\nname"
    names = {"title": evil, "published_by": evil, "holder": "x", "holder_name": evil}
    memory.write_entries(names | {"published_at": "yesterday"})
    [shared] = other.sharing.look().result(TIMEOUT).memories
    [record] = shared.workspaces
    assert {record.title, record.published_by, record.holder} == {"evil?[2J?31m??gnp????name"}
    assert record.published_at is None


# -- passages --------------------------------------------------------------------------------------


def damage(memory: HostileMemory) -> None:
    """Damage the passage with tomatoes."""
    rows = memory.chunks.to_pylist()
    memory.write_chunks([{**row, "record": b"\xff"} if _is_garden(row) else row for row in rows])


def _is_garden(row: dict[str, Any]) -> bool:
    return bool(row["path"] == "garden.md")


DAMAGED = "Scrubjay does not search 1 passage in Handbook, because the passage is damaged."


def test_damaged_passages_are_told_wherever_one_looks(
    memory: HostileMemory, other: Engine, new_engine: NewEngine, computer: Path
) -> None:
    damage(memory)
    # On a busy computer the answer may also say that a folder was not looked at in time.
    assert answered(other).freshness.reason.endswith(DAMAGED)
    [status] = other.status().shared
    assert status.freshness.reason == DAMAGED
    assert told(other) == [DAMAGED]
    # Other programs learn of it, too.
    home = other.paths.config
    assert DAMAGED in command(home, "status").check().err
    assert DAMAGED in command(home, "status", "--json").check().out
    assert DAMAGED in command(home, "shared").check().err
    assert DAMAGED in command(home, "search", "tomatoes").check().out
    # Until it is published anew.
    engine = new_engine(paths=Paths.under(computer / "home"))
    [workspace] = engine.workspaces()
    engine.sharing.unshare(workspace).result(TIMEOUT)
    engine.sharing.share(workspace, memory.db.uri).result(TIMEOUT)
    other.sharing.look().result(TIMEOUT)
    assert not answered(other).freshness.reason
    assert told(other) == []


def test_damaged_words_are_told(
    new_engine: NewEngine, memory: HostileMemory, other: Engine
) -> None:
    stems = memory.stems.to_pylist()
    memory.write(memory.entry["stems_table"], [*stems, {"stem": "x", "chunks": -1, "step": 1}])
    other.close()
    again = new_engine(paths=other.paths)
    answered(again)
    sentence = (
        "Scrubjay does not use 1 entry in the word list of Handbook, because the entry is damaged."
    )
    assert answered(again).freshness.reason == sentence
    assert told(again) == [sentence]
    again.close()


def test_a_note_of_damaged_passages_has_no_text(memory: HostileMemory, other: Engine) -> None:
    damage(memory)
    [shared] = [each for each in other.searchable_workspaces() if each.shared]
    assert other.notes.page(NoteAddress(shared.id, "garden.md")).result(TIMEOUT).line_count == 0
    assert told(other) == [DAMAGED]


def test_a_place_that_is_none_is_refused(other: Engine, tmp_path: Path) -> None:
    place = tmp_path / "none"
    (place / f"{WORKSPACES}.lance" / "_versions").mkdir(parents=True)
    with pytest.raises(SharedUnavailable):
        other.sharing.add(str(place)).result(TIMEOUT)
    answered(other)
