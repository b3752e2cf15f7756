"""Sign bits of vectors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.store.binary_vectors import BinaryRun, BinaryVectors, sketch_bytes, sketches


@given(st.lists(st.floats(-1, 1, width=32), min_size=1, max_size=200))
def test_one_bit_a_dimension_padded_to_whole_words(values: list[float]) -> None:
    bits = sketch_bytes(np.array(values, dtype=np.float32).tobytes())
    assert len(bits) % 8 == 0
    unpacked = np.unpackbits(np.frombuffer(bits, np.uint8))[: len(values)]
    assert unpacked.tolist() == [int(value > 0) for value in values]


@pytest.mark.parametrize("count", [1, 5, 50, 99, 100, 500])
def test_the_fewest_differing_signs_are_nearest(count: int) -> None:
    rng = np.random.default_rng(3)
    vectors = rng.standard_normal((100, 70)).astype(np.float32)
    sketch = BinaryVectors(70)
    for start in range(0, 100, 30):
        part = list(enumerate(vectors))[start : start + 30]
        ids = np.array([1000 + number for number, _ in part])
        bits = b"".join(sketch_bytes(vector.tobytes()) for _, vector in part)
        sketch.extend([BinaryRun(part[-1][0] + 1, ids, bits)])
    query = rng.standard_normal(70).astype(np.float32)
    differing = ((vectors > 0) != (query > 0)).sum(axis=1)
    found = [n - 1000 for n in sketch.nearest(query, count)]
    assert len(found) == len(set(found)) == min(count, 100)
    assert sorted(differing[found]) == sorted(differing)[:count]
    assert (len(sketch), sketch.last) == (100, 100)


def test_nothing_is_near_in_an_empty_sketch() -> None:
    assert BinaryVectors(8).nearest(np.ones(8, np.float32)) == []


@pytest.mark.parametrize(("vectors", "survivors"), [(300, 300), (900, 400), (200_000, 500)])
def test_more_survive_in_a_large_index(vectors: int, survivors: int) -> None:
    rng = np.random.default_rng(2)
    sketch = BinaryVectors(64)
    sketch.extend([BinaryRun(vectors, np.arange(vectors), rng.bytes(8 * vectors))])
    found = sketch.nearest(rng.standard_normal(64).astype(np.float32))
    assert len(set(found)) == survivors


@pytest.mark.parametrize("dimensions", [384, 768])
def test_the_survivors_hold_nearly_all_true_neighbours(dimensions: int) -> None:
    """Vectors of notes lie in clusters; ten exact neighbours of queries near them."""
    rng = np.random.default_rng(1)
    centres = rng.standard_normal((200, dimensions))
    noise = rng.standard_normal((20_000, dimensions))
    vectors = (centres[rng.integers(0, 200, 20_000)] + 0.8 * noise).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    sketch = BinaryVectors(dimensions)
    bits = b"".join(sketches(vectors))
    sketch.extend([BinaryRun(20_000, np.arange(1, 20_001), bits)])
    kept = []
    for query in vectors[::400] + 0.02 * rng.standard_normal(dimensions).astype(np.float32):
        exact = np.argsort(-(vectors @ query))[:10] + 1
        kept.append(len(set(sketch.nearest(query)) & set(exact.tolist())) / 10)
    assert np.mean(kept) >= 0.98
