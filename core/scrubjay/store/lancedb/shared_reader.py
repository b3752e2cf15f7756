"""The search over one workspace of a shared memory."""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoBudget
from scrubjay.errors import NoteRefused, SharedUnavailable
from scrubjay.messages import msg
from scrubjay.records.note_records import NO_FACTS, ChunkId, NoteFacts, Source
from scrubjay.records.search_modes import Order
from scrubjay.records.vectors import Vector, binary_width
from scrubjay.store.index_records import ALL_DOCUMENTS, Filters, Generation, StoredChunk
from scrubjay.store.lancedb.checked_rows import (
    NAMELESS,
    CheckedChunks,
    WorkspaceRow,
    checked_chunks,
    has_columns,
    most_stem_bytes,
)
from scrubjay.store.lancedb.fulltext_translation import Translator
from scrubjay.store.lancedb.shared_store import (
    READ_SECONDS,
    FilesLost,
    SharedStore,
    TablesTooLarge,
    shared_record,
    too_new_error,
)
from scrubjay.store.lancedb.sql_conditions import sql_condition, sql_literal, sql_number_list
from scrubjay.store.lancedb.table_reads import OpenTable, TableRead
from scrubjay.store.lancedb.tables import (
    LIST_END,
    MOST_CHUNKS,
    NUMBER_BITS,
    SCHEMA,
    ChunkRecord,
    chunk_id,
    chunks_schema,
    stems_schema,
)
from scrubjay.store.lancedb.vocabulary import Vocabulary
from scrubjay.store.protocol import Scores
from scrubjay.store.revisions import joined_text
from scrubjay.text.age import local_time
from scrubjay.text.note_names import name_keys
from scrubjay.text.printable import printable_label
from scrubjay.text.tokenizer import Analyzer

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")

_OUTDATED = float("-inf")
"""Time of a look that something was published after."""
_DOUBT_SECONDS = 10.0
"""Seconds after a new look in which files that are missing again count as lost."""
_MAX_CHUNKS = 1_000
"""Chunks that one thread keeps in memory."""
_MAX_OFFSETS = 20_000
"""Chunks whose offsets in the files one thread keeps."""
_MAX_WORDS = 10_000
"""Mistyped words whose corrections one thread keeps."""
_MOST_DOCUMENTS = 20_000
"""Documents with an excluded or a required word that are looked for."""
_MOST_LISTED = 1_000_000
"""Documents that are put in order by their days."""
_MOST_TAGS = 200
"""Tags of a note that are shown."""
_LONGEST_TAG = 200
"""Characters of a tag that are shown."""
_MOST_STEMS = 20_000_000
"""Rows of a table of stems, of which a hundred million passages have fewer."""
_LONGEST_NOTE = 64 * 1024 * 1024
"""Characters of a note, whose file has no more bytes than that."""
_LEAST_PROBES = 24
"""Parts of the index of vectors that are looked into at least. Of random vectors in 500 clusters
they had 99 % of the 96 nearest of 100,000, and 64 % of a million (84 % of the ten nearest)."""
_ROWS_A_PROBE = 10_000
"""Rows of the table for each further part that is looked into."""
_TIED = 16
"""Chunks beyond those wanted that are compared by path where their scores are equal."""
_AGAIN = msg("After the folder is published again, you can search it.")
"""Hint on a workspace whose files are missing or damaged."""


class ViewListener(Protocol):
    """A listener, called on any thread, for findings of a view about its workspace."""

    def view_failed(self, view: SharedView, error: SharedUnavailable) -> None:
        """No search can be answered for now."""

    def view_damaged(self, view: SharedView, *, passages: int, words: int) -> None:
        """So many passages and rows of words turned out to be damaged."""


class View(Struct):
    """The tables of a workspace at one point in time. For any thread."""

    table: OpenTable
    version: int
    row: WorkspaceRow
    vocabulary: Vocabulary
    looked_at: float
    """Time of the look, on the monotonic clock."""
    damaged: set[int]
    """Ids of the passages that turned out to be damaged in this version."""


