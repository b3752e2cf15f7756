"""The writing side of an index. It is used on the index thread."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import apsw

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.schema.memory_search import HistorySettings
from scrubjay.documents.media_types import media_type
from scrubjay.messages import serialize_sentence
from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import SkippedFile
from scrubjay.store.index_file import (
    BUSY_MS,
    check_index_length,
    convert_sqlite_errors,
    fetch,
    file_size,
    interruptible,
    open_writer,
)
from scrubjay.store.index_records import (
    NewDocument,
    compress_text,
    decompress_text,
    path_field,
    text_fields,
)
from scrubjay.store.metadata import ALLOWED, BLANK, CHECKED_AT, MENDED, Metadata, blank_picture
from scrubjay.store.revisions import History
from scrubjay.store.salvage import salvage
from scrubjay.store.schema import OnStep, migrate
from scrubjay.store.vector_writer import VectorWriter, update_derived_rows
from scrubjay.text.tags import tag_key

_INSERT_DOCUMENT = """
insert into document(
  path, file, source, sha256, mtime_ns, size, title, date, chunking, indexed_ns, ctime_ns)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
"""Statement that stores a document."""
# "returning" would open a savepoint for each statement, and FTS5 writes its buffers out at each.
_INSERT_CHUNK = """
insert into chunk(id, document, first_line, last_line, heading, text, hash)
values (?, ?, ?, ?, ?, ?, ?)
"""
"""Statement that stores a chunk."""
_INSERT_WORDS = "insert into fts(rowid, text, heading, path, parts) values (?, ?, ?, ?, ?)"
"""Statement that stores the words of a chunk."""
_TEXTS = """
select chunk.id, hash, title, text from json_each(?)
join chunk on chunk.id = value join document on document.id = chunk.document
"""
"""Listed chunks with their titles and texts."""
_MEDIA = """
select hash, document.path, size from json_each(?)
join chunk on chunk.id = value join document on document.id = chunk.document
where source = 'extra' and chunking not like '%:pictures'
"""
"""Listed chunks of files in additional paths, some of which are media."""

FEWEST_LEAVES = 2_000
"""Leaves of the FTS5 index that merging is worth, of some 40,000 chunks; fewer are quick in any
number of segments."""

_LARGEST_SHARE = 0.9
"""Share of the leaves in one segment beyond which nothing is merged. A merge rewrites everything,
so it waits until a tenth is new."""

PAGES = 200
"""Pages written in one step of a merge, about a tenth of a second."""


