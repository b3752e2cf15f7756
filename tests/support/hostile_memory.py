"""Shared memories into which somebody wrote whatever they liked."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec

from scrubjay.store.lancedb.table_maintenance import add_indexes
from scrubjay.store.lancedb.tables import WORKSPACES, ChunkRecord, chunk_record
from support import platforms

platforms.require("shared memories")

import lancedb  # noqa: E402
import pyarrow as pa  # noqa: E402

ESCAPES = "\x1b[2J\x9b31m\x7f\u202egnp\u2028\u2029\x07"
"""What acts on a terminal, or on the order of letters."""
NUMBERS = (None, -1, 0, 1, 2, 10**9, 2**31, 2**62, 2**63 - 1, -(2**63))
TEXTS = (
    None,
    "",
    "x",
    "null",
    "9999-99-99",
    "2026-02-30",
    "../../../etc/passwd",
    "/etc/passwd",
    "a/../b.md",
    "..\\..\\x",
    "C:/x.md",
    "nul\0.md",
    f"evil{ESCAPES}",
    "line\nline",
    "\ufeff\u200b",
    "x" * 100_000,
    "\n" * 20_000,
)
BYTES = (None, b"", b"\xff\xff", b"\xc1", b"\x9c", b"\xdd\xff\xff\xff\xff", b"\x91" * 9_000)
FLOATS = (float("nan"), float("inf"), float("-inf"), 0.0, 1e30, -1e38, 1e-45)
PACKED = (
    *NUMBERS,
    *TEXTS,
    *(each for each in BYTES if each is not None),
    1.5,
    float("nan"),
    True,
    [],
    {},
    [[]],
    2**64 - 1,
)
"""Values of a field of a record, which has no types of its own."""


class HostileMemory:
    """The tables of a memory with one workspace, whose rows are exchanged."""

    def __init__(self, place: Path) -> None:
        self.db = lancedb.connect(place)
        self.entry = self.table(WORKSPACES).to_pylist()[0]
        self.chunks = self.table(self.entry["chunks_table"])
        self.stems = self.table(self.entry["stems_table"])

    def table(self, name: str) -> pa.Table:
        """All rows of a table."""
        return self.db.open_table(name).to_arrow()

    def write(self, name: str, rows: pa.Table | Sequence[Mapping[str, Any]]) -> None:
        """Replace a table, with its indexes where it still has their columns."""
        if not isinstance(rows, pa.Table):
            schema = self.table(name).schema
            columns = [field.with_nullable(True) for field in schema]
            rows = pa.Table.from_pylist(rows, schema=pa.schema(columns))
        # The library of an attacker writes what ours refuses.
        with mock.patch.object(lancedb.db, "sanitize_create_table", _as_it_is):
            table = self.db.create_table(name, rows, mode="overwrite")
        if name == self.entry["chunks_table"]:
            with contextlib.suppress(Exception):
                add_indexes(table)

    def write_chunks(self, rows: pa.Table | Sequence[Mapping[str, Any]]) -> None:
        """Replace the chunks."""
        self.write(self.entry["chunks_table"], rows)

    def write_entries(self, *entries: Mapping[str, Any]) -> None:
        """Replace the list of workspaces, by entries that differ from the true one in this."""
        self.write(WORKSPACES, [{**self.entry, **entry} for entry in entries])


def hostile_rows(
    dice: random.Random, good: Sequence[Mapping[str, Any]], count: int
) -> Iterator[dict[str, Any]]:
    """Rows that are wrong in one column, or in one field of their record, or in several."""
    for number in range(count):
        sound = dice.choice(good)
        row = dict(sound)
        row["id"] = (10_000 + number) << 15
        row["document"] = 10_000 + number
        record = chunk_record(row["record"])
        fields = [*msgspec.structs.astuple(record)]
        fields[0] = row["id"]
        for _ in range(dice.choice([1, 1, 1, 2, 5])):
            match dice.randrange(4):
                case 0:
                    column = dice.choice([name for name in row if name != "record"])
                    # By the sound value, which tells the type; one before may be null.
                    row[column] = _wrong(dice, column, sound[column])
                case 1:
                    fields = fields[: dice.randint(1, 12)] + [1] * dice.choice([0, 30])
                case _:
                    fields[dice.randrange(len(fields))] = dice.choice(PACKED)
        packed = msgspec.msgpack.encode(fields)
        row["record"] = dice.choice([packed] * 9 + [*BYTES, packed[:-3], dice.randbytes(80)])
        yield row


def _wrong(dice: random.Random, column: str, value: Any) -> Any:
    """Another value of a column's type."""
    if column == "number":
        return dice.choice([None, -1, 0, 2**31 - 1])
    if isinstance(value, bool):
        return dice.choice([True, False, None])
    if isinstance(value, int):
        return dice.choice(NUMBERS)
    if isinstance(value, bytes):
        return dice.choice(BYTES)
    if isinstance(value, list):
        changed = [*value]
        for _ in range(dice.choice([1, len(changed)])):
            changed[dice.randrange(len(changed))] = dice.choice(FLOATS)
        return dice.choice([changed, [dice.choice(FLOATS)] * len(changed), None])
    return dice.choice(TEXTS)


def is_sound(record: ChunkRecord) -> bool:
    """Whether a record is one that ranking can work with."""
    return len(record.text.split("\n")) == record.last_line - record.first_line + 1


def _as_it_is(data: pa.Table, *_: Any) -> tuple[pa.Table, pa.Schema]:
    return data, data.schema
