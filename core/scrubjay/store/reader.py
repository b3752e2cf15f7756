"""The reading side of an index. It is used on the search thread and never waits for the writer."""

from __future__ import annotations

import datetime as dt
import json
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, MutableMapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw
from msgspec import Struct, field

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.records.note_records import ChunkId, DocumentInfo, Source
from scrubjay.records.search_modes import Order
from scrubjay.records.vectors import Vector, binary_width
from scrubjay.store.index_file import (
    active_generation,
    check_index_length,
    convert_sqlite_errors,
    fetch,
    file_id,
    file_size,
    has_table,
    interruptible,
    open_reader,
)
from scrubjay.store.index_records import (
    ALL_DOCUMENTS,
    DOCUMENT_COLUMNS,
    Filters,
    Generation,
    StoredChunk,
    decompress_text,
    document_info,
)
from scrubjay.store.journal_reader import JournalReader
from scrubjay.store.metadata import BATCH, Metadata
from scrubjay.store.protocol import IndexAddress, IndexReader, Scores
from scrubjay.store.relation_reader import RelationReader
from scrubjay.store.schema import check_schema_version

if TYPE_CHECKING:
    from scrubjay.store.vector_search import VectorSearch

FIELD_WEIGHTS = (1.0, 1.0, 1.0, 0.5)
"""BM25 weights of text, heading, path and the parts of compound names."""

# A "cross join" keeps its order in SQLite: the short list in JSON is always what the others are
# looked up for. Left to itself the planner scanned all vectors for 64 chunks.
_LEXICAL = """
select rowid, bm25(fts, {weights}) as rank from fts where fts match ? order by rank limit ?
"""
"""Best chunks that match an expression."""
# The plus keeps SQLite from running the whole match once for each admitted chunk.
_LEXICAL_FILTERED = """
with admitted as materialized (
  select chunk.id from document join chunk on chunk.document = document.id where {condition})
select rowid, bm25(fts, {weights}) as rank from fts
where fts match ? and +rowid in admitted order by rank limit ?
"""
"""Best chunks that match an expression, of documents that meet a condition."""
_MOST_TIED = 500
"""Chunks with the score of the last one wanted that are compared by path; of more, the first rows
are taken. To ask for all would take as long as the search."""
_PATHS = """
select chunk.id, document.path from json_each(?) cross join chunk on chunk.id = value
cross join document on document.id = chunk.document
"""
"""Paths of the notes of listed chunks."""
_MATCHING = "select rowid from fts where fts match ? and rowid in (select value from json_each(?))"
"""Listed chunks that match an expression."""
_CHUNKS = """
select chunk.id, document.id, document.path, file, source, title, date, mtime_ns,
       first_line, last_line, heading, text,
       (select group_concat(key, char(10)) from name where name.document = document.id)
from json_each(?) cross join chunk on chunk.id = value
cross join document on document.id = chunk.document
"""
"""Listed chunks with their documents, in the order of the fields of `StoredChunk`."""
_NAMED = """
with named as materialized (
  select document.id, min(key != ?) as is_longer, min(length(key)) as letters
  from name cross join document on document.id = name.document
  where key >= ? and key < ? and {condition}
  group by document.id order by is_longer, letters, path limit ?)
select (select min(chunk.id) from chunk where chunk.document = named.id)
from named order by is_longer, letters
"""
"""First chunk of each admitted document with a name, then of those with a name that begins so."""
_SCORES = """
select rowid, bm25(fts, {weights}) from fts
where fts match ? and +rowid in (select value from json_each(?))
"""
"""Listed chunks that match an expression, with their scores."""
_NEIGHBOURS = """
select chunk.id, beside.id from json_each(?) cross join chunk on chunk.id = value
cross join chunk as beside on beside.id in (chunk.id - 1, chunk.id + 1)
where beside.document = chunk.document
"""
"""Chunks before and after listed ones in the same document."""
_LINES = """
select chunk.id, bits from json_each(?) cross join chunk on chunk.id = value
cross join vector on vector.generation = ? and vector.hash = chunk.hash
cross join line_sketch on line_sketch.vector = vector.id
"""
"""Sign bits of the lines of listed chunks."""
_DOCUMENTS = """
select chunk.id, document from json_each(?) cross join chunk on chunk.id = value
"""
"""Documents of listed chunks."""
_SESSION_CHUNKS = """
select chunk.id from json_each(?) cross join chunk on chunk.id = value
cross join document on document.id = chunk.document where source = 'sessions'
"""
"""Listed chunks that belong to transcripts."""
_STEM_COUNTS = """
select term, doc from json_each(?) cross join temp.vocabulary on term = value
"""
"""Listed stems that occur, with the number of chunks with each."""
_STEMS_FROM = (
    "select term from temp.vocabulary where term >= ?1 and term < ?1 || char(1114111) limit ?2"
)
"""Stems that begin with a prefix."""
_STEMS_ENDING = """
select term from temp.vocabulary
where length(term) >= ?2 and substr(term, -length(?1)) = ?1 limit ?3
"""
"""Stems of at least so many letters with an ending."""
_MAX_STEMS = 300
"""Stems with one beginning or ending that are read at most."""
_FIRST_CHUNKS = """
select min(chunk.id) from document join chunk on chunk.document = document.id where {condition}
group by document.id
order by coalesce(date, date(mtime_ns / 1000000000, 'unixepoch', 'localtime')) {order}, path limit ?
"""
"""First chunk of each admitted document, in the order of their days."""
# The index of changes gives the last rows. A note that changed within ten seconds of the last of
# them may go before it, so these are read as well; the texts are read only of what is listed.
_RECENCY = "mtime_ns / 10000000000 desc, date desc, mtime_ns desc, path"
"""Order by the time of change; within the same ten seconds, by the days of the notes."""
_RECENT = f"""
select {DOCUMENT_COLUMNS} from document where id in (
  select id from document where mtime_ns > (
    select min(mtime_ns) - 10000000000 from (
      select mtime_ns from document order by mtime_ns desc limit ?1))
  order by {_RECENCY} limit ?1)
order by {_RECENCY}
"""
"""Documents that changed last."""

