"""The one writing side of an index. Lives on the index thread."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import apsw

from scrubjay.messages import stored
from scrubjay.notes.media_types import media_type
from scrubjay.records.search_records import SkippedFile
from scrubjay.records.vectors import Vector
from scrubjay.store import maintenance
from scrubjay.store.connection import BUSY_MS, converting, fetch, open_writer
from scrubjay.store.metadata import (
    ALLOWED,
    CHECKED_AT,
    DRIVE,
    read_checked_at,
    read_counts,
    read_documents,
    read_drive,
    read_note,
    read_skipped,
)
from scrubjay.store.revisions import History, HistoryLimits
from scrubjay.store.rows import (
    Counts,
    Generation,
    KnownDocument,
    NewDocument,
    packed,
    unpacked,
)
from scrubjay.store.schema import migrate
from scrubjay.store.sketch_blocks import pack_sketches
from scrubjay.store.word_parts import join, needs_fts_merge
from scrubjay.text.date_words import date_words
from scrubjay.text.tokenizer import compound_parts, searchable

_INSERT_DOCUMENT = """
insert into document(path, file, source, sha256, mtime_ns, size, title, date, chunking, indexed_ns)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
# "returning" would open a savepoint for each statement, and FTS5 writes its buffers out at each.
_INSERT_CHUNK = """
insert into chunk(id, document, first_line, last_line, heading, text, hash)
values (?, ?, ?, ?, ?, ?, ?)
"""
_INSERT_WORDS = "insert into fts(rowid, text, heading, path, parts) values (?, ?, ?, ?, ?)"
_CHUNKS_OF = "select id, hash from chunk where document = ?"
_MISSING = """
select min(chunk.id) from chunk join document on document.id = chunk.document
where not exists (select 1 from vector where generation = ? and vector.hash = chunk.hash)
group by chunk.hash order by max(document.mtime_ns) desc, min(chunk.id)
"""
# The cross joins keep the order: chunks are looked up for the few that lack something.
_WITHOUT_LINES = """
select vector.id from sketch cross join vector on vector.id = sketch.vector
cross join chunk on chunk.hash = vector.hash
cross join document on document.id = chunk.document
where sketch.generation = ?
and not exists (select 1 from line_sketch where line_sketch.vector = sketch.vector)
group by vector.id order by max(document.mtime_ns) desc, vector.id
"""
_VECTOR_TEXTS = """
select vector.id, text, embedding from json_each(?) cross join vector on vector.id = value
cross join chunk on chunk.hash = vector.hash group by vector.id
"""
_TEXTS = """
select chunk.id, hash, title, text from json_each(?)
join chunk on chunk.id = value join document on document.id = chunk.document
"""
_MEDIA = """
select hash, document.path, size from json_each(?)
join chunk on chunk.id = value join document on document.id = chunk.document
where source = 'extra'
"""
_EVICT = """
delete from vector where id in (
  select id from vector
  where not exists (select 1 from chunk where chunk.hash = vector.hash)
  order by id limit ?)
"""


