"""The reading side of an index. Lives on the search thread, never waits for the writer."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw
import numpy as np

from scrubjay.jobs import CancelToken
from scrubjay.records import ChunkId, SkippedFile, Source
from scrubjay.store.connection import (
    converting,
    fetch,
    interruptible,
    load_vector_functions,
    open_reader,
)
from scrubjay.store.journal_reader import JournalReader
from scrubjay.store.rows import Counts, Filters, Generation, KnownDocument, StoredChunk, unpacked
from scrubjay.store.schema import check
from scrubjay.store.sketch import Sketch, sketch_width
from scrubjay.store.summary import read_checked_at, read_counts, read_documents, read_skipped
from scrubjay.vectors import Vector

FIELD_WEIGHTS = (1.0, 1.0, 1.0, 0.5)
"""BM25 weights of text, heading, path and the parts of compound names."""

# A "cross join" keeps its order in SQLite: the short list in JSON is always what the others are
# looked up for. Left to itself the planner scanned all vectors for 64 chunks.
_LEXICAL = """
select rowid, bm25(fts, {weights}) as rank from fts where fts match ? order by rank limit ?
"""
_LEXICAL_FILTERED = """
select fts.rowid, bm25(fts, {weights}) as rank
from fts join chunk on chunk.id = fts.rowid join document on document.id = chunk.document
where fts match ? and {condition} order by rank limit ?
"""
_MATCHING = "select rowid from fts where fts match ? and rowid in (select value from json_each(?))"
_CHUNKS = """
select chunk.id, document.id, document.path, file, source, title, date, mtime_ns,
       first_line, last_line, heading, text
