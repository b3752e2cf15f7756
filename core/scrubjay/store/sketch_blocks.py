"""Reads all sketches of an index quickly: they are kept a second time, many to a row."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import apsw
import numpy as np

from scrubjay.store.binary_vectors import BinaryRun
from scrubjay.store.connection import fetch

_ROWS = """
select id, vector, bits from sketch where generation = ? and id > ? and id < ? order by id
"""
_ROWS_AT_ONCE = 16_384
"""As rows they take several times the memory that they take side by side."""

_MOST, _FEWEST = 1_024, 256
"""Sketches in a block. One that goes takes its block with it, which the next pass makes anew."""

_BLOCKS = "select first, last, vectors, bits from sketch_block where generation = ? order by last"
_RANGES = "select first, last from sketch_block where generation = ? order by last"
_INSERT = """
insert into sketch_block(generation, first, last, vectors, bits) values (?, ?, ?, ?, ?)
"""
_FOREVER = 2**63 - 1


def read_sketches(db: apsw.Connection, generation: int, after: int) -> Iterator[BinaryRun]:
    """Sketches of a generation beyond a row, in no certain order; from 0 on in blocks."""
    ranges: list[tuple[int, int]] = []
    if after == 0 and _has_blocks(db):
        for first, last, vectors, bits in db.execute(_BLOCKS, (generation,)):
            ranges.append((first, last))
            yield BinaryRun(last, np.frombuffer(vectors, dtype=np.int64), bits)
    for low, high in _between(ranges, after):
        yield from _rows(db, generation, low, high, _ROWS_AT_ONCE)


def pack_sketches(db: apsw.Connection) -> None:
    """Make blocks of what is in none yet. Within a transaction of the caller."""
    for (generation,) in fetch(db, "select id from generation"):
        ranges = [(first, last) for first, last in fetch(db, _RANGES, (generation,))]
        for low, high in _between(ranges, 0):
            for run in list(_rows(db, generation, low, high, _MOST)):
                if len(run.ids) >= _FEWEST:
                    place = (generation, run.first, run.last)
                    db.execute(_INSERT, (*place, run.ids.tobytes(), run.bits))


def _has_blocks(db: apsw.Connection) -> bool:
    """False for an index of an older version, until the writer has brought it up to date."""
    statement = "select 1 from sqlite_schema where name = 'sketch_block'"
    return db.execute(statement).fetchone() is not None


def _between(ranges: list[tuple[int, int]], after: int) -> Iterator[tuple[int, int]]:
    """The rows around ascending ranges, as (beyond, before)."""
    for first, last in [*ranges, (_FOREVER, _FOREVER)]:
        if first > after + 1:
            yield after, first
        after = last


def _rows(
    db: apsw.Connection, generation: int, low: int, high: int, at_once: int
) -> Iterator[BinaryRun]:
    found = db.execute(_ROWS, (generation, low, high))
    while rows := list(itertools.islice(found, at_once)):
        numbers, vectors, bits = zip(*rows, strict=True)
        ids = np.array(vectors, dtype=np.int64)
        yield BinaryRun(numbers[-1], ids, b"".join(bits), first=numbers[0])
