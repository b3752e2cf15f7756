"""Binary vectors: the sign bits of embeddings, which find near ones before exact rescoring.

One bit a dimension takes 32 times less than float32. Scanning the bits with `bitwise_count` and
rescoring the nearest exactly found 99.5 % of the true neighbours of MiniLM vectors with 400
survivors, at a tenth of the time of a full scan. In SQL they are called sketches.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TypeAlias

import apsw
import numpy as np
import numpy.typing as npt
from msgspec import Struct

from scrubjay.records.vectors import WORD_BYTES, Vector, binary_width
from scrubjay.store.index_file import fetch, has_table

Words: TypeAlias = npt.NDArray[np.uint64]
"""Sign bits in words, uint64[words, vectors] or uint64[vectors]."""
Ids: TypeAlias = npt.NDArray[np.int64]
"""Ids of vectors or their numbers in an index, int64[vectors]."""

SURVIVORS = 400
"""Number of nearest binary vectors that are rescored exactly, at least."""

ONE_IN = 400
"""Number of vectors of which one is rescored, where that is more than `SURVIVORS`.

The vectors about one subject grow with all, and signs do not tell them apart: of a million in 500
clusters 400 survivors held 78 % of the true neighbours, 1,600 99 % (bench/recall.py).
"""

_BLOCK = 65_536
"""Vectors that are compared at once, so that intermediate results fit the processor's cache."""
_MIXER = np.uint64(0x9E3779B97F4A7C15)
"""2^64 by the golden ratio (Knuth): odd multiples of it differ in all of their bits."""

_ROWS = """
select id, vector, bits from sketch where generation = ? and id > ? and id < ? order by id
"""
"""Single rows of a generation between two numbers, in their order."""
_ROWS_AT_ONCE = 16_384
"""Rows read at once: as tuples they take several times the memory that they take side by side."""

_MOST_PACKED = 1_024
"""Vectors in a stored block. Deleting one deletes its block, which the next pass packs again."""
_FEWEST_PACKED = 256
"""Vectors that make a block worth storing; fewer stay rows."""

_BLOCKS = "select first, last, vectors, bits from sketch_block where generation = ? order by last"
"""Stored blocks of a generation, in the order of their rows."""
_RANGES = "select first, last from sketch_block where generation = ? order by last"
"""First and last row of each block of a generation."""
_INSERT_BLOCK = """
insert into sketch_block(generation, first, last, vectors, bits) values (?, ?, ?, ?, ?)
"""
"""Statement that stores a block."""
_LAST_ROW = 2**63 - 1
"""Highest number of a row in SQLite."""


def sign_bits(vectors: Sequence[Vector] | npt.NDArray[np.float32]) -> list[bytes]:
    """Sign bits of float32[vectors, dimensions], each row padded to whole 64-bit words."""
    if not len(vectors):
        return []
    bits = np.packbits(np.asarray(vectors) > 0, axis=1)
    padding = bytes(-bits.shape[1] % WORD_BYTES)
    return [row.tobytes() + padding for row in bits]


def stored_sign_bits(embedding: bytes) -> bytes:
    """Sign bits of a vector as the index stores it, in float32."""
    return sign_bits(np.frombuffer(embedding, dtype=np.float32)[np.newaxis])[0]


class BinaryRun(Struct, frozen=True):
    """Binary vectors, stored together in the order of their rows."""

    last: int
    """Number of the last row."""
    ids: Ids
    """int64[vectors]: their ids."""
    bits: bytes
    first: int = 0
    """Number of the first row, in runs of single rows."""