from json_each(?) cross join chunk on chunk.id = value
cross join document on document.id = chunk.document
"""
# A vector without a chunk is cache; its sketch may still be in memory and must not take a place.
_RESCORE = """
select vector.id, coalesce(1 - vec_distance_cosine(embedding, ?1), 0.0) as cosine
from json_each(?2) cross join vector on vector.id = value
where exists (select 1 from chunk where chunk.hash = vector.hash)
order by cosine desc limit ?3
"""
_RESCORE_INPUT = """
select vector.id, embedding from json_each(?) cross join vector on vector.id = value
where exists (select 1 from chunk where chunk.hash = vector.hash)
"""
_FILTERED_VECTORS = """
select distinct vector.id from document join chunk on chunk.document = document.id
join vector on vector.hash = chunk.hash and vector.generation = ? where {condition}
"""
_CHUNKS_OF_VECTORS = """
select value, chunk.id from json_each(?) cross join vector on vector.id = value
cross join chunk on chunk.hash = vector.hash join document on document.id = chunk.document
where {condition}
"""
_SIMILARITIES = """
select chunk.id, coalesce(1 - vec_distance_cosine(embedding, ?3), 0.0)
from json_each(?1) cross join chunk on chunk.id = value
cross join vector on vector.generation = ?2 and vector.hash = chunk.hash
"""
_SIMILARITY_INPUT = """
select chunk.id, embedding from json_each(?1) cross join chunk on chunk.id = value
cross join vector on vector.generation = ?2 and vector.hash = chunk.hash
"""
_NEIGHBOURS = """
select beside.id from json_each(?) cross join chunk on chunk.id = value
cross join chunk as beside on beside.id in (chunk.id - 1, chunk.id + 1)
where beside.document = chunk.document
"""
_LINES = """
select chunk.id, lines from json_each(?) cross join chunk on chunk.id = value
cross join vector on vector.generation = ? and vector.hash = chunk.hash
where lines is not null
"""
_SESSION_CHUNKS = """
select chunk.id from json_each(?) cross join chunk on chunk.id = value
cross join document on document.id = chunk.document where source = 'sessions'
"""
_KNOWN_STEMS = """
select term, doc from json_each(?) cross join temp.vocabulary on term = value
"""
_STEMS_FROM = "select term from temp.vocabulary where term >= ? and term < ? limit ?"
_MAX_STEMS = 300
_MAX_STALE = 128
"""Sketches of vectors that are gone, beyond which all are read anew: a third of the survivors."""

_RECENT = "select path, file, source, title, mtime_ns from document order by mtime_ns desc limit ?"


_MAX_FREQUENCIES = 10_000


@dataclass(slots=True)
class _Statistics:
    """Numbers that hold until the next commit."""

    version: int
    chunks: int
    frequencies: dict[str, int] = field(default_factory=dict)


class Reader:
    """Reads one index."""

    def __init__(self, db: apsw.Connection, path: Path) -> None:
        self._db = db
        self._path = path
        self._has_functions = load_vector_functions(db)
        self._weights = ", ".join(map(str, FIELD_WEIGHTS))
        self._seen_version = -1
        self._counted: _Statistics | None = None
        self._generation: Generation | None = None
        self._sketch = Sketch(0)
        self._file = _file_id(path)
        self.journal = JournalReader(db, path)
        with converting(path):
            db.execute("create virtual table temp.vocabulary using fts5vocab(main, fts, 'row')")

    @classmethod
    def open(cls, path: Path) -> Reader:
        """Open an index that exists. Raises IndexCorrupt, IndexTooNew or IndexUnavailable."""
        db = open_reader(path)
        try:
            with converting(path):
                check(db, path)
            return cls(db, path)
        except BaseException:
            db.close()
            raise

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def is_empty(self) -> bool:
        """True for a file without tables, as a first pass leaves it when it is killed early."""
        with converting(self._path):
            return check(self._db, self._path) == 0

    def is_current(self) -> bool:
        """False when another file, or none, is at the path that was opened."""
        return self._file is not None and _file_id(self._path) == self._file

    def lexical(
        self, expression: str, limit: int, filters: Filters, cancel: CancelToken
    ) -> list[tuple[ChunkId, float]]:
        """Chunks that match an FTS5 expression with their positive BM25 score, best first."""
        with converting(self._path), interruptible(self._db, cancel):
            if filters.is_empty:
                statement = _LEXICAL.format(weights=self._weights)
                rows = fetch(self._db, statement, (expression, limit))
            else:
                condition, values = filters.sql()
                statement = _LEXICAL_FILTERED.format(weights=self._weights, condition=condition)
                rows = fetch(self._db, statement, (expression, *values, limit))
        return [(ChunkId(row), -rank) for row, rank in rows]

    def holds(self, expression: str) -> bool:
        """True when any chunk matches an FTS5 expression."""
        with converting(self._path):
            statement = "select 1 from fts where fts match ? limit 1"
            return self._db.execute(statement, (expression,)).fetchone() is not None

    def matching(self, expression: str, ids: Iterable[ChunkId]) -> set[ChunkId]:
        """Those of the chunks that match an FTS5 expression."""
        with converting(self._path):
            rows = fetch(self._db, _MATCHING, (expression, json.dumps(sorted(ids))))
        return {ChunkId(row[0]) for row in rows}

    def nearest(
        self, query: Vector, limit: int, filters: Filters, cancel: CancelToken
    ) -> list[tuple[ChunkId, float]]:
        """Chunks of the active generation with their cosine similarity, best first."""
        self.refresh()
        if self._generation is None or len(query) != self._generation.dimensions:
            return []
        with converting(self._path), interruptible(self._db, cancel):
            condition, values = filters.sql()
            if filters.is_empty:
                candidates = self._sketch.nearest(query)
            else:
                statement = _FILTERED_VECTORS.format(condition=condition)
                rows = fetch(self._db, statement, (self._generation.id, *values))
                candidates = [row[0] for row in rows]
            scores = dict(self._rescore(query, candidates, limit))
            statement = _CHUNKS_OF_VECTORS.format(condition=condition)
            rows = fetch(self._db, statement, (json.dumps(list(scores)), *values))
            found = [(ChunkId(chunk), scores[vector]) for vector, chunk in rows]
        return sorted(found, key=lambda item: (-item[1], item[0]))[:limit]

    def similarities(self, query: Vector, ids: Sequence[ChunkId]) -> dict[ChunkId, float]:
        """Cosine similarity of certain chunks, for those that have a vector."""
        if self._generation is None or not ids:
            return {}
        values = (json.dumps(list(ids)), self._generation.id)
        with converting(self._path):
            if self._has_functions:
                return dict(fetch(self._db, _SIMILARITIES, (*values, query.tobytes())))
            rows = fetch(self._db, _SIMILARITY_INPUT, values)
        return {ChunkId(row[0]): float(np.frombuffer(row[1], np.float32) @ query) for row in rows}

    def generation(self) -> Generation | None:
        """The generation that answers; None before the first vectors."""
        with converting(self._path):
            row = self._db.execute(
                "select id, identity, dimensions from generation where is_active"
            ).fetchone()
        return Generation(*row) if row else None

    def refresh(self) -> None:
        """Take in the vectors that were committed since the last search."""
        with converting(self._path):
            version = int(self._db.pragma("data_version"))
            if version == self._seen_version:
                return
            generation = self.generation()
            if generation is None:
                self._sketch, self._generation = Sketch(0), None
                return
            if generation != self._generation:
                self._sketch, self._generation = Sketch(generation.dimensions), generation
            self._read_sketches(generation)
            total = self._db.execute(
                "select count(*) from sketch where generation = ?", (generation.id,)
            ).get
            if len(self._sketch) > total + _MAX_STALE:
                self._sketch = Sketch(generation.dimensions)
                self._read_sketches(generation)
            self._seen_version = version

    def chunks(
        self, ids: Iterable[ChunkId], *, neighbours_of: Iterable[ChunkId] = ()
    ) -> dict[ChunkId, StoredChunk]:
        """Chunks with their documents; what was deleted meanwhile is left out.

        For some the chunks before and behind them in the same document come along: the writer
        numbers the chunks of a document one after the other.
        """
        with converting(self._path):
            beside = fetch(self._db, _NEIGHBOURS, (json.dumps(list(neighbours_of)),))
            wanted = list(dict.fromkeys([*ids, *(row[0] for row in beside)]))
            rows = fetch(self._db, _CHUNKS, (json.dumps(wanted),))
            return {ChunkId(row[0]): _stored_chunk(row) for row in rows}

    def session_chunks(self, ids: Iterable[ChunkId]) -> set[ChunkId]:
        """Those that belong to transcripts of conversations."""
        with converting(self._path):
            return {
                ChunkId(row[0])
                for row in fetch(self._db, _SESSION_CHUNKS, (json.dumps(list(ids)),))
            }

    def line_sketches(self, ids: Sequence[ChunkId]) -> dict[ChunkId, bytes]:
        """Sign bits of the lines that are not blank, one after the other, where they are known."""
        if self._generation is None:
            return {}
        with converting(self._path):
            return dict(fetch(self._db, _LINES, (json.dumps(list(ids)), self._generation.id)))

    def sketch_width(self) -> int:
        """Bytes of the sign bits of one line."""
        return sketch_width(self._generation.dimensions) if self._generation else 0

    def document_frequency(self, stem: str) -> int:
        """In how many chunks a stem occurs, in any field."""
        counted = self._statistics()
        if stem not in counted.frequencies:
            statement = "select doc from temp.vocabulary where term = ?"
            with converting(self._path):
                row = self._db.execute(statement, (stem,)).fetchone()
            counted.frequencies[stem] = int(row[0]) if row else 0
        return counted.frequencies[stem]

    def known_stems(self, stems: Sequence[str]) -> dict[str, int]:
        """Those of many stems that occur, with the number of chunks that hold each."""
        with converting(self._path):
            return dict(fetch(self._db, _KNOWN_STEMS, (json.dumps(list(stems)),)))

    def stems_from(self, prefix: str) -> list[str]:
        """Stems that begin with a prefix, not more than a few hundred."""
        end = prefix[:-1] + chr(ord(prefix[-1]) + 1)
        with converting(self._path):
            return [row[0] for row in fetch(self._db, _STEMS_FROM, (prefix, end, _MAX_STEMS))]

    def counts(self) -> Counts:
        """Sizes of the index."""
        with converting(self._path):
            return read_counts(self._db)

    def chunk_count(self) -> int:
        """Number of chunks, for inverse document frequencies."""
        return self._statistics().chunks

    def documents(self) -> dict[str, KnownDocument]:
        """Everything the index knows, by path."""
        with converting(self._path):
            return read_documents(self._db)

    def skipped(self) -> tuple[SkippedFile, ...]:
        """Files that are left out, problems first."""
        with converting(self._path):
            return read_skipped(self._db)

    def checked_at(self) -> dt.datetime | None:
        """When disk and index were last compared."""
        with converting(self._path):
            return read_checked_at(self._db)

    def file_of(self, path: str) -> Path | None:
        """Where an indexed document is on disk."""
        statement = "select file from document where path = ?"
        with converting(self._path):
            row = self._db.execute(statement, (path,)).fetchone()
        return Path(row[0]) if row else None

    def recent(self, limit: int) -> list[tuple[str, str, str, str, int]]:
        """(path, file, source, title, mtime_ns) of the documents that changed last."""
        with converting(self._path):
            return fetch(self._db, _RECENT, (limit,))

    def _statistics(self) -> _Statistics:
        """What was counted since the last commit; counting a common word takes milliseconds."""
        with converting(self._path):
            version = int(self._db.pragma("data_version"))
            if self._counted is None or self._counted.version != version:
                chunks = int(self._db.execute("select count(*) from chunk").get)
                self._counted = _Statistics(version, chunks)
            elif len(self._counted.frequencies) > _MAX_FREQUENCIES:
                self._counted.frequencies.clear()
        return self._counted

    def _read_sketches(self, generation: Generation) -> None:
        statement = (
            "select id, vector, bits from sketch where generation = ? and id > ? order by id"
        )
        self._sketch.extend(fetch(self._db, statement, (generation.id, self._sketch.last)))

    def _rescore(
        self, query: Vector, vectors: Sequence[int], limit: int
    ) -> list[tuple[int, float]]:
        listed = json.dumps(vectors)
        if self._has_functions:
            return fetch(self._db, _RESCORE, (query.tobytes(), listed, limit))
        rows = fetch(self._db, _RESCORE_INPUT, (listed,))
        if not rows:
            return []
        matrix = np.frombuffer(b"".join(row[1] for row in rows), dtype=np.float32)
        scores = matrix.reshape(len(rows), -1) @ query
        best = np.argsort(-scores, kind="stable")[:limit]
        return [(rows[at][0], float(scores[at])) for at in best]


def _file_id(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _stored_chunk(row: tuple[Any, ...]) -> StoredChunk:
    number, document, path, file, source, title, date, modified, first, last, heading, text = row
    day = dt.date.fromisoformat(date) if date else None
    place = (path, Path(file), Source(source))
    lines = (first, last)
    about = (title, day, modified)
    return StoredChunk(ChunkId(number), document, *place, *about, *lines, heading, unpacked(text))
