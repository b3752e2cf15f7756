"""Publication of an index of this computer as a workspace of a shared memory."""

from __future__ import annotations

import datetime as dt
import functools
import hashlib
import logging
import uuid
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import SharedUnavailable
from scrubjay.messages import msg
from scrubjay.records.shared_records import SharedRecord
from scrubjay.records.vectors import Vector
from scrubjay.store.index_records import Generation, path_bounds
from scrubjay.store.lancedb import table_maintenance
from scrubjay.store.lancedb.checked_rows import has_columns
from scrubjay.store.lancedb.lease import ComputerId, Lease
from scrubjay.store.lancedb.publishing_limits import DEFAULT_LIMITS, PublishingLimits
from scrubjay.store.lancedb.shared_store import (
    LOST,
    FilesLost,
    SharedStore,
    shared_record,
    storage_error_reason,
)
from scrubjay.store.lancedb.sql_conditions import sql_number_list
from scrubjay.store.lancedb.tables import (
    FIELD_END,
    LIST_END,
    MOST_CHUNKS,
    NUMBER_BITS,
    SCHEMA,
    ChunkRecord,
    chunk_id,
    chunks_schema,
    document_number,
    stems_schema,
)
from scrubjay.store.local_index_export import LocalIndexExport, PublishedChunk, PublishedDocument
from scrubjay.text.tokenizer import Analyzer

if TYPE_CHECKING:
    import pyarrow as pa
    from lancedb.table import Table

log = logging.getLogger(__name__)

_PASSES = 100
"""Publications after which old versions of the list of workspaces are deleted."""
_LEAST_SHARED = 0.5
"""Share of documents that two copies of one folder have in common."""
_DOCUMENTS_A_READ = 64
"""Documents whose chunks are read from the index in one query."""
_ROUNDS = 3
"""Attempts to publish while another computer, which has lost its lease, still ends a commit."""

OnPending = Callable[[int], object]
"""Callback that is told the number of documents that are not published yet."""


class PublishedEntry(Struct, frozen=True):
    """The entry of one document in a shared memory."""

    number: int
    digest: bytes
    is_complete: bool
    chunks: int


class _Listing(Struct):
    """All documents of one version of a table, and of those that this publisher made of it."""

    table: str
    version: int
    entries: dict[str, PublishedEntry] = field(default_factory=dict)
    """Documents by path."""
    doubled: set[int] = field(default_factory=set)
    """Numbers of documents with a chunk that is there twice."""
    is_whole: bool = True
    """Whether nobody else has written since it was read."""

    def forget(self, paths: Iterable[str]) -> None:
        """Remove documents, whose chunks are no longer in the table."""
        for path in list(paths):
            del self.entries[path]


class _Tables(Struct, frozen=True):
    """The tables of one workspace."""

    chunks: Table
    stems: Table


class _Work(Struct, frozen=True):
    """One publication: what is published, and who follows it."""

    index: LocalIndexExport
    documents: Sequence[PublishedDocument]
    generation: Generation | None
    """Generation of the vectors; None if there are none."""
    cancel: CancelToken
    on_pending: OnPending

    @property
    def identity(self) -> str:
        """Identity of the model that made the vectors; empty if there are none."""
        return self.generation.identity if self.generation else ""

    @property
    def dimensions(self) -> int:
        """Dimensions of the vectors; 0 if there are none."""
        return self.generation.dimensions if self.generation else 0

    def incomplete(self, documents: Iterable[PublishedDocument]) -> set[int]:
        """Ids of the documents that lack some vector."""
        ids = {document.id for document in documents}
        if self.generation is None:
            return ids
        return self.index.incomplete(ids, self.generation)

    def difference(self, listing: _Listing) -> PublicationDiff:
        """The parts of the index that the tables lack."""
        return diff_publication(self.documents, listing.entries, self.incomplete)


class PublicationDiff(Struct, frozen=True):
    """The changes that a publication must write."""

    changed: Sequence[PublishedDocument]
    gone: Sequence[int]
    """Numbers of documents that are no longer there."""