class BinaryVectors:
    """Sign bits of all used vectors of one generation, in memory."""

    def __init__(self, dimensions: int) -> None:
        self._words = binary_width(dimensions) // WORD_BYTES
        self._ids: Ids = np.empty(0, dtype=np.int64)
        self._blocks: list[Words] = []
        """uint64[words, vectors] each: a column of words is one run of memory, three times as fast
        to compare."""
        self.last = 0
        """Highest row that was read."""

    def __len__(self) -> int:
        return len(self._ids)

    def extend(self, runs: Sequence[BinaryRun]) -> None:
        """Add vectors; more at once are added faster."""
        if not runs:
            return
        # Each vector is one column of 64-bit words; a last block that is not full takes more.
        packed = b"".join(run.bits for run in runs)
        added = np.frombuffer(packed, dtype=np.uint64).reshape(-1, self._words).T
        if self._blocks and self._blocks[-1].shape[1] < _BLOCK:
            added = np.concatenate([self._blocks.pop(), added], axis=1)
        self._blocks += [
            np.ascontiguousarray(added[:, start : start + _BLOCK])
            for start in range(0, added.shape[1], _BLOCK)
        ]
        # Ids and blocks stay in the same order.
        self._ids = np.concatenate([self._ids, *(run.ids for run in runs)])
        self.last = max(self.last, *(run.last for run in runs))

    def nearest(
        self, query: Vector, count: int | None = None, *, among: Sequence[int] | None = None
    ) -> list[int]:
        """Ids of the vectors with the fewest differing signs, in no certain order.

        Query is float32[dimensions]. Count is the number of survivors by default; among are the
        ids that are admitted, all by default.
        """
        ids = self._ids
        # The conditions of a search leave some of the vectors only.
        admitted: npt.NDArray[np.bool_] | None = None
        if among is not None:
            admitted = np.isin(ids, np.asarray(among, dtype=np.int64))
            ids = ids[admitted]
        if count is None:
            count = max(SURVIVORS, len(ids) // ONE_IN)
        # Otherwise all survive, and nothing has to be compared.
        if len(ids) > count:
            distances = self._distances(query)
            if admitted is not None:
                distances = distances[admitted]
            # Few distances differ, so they are counted.
            border = int(np.searchsorted(np.cumsum(np.bincount(distances)), count))
            nearer = np.flatnonzero(distances < border)
            at_border = np.flatnonzero(distances == border)
            free = count - len(nearer)
            # Of equal distances at the border, digests of the signs decide, not the order of rows.
            if len(at_border) > free:
                rows = at_border
                if admitted is not None:
                    rows = np.flatnonzero(admitted)[at_border]
                at_border = at_border[np.argpartition(self._digests(rows), free)[:free]]
            ids = ids[np.concatenate([nearer, at_border])]
        nearest: list[int] = ids.tolist()
        return nearest

    def _digests(self, rows: npt.NDArray[np.int64]) -> Words:
        """uint64[rows]: a number of the signs in each of ascending rows, wherever they stand."""
        # The columns of each block, one block after the other, then mixed word by word.
        numbers, columns = np.divmod(rows, _BLOCK)
        blocks = [self._blocks[at][:, columns[numbers == at]] for at in np.unique(numbers)]
        odd = np.arange(1, 2 * self._words, 2, dtype=np.uint64) * _MIXER
        digests: Words = (np.concatenate(blocks, axis=1) * odd[:, None]).sum(axis=0)
        return digests

    def _distances(self, query: Vector) -> npt.NDArray[np.uint16]:
        """uint16[vectors]: number of signs that differ from the query's."""
        query_words = np.frombuffer(stored_sign_bits(query.tobytes()), dtype=np.uint64)
        distances = np.zeros(len(self._ids), dtype=np.uint16)
        for number, block in enumerate(self._blocks):
            # A view into the distances, so that the sums of the words land in it.
            into = distances[number * _BLOCK : number * _BLOCK + block.shape[1]]
            for words, word in zip(block, query_words, strict=True):
                into += np.bitwise_count(words ^ word)
        return distances


def read_binary_runs(db: apsw.Connection, generation: int, after: int) -> Iterator[BinaryRun]:
    """Binary vectors of a generation beyond a row, in no certain order; from 0 on in blocks."""
    ranges: list[tuple[int, int]] = []
    # An index of an older version has no blocks until a writer has migrated it.
    if after == 0 and has_table(db, "sketch_block"):
        for first, last, vectors, bits in db.execute(_BLOCKS, (generation,)):
            # So ends a value whose last page was zeroed on the disk: no checksum shows that.
            if bits.endswith(bytes(WORD_BYTES)):
                continue
            ranges.append((first, last))
            yield BinaryRun(last, np.frombuffer(vectors, dtype=np.int64), bits=bits)
    # Rows that no block has: those that are new, and those around a deleted one.
    for low, high in _gaps(ranges, after):
        yield from _rows(db, generation, low=low, high=high, at_once=_ROWS_AT_ONCE)


def pack_binary_vectors(db: apsw.Connection) -> None:
    """Store the rows that no block has in new blocks. Runs within the caller's transaction."""
    for (generation,) in fetch(db, "select id from generation"):
        ranges = [(first, last) for first, last in fetch(db, _RANGES, (generation,))]
        for low, high in _gaps(ranges, 0):
            for run in list(_rows(db, generation, low=low, high=high, at_once=_MOST_PACKED)):
                if len(run.ids) >= _FEWEST_PACKED:
                    values = (generation, run.first, run.last, run.ids.tobytes(), run.bits)
                    db.execute(_INSERT_BLOCK, values)


def _gaps(ranges: list[tuple[int, int]], after: int) -> Iterator[tuple[int, int]]:
    """(row before, row after) of the gaps around ascending ranges of rows."""
    for first, last in [*ranges, (_LAST_ROW, _LAST_ROW)]:
        if first > after + 1:
            yield after, first
        after = last


def _rows(
    db: apsw.Connection, generation: int, low: int, high: int, at_once: int
) -> Iterator[BinaryRun]:
    cursor = db.execute(_ROWS, (generation, low, high))
    while rows := list(itertools.islice(cursor, at_once)):
        numbers, vectors, bits = zip(*rows, strict=True)
        ids = np.array(vectors, dtype=np.int64)
        yield BinaryRun(numbers[-1], ids, bits=b"".join(bits), first=numbers[0])