MAX_CHUNKS = 1_000
"""Chunks in the cache: some ten kilobytes each, with the parts that searches derive from them."""

_MAX_WORDS = 10_000
"""Words in each part of the cache; there are as many as people type in a long time."""

_COMMON = 1_000
"""Chunks with a stem that make it common: it has little information and takes milliseconds to
count, so its count is reused for a while."""
_COMMON_S = 600.0
"""Seconds that the count of a common stem is reused."""
_DRIFT = 0.05
"""Share of all chunks that may have come or gone since the count of a common stem."""


class ReaderCache(Struct):
    """Rows and numbers of one version of an index."""

    version: int
    chunk_count: int
    generation: Generation | None
    """Active generation; None before the first vectors."""
    frequencies: dict[str, int] = field(default_factory=dict)
    """Stem -> number of chunks with it."""
    common: dict[str, tuple[int, int, float]] = field(default_factory=dict)
    """Common stem -> chunks with it, all chunks, and the moment of both, which may be of an earlier
    version."""
    spellings: dict[str, Sequence[str]] = field(default_factory=dict)
    """Mistyped word -> stems of the index to look for instead."""
    chunks: OrderedDict[ChunkId, StoredChunk] = field(default_factory=OrderedDict)
    """Chunks by id, the least recently used first."""
    neighbours: dict[ChunkId, tuple[ChunkId, ...]] = field(default_factory=dict)
    """Chunk -> the ones before and after it in its document."""
    line_signs: dict[tuple[int, ChunkId], bytes] = field(default_factory=dict)
    """(generation, chunk) -> sign bits of its lines; empty if the index has none."""

    def frequency(self, stem: str, count: Callable[[], int], now: float) -> int:
        """Number of chunks with a stem, counted where it is not cached. Now is in seconds."""
        if stem in self.frequencies:
            return self.frequencies[stem]
        # The count of a common stem outlives commits, as long as the index stays about as large.
        if stem in self.common:
            number, chunks, moment = self.common[stem]
            if now - moment < _COMMON_S and abs(self.chunk_count - chunks) <= _DRIFT * chunks:
                return number
        number = count()
        self.frequencies[stem] = number
        if number >= _COMMON:
            self.common[stem] = number, self.chunk_count, now
        return number

    def touch(self, ids: Iterable[ChunkId]) -> dict[ChunkId, StoredChunk]:
        """The cached ones of the chunks, which become the most recently used."""
        chunks: dict[ChunkId, StoredChunk] = {}
        for chunk_id in ids:
            if chunk_id in self.chunks:
                self.chunks.move_to_end(chunk_id)
                chunks[chunk_id] = self.chunks[chunk_id]
        return chunks

    def shrink(self) -> None:
        """Drop the entries beyond the limits."""
        while len(self.chunks) > MAX_CHUNKS:
            self.chunks.popitem(last=False)
        for by_chunk in (self.neighbours, self.line_signs):
            if len(by_chunk) > MAX_CHUNKS:
                by_chunk.clear()
        for by_word in (self.frequencies, self.common, self.spellings):
            if len(by_word) > _MAX_WORDS:
                by_word.clear()