class SharedView:
    """The newest view of one workspace, shared by all readers."""

    def __init__(self, store: SharedStore, name: str, listener: ViewListener | None = None) -> None:
        self.store = store
        self.name = name
        self._listener = listener
        self._looking = threading.Lock()
        self._view: View | None = None
        self._doubted_at = float("-inf")

    def current(self, budget: IoBudget) -> View | None:
        """The view, looked at again when it is old; None if the workspace is gone.

        While another thread looks, it is the former view. Raises SharedUnavailable.
        """
        view = self._view
        most_age = self.store.limits.memory_view_seconds
        if view and time.monotonic() - view.looked_at <= most_age:
            return view
        # An old view still answers while another thread looks; without one, or after a
        # publication, this thread waits.
        is_needed = view is None or view.looked_at == _OUTDATED
        if not self._looking.acquire(blocking=is_needed):
            return view
        try:
            if view is not self._view and self._view:  # the other thread has looked meanwhile
                return self._view
            with budget.spending() as seconds:
                self._view = self.store.call(self._looked, seconds=seconds)
            if self._view and self._view.vocabulary.damaged:
                self._tell_damage(self._view)
        except SharedUnavailable as error:
            self.failed(error, self._view)
            raise
        finally:
            self._looking.release()
        return self._view

    def outdate(self) -> None:
        """Look again before the next answer, since something was published."""
        view = self._view
        if view:
            view.looked_at = _OUTDATED

    def forget(self) -> None:
        """Look at the storage again at the next question."""
        self._view = None

    def failed(self, error: SharedUnavailable, view: View | None) -> None:
        """Learn that a call with a view failed.

        The files of a view go when another model's take their place, which the next look tells.
        """
        now = time.monotonic()
        if isinstance(error, FilesLost):
            error.is_of_workspace |= view is not None
            if view is not self._view:  # another thread has learned of it
                return
            # The first time, another publication may have replaced them: the next look tells.
            # One that replaced them leaves none that are too large.
            is_certain = isinstance(error, TablesTooLarge)
            if not is_certain and now - self._doubted_at > _DOUBT_SECONDS:
                self._doubted_at = now
                self.forget()
                return
        self.forget()
        if self._listener:
            self._listener.view_failed(self, error)

    def damaged(self, view: View, ids: set[int]) -> None:
        """Count passages of a view that turned out to be damaged."""
        before = len(view.damaged)
        view.damaged |= ids
        if len(view.damaged) > before:
            self._tell_damage(view)

    def _tell_damage(self, view: View) -> None:
        if self._listener:
            passages = len(view.damaged)
            self._listener.view_damaged(self, passages=passages, words=view.vocabulary.damaged)

    def _looked(self) -> View | None:
        """The tables as they are now. Inside of `SharedStore.call` only."""
        row = self.store.workspaces(self.name).find(self.name)
        now = time.monotonic()
        if row is None or not row.chunks_table:
            return None
        if row.schema > SCHEMA:
            raise too_new_error(shared_record(row).title)
        return self.store.of_workspace(lambda: self._opened(row, now))

    def _opened(self, row: WorkspaceRow, now: float) -> View:
        """The tables that a row names. Raises FilesLost."""
        # They are opened again, since searches under way continue in the version they began with.
        table = self.store.readable_table(row.chunks_table or "")
        stems = self.store.readable_table(row.stems_table) if row.stems_table else None
        title = shared_record(row).title
        if table is None or stems is None:
            raise FilesLost(msg("Some files of {name} are missing", name=title), hint=_AGAIN)
        are_whole = has_columns(table.schema, chunks_schema(row.dimensions or 0))
        are_whole &= has_columns(stems.schema, stems_schema())
        count = stems.count_rows()
        if not are_whole or count > _MOST_STEMS:
            raise FilesLost(msg("Some files of {name} are damaged", name=title), hint=_AGAIN)

        # Of tables that were open before, only the stems that came since then are read.
        before = self._view
        damaged: set[int] = set()
        whole = TableRead(stems_schema().names, is_stems=True)
        most = most_stem_bytes(count)
        if before is None or before.row.chunks_table != row.chunks_table:
            vocabulary = Vocabulary.of(stems.read(whole, most))
        else:
            vocabulary = before.vocabulary.with_rows(
                lambda step: stems.read(replace(whole, where=f"step > {step}"), most),
                lambda: stems.read(whole, most),
                count,
            )
            # The same version keeps its table, whose indexes are in memory, and its damage.
            if table.version == before.version:
                table = before.table
                damaged = before.damaged
        return View(
            table=table,
            version=table.version,
            row=row,
            vocabulary=vocabulary,
            looked_at=now,
            damaged=damaged,
        )


