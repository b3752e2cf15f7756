"""Sketches that are kept side by side."""

from __future__ import annotations

from collections.abc import Iterator

import apsw
import numpy as np
import pytest

from scrubjay.store.schema import MIGRATIONS
from scrubjay.store.sketch_blocks import pack_sketches, read_sketches

_GENERATIONS = 2


@pytest.fixture
def db() -> Iterator[apsw.Connection]:
    """Three thousand sketches of two generations in turn."""
    made = apsw.Connection(":memory:")
    for step in MIGRATIONS:
        step(made)
    for generation in range(1, _GENERATIONS + 1):
        made.execute("insert into generation values (?, ?, 64, 0)", (generation, str(generation)))
    for number in range(1, 3_001):
        _add(made, number)
    yield made
    made.close()


def _add(db: apsw.Connection, number: int) -> None:
    generation = number % _GENERATIONS + 1
    db.execute(
        "insert into vector values (?, ?, ?, x'')", (number, generation, str(number).encode())
    )
    row = (number, generation, number.to_bytes(8, "big"))
    db.execute("insert into sketch(vector, generation, bits) values (?, ?, ?)", row)


def _found(db: apsw.Connection, generation: int, after: int = 0) -> list[tuple[int, bytes]]:
    found: list[tuple[int, bytes]] = []
    for run in read_sketches(db, generation, after):
        bits = np.frombuffer(run.bits, np.uint8).reshape(-1, 8)
        found += zip(run.ids.tolist(), (row.tobytes() for row in bits), strict=True)
    return sorted(found)


def _expected(db: apsw.Connection, generation: int) -> list[tuple[int, bytes]]:
    statement = "select vector, bits from sketch where generation = ? order by vector"
    return [(vector, bits) for vector, bits in db.execute(statement, (generation,))]


def _blocks(db: apsw.Connection) -> object:
    return db.execute("select count(*) from sketch_block").get


def test_what_is_read_is_what_is_there_however_it_is_kept(db: apsw.Connection) -> None:
    def check() -> None:
        for generation in (1, 2):
            assert _found(db, generation) == _expected(db, generation)

    check()
    pack_sketches(db)
    assert _blocks(db) == 4
    check()
    db.execute("delete from sketch where vector in (7, 8, 2990)")
    assert _blocks(db) == 1
    check()
    db.execute("delete from vector where id between 500 and 900")
    for number in range(3_001, 3_100):
        _add(db, number)
    pack_sketches(db)
    check()
    assert _blocks(db) == 4


def test_few_sketches_stay_rows(db: apsw.Connection) -> None:
    db.execute("delete from sketch where id > 400")
    pack_sketches(db)
    assert _blocks(db) == 0


def test_what_came_later_is_read_without_the_rest(db: apsw.Connection) -> None:
    pack_sketches(db)
    _add(db, 3_001)
    assert [vector for vector, _ in _found(db, 2, after=3_000)] == [3_001]