def diff_publication(
    documents: Iterable[PublishedDocument],
    entries: Mapping[str, PublishedEntry],
    incomplete: Callable[[Sequence[PublishedDocument]], set[int]],
) -> PublicationDiff:
    """The documents that a shared memory lacks or has otherwise, the newest first.

    Incomplete gives the ids of those without some vector; a document is published with the vectors
    that are there, and once more when it has all.
    """
    here = {document.path: document for document in documents}
    changed: list[PublishedDocument] = []
    waiting: list[PublishedDocument] = []
    for path, document in here.items():
        entry = entries.get(path)
        if entry is None or entry.digest != document.digest:
            changed.append(document)
        elif not entry.is_complete:
            waiting.append(document)
    # Looking for vectors reads all chunks of a document, so few documents are asked about.
    if waiting:
        lacking = incomplete(waiting)
        changed += (document for document in waiting if document.id not in lacking)
    changed.sort(key=lambda document: (-document.mtime_ns, document.path))
    gone = [entry.number for path, entry in entries.items() if path not in here]
    return PublicationDiff(changed, gone)


def _is_one_folder(
    documents: Sequence[PublishedDocument], there: Mapping[str, PublishedEntry], *, is_sure: bool
) -> bool:
    """Whether most of what is published is here too, under the same path and with the same text.

    Paths alone tell little, since the memories of all agents have the same ones. They are enough
    where a person is sure.
    """
    both = [document for document in documents if document.path in there]
    equal = sum(document.is_same_file(there[document.path].digest) for document in both)
    has_paths = len(both) >= _LEAST_SHARED * max(len(documents), len(there))
    return equal >= _LEAST_SHARED * len(there) or (is_sure and has_paths)


