"""Search for the nearest vectors: first by sign bits, then by the exact cosine of the survivors."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from functools import cached_property

import apsw
import numpy as np

from scrubjay.records.note_records import ChunkId
from scrubjay.records.vectors import Vector
from scrubjay.store.binary_vectors import BinaryVectors, read_binary_runs
from scrubjay.store.index_file import active_generation, fetch, load_vector_functions
from scrubjay.store.index_records import ALL_DOCUMENTS, Filters, Generation

# A "cross join" keeps its order in SQLite: the short list in JSON is always what the others are
# looked up for. Left to itself the planner scanned all vectors for 64 chunks.
_RESCORE = """
select vector.id, coalesce(1 - vec_distance_cosine(embedding, ?1), 0.0) as cosine
from json_each(?2) cross join vector on vector.id = value
order by cosine desc, hash limit ?3
"""
"""Listed vectors by their exact cosine with a query, best first."""
_RESCORE_INPUT = """
select vector.id, embedding from json_each(?) cross join vector on vector.id = value
order by hash
"""
"""Listed vectors, where numpy computes the cosines."""
_FILTERED_VECTORS = """
select distinct vector.id from document join chunk on chunk.document = document.id
join vector on vector.hash = chunk.hash and vector.generation = ? where {condition}
"""
"""Vectors of the documents that meet a condition."""
_CHUNKS_OF_VECTORS = """
select value, chunk.id from json_each(?) cross join vector on vector.id = value
cross join chunk on chunk.hash = vector.hash join document on document.id = chunk.document
where {condition}
"""
"""Chunks with the texts of listed vectors, of documents that meet a condition."""
_SIMILARITIES = """
select chunk.id, coalesce(1 - vec_distance_cosine(embedding, ?3), 0.0)
from json_each(?1) cross join chunk on chunk.id = value
cross join vector on vector.generation = ?2 and vector.hash = chunk.hash
"""
"""Exact cosines of listed chunks with a query."""
_SIMILARITY_INPUT = """
select chunk.id, embedding from json_each(?1) cross join chunk on chunk.id = value
cross join vector on vector.generation = ?2 and vector.hash = chunk.hash
"""
"""Vectors of listed chunks, where numpy computes the cosines."""
_RUNS_AT_ONCE = 64
"""Runs that are read at once, so that not all are in memory twice."""

_MAX_STALE = 128
"""Deleted vectors in memory beyond which all are read again: a third of the survivors."""


class VectorSearch:
    """The vectors of the active generation, as one connection sees them."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self._version = -1
        self._binary = BinaryVectors(0)
        self.generation: Generation | None = None
        """The generation of the binary vectors in memory."""

    @cached_property
    def has_functions(self) -> bool:
        """Whether sqlite-vec computes the cosines; numpy does where it does not work."""
        return load_vector_functions(self._db)

    def refresh(self) -> None:
        """Read the binary vectors that were committed since the last time."""
        # SQLite counts the commits of other connections, so that most calls end here.
        version = int(self._db.pragma("data_version"))
        if version == self._version:
            return
        # Another model makes other vectors, so none of the former ones stay in memory.
        generation = active_generation(self._db)
        if generation != self.generation:
            self.generation = generation
            dimensions = generation.dimensions if generation else 0
            self._binary = BinaryVectors(dimensions)
        if generation:
            self._read(generation)
            self._version = version

    def nearest(self, query: Vector, limit: int, filters: Filters) -> list[tuple[ChunkId, float]]:
        """The chunks of the nearest vectors, with their cosine similarity, in no certain order.

        Query is float32[dimensions]. There are at least limit chunks, if so many are admitted.
        """
        # Vectors of another length cannot be compared.
        generation = self.generation
        if generation is None or len(query) != generation.dimensions:
            return []
        # Conditions are on documents, so the vectors of the admitted ones are listed first.
        among: list[int] | None = None
        if filters != ALL_DOCUMENTS:
            condition, values = filters.sql()
            statement = _FILTERED_VECTORS.format(condition=condition)
            among = [row[0] for row in fetch(self._db, statement, (generation.id, *values))]
        # Signs find the survivors quickly, their cosines tell which are the nearest.
        survivors = self._binary.nearest(query, among=among)
        chunks = self._chunks_of(self._rescore(query, survivors, limit), filters)
        if len(chunks) < limit < len(survivors):
            # A vector that no chunk uses any longer may still be in memory.
            statement = "select count(*) from sketch where generation = ?"
            stored = int(self._db.execute(statement, (generation.id,)).get)
            if len(self._binary) - stored > _MAX_STALE:
                self._binary = BinaryVectors(generation.dimensions)
                self._read(generation)
                survivors = self._binary.nearest(query, among=among)
            chunks = self._chunks_of(self._rescore(query, survivors, limit + _MAX_STALE), filters)
        return chunks

    def similarities(self, query: Vector, ids: Sequence[ChunkId]) -> dict[ChunkId, float]:
        """Cosine similarity of certain chunks to float32[dimensions], for those with a vector."""
        if self.generation is None or not ids:
            return {}
        values = (json.dumps(list(ids)), self.generation.id)
        if self.has_functions:
            return dict(fetch(self._db, _SIMILARITIES, (*values, query.tobytes())))
        rows = fetch(self._db, _SIMILARITY_INPUT, values)
        return {ChunkId(row[0]): float(np.frombuffer(row[1], np.float32) @ query) for row in rows}

    def _read(self, generation: Generation) -> None:
        runs = read_binary_runs(self._db, generation.id, self._binary.last)
        while some := list(itertools.islice(runs, _RUNS_AT_ONCE)):
            self._binary.extend(some)

    def _chunks_of(
        self, vectors: Sequence[tuple[int, float]], filters: Filters
    ) -> list[tuple[ChunkId, float]]:
        scores = dict(vectors)
        condition, values = filters.sql()
        statement = _CHUNKS_OF_VECTORS.format(condition=condition)
        rows = fetch(self._db, statement, (json.dumps(list(scores)), *values))
        return [(ChunkId(chunk), scores[vector]) for vector, chunk in rows]

    def _rescore(
        self, query: Vector, vectors: Sequence[int], limit: int
    ) -> list[tuple[int, float]]:
        """(vector, cosine) of the nearest of some vectors, best first."""
        listed = json.dumps(vectors)
        # SQLite computes in place; without it, numpy gets the same vectors in the same order.
        if self.has_functions:
            return fetch(self._db, _RESCORE, (query.tobytes(), listed, limit))
        rows = fetch(self._db, _RESCORE_INPUT, (listed,))
        if not rows:
            return []
        matrix = np.frombuffer(b"".join(row[1] for row in rows), dtype=np.float32)
        scores = matrix.reshape(len(rows), -1) @ query
        best = np.argsort(-scores, kind="stable")[:limit]
        return [(rows[at][0], float(scores[at])) for at in best]