class Writer:
    """Writes one index. Every change happens within a transaction of the caller."""

    def __init__(self, db: apsw.Connection, path: Path, limits: HistorySettings) -> None:
        self._db = db
        self._path = path
        self.metadata = Metadata(db, path)
        self.vectors = VectorWriter(db, path, self.metadata)
        self.history = History(db, limits, self.metadata)
        self._fewest_bytes = check_index_length(db, path)
        """Bytes of the file that only a commit of this writer may take away."""

    @classmethod
    def open(
        cls,
        path: Path,
        limits: HistorySettings | None = None,
        on_step: OnStep = lambda _done, _total: None,
    ) -> Writer:
        """Open or create; on_step is told how far the migration of an older index is.

        Raises IndexCorrupt, IndexTooNew, IndexLocked or IndexUnavailable, and what on_step raises.
        """
        db = open_writer(path)
        try:
            with convert_sqlite_errors(path):
                migrate(db, path, on_step)
                return cls(db, path, limits or HistorySettings())
        except BaseException:
            db.close()
            raise

    def close(self) -> None:
        """Close the connection; the last one of all processes folds the log into the file."""
        self._db.close()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing. Raises IndexCorrupt, IndexLocked or IndexUnavailable."""
        with convert_sqlite_errors(self._path), self._db:
            # A file that became shorter by itself was cut off; writing on would hide that.
            if file_size(self._path) < self._fewest_bytes:
                raise apsw.CorruptError
            yield

    def verify(self, cancel: CancelToken) -> None:
        """Look for damage in the whole file, 0.1 s for 30 MB.

        Raises IndexCorrupt where one part contradicts another, or Cancelled.
        """
        with convert_sqlite_errors(self._path), interruptible(self._db, cancel):
            # SQLite reads every page for this, and compares tables with their indexes.
            if self._db.pragma("integrity_check") != "ok":
                raise apsw.CorruptError

    def salvage(self, damaged: Path, workspace: Workspace) -> int:
        """Copy vectors and revisions from a damaged index into this new one; return how many."""
        self.note(MENDED, dt.datetime.now().astimezone().isoformat(timespec="seconds"))
        return salvage(self._db, damaged, workspace)

    def replace(self, new: NewDocument, *, indexed_ns: int) -> None:
        """Write a document with its chunks and words in place of the one under its path."""
        # The former text is recorded while it is still there.
        self.history.record(new.path, becomes=new)
        removed = self._remove(new.path)
        date = new.date.isoformat() if new.date else None
        values = (
            new.path,
            str(new.file),
            new.source,
            new.sha256,
            new.mtime_ns,
            new.size,
            new.title,
            date,
            new.chunking,
            indexed_ns,
            new.ctime_ns,
        )
        self._db.execute(_INSERT_DOCUMENT, values)
        document = self._db.last_insert_rowid()
        # What belongs to the document refers to its new number.
        tags = [(document, tag_key(tag), tag) for tag in new.tags]
        if tags:
            self._db.executemany("insert into tag(document, name, label) values (?, ?, ?)", tags)
        names = [(document, name) for name in new.names]
        self._db.executemany("insert into name(document, key) values (?, ?)", names)
        self._add_chunks(document, new)
        added = [chunk.sha256 for chunk in new.chunks]
        update_derived_rows(self._db, removed=removed, added=added)

    def touch(self, path: str, mtime_ns: int, *, ctime_ns: int, indexed_ns: int) -> None:
        """Store the times of a file whose content is as the index has it."""
        self._db.execute(
            "update document set mtime_ns = ?, ctime_ns = ?, indexed_ns = ? where path = ?",
            (mtime_ns, ctime_ns, indexed_ns, path),
        )

    def keep_blank(self, picture: NewDocument, *, indexed_ns: int) -> None:
        """Store that a picture has no text, so that it is not read again until it changes."""
        value = blank_picture(
            picture.mtime_ns,
            picture.size,
            ctime_ns=picture.ctime_ns,
            chunking=picture.chunking,
            at_ns=indexed_ns,
        )
        self.note(f"{BLANK}{picture.path}", value)

    def relocate(self, files: Mapping[str, str]) -> bool:
        """Store where the files of documents are now; return whether one was elsewhere before."""
        rows = fetch(self._db, "select path, file from document")
        moved = [(files[path], path) for path, file in rows if files.get(path, file) != file]
        self._db.executemany("update document set file = ? where path = ?", moved)
        return bool(moved)

    def remove(self, paths: Iterable[str], *, moved_as: bytes = b"") -> None:
        """Delete documents. Their vectors stay as cache until evicted.

        Moved_as is the digest of the document that a renamed one has become.
        """
        removed: list[bytes] = []
        for path in paths:
            self.history.record(path, becomes=None, moved_as=moved_as)
            removed += self._remove(path)
            self.note(f"{BLANK}{path}", "")
        update_derived_rows(self._db, removed=removed)

    def set_skipped(self, skipped: Iterable[SkippedFile]) -> None:
        """Replace the list of files that are excluded."""
        self._db.execute("delete from skipped")
        self._db.executemany(
            "insert or replace into skipped(path, reason, is_problem) values (?, ?, ?)",
            [
                (file.path, serialize_sentence(file.reason), int(file.is_problem))
                for file in skipped
            ],
        )

    def set_checked(self, when: dt.datetime) -> None:
        """Store the time of a comparison of disk and index."""
        self.note(CHECKED_AT, when.isoformat(timespec="seconds"))

    def allow(self, identity: str, tokens: int) -> None:
        """Store that so many tokens may be sent; 0 when all of them have been."""
        self.note(f"{ALLOWED}{identity}", str(tokens))

    def note(self, key: str, value: str) -> None:
        """Store a value under a key; an empty one deletes the key."""
        if value:
            statement = "insert or replace into note(key, value) values (?, ?)"
            self._db.execute(statement, (key, value))
        else:
            self._db.execute("delete from note where key = ?", (key,))

    def texts(self, chunk_ids: Sequence[int]) -> list[tuple[bytes, str, str]]:
        """(hash, title, text) of the chunks still there, in that order. Raises IndexCorrupt."""
        with convert_sqlite_errors(self._path):
            rows = fetch(self._db, _TEXTS, (json.dumps(list(chunk_ids)),))
            texts = {
                number: (key, title, decompress_text(data)) for number, key, title, data in rows
            }
        return [texts[chunk] for chunk in chunk_ids if chunk in texts]

    def media_chunks(self, chunk_ids: Sequence[int]) -> list[tuple[bytes, str, int]]:
        """(hash, path, size) of the chunks that stand for images and recordings."""
        rows = fetch(self._db, _MEDIA, (json.dumps(list(chunk_ids)),))
        return [(key, path, size) for key, path, size in rows if media_type(path)]

    def count_documents(self, chunk_ids: Sequence[int]) -> int:
        """Number of documents that some chunks belong to."""
        statement = (
            "select count(distinct document) from json_each(?) join chunk on chunk.id = value"
        )
        return int(self._db.execute(statement, (json.dumps(list(chunk_ids)),)).get)

    def merge_words(
        self, *, fewest_leaves: int = FEWEST_LEAVES, pages: int = PAGES
    ) -> Iterator[None]:
        """Merge segments of the word index where it pays, twice as fast; a transaction a step."""
        with convert_sqlite_errors(self._path):
            leaves = fetch(self._db, "select count(*) from fts_idx group by segid")
            total = sum(count for (count,) in leaves)
            # A large index in several segments is as a first pass leaves it.
            if total < fewest_leaves or max(leaves)[0] >= _LARGEST_SHARE * total:
                return
            at_once = -pages  # a negative number also begins with segments of any size
            while True:
                before = self._db.total_changes()
                self._db.execute("insert into fts(fts, rank) values ('merge', ?)", (at_once,))
                # SQLite's documentation names this sign of the end.
                if self._db.total_changes() - before < 2:
                    return
                at_once = pages
                yield

    def shrink(self) -> None:
        """Give freed pages and the write-ahead log back to the disk. Outside of transactions only.

        While another connection reads at this very moment, the log stays as it is.
        """
        with convert_sqlite_errors(self._path):
            # Giving pages back takes time, so it waits until a tenth of the file is free.
            free = int(self._db.pragma("freelist_count"))
            if free * 10 > int(self._db.pragma("page_count")):
                self._db.execute("pragma incremental_vacuum").fetchall()
            # No waiting for readers: the log can shrink at the next chance just as well.
            self._db.set_busy_timeout(0)
            try:
                self._db.execute("pragma wal_checkpoint(truncate)").fetchall()
            finally:
                self._db.set_busy_timeout(BUSY_MS)
            self._fewest_bytes = check_index_length(self._db, self._path)

    def _add_chunks(self, document: int, new: NewDocument) -> None:
        path = path_field(new.path, new.date)
        # Numbers of chunks follow each other, which readers rely on to find neighbours.
        first = int(self._db.execute("select coalesce(max(id), 0) + 1 from chunk").get)
        rows: list[tuple[Any, ...]] = []
        words: list[tuple[Any, ...]] = []
        # Rows are collected first, and written in one call for each table.
        for number, chunk in enumerate(new.chunks, start=first):
            values = (
                number,
                document,
                chunk.first_line,
                chunk.last_line,
                chunk.heading,
                compress_text(chunk.text),
                chunk.sha256,
            )
            rows.append(values)
            text, heading, parts = text_fields(new.title, chunk.heading, chunk.text)
            words.append((number, text, heading, path, parts))
        self._db.executemany(_INSERT_CHUNK, rows)
        self._db.executemany(_INSERT_WORDS, words)

    def _remove(self, path: str) -> list[bytes]:
        """Delete a document; return the hashes of its chunks."""
        number = self._db.execute("select id from document where path = ?", (path,)).get
        if number is None:
            return []
        rows = fetch(self._db, "select id, hash from chunk where document = ?", (number,))
        # The index of words has no foreign key, so its rows are deleted by hand.
        self._db.executemany("delete from fts where rowid = ?", [(row[0],) for row in rows])
        self._db.execute("delete from document where id = ?", (number,))
        return [row[1] for row in rows]
