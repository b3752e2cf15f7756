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
from scrubjay.records.shared_records import SharedWorkspace
from scrubjay.records.vectors import Vector
from scrubjay.store.lancedb import upkeep
from scrubjay.store.lancedb.checked_rows import has_columns
from scrubjay.store.lancedb.lease import ComputerId, Lease
from scrubjay.store.lancedb.publishing_limits import DEFAULT_LIMITS, PublishingLimits
from scrubjay.store.lancedb.shared_store import (
    LOST,
    FilesLost,
    SharedStore,
    reason_of,
    shared_workspace,
)
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
    id_list,
    stems_schema,
)
from scrubjay.store.local_index_export import LocalIndexExport, PublishedChunk, PublishedDocument
from scrubjay.store.rows import Generation
from scrubjay.text.tokenizer import Analyzer

if TYPE_CHECKING:
    import pyarrow as pa
    from lancedb.table import Table

log = logging.getLogger(__name__)

_PASSES = 100
"""Publications after which old versions of the list of workspaces are deleted."""
_LEAST_SHARED = 0.5
"""Share of documents that two copies of one folder have in common."""
_ROUNDS = 3
"""Attempts to publish while another computer, which has lost its lease, still ends a commit."""

OnPending = Callable[[int], object]
"""Is told the number of documents that are not published yet."""


class Entry(Struct, frozen=True):
    """What a shared memory has of one document."""

    number: int
    digest: bytes
    is_complete: bool
    chunks: int


class _Listing(Struct):
    """All documents of one version of a table, and of those that this publisher made of it."""

    table: str
    version: int
    entries: dict[str, Entry] = field(default_factory=dict)
    """By path."""
    doubled: set[int] = field(default_factory=set)
    """Numbers of documents with a chunk that is there twice."""
    is_whole: bool = True
    """Whether nobody else has written since it was read."""


class Difference(Struct, frozen=True):
    """What a publication has to write."""

    changed: Sequence[PublishedDocument]
    gone: Sequence[int]
    """Numbers of documents that are there no more."""


def difference(
    documents: Iterable[PublishedDocument],
    entries: Mapping[str, Entry],
    incomplete: Callable[[Sequence[PublishedDocument]], set[int]],
) -> Difference:
    """The documents that a shared memory lacks or has otherwise, the newest first.

    Incomplete gives the ids of those without some vector; a document is published with the vectors
    that are there, and once more when it has all.
    """
    here = {document.path: document for document in documents}
    changed, waiting = [], []
    for path, document in here.items():
        entry = entries.get(path)
        if entry is None or entry.digest != document.digest:
            changed.append(document)
        elif not entry.is_complete:
            waiting.append(document)
    lacking = incomplete(waiting) if waiting else set()
    changed += (document for document in waiting if document.id not in lacking)
    changed.sort(key=lambda document: (-document.mtime_ns, document.path))
    return Difference(
        changed, [entry.number for path, entry in entries.items() if path not in here]
    )