class Reader:
    """Reads one index."""

    def __init__(self, db: apsw.Connection, path: Path) -> None:
        self._db = db
        self._path = path
        self._weights = ", ".join(map(str, FIELD_WEIGHTS))
        self._cached: ReaderCache | None = None
        self.file_id = file_id(path)
        """The file that was opened, whichever is at its path now."""
        self._has_line_signs = False
        self._checked: tuple[int, int] | None = None
        """Version and size of the file when it was last checked."""
        self._is_empty = False
        # Other questions to the same connection have readers of their own.
        self.metadata = Metadata(db, path)
        owner = self.metadata.owner
        self.journal = JournalReader(db, path, owner)
        self.relations = RelationReader(db, path, owner)
        # Tables of this connection alone: stems with their counts, and what a newer index has.
        with convert_sqlite_errors(path):
            db.execute("create virtual table temp.vocabulary using fts5vocab(main, fts, 'row')")
            self._is_old = _is_old(db)

    @classmethod
    def open(cls, path: Path) -> Reader:
        """Open an index. All methods raise IndexCorrupt, IndexTooNew or IndexUnavailable."""
        db = open_reader(path)
        try:
            with convert_sqlite_errors(path):
                check_schema_version(db, path)
            return cls(db, path)
        except BaseException:
            db.close()
            raise

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def free_memory(self) -> None:
        """Free the cache."""
        self._cached = None
        self.relations.free_memory()
        self._db.execute("pragma shrink_memory")

    @cached_property
    def _vectors(self) -> VectorSearch:
        # Imported late: a search by words needs no vectors, and importing numpy takes longer.
        from scrubjay.store.vector_search import VectorSearch

        return VectorSearch(self._db)

    def copy_to(self, file: Path) -> None:
        """Write a whole copy of the index. Raises IndexUnavailable."""
        with convert_sqlite_errors(file):
            self._db.execute("vacuum into ?", (str(file),))

    def is_empty(self) -> bool:
        """Whether the file has no tables, as a first pass leaves it when it is killed early."""
        with convert_sqlite_errors(self._path):
            # Checking reads the log, so it is done once for each state of the file.
            state = (int(self._db.pragma("data_version")), file_size(self._path))
            if state != self._checked:
                check_index_length(self._db, self._path)
                self._is_empty = check_schema_version(self._db, self._path) == 0
                self._checked = state
            return self._is_empty

    def is_current(self) -> bool:
        """Whether the file that was opened is still the one at its path."""
        return self.file_id is not None and file_id(self._path) == self.file_id

    def lexical(
        self, expression: str, limit: int, filters: Filters, cancel: CancelToken
    ) -> list[tuple[ChunkId, float]]:
        """Chunks that match FTS5 terms, with positive BM25 scores, best first. Raises Cancelled."""
        with convert_sqlite_errors(self._path), interruptible(self._db, cancel):
            # Without conditions the index of words is read alone.
            statement = _LEXICAL.format(weights=self._weights)
            values: list[str | int] = []
            if filters != ALL_DOCUMENTS:
                condition, values = filters.sql()
                statement = _LEXICAL_FILTERED.format(weights=self._weights, condition=condition)
            # A few more than wanted, so that all chunks with the last score can be compared.
            rows = fetch(self._db, statement, (*values, expression, limit + _MOST_TIED))
            border = rows[min(limit, len(rows)) - 1][1] if rows else 0.0
            scores = [(ChunkId(row), -rank) for row, rank in rows if rank <= border]
            return self._best(scores, limit)

    def named(self, key: str, expression: str, limit: int, filters: Filters) -> Scores:
        """The beginnings of notes with a name, or with one that begins so, and their BM25 scores.

        Key is the name as `name_key` writes it. Notes that are called exactly so come first; the
        score is 0 where the beginning does not match the expression.
        """
        condition, values = filters.sql()
        statement = _NAMED.format(condition=condition)
        rows = self._rows(statement, (key, key, f"{key}\U0010ffff", *values, limit))
        ids = [ChunkId(row[0]) for row in rows if row[0] is not None]
        scores: dict[int, float] = {}
        if ids and expression:
            scored = _SCORES.format(weights=self._weights)
            scores = dict(self._rows(scored, (expression, json.dumps(ids))))
        return [(chunk, -scores.get(chunk, 0.0)) for chunk in ids]

    def holds(self, expression: str) -> bool:
        """Whether any chunk matches an FTS5 expression."""
        return bool(self._rows("select 1 from fts where fts match ? limit 1", (expression,)))

    def matching(self, expression: str, ids: Iterable[ChunkId]) -> set[ChunkId]:
        """The chunks that match an FTS5 expression."""
        values = (expression, json.dumps(sorted(ids)))
        return {ChunkId(row[0]) for row in self._rows(_MATCHING, values)}

    def nearest(
        self, query: Vector, limit: int, filters: Filters, cancel: CancelToken
    ) -> list[tuple[ChunkId, float]]:
        """Chunks by cosine with a query, float32[dimensions], best first. Raises Cancelled."""
        with convert_sqlite_errors(self._path), interruptible(self._db, cancel):
            self._vectors.refresh()
            return self._best(self._vectors.nearest(query, limit, filters), limit)

    def similarities(self, query: Vector, ids: Sequence[ChunkId]) -> dict[ChunkId, float]:
        """Cosine similarity of certain chunks to float32[dimensions], for those with a vector."""
        with convert_sqlite_errors(self._path):
            return self._vectors.similarities(query, ids)

    def generation(self) -> Generation | None:
        """The active generation; None before the first vectors."""
        with convert_sqlite_errors(self._path):
            return self._cache().generation

    def chunks(
        self, ids: Iterable[ChunkId], *, neighbours_of: Iterable[ChunkId] = ()
    ) -> dict[ChunkId, StoredChunk]:
        """Chunks with their documents; those that were deleted meanwhile are missing.

        For some, the chunks before and after them in the same document are included: the writer
        numbers the chunks of a document one after the other.
        """
        with convert_sqlite_errors(self._path):
            cache = self._cache()
            best = list(neighbours_of)
            # An empty entry stays where a chunk has no neighbours, so that it is not asked again.
            missing = [chunk_id for chunk_id in best if chunk_id not in cache.neighbours]
            if missing:
                cache.neighbours |= dict.fromkeys(missing, ())
                for chunk_id, other in fetch(self._db, _NEIGHBOURS, (json.dumps(missing),)):
                    cache.neighbours[chunk_id] += (other,)
            # Then the rows of all of them, as far as they are not cached.
            beside = chain.from_iterable(cache.neighbours[chunk_id] for chunk_id in best)
            listed = dict.fromkeys([*ids, *beside])
            missing = [chunk_id for chunk_id in listed if chunk_id not in cache.chunks]
            if missing:
                for row in self._db.execute(_CHUNKS, (json.dumps(missing),)):
                    cache.chunks[row[0]] = _stored_chunk(row)
            chunks = cache.touch(listed)
            cache.shrink()
            return chunks

    def first_chunks(
        self, filters: Filters, limit: int, order: Order = Order.NEWEST
    ) -> list[StoredChunk]:
        """The beginning of each admitted document, in the order of their days."""
        condition, values = filters.sql()
        direction = "asc" if order is Order.OLDEST else "desc"
        statement = _FIRST_CHUNKS.format(condition=condition, order=direction)
        rows = self._rows(statement, (*values, limit))
        return list(self.chunks(ChunkId(row[0]) for row in rows).values())

    def count(self, filters: Filters) -> int:
        """The number of admitted documents."""
        condition, values = filters.sql()
        [(count,)] = self._rows(f"select count(*) from document where {condition}", values)
        return int(count)

    def documents(self, ids: Iterable[ChunkId]) -> dict[ChunkId, int]:
        """Number of the document of each chunk."""
        return dict(self._rows(_DOCUMENTS, (json.dumps(list(ids)),)))

    def session_chunks(self, ids: Iterable[ChunkId]) -> set[ChunkId]:
        """The chunks that belong to transcripts of conversations."""
        return {ChunkId(row[0]) for row in self._rows(_SESSION_CHUNKS, (json.dumps(list(ids)),))}

    def line_signs(self, ids: Sequence[ChunkId]) -> dict[ChunkId, bytes]:
        """Chunk -> sign bits of its lines that are not blank, side by side, where it has them."""
        generation = self._vectors.generation
        if generation is None:
            return {}
        with convert_sqlite_errors(self._path):
            # False for an index of an older version, until a writer has migrated it.
            if not self._has_line_signs:
                self._has_line_signs = has_table(self._db, "line_sketch")
            if not self._has_line_signs:
                return {}
            cache = self._cache().line_signs
            number = generation.id
            # An empty entry stays where the index has no signs, so that it is not asked again.
            missing = [chunk_id for chunk_id in ids if (number, chunk_id) not in cache]
            if missing:
                cache |= dict.fromkeys(((number, chunk_id) for chunk_id in missing), b"")
                for chunk_id, bits in fetch(self._db, _LINES, (json.dumps(missing), number)):
                    cache[number, chunk_id] = bits
            signs = {chunk_id: cache[number, chunk_id] for chunk_id in ids}
            return {chunk_id: bits for chunk_id, bits in signs.items() if bits}

    def sign_width(self) -> int:
        """Bytes of the sign bits of one line."""
        generation = self._vectors.generation
        return binary_width(generation.dimensions) if generation else 0

    def document_frequency(self, stem: str) -> int:
        """Number of chunks with a stem in any field."""
        statement = "select doc from temp.vocabulary where term = ?"

        def count() -> int:
            return self._db.execute(statement, (stem,)).get or 0

        with convert_sqlite_errors(self._path):
            return self._cache().frequency(stem, count, time.monotonic())

    def stem_counts(self, stems: Sequence[str]) -> dict[str, int]:
        """Number of chunks with each of many stems, for those that occur."""
        return dict(self._rows(_STEM_COUNTS, (json.dumps(list(stems)),)))

    def stems_from(self, prefix: str) -> list[str]:
        """Stems that begin with a prefix, _MAX_STEMS at most."""
        return [row[0] for row in self._rows(_STEMS_FROM, (prefix, _MAX_STEMS))]

    def stems_ending(self, ending: str, letters: int) -> list[str]:
        """Stems of at least so many letters with an ending, _MAX_STEMS at most. Reads all stems."""
        return [row[0] for row in self._rows(_STEMS_ENDING, (ending, letters, _MAX_STEMS))]

    def spelling_cache(self) -> MutableMapping[str, Sequence[str]]:
        """Mistyped word -> stems to look for instead, empty after each commit."""
        with convert_sqlite_errors(self._path):
            return self._cache().spellings

    def facts(self) -> dict[str, Any]:
        """Sources, vectors and batches of the index, as a status shows them."""
        # What each source holds, and by which vectors it is found.
        columns = "source, count(distinct document.id), count(chunk.id)"
        joined = "document left join chunk on chunk.document = document.id"
        sources = self._rows(f"select {columns} from {joined} group by source order by source")
        [[vectors]] = self._rows("select count(*) from vector")
        active = self.generation()
        return {
            "sources": {
                name: {"documents": some, "chunks": parts} for name, some, parts in sources
            },
            "vector": {
                "extension": self._vectors.has_functions,
                "dimensions": active.dimensions if active else None,
                "madeBy": active.identity if active else None,
            },
            "cacheEntries": vectors,
            "batchesUnderWay": len(self.metadata.notes(BATCH)),
        }

    def chunk_count(self) -> int:
        """Number of chunks, for inverse document frequencies."""
        with convert_sqlite_errors(self._path):
            return self._cache().chunk_count

    def file_of(self, path: str) -> Path | None:
        """File of an indexed document."""
        rows = self._rows("select file from document where path = ?", (path,))
        if not rows:
            return None
        return Path(rows[0][0])

    def read_tags(self, paths: Iterable[str]) -> dict[str, list[str]]:
        """Path of a note -> its tags, as it writes them."""
        return self.relations.read_tags(paths)

    def recent(self, limit: int) -> list[DocumentInfo]:
        """The documents that changed last."""
        return [
            document_info(self.metadata.owner.workspace, *row)
            for row in self._rows(_RECENT, (limit,))
        ]

    def _best(
        self, scores: Sequence[tuple[ChunkId, float]], limit: int
    ) -> list[tuple[ChunkId, float]]:
        """The best of scored chunks; of equal ones path and line decide, not when they came."""
        counts = Counter(score for _, score in scores)
        tied = [chunk for chunk, score in scores if counts[score] > 1]
        paths: dict[ChunkId, str] = {}
        if tied:
            paths = dict(fetch(self._db, _PATHS, (json.dumps(tied),)))
        # The writer numbers the chunks of a document one after the other.
        order = ((-score, paths.get(chunk, ""), chunk) for chunk, score in scores)
        return [(chunk, -score) for score, _, chunk in sorted(order)[:limit]]

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with convert_sqlite_errors(self._path):
            return fetch(self._db, sql, values)

    def _cache(self) -> ReaderCache:
        """The cache for the version that this connection sees."""
        version = int(self._db.pragma("data_version"))
        if self._cached is None or self._cached.version != version:
            # A writer may have migrated the index since this connection opened it.
            self._is_old = self._is_old and _is_old(self._db)
            chunks = int(self._db.execute("select count(*) from chunk").get)
            common = self._cached.common if self._cached else {}
            generation = active_generation(self._db)
            self._cached = ReaderCache(version, chunks, generation=generation, common=common)
        return self._cached


