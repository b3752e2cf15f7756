"""The sign bits of vectors, which find near ones before exact rescoring.

A sketch keeps one bit a dimension, 32 times less than float32. Scanning it with `bitwise_count`
and rescoring the nearest exactly found 99.5 % of the true neighbours of MiniLM vectors with 400
survivors, at a tenth of the time of a full scan.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from scrubjay.records.vectors import Vector

Bits: TypeAlias = npt.NDArray[np.uint64]

SURVIVORS, ONE_IN = 400, 400
"""How many nearest sketches are rescored exactly: at least so many, and one in so many of all.

The vectors about one thing grow with all, and signs do not tell them apart: of a million in 500
clusters 400 survivors held 78 % of the true neighbours, 1,600 99 %.
"""

_BLOCK = 65_536
"""Sketches that are compared at once, so that what comes between fits the processor's cache."""
_WORD_BYTES = 8


def sketch_width(dimensions: int) -> int:
    """Bytes of one sketch."""
    return -(-dimensions // 64) * _WORD_BYTES


def sketch_bytes(embedding: bytes) -> bytes:
    """Sign bits of a stored vector, padded to whole 64-bit words."""
    return sketches(np.frombuffer(embedding, dtype=np.float32)[np.newaxis])[0]


def sketches(vectors: Sequence[Vector] | npt.NDArray[np.float32]) -> list[bytes]:
    """Sign bits of each vector, padded to whole 64-bit words."""
    if not len(vectors):
        return []
    bits = np.packbits(np.asarray(vectors) > 0, axis=1)
    padding = bytes(-bits.shape[1] % _WORD_BYTES)
    return [row.tobytes() + padding for row in bits]


@dataclass(frozen=True, slots=True)
class BinaryRun:
    """Sketches in the order of their rows, side by side."""

    last: int
    """Number of the last row."""
    ids: npt.NDArray[np.int64]
    """Of the vectors."""
    bits: bytes
    first: int = 0
    """Number of the first row, where somebody asks for it."""


class BinaryVectors:
    """Sign bits of all live vectors of one generation, in memory."""

    def __init__(self, dimensions: int) -> None:
        self._words = sketch_width(dimensions) // _WORD_BYTES
        self._ids: npt.NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self._blocks: list[Bits] = []
        """Words x sketches: a word of all is one run of memory, three times as fast to compare."""
        self.last = 0
        """Highest sketch row that was read."""

    def __len__(self) -> int:
        return len(self._ids)

    def extend(self, runs: Sequence[BinaryRun]) -> None:
        """Add sketches; more at once are added faster."""
        if not runs:
            return
        packed = b"".join(run.bits for run in runs)
        added = np.frombuffer(packed, dtype=np.uint64).reshape(-1, self._words).T
        if self._blocks and self._blocks[-1].shape[1] < _BLOCK:
            added = np.concatenate([self._blocks.pop(), added], axis=1)
        self._blocks += [
            np.ascontiguousarray(added[:, start : start + _BLOCK])
            for start in range(0, added.shape[1], _BLOCK)
        ]
        self._ids = np.concatenate([self._ids, *(run.ids for run in runs)])
        self.last = max(self.last, *(run.last for run in runs))

    def nearest(
        self, query: Vector, count: int | None = None, *, among: Sequence[int] | None = None
    ) -> list[int]:
        """Vector ids with the fewest differing signs, in no certain order.

        Count is the number of survivors unless it is given. Among are the ids that may be found;
        all by default.
        """
        ids = self._ids
        admitted = None if among is None else np.isin(ids, np.asarray(among, dtype=np.int64))
        if admitted is not None:
            ids = ids[admitted]
        if count is None:
            count = max(SURVIVORS, len(ids) // ONE_IN)
        if len(ids) > count:
            distances = self._distances(query)
            ids = ids[_smallest(distances if admitted is None else distances[admitted], count)]
        found: list[int] = ids.tolist()
        return found

    def _distances(self, query: Vector) -> npt.NDArray[np.uint16]:
        asked = np.frombuffer(sketch_bytes(query.tobytes()), dtype=np.uint64)
        distances = np.zeros(len(self._ids), dtype=np.uint16)
        for number, block in enumerate(self._blocks):
            into = distances[number * _BLOCK : number * _BLOCK + block.shape[1]]
            for words, word in zip(block, asked, strict=True):
                into += np.bitwise_count(words ^ word)
        return distances


def _smallest(distances: npt.NDArray[np.uint16], count: int) -> npt.NDArray[np.int64]:
    """Places of the count smallest: there are few different distances, so they are counted."""
    border = int(np.searchsorted(np.cumsum(np.bincount(distances)), count))
    nearer = np.flatnonzero(distances < border)
    return np.concatenate([nearer, np.flatnonzero(distances == border)[: count - len(nearer)]])