class _Row(Struct, frozen=True):
    """A chunk with what the table has beside it."""

    chunk: StoredChunk
    siblings: int
    """Chunks of its document."""
    vector: Vector | None
    signs: bytes

    @property
    def beside(self) -> list[ChunkId]:
        """The chunks before and after it in its document."""
        # Ids of a document follow one another, so its neighbours need not be looked up.
        first = chunk_id(self.chunk.document, 0)
        beside = (self.chunk.id - 1, self.chunk.id + 1)
        return [ChunkId(key) for key in beside if first <= key < first + self.siblings]


class _Cache(Struct):
    """What one thread has read of one version."""

    version: tuple[str, int]
    chunk_count: int
    rows: OrderedDict[ChunkId, _Row] = field(default_factory=OrderedDict)
    """Chunks that were read, least recently used first."""
    lacking: set[ChunkId] = field(default_factory=set)
    """Chunks that were asked for and are not there."""
    offsets: dict[ChunkId, int] = field(default_factory=dict)
    """Places of rows in the files, by which they are read in half of the time."""
    spellings: dict[str, Sequence[str]] = field(default_factory=dict)
    """Mistyped words with the stems to look for instead."""

    def unread(self, ids: Iterable[ChunkId]) -> list[ChunkId]:
        """Chunks of a list that were not asked for yet."""
        return [key for key in ids if key not in self.rows and key not in self.lacking]

    def places_beside(self, ids: Iterable[ChunkId]) -> set[int]:
        """Places of the neighbours of some chunks, if rows of a document are side by side."""
        offsets: set[int] = set()
        for key in ids:
            if key in self.offsets:
                row = self.rows.get(key)
                beside = row.beside if row else [ChunkId(key - 1), ChunkId(key + 1)]
                offsets |= {self.offsets[key] + other - key for other in self.unread(beside)}
        return {offset for offset in offsets if offset >= 0}

    def remember(self, offsets: Mapping[ChunkId, int]) -> None:
        """Keep where chunks are that may be asked for."""
        # Places are only a short cut; any of them can be forgotten.
        if len(self.offsets) > _MAX_OFFSETS:
            self.offsets.clear()
        self.offsets.update(offsets)