def _is_one_folder(
    documents: Sequence[PublishedDocument], there: Mapping[str, Entry], *, is_sure: bool
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
    """Publishes one workspace, again and again. For one thread. Raises SharedUnavailable."""

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
    def record(self) -> SharedWorkspace:
        """What the shared memory says of the workspace, as it was last read or written."""
        return shared_workspace(self._lease.row)

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
    ) -> bool:
        """Bring the shared workspace to what the index is; False while another one publishes.

        Is_wanted: a person asked for it, so that what another computer published of this folder
        gives way; is_first: this folder was never shared there, so that it may be another one.
        Raises Cancelled; what was written by then stays.
        """
        if not self._lease.take():
            return False
        values: dict[str, Any] = {}
        former = self._lease.row.chunks_table
        is_other = self._lease.row.publisher not in (None, self._computer.id)
        try:
            documents, generation = index.documents(), index.generation()
            self._lease.beat()
            asked = (index, documents, generation, cancel, on_pending)
            try:
                if is_other:
                    is_sure = is_wanted and not is_first
                    self._check_other(documents, generation, is_wanted=is_wanted, is_sure=is_sure)
                values = self._published(*asked)
            except FilesLost as error:
                if is_other and not is_wanted:  # nobody knows whether all that was there is here
                    raise
                log.warning("Publishing %s anew: %s", self._name, error)
                self._start_over()
                values = self._published(*asked)
            if former == values["chunks_table"] and (names := self._left_overs(values)):
                self._lease.update()
                self.store.call(lambda: upkeep.drop(self.store, names))
        finally:
            is_own = self._lease.release(**values)
            if not is_own:
                self._listing = None  # another one has taken over, and may have written since
        if not is_own:
            return False
        if self._passes % _PASSES == 0:
            self.store.call(lambda: upkeep.keep_workspaces(self.store, self._limits))
        self._passes += 1
        return True

    def withdraw(self) -> bool:
        """Delete the workspace from the shared memory; False while another one publishes it."""
        if not self._lease.take():
            return False
        self._start_over()
        self._lease.delete()
        return True

    def _published(
        self,
        index: LocalIndexExport,
        documents: Sequence[PublishedDocument],
        generation: Generation | None,
        cancel: CancelToken,
        on_pending: OnPending,
    ) -> dict[str, Any]:
        """Values of the workspace's row, after all that the tables lacked was written."""
        chunks, stems = self._tables(generation)
        for _ in range(_ROUNDS):
            listing = self._listed(chunks)
            self._lease.beat()
            self._write(index, documents, generation, (chunks, stems), listing, cancel, on_pending)
            count = self.store.call_long(lambda: self._kept(chunks, stems), self._lease.beat)
            if listing.is_whole:
                break
        self._stems = (stems.name, stems.version)
        return {
            "schema": SCHEMA,
            "title": self._title,
            "chunks_table": chunks.name,
            "stems_table": stems.name,
            "identity": generation.identity if generation else "",
            "dimensions": generation.dimensions if generation else 0,
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
        self._lease.update(**no_tables)
        self.store.call(lambda: upkeep.drop(self.store, names))

    def _left_overs(self, values: Mapping[str, Any]) -> Sequence[str]:
        """Names of the tables that a row with these values does not name.

        They are listed before the lease is confirmed, after which they may be deleted: those of a
        computer that takes over then are not among them.
        """
        row = replace(self._lease.row, **values)
        return self.store.call(lambda: upkeep.left_overs(self.store, self._name, row))

    # -- tables -------------------------------------------------------------------------------

    def _tables(self, generation: Generation | None) -> tuple[Table, Table]:
        """Tables of chunks and stems for a generation, made where they are missing.

        Those that are made anew have another name, by which readers and publishers tell them from
        others whose versions have the same numbers.
        """
        made_by = f"{SCHEMA} {generation.identity if generation else ''}"
        beginning = f"{self._name}.{hashlib.sha256(made_by.encode()).hexdigest()[:8]}."
        dimensions = generation.dimensions if generation else 0

        def opened() -> tuple[Table, Table]:
            name = self._lease.row.chunks_table or ""
            if not name.startswith(beginning):
                # One that no row names was begun and not completed.
                begun = (each for each in self.store.table_names() if each.startswith(beginning))
                name = next(begun, f"{beginning}{uuid.uuid4().hex[:8]}.")
            first = name.rpartition(".")[0]
            chunks, stems = (self.store.table(f"{first}.{kind}") for kind in ("chunks", "stems"))
            if chunks is None:
                chunks = self.store.create(f"{first}.chunks", chunks_schema(dimensions))
                upkeep.add_indexes(chunks)
            if stems is None:
                stems = self.store.create(f"{first}.stems", stems_schema())
            are_whole = has_columns(chunks.schema, chunks_schema(dimensions))
            if not are_whole or not has_columns(stems.schema, stems_schema()):
                raise FilesLost(msg("Files of {name} are damaged", name=self._title))
            return chunks, stems

        return self.store.call(opened)

    def _listed(self, chunks: Table) -> _Listing:
        """The documents that are published; read anew when another computer has written."""
        listing = self._listing
        if listing and (listing.table, listing.version) == (chunks.name, chunks.version):
            return listing
        return self.store.call_long(lambda: _listing(chunks), self._lease.beat)

    def _kept(self, chunks: Table, stems: Table) -> int:
        """The number of chunks, after the upkeep of the tables."""
        chunks.checkout_latest()
        if (listing := self._listing) and chunks.version != listing.version:
            listing.is_whole = False
        try:
            upkeep.keep(chunks, stems, self._limits)
        except Exception as error:  # without it searches take longer
            if reason_of(error) in LOST:
                raise
            log.warning("The upkeep of %s failed", self._name, exc_info=error)
        if listing and not (listing.is_whole and chunks.version == listing.version):
            self._listing = None  # the next publication reads it anew
        return int(chunks.count_rows())

    def _check_other(
        self,
        documents: Sequence[PublishedDocument],
        generation: Generation | None,
        *,
        is_wanted: bool,
        is_sure: bool,
    ) -> None:
        """Raise SharedUnavailable where what another computer published would be lost.

        That is another folder of the name, or vectors of another model, which two computers would
        replace in turn for ever.
        """
        row = self._lease.row
        name = row.chunks_table
        published = self.store.call(lambda: self.store.table(name) if name else None)
        there = {}
        if published is not None:
            there = self.store.call_long(lambda: _listing(published), self._lease.beat).entries
        if not _is_one_folder(documents, there, is_sure=is_sure):
            raise SharedUnavailable(
                msg("Another folder is shared under the name {name}", name=self._name),
                hint="Choose another name for this one. If it is shared already and the same "
                "folder, with many changes, publish it now.",
            )
        if row.identity not in ("", generation.identity if generation else "") and not is_wanted:
            raise SharedUnavailable(
                msg(
                    "{computer} publishes this folder with another language helper",
                    computer=self.record.published_by,
                ),
                hint="Choose the same one here, or publish it now from here to change it for all.",
            )

    # -- writing ------------------------------------------------------------------------------

    def _write(
        self,
        index: LocalIndexExport,
        documents: Sequence[PublishedDocument],
        generation: Generation | None,
        tables: tuple[Table, Table],
        listing: _Listing,
        cancel: CancelToken,
        on_pending: OnPending,
    ) -> None:
        chunks, stems = tables
        self._listing = None  # until all is written

        def incomplete(some: Sequence[PublishedDocument]) -> set[int]:
            ids = {document.id for document in some}
            return index.incomplete(ids, generation) if generation else ids

        found = difference(documents, listing.entries, incomplete)
        pending = len(found.changed) + len(found.gone)
        # One that had lost its lease may have written its own over all stems.
        is_last = self._lease.row.publisher == self._computer.id
        is_other = is_last and self._stems[0] == stems.name and self._stems[1] != stems.version
        few = max(self._limits.few_documents, len(listing.entries) // 10)
        is_large = pending > few or is_other
        if is_large:
            self._write_all_stems(index, stems)
        if doubled := listing.doubled:
            self._delete(listing, chunks, doubled)
            for path in [path for path, at in listing.entries.items() if at.number in doubled]:
                del listing.entries[path]
            found = difference(documents, listing.entries, incomplete)
        for batch in _batches(found.gone, self._limits.batch_chunks):
            cancel.check()
            self._lease.beat()
            former = self._stems_of(chunks, batch) if not is_large else set()
            self._delete(listing, chunks, batch)
            self._write_stems(index, stems, former)
        numbers = {entry.number for entry in listing.entries.values()}
        left = len(found.changed)
        for rows in self._prepared(index, found.changed, generation, listing, numbers):
            cancel.check()
            on_pending(left)
            self._lease.beat()
            before = [
                listing.entries[path].number for path in rows.paths if path in listing.entries
            ]
            if not is_large:
                former = self._stems_of(chunks, before) if before else set()
                self._write_stems(index, stems, former | rows.stems)
            self._commit(listing, chunks, functools.partial(write_rows, chunks, rows))
            listing.entries |= rows.entries
            left -= len(rows.paths)
        paths = {document.path for document in documents}
        for path in [path for path in listing.entries if path not in paths]:
            del listing.entries[path]
        listing.doubled = set()
        self._listing = listing
        on_pending(0)

    def _prepared(
        self,
        index: LocalIndexExport,
        documents: Sequence[PublishedDocument],
        generation: Generation | None,
        listing: _Listing,
        numbers: set[int],
    ) -> Iterator[_Rows]:
        """Rows of documents in batches, each document in one."""
        lacking = set[int]()
        at = 0
        while at < len(documents):
            rows = _Rows(generation)
            # About as many as make a batch; those of long notes come in more.
            some = documents[at : at + self._limits.batch_chunks // 4]
            lacking = (
                index.incomplete((each.id for each in some), generation)
                if generation
                else {each.id for each in some}
            )
            by_document: dict[int, list[PublishedChunk]] = {}
            taken = 0
            for part in _batches(some, 64):
                self._lease.beat()
                for chunk in index.chunks(part, generation):
                    by_document.setdefault(chunk.document, []).append(chunk)
                taken += len(part)
                if sum(map(len, by_document.values())) >= self._limits.batch_chunks:
                    break
            for document in some[:taken]:
                if not (own := by_document.get(document.id)):
                    continue  # changed meanwhile; the next publication has it
                before = listing.entries.get(document.path)
                number = before.number if before else document_number(document.path, numbers)
                numbers.add(number)
                complete = document.id not in lacking
                rows.add(document, number, own[:MOST_CHUNKS], before, self._analyzer, complete)
            at += taken
            if rows.paths:
                yield rows

    def _commit(self, listing: _Listing, chunks: Table, work: Callable[[], object]) -> None:
        """Write to the chunks, and learn whether somebody else did since the last commit."""
        self._long(work)
        listing.is_whole &= chunks.version <= listing.version + 1
        listing.version = chunks.version

    def _long(self, work: Callable[[], object]) -> None:
        """Write something that may take longer than a lease lasts."""
        self.store.call_long(work, self._lease.beat)

    def _delete(self, listing: _Listing, chunks: Table, numbers: Iterable[int]) -> None:
        if some := list(numbers):
            where = f"document in {id_list(some)}"
            self._commit(listing, chunks, lambda: chunks.delete(where))

    def _stems_of(self, chunks: Table, numbers: Sequence[int]) -> set[str]:
        """Stems of the published words of documents."""
        where = f"document in {id_list(numbers)}"
        rows = self.store.call(lambda: chunks.search().where(where).select(["words"]).to_arrow())
        texts = rows["words"].drop_null().to_pylist()
        return {stem for words in texts for stem in words.split(" ")}

    def _write_stems(self, index: LocalIndexExport, stems: Table, changed: set[str]) -> None:
        changed.discard(FIELD_END)
        counts = index.stem_counts(changed)
        rows = [(stem, counts.get(stem, 0)) for stem in sorted(changed)]
        if rows:
            self._long(lambda: stems.add(_stem_rows(rows, stems.version + 1)))

    def _write_all_stems(self, index: LocalIndexExport, stems: Table) -> None:
        rows = sorted(index.vocabulary())
        self._long(lambda: stems.add(_stem_rows(rows, stems.version + 1), mode="overwrite"))


class _Rows:
    """Rows of some documents that are written in one commit."""

    def __init__(self, generation: Generation | None) -> None:
        self._dimensions = generation.dimensions if generation else 0
        self._columns: dict[str, list[Any]] = {}
        self.entries: dict[str, Entry] = {}
        self.stems: set[str] = set()
        self.shrunk: list[int] = []
        """Numbers of documents that have fewer chunks now."""

    @property
    def paths(self) -> Collection[str]:
        """Of the documents."""
        return self.entries.keys()

    def add(
        self,
        document: PublishedDocument,
        number: int,
        chunks: Sequence[PublishedChunk],
        before: Entry | None,
        analyzer: Analyzer,
        is_complete: bool,
    ) -> None:
        """Add the chunks of a document."""
        path_stems = " ".join(analyzer.stems(document.path_field))
        names, labels = (
            (LIST_END.join(column) for column in zip(*document.tags, strict=True))
            if document.tags
            else ("", "")
        )
        place = "".join(sign.lower() if sign.isascii() else sign for sign in f"/{document.path}")
        day = dt.date.fromisoformat(document.date) if document.date else None
        shared = {
            "document": number,
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
            "is_complete": is_complete,
            "path_words": path_stems,
        }
        for at, chunk in enumerate(chunks):
            text, heading, parts = (" ".join(analyzer.stems(field)) for field in chunk.fields)
            words = f" {FIELD_END} ".join(filter(None, (text, heading, path_stems, parts)))
            self.stems.update(words.split(" "))
            record = ChunkRecord(
                chunk_id(number, at),
                document.path,
                document.source,
                document.title,
                day,
                document.mtime_ns,
                chunk.first_line,
                chunk.last_line,
                chunk.heading,
                chunk.text,
                chunk.signs or b"",
                len(chunks),
            )
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
        self.entries[document.path] = Entry(number, document.digest, is_complete, len(chunks))
        if before and before.chunks > len(chunks):
            self.shrunk.append(number)

    def table(self) -> pa.Table:
        """The rows."""
        import pyarrow as pa

        schema = chunks_schema(self._dimensions)
        return pa.table({name: self._columns[name] for name in schema.names}, schema=schema)


def write_rows(chunks: Table, rows: _Rows) -> None:
    """Write documents in place of their former chunks, in one commit.

    What is there already is replaced, so that a commit whose answer was lost can be made again.
    """
    merge = chunks.merge_insert("id").when_matched_update_all().when_not_matched_insert_all()
    if rows.shrunk:
        # It reads through all rows, so it is left out where nothing is to be deleted.
        merge = merge.when_not_matched_by_source_delete(f"document in {id_list(rows.shrunk)}")
    # Those that a model has not made yet are null.
    merge.execute(rows.table(), on_bad_vectors="null")


def _listing(chunks: Table) -> _Listing:
    """The documents of a table as it is now. Raises FilesLost for a damaged one."""
    ids = chunks.search().select(["id"]).to_arrow()["id"].to_pylist()
    columns = ["id", "document", "path", "digest", "is_complete"]
    rows = chunks.search().where("number = 0").select(columns).to_arrow()
    first, *others = (rows[name].to_pylist() for name in columns)
    documents = others[0]
    is_whole = None not in ids and len(rows.drop_null()) == len(rows)
    if not is_whole or [key >> NUMBER_BITS for key in first] != documents:
        raise FilesLost(msg("Files of {name} are damaged", name=chunks.name))
    counts = Counter(key >> NUMBER_BITS for key in set(ids))
    doubled: set[int] = set()
    if len(set(ids)) < len(ids):
        doubled = {key >> NUMBER_BITS for key, count in Counter(ids).items() if count > 1}
    listing = _Listing(chunks.name, chunks.version, doubled=doubled)
    for number, path, digest, is_complete in zip(*others, strict=True):
        listing.entries[path] = Entry(number, digest, is_complete, counts[number])
    # A document without its first chunk would never be found to be gone.
    known = {entry.number for entry in listing.entries.values()}
    listing.doubled |= counts.keys() - known
    return listing


def _stem_rows(rows: Sequence[tuple[str, int]], step: int) -> pa.Table:
    import pyarrow as pa

    stems, counts = [stem for stem, _ in rows], [count for _, count in rows]
    columns = {"stem": stems, "chunks": counts, "step": [step] * len(rows)}
    return pa.table(columns, schema=stems_schema())


def _vector(embedding: bytes | None) -> Vector | None:
    return None if embedding is None else np.frombuffer(embedding, np.float32)


def _batches(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
