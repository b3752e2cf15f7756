"""Recall of the search by sign bits, for different numbers of vectors."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from scrubjay.store.binary_vectors import BinaryRun, BinaryVectors, sign_bits

_QUERIES, _NEAREST = 60, 10
_CLUSTERS, _SMALLEST, _SPREAD = 500, 20, 0.8
"""Vectors of notes lie in clusters, 500 of at least 20 vectors, and queries beside them."""
_AT_ONCE = 10_000


def recall(count: int, dimensions: int) -> float:
    """Share of the ten exactly nearest of count vectors that survive for exact rescoring."""
    rng = np.random.default_rng(1)
    centres = rng.standard_normal((max(1, min(_CLUSTERS, count // _SMALLEST)), dimensions)).astype(
        np.float32
    )
    queries = _points(centres, _QUERIES, rng)
    binary = BinaryVectors(dimensions)
    best = np.full((_QUERIES, _NEAREST), -1, dtype=np.float32)
    nearest = np.zeros((_QUERIES, _NEAREST), dtype=np.int64)
    for start in range(0, count, _AT_ONCE):
        vectors = _points(centres, min(_AT_ONCE, count - start), rng)
        ids = np.arange(start, start + len(vectors))
        binary.extend([BinaryRun(int(ids[-1]), ids, b"".join(sign_bits(vectors)))])
        cosines = np.hstack([best, queries @ vectors.T])
        numbers = np.hstack([nearest, np.tile(ids, (_QUERIES, 1))])
        order = np.argsort(-cosines, axis=1)[:, :_NEAREST]
        best = np.take_along_axis(cosines, order, axis=1)
        nearest = np.take_along_axis(numbers, order, axis=1)
    survivors = sum(
        len(set(exact.tolist()).intersection(binary.nearest(query)))
        for query, exact in zip(queries, nearest, strict=True)
    )
    return round(survivors / _QUERIES / _NEAREST, 4)


def _points(
    centres: npt.NDArray[np.float32], count: int, rng: np.random.Generator
) -> npt.NDArray[np.float32]:
    """float32[count, dimensions] of length one, around float32[clusters, dimensions]."""
    noise = rng.standard_normal((count, centres.shape[1]), dtype=np.float32)
    points = centres[rng.integers(len(centres), size=count)] + np.float32(_SPREAD) * noise
    units: npt.NDArray[np.float32] = points / np.linalg.norm(points, axis=1, keepdims=True)
    return units