class SharedReader:
    """Reads one workspace of a shared memory; an IndexReader. For one thread.

    Only `refresh` checks the storage again, so that a whole search uses one version. All
    methods raise SharedUnavailable.
    """

    def __init__(self, shared: SharedView, view: View) -> None:
        self._shared = shared
        self._view = view
        self._analyzer = Analyzer()
        self._cached: _Cache | None = None
        self._budget = IoBudget(READ_SECONDS)

    @classmethod
    def open(cls, shared: SharedView) -> SharedReader | None:
        """A reader; None if nothing is published under the name."""
        view = shared.current(IoBudget(READ_SECONDS))
        if view is None:
            return None
        return cls(shared, view)

    def refresh(self, budget: IoBudget | None = None) -> bool:
        """Take in what was published since the last look; False if the workspace is gone.

        The budget is for all that is read until the next time.
        """
        self._budget = budget or IoBudget(READ_SECONDS)
        view = self._shared.current(self._budget)
        if view:
            self._view = view
        return view is not None

    def close(self) -> None:
        """Free the tokenizer."""
        self._analyzer.close()

    def free_memory(self) -> None:
        """Free the cache."""
        self._cached = None

    def generation(self) -> Generation | None:
        """The generation of the vectors; None if there are none."""
        row = self._view.row
        if not row.identity:
            return None
        return Generation(1, row.identity, row.dimensions or 0)

    @property
    def version(self) -> tuple[str, int]:
        """The table that is read, and its version."""
        return self._view.row.chunks_table or "", self._view.version

    def chunk_count(self) -> int:
        """Number of chunks."""
        return self._cache().chunk_count

    # -- candidates ---------------------------------------------------------------------------

    def lexical(self, expression: str, limit: int, filters: Filters, cancel: CancelToken) -> Scores:
        """Chunks that match, with positive BM25 scores, best first. Raises Cancelled."""
        query = self._translated(expression)
        if query is None:
            return []
        where = self._condition(filters)
        # A few more than wanted, since the storage cuts equal scores where it likes.
        read = TableRead(
            ["id", "path", "_score"], where, limit + _TIED, text=query, has_offsets=True
        )
        found = self._call(lambda: self._table_rows(read), cancel)
        return self._best(found, found["_score"].to_pylist(), limit)

    def nearest(self, query: Vector, limit: int, filters: Filters, cancel: CancelToken) -> Scores:
        """Chunks by cosine with a query, float32[dimensions], best first. Raises Cancelled."""
        generation = self.generation()
        if generation is None or len(query) != generation.dimensions:
            return []
        where = self._condition(filters)
        probes = max(_LEAST_PROBES, self.chunk_count() // _ROWS_A_PROBE)
        # The index holds a few bits a dimension; what it finds is compared with whole vectors.
        read = TableRead(
            ["id", "path", "_distance"],
            where,
            limit,
            vector=query.tolist(),
            probes=probes,
            has_offsets=True,
        )
        found = self._call(lambda: self._table_rows(read), cancel)
        distances = found["_distance"].to_pylist()
        cosines = [None if distance is None else 1.0 - distance for distance in distances]
        return self._best(found, cosines, limit)

    def similarities(self, query: Vector, ids: Sequence[ChunkId]) -> dict[ChunkId, float]:
        """Cosine similarity of certain chunks to float32[dimensions], for those with a vector."""
        rows = self._rows(ids)
        near = {key: rows[key].vector for key in ids if key in rows}
        return {
            key: float(vector @ query)
            for key, vector in near.items()
            if vector is not None and len(vector) == len(query)
        }

    def holds(self, expression: str) -> bool:
        """True when any chunk matches."""
        return bool(self.lexical(expression, 1, ALL_DOCUMENTS, CancelToken()))

    def named(self, key: str, expression: str, limit: int, filters: Filters) -> Scores:
        """An empty result, because tables of a shared memory do not have a column of names."""
        return []

    def matching(self, expression: str, ids: Iterable[ChunkId]) -> set[ChunkId]:
        """Chunks of a list that match."""
        wanted = list(ids)
        query = self._translated(expression)
        if query is None or not wanted:
            return set()
        where = f"id in {sql_number_list(wanted)}"
        read = TableRead(["id", "_score"], where, len(wanted), text=query)
        found = self._call(lambda: self._table_rows(read))
        return set(_ids(found["id"]))

    # -- rows ---------------------------------------------------------------------------------

    def chunks(
        self, ids: Iterable[ChunkId], *, neighbours_of: Iterable[ChunkId] = ()
    ) -> Mapping[ChunkId, StoredChunk]:
        """Chunks with their documents, and for some those before and after them in the same one.

        Chunks deleted meanwhile are excluded.
        """
        wanted = dict.fromkeys(ids)
        inner = list(neighbours_of)
        # Which neighbours a chunk has is known once it is read; most were read along with it.
        rows = self._rows([*wanted, *inner], around=inner)
        for key in inner:
            if key in rows:
                wanted |= dict.fromkeys(rows[key].beside)
        return {key: row.chunk for key, row in self._rows(wanted).items()}

    def line_signs(self, ids: Sequence[ChunkId]) -> Mapping[ChunkId, bytes]:
        """Chunk -> sign bits of its lines that are not blank, side by side, where it has them."""
        return {key: row.signs for key, row in self._rows(ids).items() if row.signs}

    def sign_width(self) -> int:
        """Bytes of the sign bits of one line."""
        generation = self.generation()
        if generation is None:
            return 0
        return binary_width(generation.dimensions)

    def documents(self, ids: Iterable[ChunkId]) -> Mapping[ChunkId, int]:
        """Number of the document of each chunk."""
        return {key: key >> NUMBER_BITS for key in ids}

    def session_chunks(self, ids: Iterable[ChunkId]) -> set[ChunkId]:
        """Chunks of a list that belong to transcripts of conversations."""
        # Candidates come from a search, which has told where their rows are.
        offsets = self._cache().offsets
        found = sorted(offsets[key] for key in set(ids) if key in offsets)
        if not found:
            return set()
        rows = self._call(
            lambda: self._table_rows(TableRead(["id", "source"], offsets=found))
        ).drop_null()
        sources = zip(rows["id"].to_pylist(), rows["source"].to_pylist(), strict=True)
        return {ChunkId(key) for key, source in sources if source == Source.SESSIONS}

    def first_chunks(
        self, filters: Filters, limit: int, order: Order = Order.NEWEST
    ) -> Sequence[StoredChunk]:
        """The beginning of each admitted document, in the order of their days."""
        where = " and ".join(filter(None, (self._condition(filters), "number = 0")))
        columns = ["id", "sort_day", "path"]
        read = TableRead(columns, where, _MOST_LISTED)
        rows = self._call(lambda: self._table_rows(read))
        rows = self._without_nulls(rows)
        # The library sorts no query, so the days of all documents are sorted here.
        by_day = "ascending" if order is Order.OLDEST else "descending"
        rows = rows.sort_by([("sort_day", by_day), ("path", "ascending")])
        ids = list(dict.fromkeys(_ids(rows["id"])))

        first: list[StoredChunk] = []
        for start in range(0, len(ids), max(1, limit)):
            # In place of those that are damaged come others.
            if len(first) >= limit or start > _MAX_CHUNKS:
                break
            some = ids[start : start + limit]
            chunks = self.chunks(some)
            first += (chunks[key] for key in some if key in chunks)
        return first[:limit]

    def count(self, filters: Filters) -> int:
        """The number of admitted documents."""
        where = " and ".join(filter(None, (self._condition(filters), "number = 0")))
        return int(self._call(lambda: self._view.table.count_rows(where)))

    def read_tags(self, paths: Iterable[str]) -> Mapping[str, Sequence[str]]:
        """Path of a note -> its tags, as it writes them."""
        wanted = [sql_literal(path) for path in dict.fromkeys(paths)]
        if not wanted:
            return {}
        where = f"number = 0 and labels != '' and path in ({', '.join(wanted)})"
        columns = ["path", "labels"]
        limit = 2 * len(wanted)  # a row may have been written twice
        read = TableRead(columns, where, limit)
        rows = self._call(lambda: self._table_rows(read)).drop_null()
        labels = zip(rows["path"].to_pylist(), rows["labels"].to_pylist(), strict=True)
        return {path: _tags(text) for path, text in labels}

    def text(self, path: str) -> str | None:
        """Whole text of a note; None if the note does not exist. Raises NoteRefused."""
        where = f"path = {sql_literal(path)}"
        rows = self._checked(TableRead(["id", "record"], where, MOST_CHUNKS))
        # A row that was written twice counts once.
        records = {record.id: record for record, _ in rows.whole}
        if any(record.source == Source.SESSIONS for record in records.values()):
            raise NoteRefused(
                msg("{path} cannot be read", path=repr(path)),
                "The file is a conversation, not a note.",
            )
        if not records:
            return None
        # Ids are in the order of the chunks in their note.
        parts: list[tuple[int, int, str]] = []
        size = 0
        for _, each in sorted(records.items()):
            size += len(each.text)
            if size <= _LONGEST_NOTE:
                parts.append((each.first_line, each.last_line, each.text))
        return joined_text(parts)

    def facts(self, path: str) -> NoteFacts:
        """The day and the last change of a note; none of a note that does not exist."""
        where = f"number = 0 and path = {sql_literal(path)}"
        for record, _ in self._checked(TableRead(["id", "record"], where, 1)).whole:
            return NoteFacts(date=record.day, modified=local_time(record.mtime_ns))
        return NO_FACTS

    # -- statistics ---------------------------------------------------------------------------

    def document_frequency(self, stem: str) -> int:
        """Number of chunks with a stem in any field."""
        return min(self._view.vocabulary.count(stem), self.chunk_count())

    def stem_counts(self, stems: Sequence[str]) -> Mapping[str, int]:
        """Number of chunks with each of many stems, for those that occur."""
        most = self.chunk_count()
        counts = self._view.vocabulary.counts(stems)
        return {stem: min(count, most) for stem, count in counts.items()}

    def stems_from(self, prefix: str) -> Sequence[str]:
        """Stems that begin with a prefix."""
        return self._view.vocabulary.beginning(prefix)

    def stems_ending(self, ending: str, letters: int) -> Sequence[str]:
        """Stems of so many letters with an ending."""
        return self._view.vocabulary.ending(ending, letters)

    def spelling_cache(self) -> MutableMapping[str, Sequence[str]]:
        """Mistyped word -> stems to look for instead, empty after each publication."""
        cache = self._cache().spellings
        if len(cache) > _MAX_WORDS:
            cache.clear()
        return cache

    # -- reading ------------------------------------------------------------------------------

    def _call(self, work: Callable[[], T], cancel: CancelToken | None = None) -> T:
        """The result of work on the storage, out of the budget of the present search."""
        try:
            with self._budget.spending() as seconds:
                return self._shared.store.call(work, cancel, seconds)
        except SharedUnavailable as error:
            self._shared.failed(error, self._view)
            raise

    def _cache(self) -> _Cache:
        """Rows read of this version. Ids of another version may stand for other passages."""
        if self._cached is None or self._cached.version != self.version:
            count = self._call(self._view.table.count_rows)
            self._cached = _Cache(self.version, count)
        return self._cached

    def _translated(self, expression: str) -> Any:
        return Translator(self._analyzer.stems, self.stems_from).query(expression)

    def _condition(self, filters: Filters) -> str:
        if filters == ALL_DOCUMENTS:
            return ""
        return sql_condition(filters, self._documents_with, self._is_there)

    def _documents_with(self, expression: str) -> Iterable[int]:
        """Numbers of the documents that match, in order."""
        query = self._translated(expression)
        if query is None:
            return ()
        rows = self._call(
            lambda: self._table_rows(
                TableRead(["document", "_score"], limit=_MOST_DOCUMENTS, text=query)
            )
        )
        return sorted(set(_ids(rows["document"])))

    def _is_there(self, where: str) -> bool:
        """Whether any row fulfils a condition."""
        return bool(self._call(lambda: self._view.table.count_rows(where)))

    def _best(self, rows: pa.Table, scores: Sequence[float | None], limit: int) -> Scores:
        """The best of scored rows; of equal ones path and line decide."""
        columns = [rows[name].to_pylist() for name in ("path", "id", "_rowid")]
        scored = zip(scores, *columns, strict=True)
        order: list[tuple[float, str, ChunkId]] = []
        known: dict[ChunkId, int] = {}
        odd: set[ChunkId] = set()
        for score, path, key, offset in scored:
            if key is None or key < 0 or path is None:
                self._shared.damaged(self._view, {NAMELESS if key is None else key})
            elif score is None or not math.isfinite(score):
                odd.add(key)
            else:
                order.append((-score, path, key))
                known[key] = offset
        self._cache().remember(known)
        if odd:
            self._rows(odd)  # which tells whether they are damaged
        # A row that was written twice counts once.
        best = {key: -score for score, _, key in sorted(order, reverse=True)}
        return sorted(best.items(), key=lambda scored: -scored[1])[:limit]

    def _rows(self, ids: Iterable[ChunkId], around: Sequence[ChunkId] = ()) -> dict[ChunkId, _Row]:
        """The existing chunks, in order. Those not read yet are read in one call.

        Neighbouring chunks are read with them if their rows are adjacent.
        """
        cache = self._cache()
        wanted = list(dict.fromkeys(ids))
        columns = ["id", "record"]
        if self.generation():
            columns.append("vector")
        # First the rows whose offsets are known, which is faster than to look for ids.
        near = {cache.offsets[key] for key in cache.unread(wanted) if key in cache.offsets}
        near |= cache.places_beside(around)
        if near:
            self._read(TableRead(columns, offsets=sorted(near)))
        missing = cache.unread(wanted)
        if missing:
            where = f"id in {sql_number_list(missing)}"
            limit = len(missing) * 2  # a row may have been written twice
            self._read(TableRead(columns, where, limit))
            cache.lacking |= {key for key in missing if key not in cache.rows}

        # The cache is cut to its size only now, so that it never loses a chunk of this answer.
        found = {key: cache.rows[key] for key in wanted if key in cache.rows}
        for key in found:
            cache.rows.move_to_end(key)
        while len(cache.rows) > max(_MAX_CHUNKS, len(found)):
            cache.rows.popitem(last=False)
        return found

    def _read(self, read: TableRead) -> None:
        """Read whole rows into the cache."""
        rows = self._checked(read)
        cache = self._cache()
        cache.lacking.update(map(ChunkId, rows.damaged))
        for record, vector in rows.whole:
            cache.rows[ChunkId(record.id)] = _row(record, vector)

    def _without_nulls(self, rows: pa.Table) -> pa.Table:
        """The rows in which nothing is missing; the others are counted."""
        whole = rows.drop_null()
        if len(whole) < len(rows):
            lacking = {*rows["id"].to_pylist()} - {*whole["id"].to_pylist()}
            damaged = {NAMELESS if key is None else key for key in lacking}
            self._shared.damaged(self._view, damaged)
        return whole

    def _table_rows(self, read: TableRead) -> pa.Table:
        """Rows of the table. Inside of `SharedStore.call` only."""
        return self._view.table.read(read, self._shared.store.limits.answer_bytes)

    def _checked(self, read: TableRead) -> CheckedChunks:
        """The chunks that are read; those that are damaged are counted."""
        rows = self._call(lambda: checked_chunks(self._table_rows(read)))
        if rows.damaged:
            self._shared.damaged(self._view, rows.damaged)
        return rows


def _ids(column: pa.ChunkedArray) -> Iterator[ChunkId]:
    """The ids in a column that can be asked for."""
    return (ChunkId(key) for key in column.to_pylist() if key is not None and key >= 0)


def _tags(text: str) -> Sequence[str]:
    """The tags in a column of labels, as far as they can be shown."""
    labels = text.split(LIST_END, _MOST_TAGS)[:_MOST_TAGS]
    return [printable_label(label[:_LONGEST_TAG]) for label in labels]


def _row(record: ChunkRecord, vector: Vector | None) -> _Row:
    """A chunk of the table as the local index would give it."""
    chunk = StoredChunk(
        id=ChunkId(record.id),
        document=record.id >> NUMBER_BITS,
        path=record.path,
        file=record.path,  # the file itself is on the computer that published it
        source=record.source,
        title=record.title,
        date=record.day,
        mtime_ns=record.mtime_ns,
        first_line=record.first_line,
        last_line=record.last_line,
        heading=record.heading,
        text=record.text,
        names=name_keys(record.title, record.path),
    )
    return _Row(chunk, record.siblings, vector=vector, signs=record.signs)