class Publisher:
    """Publishes one workspace repeatedly. For one thread. Raises SharedUnavailable."""

    def __init__(
        self,
        store: SharedStore,
        name: str,
        title: str,
        computer: ComputerId,
        *,
        limits: PublishingLimits = DEFAULT_LIMITS,
    ) -> None:
        self.store = store
        self._name = name
        self._title = title
        self._computer = computer
        self._limits = limits
        self._lease = Lease(store, name, title=title, computer=computer, limits=limits)
        self._listing: _Listing | None = None
        self._stems = ("", 0)
        """Name and version of the table of stems that this publisher left."""
        self._analyzer = Analyzer()
        self._passes = 0

    def close(self) -> None:
        """Free the tokenizer."""
        self._analyzer.close()

    @property
    def holder(self) -> str:
        """The name of the computer that publishes, as it was last read."""
        return self.record.holder

    @property
    def record(self) -> SharedRecord:
        """The row of the workspace in the shared memory, as last read or written."""
        return shared_record(self._lease.row)

    def begin(self) -> None:
        """Make the shared memory where there is none, which publications never do.

        What is not there may be on a drive that is not connected.
        """
        self.store.call(self.store.make_workspaces_table)

    def publish(
        self,
        index: LocalIndexExport,
        cancel: CancelToken,
        on_pending: OnPending = lambda _: None,
        *,
        is_wanted: bool = False,
        is_first: bool = False,
        starts_over: bool = False,
    ) -> bool:
        """Bring the shared workspace to what the index is; False if another one publishes.

        Is_wanted: a person asked for it, so that what another computer published of this folder
        gives way; is_first: this folder was never shared there, so that it may be another one;
        starts_over: its tables cannot be read. Raises Cancelled; what was written by then stays.
        """
        if not self._lease.take():
            return False
        values: dict[str, Any] = {}
        former = self._lease.row.chunks_table
        try:
            work = _Work(
                index=index,
                documents=index.documents(),
                generation=index.generation(),
                cancel=cancel,
                on_pending=on_pending,
            )
            self._lease.beat()
            values = self._published_whole(
                work, is_wanted=is_wanted, is_first=is_first, starts_over=starts_over
            )
            # Until the lease is released the row names its former tables, and readers open them:
            # where they change, the next publication deletes them.
            if former == values["chunks_table"]:
                self._drop_left_overs(values)
        finally:
            is_own = self._lease.release(**values)
            if not is_own:
                self._listing = None  # another one has taken over, and may have written since
        if not is_own:
            return False

        # Each change of the list leaves a version of it, and nobody else deletes any.
        if self._passes % _PASSES == 0:
            self.store.call(
                lambda: table_maintenance.maintain_workspace_list(self.store, self._limits)
            )
        self._passes += 1
        return True

    def withdraw(self) -> bool:
        """Delete the workspace from the shared memory; False if another one publishes it."""
        if not self._lease.take():
            return False
        self._start_over()
        self._lease.delete()
        return True

    def _published_whole(
        self, work: _Work, *, is_wanted: bool, is_first: bool, starts_over: bool
    ) -> dict[str, Any]:
        """Values of the workspace's row; tables that have lost files are written from the start."""
        is_other = self._lease.row.publisher not in (None, self._computer.id)
        try:
            if is_other:
                is_sure = is_wanted and not is_first
                self._check_other(work, is_wanted=is_wanted, is_sure=is_sure)
            if starts_over:
                raise FilesLost(msg("Some files of {name} are damaged", name=self._title))
            return self._published(work)
        except FilesLost as error:
            if is_other and not is_wanted:  # nobody knows whether all that was there is here
                raise
            log.warning("Publishing %s anew: %s", self._name, error)
            self._start_over()
            return self._published(work)

    def _published(self, work: _Work) -> dict[str, Any]:
        """Values of the workspace's row, after all that the tables lacked was written."""
        tables = self._tables(work)
        chunks = tables.chunks
        stems = tables.stems
        # Another computer may end a commit in the middle of a round, which the next one sets right.
        for _ in range(_ROUNDS):
            listing = self._listed(chunks)
            self._lease.beat()
            self._write(work, tables, listing)
            count = self.store.call_long(lambda: self._kept(tables), self._lease.beat)
            if listing.is_whole:
                break
        self._stems = (stems.name, stems.version)
        return {
            "schema": SCHEMA,
            "title": self._title,
            "chunks_table": chunks.name,
            "stems_table": stems.name,
            "identity": work.identity,
            "dimensions": work.dimensions,
            "documents": len(listing.entries),
            "chunks": count,
            "published_at": dt.datetime.now().astimezone().isoformat(timespec="seconds"),
            "published_by": self._computer.name,
            "publisher": self._computer.id,
        }

    def _start_over(self) -> None:
        """Delete the tables, which no reader opens meanwhile."""
        self._listing = None
        no_tables = {"chunks_table": "", "stems_table": ""}
        names = self._left_overs(no_tables)
        # From here on no reader opens the tables.
        self._lease.update(**no_tables)
        self.store.call(lambda: table_maintenance.drop_tables(self.store, names))

    def _drop_left_overs(self, values: Mapping[str, Any]) -> None:
        """Delete the tables that a row with these values does not name."""
        names = self._left_overs(values)
        if names:
            self._lease.update()
            self.store.call(lambda: table_maintenance.drop_tables(self.store, names))

    def _left_overs(self, values: Mapping[str, Any]) -> Sequence[str]:
        """Names of the tables that a row with these values does not name.

        They are listed before the lease is confirmed, after which they may be deleted: those of a
        computer that takes over then are not among them.
        """
        row = replace(self._lease.row, **values)
        return self.store.call(
            lambda: table_maintenance.leftover_tables(self.store, self._name, row)
        )

    # -- tables -------------------------------------------------------------------------------

    def _tables(self, work: _Work) -> _Tables:
        """Tables for the generation of a publication, made where they are missing.

        New tables always get a new name, by which readers and publishers tell them from others
        whose versions have the same numbers.
        """
        # Another model, or another schema, never writes into tables that are there.
        made_by = f"{SCHEMA} {work.identity}"
        beginning = f"{self._name}.{hashlib.sha256(made_by.encode()).hexdigest()[:8]}."

        def opened() -> _Tables:
            name = self._lease.row.chunks_table or ""
            if not name.startswith(beginning):
                # One that no row names was begun and not completed.
                begun = (each for each in self.store.table_names() if each.startswith(beginning))
                name = next(begun, f"{beginning}{uuid.uuid4().hex[:8]}.")
            return self._opened(name.rpartition(".")[0], work.dimensions)

        return self.store.call(opened)

    def _opened(self, name: str, dimensions: int) -> _Tables:
        """The tables of a name, made where they are missing. Inside of `SharedStore.call` only.

        Raises FilesLost for tables whose columns are not ours.
        """
        chunks = self.store.table(f"{name}.chunks")
        stems = self.store.table(f"{name}.stems")
        if chunks is None:
            chunks = self.store.create(f"{name}.chunks", chunks_schema(dimensions))
            table_maintenance.add_indexes(chunks)
        if stems is None:
            stems = self.store.create(f"{name}.stems", stems_schema())
        are_whole = has_columns(chunks.schema, chunks_schema(dimensions))
        if not are_whole or not has_columns(stems.schema, stems_schema()):
            raise FilesLost(msg("Some files of {name} are damaged", name=self._title))
        return _Tables(chunks, stems)

    def _listed(self, chunks: Table) -> _Listing:
        """The documents that are published; read again when another computer has written."""
        listing = self._listing
        if listing and (listing.table, listing.version) == (chunks.name, chunks.version):
            return listing
        return self.store.call_long(lambda: _listing(chunks), self._lease.beat)

    def _kept(self, tables: _Tables) -> int:
        """The number of chunks, after the upkeep of the tables."""
        chunks = tables.chunks
        chunks.checkout_latest()
        listing = self._listing
        # A version that this publisher did not write.
        if listing and chunks.version != listing.version:
            listing.is_whole = False
        try:
            table_maintenance.maintain_tables(chunks, tables.stems, self._limits)
        except Exception as error:  # without it searches take longer
            if storage_error_reason(error) in LOST:
                raise
            log.warning("The upkeep of %s failed", self._name, exc_info=error)
        if listing and not (listing.is_whole and chunks.version == listing.version):
            self._listing = None  # the next publication reads it anew
        return int(chunks.count_rows())

    def _check_other(self, work: _Work, *, is_wanted: bool, is_sure: bool) -> None:
        """Raise SharedUnavailable where what another computer published would be lost.

        That is another folder of the name, or vectors of another model, which two computers would
        replace in turn for ever.
        """
        row = self._lease.row
        name = row.chunks_table
        published = self.store.call(lambda: self.store.table(name) if name else None)
        # All entries of the memory are listed, and the lease is kept meanwhile.
        there: Mapping[str, PublishedEntry] = {}
        if published is not None:
            there = self.store.call_long(lambda: _listing(published), self._lease.beat).entries

        # Neither another folder of this name nor vectors of another model may be replaced.
        if not _is_one_folder(work.documents, there, is_sure=is_sure):
            raise SharedUnavailable(
                msg("Another folder is already shared under the name {name}", name=self._name),
                hint=(
                    "Choose another name for this folder. If it is the folder that is "
                    "already shared, only with many changes, publish it now."
                ),
            )
        if row.identity not in ("", work.identity) and not is_wanted:
            raise SharedUnavailable(
                msg(
                    "{computer} is publishing this folder with another language helper",
                    computer=self.record.published_by,
                ),
                hint=(
                    "Choose the language helper that the other computer uses, or "
                    "publish the folder now to change the language helper for everyone."
                ),
            )

    # -- writing ------------------------------------------------------------------------------

    def _write(self, work: _Work, tables: _Tables, listing: _Listing) -> None:
        """Write what the tables lack, the newest documents first; the listing follows."""
        self._listing = None  # until all is written
        found = work.difference(listing)
        are_all_stems = self._has_all_stems_to_write(tables.stems, found, listing)
        if are_all_stems:
            self._write_all_stems(work.index, tables.stems)
        if listing.doubled:
            self._delete_doubled(tables.chunks, listing)
            found = work.difference(listing)

        # Stems are written before the chunks that have them, so that a search that comes between
        # knows the words of all that it finds.
        self._delete_gone(work, tables, listing, gone=found.gone, with_stems=not are_all_stems)
        numbers = {entry.number for entry in listing.entries.values()}
        left = len(found.changed)
        for rows in self._prepared(work, found.changed, listing, numbers):
            work.cancel.check()
            work.on_pending(left)
            self._lease.beat()
            if not are_all_stems:
                self._write_stems_of(work.index, tables, rows, listing)
            self._commit(listing, tables.chunks, functools.partial(write_rows, tables.chunks, rows))
            listing.entries |= rows.entries
            left -= len(rows.paths)

        paths = {document.path for document in work.documents}
        listing.forget(path for path in listing.entries if path not in paths)
        listing.doubled = set()
        self._listing = listing
        work.on_pending(0)

    def _has_all_stems_to_write(
        self, stems: Table, found: PublicationDiff, listing: _Listing
    ) -> bool:
        """Whether all stems are written again, rather than those of the changed documents."""
        pending = len(found.changed) + len(found.gone)
        if pending > max(self._limits.few_documents, len(listing.entries) // 10):
            return True
        # One that had lost its lease may have written its own over all stems.
        is_last = self._lease.row.publisher == self._computer.id
        name, version = self._stems
        return is_last and name == stems.name and version != stems.version

    def _delete_doubled(self, chunks: Table, listing: _Listing) -> None:
        """Delete documents with a duplicated chunk. They are published again."""
        doubled = listing.doubled
        self._delete(listing, chunks, doubled)
        listing.forget(path for path, at in listing.entries.items() if at.number in doubled)

    def _delete_gone(
        self,
        work: _Work,
        tables: _Tables,
        listing: _Listing,
        *,
        gone: Sequence[int],
        with_stems: bool,
    ) -> None:
        """Delete the chunks of documents that are no longer there, and count their stems again."""
        for batch in _batches(gone, self._limits.batch_chunks):
            work.cancel.check()
            self._lease.beat()
            # Which stems they had is known only while their chunks are there.
            former: set[str] = set()
            if with_stems:
                former = self._stems_of(tables.chunks, batch)
            self._delete(listing, tables.chunks, batch)
            self._write_stems(work.index, tables.stems, former)

    def _write_stems_of(
        self, index: LocalIndexExport, tables: _Tables, rows: _Rows, listing: _Listing
    ) -> None:
        """Count the stems again that some documents have, or had when they were published last."""
        before = [listing.entries[path].number for path in rows.paths if path in listing.entries]
        former: set[str] = set()
        if before:
            former = self._stems_of(tables.chunks, before)
        self._write_stems(index, tables.stems, former | rows.stems)

    def _prepared(
        self,
        work: _Work,
        documents: Sequence[PublishedDocument],
        listing: _Listing,
        numbers: set[int],
    ) -> Iterator[_Rows]:
        """Rows of documents in batches, each document in one."""
        at = 0
        while at < len(documents):
            rows = _Rows(work.dimensions, self._analyzer)
            # About as many as make a batch; those of long notes come in more.
            some = documents[at : at + self._limits.batch_chunks // 4]
            lacking = work.incomplete(some)
            read = self._read_chunks(work, some)
            for document in some[: read.documents]:
                chunks = read.by_document.get(document.id)
                if not chunks:
                    continue  # changed meanwhile; the next publication has it
                # A document keeps its number, so that its rows replace the former ones.
                before = listing.entries.get(document.path)
                number = before.number if before else document_number(document.path, numbers)
                numbers.add(number)
                rows.add(
                    document,
                    chunks[:MOST_CHUNKS],
                    number=number,
                    before=before,
                    is_complete=document.id not in lacking,
                )
            at += read.documents
            if rows.paths:
                yield rows

    def _read_chunks(self, work: _Work, documents: Sequence[PublishedDocument]) -> _ReadChunks:
        """Chunks of the first documents, as many as make a batch."""
        by_document: dict[int, list[PublishedChunk]] = {}
        count = 0
        for part in _batches(documents, _DOCUMENTS_A_READ):
            self._lease.beat()
            for chunk in work.index.chunks(part, work.generation):
                by_document.setdefault(chunk.document, []).append(chunk)
            count += len(part)
            if sum(map(len, by_document.values())) >= self._limits.batch_chunks:
                break
        return _ReadChunks(count, by_document)

    def _commit(self, listing: _Listing, chunks: Table, work: Callable[[], object]) -> None:
        """Write to the chunks, and learn whether someone else did since the last commit."""
        self._long(work)
        listing.is_whole &= chunks.version <= listing.version + 1
        listing.version = chunks.version

    def _long(self, work: Callable[[], object]) -> None:
        """Write something that may take longer than a lease lasts."""
        self.store.call_long(work, self._lease.beat)

    def _delete(self, listing: _Listing, chunks: Table, numbers: Iterable[int]) -> None:
        """Delete the chunks of documents."""
        where = f"document in {sql_number_list(numbers)}"
        self._commit(listing, chunks, lambda: chunks.delete(where))

    def _stems_of(self, chunks: Table, numbers: Sequence[int]) -> set[str]:
        """Stems of the published words of documents."""
        where = f"document in {sql_number_list(numbers)}"
        rows = self.store.call(lambda: chunks.search().where(where).select(["words"]).to_arrow())
        texts = rows["words"].drop_null().to_pylist()
        return {stem for words in texts for stem in words.split(" ")}

    def _write_stems(self, index: LocalIndexExport, stems: Table, changed: set[str]) -> None:
        """Add the present counts of some stems, as the last step of each."""
        changed.discard(FIELD_END)
        counts = index.stem_counts(changed)
        rows = [(stem, counts.get(stem, 0)) for stem in sorted(changed)]
        if rows:
            self._long(lambda: stems.add(_stem_rows(rows, stems.version + 1)))

    def _write_all_stems(self, index: LocalIndexExport, stems: Table) -> None:
        """Replace all stems by those of the index."""
        rows = sorted(index.vocabulary())
        self._long(lambda: stems.add(_stem_rows(rows, stems.version + 1), mode="overwrite"))


class _ReadChunks(Struct, frozen=True):
    """Chunks that were read for one batch."""

    documents: int
    """Number of documents that were read."""
    by_document: Mapping[int, Sequence[PublishedChunk]]
    """Chunks by id of the document."""


class _Rows:
    """Rows of some documents that are written in one commit."""

    def __init__(self, dimensions: int, analyzer: Analyzer) -> None:
        self._dimensions = dimensions
        self._analyzer = analyzer
        self._columns: dict[str, list[Any]] = {}
        self.entries: dict[str, PublishedEntry] = {}
        self.stems: set[str] = set()
        self.shrunk: list[int] = []
        """Numbers of documents that have fewer chunks now."""

    @property
    def paths(self) -> Collection[str]:
        """Paths of the documents."""
        return self.entries.keys()

    def add(
        self,
        document: PublishedDocument,
        chunks: Sequence[PublishedChunk],
        *,
        number: int,
        before: PublishedEntry | None,
        is_complete: bool,
    ) -> None:
        """Add the chunks of a document."""
        path_stems = " ".join(self._analyzer.stems(document.path_field))
        shared = _document_columns(document)
        shared |= {"document": number, "is_complete": is_complete, "path_words": path_stems}
        for at, chunk in enumerate(chunks):
            # One column has the words of all fields, and a sign between them that no phrase spans.
            text, heading, parts = (" ".join(self._analyzer.stems(part)) for part in chunk.fields)
            words = f" {FIELD_END} ".join(filter(None, (text, heading, path_stems, parts)))
            self.stems.update(words.split(" "))
            record = _chunk_record(document, chunk, key=chunk_id(number, at), siblings=len(chunks))
            row = {
                **shared,
                "id": record.id,
                "number": at,
                "record": record.packed(),
                "words": words,
            }
            if self._dimensions:
                row["vector"] = _vector(chunk.embedding)
            for name, value in row.items():
                self._columns.setdefault(name, []).append(value)
        self.entries[document.path] = PublishedEntry(
            number=number, digest=document.digest, is_complete=is_complete, chunks=len(chunks)
        )
        if before and before.chunks > len(chunks):
            self.shrunk.append(number)

    def table(self) -> pa.Table:
        """The rows."""
        import pyarrow as pa

        schema = chunks_schema(self._dimensions)
        return pa.table({name: self._columns[name] for name in schema.names}, schema=schema)


def _document_columns(document: PublishedDocument) -> dict[str, Any]:
    """Columns that are the same in all rows of a document."""
    names = ""
    labels = ""
    if document.tags:
        names, labels = (LIST_END.join(column) for column in zip(*document.tags, strict=True))
    place, _ = path_bounds(f"/{document.path}")  # as filters write a part of a path
    return {
        "path": document.path,
        "place": place,
        "file_name": document.file_name,
        "source": str(document.source),
        "day": document.date,
        "sort_day": document.sort_day,
        "mtime_ns": document.mtime_ns,
        "tags": f"{LIST_END}{names}{LIST_END}" if names else "",
        "labels": labels,
        "digest": document.digest,
    }


def _chunk_record(
    document: PublishedDocument, chunk: PublishedChunk, *, key: int, siblings: int
) -> ChunkRecord:
    """The record that a search reads for a found chunk."""
    return ChunkRecord(
        id=key,
        path=document.path,
        source=document.source,
        title=document.title,
        day=dt.date.fromisoformat(document.date) if document.date else None,
        mtime_ns=document.mtime_ns,
        first_line=chunk.first_line,
        last_line=chunk.last_line,
        heading=chunk.heading,
        text=chunk.text,
        signs=chunk.signs or b"",
        siblings=siblings,
    )


def write_rows(chunks: Table, rows: _Rows) -> None:
    """Write documents in place of their former chunks, in one commit.

    What is there already is replaced, so that a commit whose answer was lost can be made again.
    """
    merge = chunks.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
    if rows.shrunk:
        # This clause reads through all rows, so it is there only where something is to be deleted.
        merge = merge.when_not_matched_by_source_delete(
            f"document in {sql_number_list(rows.shrunk)}"
        )
    # Vectors that a model has not made yet are null.
    merge.execute(rows.table(), on_bad_vectors="null")


def _listing(chunks: Table) -> _Listing:
    """The documents of a table as it is now. Raises FilesLost for a damaged one."""
    # The first chunk of each document has what is compared; of the others the ids are enough.
    ids = chunks.search().select(["id"]).to_arrow()["id"].to_pylist()
    columns = ["id", "document", "path", "digest", "is_complete"]
    rows = chunks.search().where("number = 0").select(columns).to_arrow()
    first, *others = (rows[name].to_pylist() for name in columns)
    documents = others[0]
    # A row without a value, or with the id of another document, was not written by a publisher.
    is_whole = None not in ids and len(rows.drop_null()) == len(rows)
    if not is_whole or [key >> NUMBER_BITS for key in first] != documents:
        raise FilesLost(msg("Some files of {name} are damaged", name=chunks.name))

    # Ids tell the number of chunks of each document without reading any.
    counts = Counter(key >> NUMBER_BITS for key in set(ids))
    doubled: set[int] = set()
    if len(set(ids)) < len(ids):
        doubled = {key >> NUMBER_BITS for key, count in Counter(ids).items() if count > 1}
    listing = _Listing(chunks.name, chunks.version, doubled=doubled)
    for number, path, digest, is_complete in zip(*others, strict=True):
        listing.entries[path] = PublishedEntry(
            number=number, digest=digest, is_complete=is_complete, chunks=counts[number]
        )
    # A document without its first chunk would never be found to be gone.
    known = {entry.number for entry in listing.entries.values()}
    listing.doubled |= counts.keys() - known
    return listing


def _stem_rows(rows: Sequence[tuple[str, int]], step: int) -> pa.Table:
    """Rows of stems with their counts, all of one step."""
    import pyarrow as pa

    columns = {
        "stem": [stem for stem, _ in rows],
        "chunks": [count for _, count in rows],
        "step": [step] * len(rows),
    }
    return pa.table(columns, schema=stems_schema())


def _vector(embedding: bytes | None) -> Vector | None:
    """The vector float32[dimensions] of its bytes."""
    if embedding is None:
        return None
    return np.frombuffer(embedding, np.float32)


def _batches(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
