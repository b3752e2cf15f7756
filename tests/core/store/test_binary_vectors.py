"""Binary vectors: sign bits, the nearest of them, and their rows and blocks."""

from __future__ import annotations

from collections.abc import Iterator

import apsw
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.store.binary_vectors import (
    BinaryRun,
    BinaryVectors,
    pack_binary_vectors,
    read_binary_runs,
    sign_bits,
    stored_sign_bits,
)
from scrubjay.store.schema import MIGRATIONS


@given(st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=200))
def test_one_bit_a_dimension_padded_to_whole_words(values: list[float]) -> None:
    bits = stored_sign_bits(np.array(values, dtype=np.float32).tobytes())
    assert len(bits) % 8 == 0
    unpacked = np.unpackbits(np.frombuffer(bits, np.uint8))[: len(values)]
    assert unpacked.tolist() == [int(value > 0) for value in values]


@pytest.mark.parametrize("count", [1, 5, 50, 99, 100, 500])
def test_the_fewest_differing_signs_are_nearest(count: int) -> None:
    rng = np.random.default_rng(3)
    vectors = rng.standard_normal((100, 70)).astype(np.float32)
    binary = BinaryVectors(70)
    for start in range(0, 100, 30):
        part = list(enumerate(vectors))[start : start + 30]
        ids = np.array([1000 + number for number, _ in part])
        bits = b"".join(stored_sign_bits(vector.tobytes()) for _, vector in part)
        binary.extend([BinaryRun(part[-1][0] + 1, ids, bits)])
    query = rng.standard_normal(70).astype(np.float32)
    differing = ((vectors > 0) != (query > 0)).sum(axis=1)
    nearest = [n - 1000 for n in binary.nearest(query, count)]
    assert len(nearest) == len(set(nearest)) == min(count, 100)
    assert sorted(differing[nearest]) == sorted(differing)[:count]
    assert (len(binary), binary.last) == (100, 100)


def test_of_equally_near_ones_the_same_survive_in_any_order() -> None:
    rng = np.random.default_rng(5)
    bits = [rng.bytes(16) for _ in range(500)]
    nearest: list[set[int]] = []
    for ids in (range(500), reversed(range(500))):
        binary = BinaryVectors(128)
        for some in np.array_split(list(ids), 3):
            binary.extend([BinaryRun(1, some, b"".join(bits[each] for each in some))])
        query = np.ones(128, np.float32)
        nearest.append(
            set(binary.nearest(query, 100)) | set(binary.nearest(query, 90, among=range(400)))
        )
    assert nearest[0] == nearest[1]


def test_nothing_is_near_in_an_empty_index() -> None:
    assert BinaryVectors(8).nearest(np.ones(8, np.float32)) == []


@pytest.mark.parametrize(("vectors", "survivors"), [(300, 300), (900, 400), (200_000, 500)])
def test_more_survive_in_a_large_index(vectors: int, survivors: int) -> None:
    rng = np.random.default_rng(2)
    binary = BinaryVectors(64)
    binary.extend([BinaryRun(vectors, np.arange(vectors), rng.bytes(8 * vectors))])
    nearest = binary.nearest(rng.standard_normal(64).astype(np.float32))
    assert len(set(nearest)) == survivors


@pytest.mark.parametrize("dimensions", [384, 768])
def test_the_survivors_hold_nearly_all_true_neighbours(dimensions: int) -> None:
    """Vectors of notes lie in clusters; ten exact neighbours of queries near them."""
    rng = np.random.default_rng(1)
    centres = rng.standard_normal((200, dimensions))
    noise = rng.standard_normal((20_000, dimensions))
    vectors = (centres[rng.integers(0, 200, 20_000)] + 0.8 * noise).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    binary = BinaryVectors(dimensions)
    bits = b"".join(sign_bits(vectors))
    binary.extend([BinaryRun(20_000, np.arange(1, 20_001), bits)])
    shares = []
    for query in vectors[::400] + 0.02 * rng.standard_normal(dimensions).astype(np.float32):
        exact = np.argsort(-(vectors @ query))[:10] + 1
        shares.append(len(set(binary.nearest(query)) & set(exact.tolist())) / 10)
    assert np.mean(shares) >= 0.98


_GENERATIONS = 2


@pytest.fixture
def db() -> Iterator[apsw.Connection]:
    """Three thousand binary vectors of two generations in turn."""
    db = apsw.Connection(":memory:")
    for step in MIGRATIONS:
        step(db)
    for generation in range(1, _GENERATIONS + 1):
        db.execute("insert into generation values (?, ?, 64, 0)", (generation, str(generation)))
    for number in range(1, 3_001):
        _add(db, number)
    yield db
    db.close()


def _add(db: apsw.Connection, number: int) -> None:
    generation = number % _GENERATIONS + 1
    db.execute(
        "insert into vector values (?, ?, ?, x'')", (number, generation, str(number).encode())
    )
    row = (number, generation, number.to_bytes(8, "big"))
    db.execute("insert into sketch(vector, generation, bits) values (?, ?, ?)", row)


def _read(db: apsw.Connection, generation: int, after: int = 0) -> list[tuple[int, bytes]]:
    rows: list[tuple[int, bytes]] = []
    for run in read_binary_runs(db, generation, after):
        bits = np.frombuffer(run.bits, np.uint8).reshape(-1, 8)
        rows += zip(run.ids.tolist(), (row.tobytes() for row in bits), strict=True)
    return sorted(rows)


def _expected(db: apsw.Connection, generation: int) -> list[tuple[int, bytes]]:
    statement = "select vector, bits from sketch where generation = ? order by vector"
    return [(vector, bits) for vector, bits in db.execute(statement, (generation,))]


def _blocks(db: apsw.Connection) -> object:
    return db.execute("select count(*) from sketch_block").get


def test_what_is_read_is_what_is_stored_in_rows_or_blocks(db: apsw.Connection) -> None:
    def check() -> None:
        for generation in (1, 2):
            assert _read(db, generation) == _expected(db, generation)

    check()
    pack_binary_vectors(db)
    assert _blocks(db) == 4
    check()
    db.execute("delete from sketch where vector in (7, 8, 2990)")
    assert _blocks(db) == 1
    check()
    db.execute("delete from vector where id between 500 and 900")
    for number in range(3_001, 3_100):
        _add(db, number)
    pack_binary_vectors(db)
    check()
    assert _blocks(db) == 4


def test_few_binary_vectors_stay_rows(db: apsw.Connection) -> None:
    db.execute("delete from sketch where id > 400")
    pack_binary_vectors(db)
    assert _blocks(db) == 0


def test_what_came_later_is_read_without_the_rest(db: apsw.Connection) -> None:
    pack_binary_vectors(db)
    _add(db, 3_001)
    assert [vector for vector, _ in _read(db, 2, after=3_000)] == [3_001]