def _stored_chunk(row: tuple[Any, ...]) -> StoredChunk:
    number, document, path, file, source, title, date, modified, first, last = row[:10]
    heading, text, names = row[10:]
    return StoredChunk(
        id=number,
        document=document,
        path=path,
        file=file,
        source=Source(source),
        title=title,
        date=dt.date.fromisoformat(date) if date else None,
        mtime_ns=modified,
        first_line=first,
        last_line=last,
        heading=heading,
        text=decompress_text(text),
        names=tuple((names or "").split("\n")),
    )


_LATER_TABLES = {"tag": "document, name, label", "name": "document, key"}
"""Tables that an index may lack, with their columns."""


def _is_old(db: apsw.Connection) -> bool:
    """Whether no writer has migrated the index yet; empty tables stand in for what it lacks."""
    is_old = False
    for table, columns in _LATER_TABLES.items():
        db.execute(f"drop table if exists temp.{table}")
        if not has_table(db, table):
            db.execute(f"create temp table {table}({columns})")
            is_old = True
    return is_old


def open_local_index(address: IndexAddress) -> IndexReader | None:
    """The reader of an index; None if there is none. Raises IndexUnavailable."""
    # Indexes of shared memories are opened by the package that knows their store.
    if not isinstance(address, Path) or not address.is_file():
        return None
    return Reader.open(address)