class Writer:
    """Writes one index. Every change is a transaction of the caller."""

    def __init__(self, db: apsw.Connection, path: Path, limits: HistoryLimits) -> None:
        self._db = db
        self._path = path
        self._history = History(db, limits)

    @classmethod
    def open(cls, path: Path, limits: HistoryLimits | None = None) -> Writer:
        """Open or create. Raises IndexCorrupt, IndexTooNew, IndexLocked or IndexUnavailable."""
        db = open_writer(path)
        try:
            with converting(path):
                migrate(db, path)
        except BaseException:
            db.close()
            raise
        return cls(db, path, limits or HistoryLimits())

    def close(self) -> None:
        """Close the connection; the write-ahead log is folded in when nobody else reads."""
        self._db.close()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing."""
        with converting(self._path), self._db:
            yield

    def documents(self) -> dict[str, KnownDocument]:
        """Everything the index knows, by path."""
        return read_documents(self._db)

    def counts(self) -> Counts:
        """Sizes as this connection sees them."""
        return read_counts(self._db)

    def skipped(self) -> tuple[SkippedFile, ...]:
        """Files that the last pass left out."""
        return read_skipped(self._db)

    def checked_at(self) -> dt.datetime | None:
        """When disk and index were last compared."""
        return read_checked_at(self._db)

    def replace(self, new: NewDocument, *, indexed_ns: int) -> None:
        """Publish a document: chunks and words, replacing what was there under its path."""
        self._history.record(new.path, becomes=new)
        affected = self._remove(new.path)
        date = new.date.isoformat() if new.date else None
        state = (new.sha256, new.mtime_ns, new.size, new.title, date, new.chunking, indexed_ns)
        self._db.execute(_INSERT_DOCUMENT, (new.path, str(new.file), new.source, *state))
        document = self._db.last_insert_rowid()
        self._add_chunks(document, new)
        maintenance.update_derived_rows(
            self._db, gone=affected, come=[chunk.sha256 for chunk in new.chunks]
        )

    def touch(self, path: str, mtime_ns: int, *, indexed_ns: int) -> None:
        """Note that a file was looked at and holds what the index holds."""
        self._db.execute(
            "update document set mtime_ns = ?, indexed_ns = ? where path = ?",
            (mtime_ns, indexed_ns, path),
        )

    def remove(self, paths: Iterable[str]) -> None:
        """Forget documents. Their vectors stay as cache until evicted."""
        affected: list[bytes] = []
        for path in paths:
            self._history.record(path, becomes=None)
            affected += self._remove(path)
        maintenance.update_derived_rows(self._db, gone=affected)

    def prune_history(self, now_ns: int) -> None:
        """Forget what notes held longer ago than is wanted."""
        self._history.prune(now_ns)

    def set_skipped(self, skipped: Iterable[SkippedFile]) -> None:
        """Replace the list of files that are left out."""
        self._db.execute("delete from skipped")
        self._db.executemany(
            "insert or replace into skipped(path, reason, is_problem) values (?, ?, ?)",
            [(file.path, stored(file.reason), int(file.is_problem)) for file in skipped],
        )

    def set_checked(self, when: dt.datetime) -> None:
        """Remember when disk and index were compared."""
        self.note(CHECKED_AT, when.isoformat(timespec="seconds"))

    def drive(self) -> int | None:
        """The drive that the notes were on."""
        return read_drive(self._db)

    def set_drive(self, drive: int) -> None:
        """Remember which drive the notes are on."""
        self.note(DRIVE, str(drive))

    def generation(self, identity: str, dimensions: int) -> Generation:
        """The generation of an identity, created when it is new; the first one is active."""
        self._db.execute(
            "insert or ignore into generation(identity, dimensions, is_active)"
            " values (?, ?, not exists (select 1 from generation where is_active))",
            (identity, dimensions),
        )
        number = self._db.execute("select id from generation where identity = ?", (identity,)).get
        return Generation(number, identity, dimensions)

    def activate(self, generation: Generation, *, keeps_others: bool = False) -> None:
        """Let searches use this generation, and drop others with their vectors.

        With keeps_others the newest of each other provider stays, for going back to it.
        """
        if not self._is_active(generation):
            self._db.execute("update generation set is_active = (id = ?)", (generation.id,))
            maintenance.count_embedded(self._db)
        rows = fetch(self._db, "select identity, id from generation order by id")
        newest: dict[str, int] = {}
        if keeps_others:
            newest = {identity.partition(":")[0]: number for identity, number in rows}
        newest[generation.identity.partition(":")[0]] = generation.id
        for _, number in rows:
            if number not in newest.values():
                self._db.execute("delete from sketch_block where generation = ?", (number,))
                self._db.execute("delete from sketch where generation = ?", (number,))
                self._db.execute("delete from vector where generation = ?", (number,))
                self._db.execute("delete from generation where id = ?", (number,))

    def missing_for(self, identity: str) -> list[int]:
        """As missing, for a generation that need not exist yet."""
        statement = "select id, dimensions from generation where identity = ?"
        number, dimensions = self._db.execute(statement, (identity,)).fetchone() or (-1, 0)
        return self.missing(Generation(number, identity, dimensions))

    def documents_of(self, chunk_ids: Sequence[int]) -> int:
        """How many documents some chunks belong to."""
        statement = (
            "select count(distinct document) from json_each(?) join chunk on chunk.id = value"
        )
        return int(self._db.execute(statement, (json.dumps(list(chunk_ids)),)).get)

    def allowance(self, identity: str) -> int | None:
        """How many tokens a person allowed to be sent for an identity; None: never asked."""
        noted = read_note(self._db, f"{ALLOWED}{identity}")
        return int(noted) if noted else None

    def allow(self, identity: str, tokens: int) -> None:
        """Note that so many tokens may be sent; 0 when all of them were."""
        self.note(f"{ALLOWED}{identity}", str(tokens))

    def notes(self, prefix: str) -> dict[str, str]:
        """What was noted under keys that begin so."""
        rows = fetch(self._db, "select key, value from note where instr(key, ?) = 1", (prefix,))
        return dict(rows)

    def note(self, key: str, value: str) -> None:
        """Remember a value under a key; an empty one is forgotten."""
        if value:
            statement = "insert or replace into note(key, value) values (?, ?)"
            self._db.execute(statement, (key, value))
        else:
            self._db.execute("delete from note where key = ?", (key,))

    def missing(self, generation: Generation) -> list[int]:
        """One chunk id for each text without a vector, newest notes first."""
        if self._is_active(generation) and (counts := self.counts()).embedded == counts.chunks:
            return []
        return [row[0] for row in fetch(self._db, _MISSING, (generation.id,))]

    def lacking(self, generation: Generation, hashes: Iterable[bytes]) -> list[bytes]:
        """Those hashes that have no vector of the generation."""
        found = "select 1 from vector where generation = ? and hash = ?"
        return [key for key in hashes if not self._db.execute(found, (generation.id, key)).get]

    def texts(self, chunk_ids: Sequence[int]) -> list[tuple[bytes, str, str]]:
        """(hash, title, text) of chunks that are still there, in the order asked for."""
        with converting(self._path):
            rows = fetch(self._db, _TEXTS, (json.dumps(list(chunk_ids)),))
            found = {number: (key, title, unpacked(data)) for number, key, title, data in rows}
        return [found[chunk] for chunk in chunk_ids if chunk in found]

    def media_of(self, chunk_ids: Sequence[int]) -> list[tuple[bytes, str, int]]:
        """(hash, path, size) of those chunks that stand for images and recordings."""
        rows = fetch(self._db, _MEDIA, (json.dumps(list(chunk_ids)),))
        return [(key, path, size) for key, path, size in rows if media_type(path)]

    def add_vectors(
        self,
        generation: Generation,
        vectors: Mapping[bytes, Vector],
        lines: Mapping[bytes, bytes] | None = None,
    ) -> None:
        """Store normalised vectors by the hash of their text, and with it what set_lines stores."""
        added = self.lacking(generation, vectors)
        self._db.executemany(
            "insert into vector(generation, hash, embedding) values (?, ?, ?)",
            [(generation.id, key, vectors[key].tobytes()) for key in added],
        )
        if self._is_active(generation):
            maintenance.count_new_vectors(self._db, added)
        maintenance.sync_sketches(self._db, added)
        if lines:
            self._db.executemany(
                "insert into line_sketch(vector, bits)"
                " select id, ? from vector where generation = ? and hash = ?",
                [(lines[key], generation.id, key) for key in added],
            )

    def without_lines(self, generation: Generation) -> list[int]:
        """Ids of the vectors in use whose lines have no sketches yet, newest notes first."""
        return [row[0] for row in fetch(self._db, _WITHOUT_LINES, (generation.id,))]

    def vector_texts(self, vectors: Sequence[int]) -> list[tuple[int, str, bytes]]:
        """(vector, text, embedding) of vectors that are still in use."""
        with converting(self._path):
            rows = fetch(self._db, _VECTOR_TEXTS, (json.dumps(list(vectors)),))
            return [(vector, unpacked(data), embedding) for vector, data, embedding in rows]

    def set_lines(self, lines: Iterable[tuple[int, bytes]]) -> None:
        """Store (vector, sign bits of its lines that are not blank, one after the other)."""
        self._db.executemany(
            "insert or replace into line_sketch(vector, bits) values (?, ?)", lines
        )

    def evict(self, max_entries: int) -> int:
        """Drop the oldest vectors without a chunk beyond max_entries in all; say how many."""
        total = int(self._db.execute("select count(*) from vector").get)
        in_use = int(self._db.execute("select count(*) from sketch").get)
        if total <= max_entries or total == in_use:
            return 0
        self._db.execute(_EVICT, (total - max_entries,))
        return self._db.changes()

    def pack_sketches(self) -> None:
        """Put the sketches that came since the last time where readers find them quickly."""
        pack_sketches(self._db)

    def join_words(self) -> Iterator[None]:
        """Join what the words are kept in, where that pays. Each step is a transaction."""
        with converting(self._path):
            if not needs_fts_merge(self._db):
                return
            goes_on = False
            while join(self._db, goes_on=goes_on):
                goes_on = True
                yield

    def shrink(self) -> None:
        """Give freed pages and the write-ahead log back to the disk. Outside of transactions only.

        While somebody reads at this very moment, the log stays as it is.
        """
        with converting(self._path):
            free = int(self._db.pragma("freelist_count"))
            if free * 10 > int(self._db.pragma("page_count")):
                self._db.execute("pragma incremental_vacuum").fetchall()
            self._db.set_busy_timeout(0)
            try:
                self._db.execute("pragma wal_checkpoint(truncate)").fetchall()
            finally:
                self._db.set_busy_timeout(BUSY_MS)

    def _add_chunks(self, document: int, new: NewDocument) -> None:
        path = searchable(f"{new.path} {compound_parts(new.path)} {date_words(new.date)}")
        first = int(self._db.execute("select coalesce(max(id), 0) + 1 from chunk").get)
        rows: list[tuple[Any, ...]] = []
        words: list[tuple[Any, ...]] = []
        for number, chunk in enumerate(new.chunks, start=first):
            lines = (chunk.first_line, chunk.last_line)
            rows.append((number, document, *lines, chunk.heading, packed(chunk.text), chunk.sha256))
            heading = (
                chunk.heading if chunk.heading == new.title else f"{new.title} {chunk.heading}"
            )
            text = searchable(chunk.text)
            words.append((number, text, searchable(heading), path, compound_parts(chunk.text)))
        self._db.executemany(_INSERT_CHUNK, rows)
        self._db.executemany(_INSERT_WORDS, words)

    def _remove(self, path: str) -> list[bytes]:
        """Delete a document and say which texts it held."""
        document = self._db.execute("select id from document where path = ?", (path,)).get
        if document is None:
            return []
        rows = fetch(self._db, _CHUNKS_OF, (document,))
        self._db.executemany("delete from fts where rowid = ?", [(row[0],) for row in rows])
        self._db.execute("delete from document where id = ?", (document,))
        return [row[1] for row in rows]

    def _is_active(self, generation: Generation) -> bool:
        statement = "select is_active from generation where id = ?"
        return bool(self._db.execute(statement, (generation.id,)).get)
