"""Notes by the names in links, and the stored rows that show how notes are related."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import apsw
from msgspec import Struct

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.notes.note_links import LinkTargets
from scrubjay.records.note_records import ChunkId, DocumentInfo
from scrubjay.store.index_file import convert_sqlite_errors, fetch, interruptible
from scrubjay.store.index_records import decompress_text, document_info, local_midnight_ns
from scrubjay.store.metadata import IndexOwner

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_INFO_COLUMNS = "document.path, file, source, title, date, mtime_ns, null"
"""Columns of `document_info`, without the text that a document begins with."""
_INFO = f"select {_INFO_COLUMNS} from document where path = ?"
"""Record of one document."""
_PLACES = """
select document.path, first_line, chunk.text from {chunks}
cross join document on document.id = chunk.document
where source != 'sessions' {condition} order by chunk.id
"""
"""Chunks of notes with their places, in the order of the index."""
_MATCHING = "fts cross join chunk on chunk.id = fts.rowid"
"""Chunks that the index of words finds, as a source for `_PLACES`."""
_VECTORS = """
select chunk.id, embedding from document cross join chunk on chunk.document = document.id
cross join vector on vector.generation = ? and vector.hash = chunk.hash
where document.path = ? order by chunk.id
"""
"""Chunks of one document with their vectors."""
_NOTES_OF_FOLDER = """
select id from document where substr(path, 1, length(?1)) = ?1
and instr(substr(path, length(?1) + 1), '/') = 0 and source != 'sessions' order by id
"""
"""Notes that stand in a folder itself, whose name ends with a slash; empty for the topmost one."""
_SAMPLED_NOTES = 40
"""Notes from all over a folder that tell which words its notes have in common."""
_FEWEST_NOTES = 4
"""Notes of a folder from which on a word that most of them have may come from a template."""
_BEGINNINGS = """
select value, text from json_each(?) cross join chunk on chunk.id in
(select id from chunk where document = value order by id limit 3)
"""
"""Listed notes, each with its first chunks: a template stands at the beginning."""
_OWN = """
select document.path, first_line, text from document
cross join chunk on chunk.document = document.id where document.path = ? order by chunk.id
"""
"""Chunks of one document with their places."""
_DRIFT = 0.1
"""Share of chunks that must have come before other notes are looked at."""
_OF_DAY = f"""
select {_INFO_COLUMNS} from document where date = ? and source != 'sessions'
order by mtime_ns desc, path limit ?
"""
"""Notes that have a day as their own."""
_CHANGED = f"""
select {_INFO_COLUMNS} from document where date is null and mtime_ns >= ? and mtime_ns < ?
and source != 'sessions' order by mtime_ns desc, path limit ?
"""
"""Notes without a day of their own that changed within a span."""
_TAGS = """
select name, min(label), count(*) from tag group by name order by count(*) desc, name
"""
"""Tags with one spelling and the number of notes with each, the most frequent first."""
_TAGS_OF = """
select document.path, label from json_each(?) cross join document on document.path = value
cross join tag on tag.document = document.id order by label
"""
"""Tags of listed notes, as these write them."""
_RECENT_TEXTS = """
select document.path, text from document join chunk on chunk.document = document.id
where document.id in (select id from document where source in ('notes', 'memory')
                      order by mtime_ns desc limit ?)
order by mtime_ns desc, document.path, chunk.id limit ?
"""
"""Chunks of the notes that changed last."""
_CALLED = f"""
select {_INFO_COLUMNS} from name cross join document on document.id = name.document
where name.key = ? and source != 'sessions' order by path limit ?
"""
"""Documents with a name, which is their title, the name of their file or an alias."""
_PATHS_OF_NOTES = "select path from document where source in ('notes', 'memory')"
"""Paths of all notes in the folder itself."""

Vectors: TypeAlias = "npt.NDArray[np.float32]"
"""Some vectors, float32[vectors, dimensions]."""


class LocatedChunk(Struct, frozen=True):
    """A chunk with its position in a note."""

    path: str
    first_line: int
    """Line of the note where it begins, 1-based."""
    text: str


class RelationReader:
    """Links between notes, over a Reader's connection. Raises IndexCorrupt, IndexUnavailable."""

    def __init__(self, db: apsw.Connection, path: Path, owner: IndexOwner) -> None:
        self._db = db
        self._path = path
        self._owner = owner
        self.free_memory()

    def free_memory(self) -> None:
        """Forget what links may lead to, and which words are common."""
        self._version = -1
        self._targets = LinkTargets(())
        self._last_chunk = 0
        self._words_of_folders: dict[str, Mapping[str, float]] = {}

    def tags(self) -> list[tuple[str, str, int]]:
        """Each tag folded, as some note writes it, and the number of notes with it."""
        with convert_sqlite_errors(self._path):
            return [(name, label, count) for name, label, count in fetch(self._db, _TAGS)]

    def read_tags(self, paths: Iterable[str]) -> dict[str, list[str]]:
        """Path of a note -> its tags, as it writes them."""
        tags: dict[str, list[str]] = {}
        with convert_sqlite_errors(self._path):
            for path, label in fetch(self._db, _TAGS_OF, (json.dumps([*paths]),)):
                tags.setdefault(path, []).append(label)
        return tags

    def recent_texts(self, notes: int, chunks: int) -> Iterator[tuple[str, str]]:
        """Paths and texts of chunks of the notes that changed last, of so many at most."""
        with convert_sqlite_errors(self._path):
            for path, text in fetch(self._db, _RECENT_TEXTS, (notes, chunks)):
                yield path, decompress_text(text)

    def folders(self) -> list[tuple[str, int]]:
        """Each folder that holds notes itself or below it, with their number."""
        with convert_sqlite_errors(self._path):
            paths = fetch(self._db, _PATHS_OF_NOTES)
        own = Counter(path.rpartition("/")[0] for (path,) in paths)
        # Each folder counts for all folders that it is in.
        counts = Counter[str]()
        for folder, count in own.items():
            while folder:
                counts[folder] += count
                folder = folder.rpartition("/")[0]
        return sorted(counts.items())

    def link_targets(self) -> LinkTargets:
        """The notes that links may lead to."""
        with convert_sqlite_errors(self._path):
            version = int(self._db.pragma("data_version"))
            # The paths are read again after each commit of another connection only.
            if version != self._version:
                rows = fetch(self._db, "select path from document")
                self._targets = LinkTargets(path for (path,) in rows)
                self._version = version
            return self._targets

    def info(self, path: str) -> DocumentInfo | None:
        """The record of a document without its beginning; None if there is none."""
        with convert_sqlite_errors(self._path):
            rows = fetch(self._db, _INFO, (path,))
        if not rows:
            return None
        return document_info(self._owner.workspace, *rows[0])

    def paths(self) -> list[str]:
        """The paths of all documents that are not conversations, in order."""
        with convert_sqlite_errors(self._path):
            sql = "select path from document where source != 'sessions' order by path"
            return [path for (path,) in fetch(self._db, sql)]

    def called(self, key: str, limit: int) -> list[DocumentInfo]:
        """Notes with a title, file name or alias, as `name_key` writes it."""
        with convert_sqlite_errors(self._path):
            rows = fetch(self._db, _CALLED, (key, limit))
        return [document_info(self._owner.workspace, *row) for row in rows]

    def passages(self, expression: str, cancel: CancelToken) -> Iterator[LocatedChunk]:
        """Chunks of notes that match an FTS5 expression, or all for an empty one.

        Raises Cancelled.
        """
        sql = _PLACES.format(chunks="chunk", condition="")
        values: tuple[str, ...] = ()
        if expression:
            sql = _PLACES.format(chunks=_MATCHING, condition="and fts match ?")
            values = (expression,)
        with convert_sqlite_errors(self._path), interruptible(self._db, cancel):
            for path, first_line, text in self._db.execute(sql, values):
                yield LocatedChunk(path, first_line, decompress_text(text))

    def document_chunks(self, path: str) -> Iterator[LocatedChunk]:
        """The chunks of one document, from its beginning."""
        with convert_sqlite_errors(self._path):
            for _, first_line, text in fetch(self._db, _OWN, (path,)):
                yield LocatedChunk(path, first_line, decompress_text(text))

    def vectors(self, path: str, generation: int) -> tuple[list[ChunkId], Vectors]:
        """The chunks of a document that have vectors, and float32[chunks, dimensions]."""
        with convert_sqlite_errors(self._path):
            rows = fetch(self._db, _VECTORS, (generation, path))
        ids = [ChunkId(row[0]) for row in rows]
        return ids, _matrix([row[1] for row in rows])

    def of_day(self, day: dt.date, limit: int) -> list[DocumentInfo]:
        """Notes that have a day as their own, the last change first."""
        with convert_sqlite_errors(self._path):
            rows = fetch(self._db, _OF_DAY, (day.isoformat(), limit))
        return [document_info(self._owner.workspace, *row) for row in rows]

    def changed_on(self, day: dt.date, limit: int) -> list[DocumentInfo]:
        """Notes without a day of their own that were changed on a day, the last change first."""
        span = (local_midnight_ns(day), local_midnight_ns(day, days_later=1))
        with convert_sqlite_errors(self._path):
            rows = fetch(self._db, _CHANGED, (*span, limit))
        return [document_info(self._owner.workspace, *row) for row in rows]

    def shares_in_folder(
        self, folder: str, stems: Callable[[str], Iterable[str]]
    ) -> Mapping[str, float]:
        """Stem -> about the share of the notes of a folder that have it near their beginning.

        Empty for fewer notes than could have anything in common.
        """
        # The highest id tells how many chunks were written, without counting them.
        with convert_sqlite_errors(self._path):
            last = int(self._db.execute("select coalesce(max(id), 0) from chunk").get)
        if abs(last - self._last_chunk) > _DRIFT * self._last_chunk:
            self._words_of_folders.clear()
            self._last_chunk = last
        if folder not in self._words_of_folders:
            with convert_sqlite_errors(self._path):
                ids = [row[0] for row in fetch(self._db, _NOTES_OF_FOLDER, (folder,))]
                picked = ids[:: max(1, len(ids) // _SAMPLED_NOTES)]
                rows = fetch(self._db, _BEGINNINGS, (json.dumps(picked),))
            words: dict[int, set[str]] = {}
            for document, text in rows:
                words.setdefault(document, set()).update(stems(decompress_text(text)))
            counts = Counter(stem for own in words.values() for stem in own)
            shares: Mapping[str, float] = {}
            if len(words) >= _FEWEST_NOTES:
                shares = {stem: count / len(words) for stem, count in counts.items()}
            self._words_of_folders[folder] = shares
        return self._words_of_folders[folder]


def _matrix(rows: list[bytes]) -> Vectors:
    # Imported late: a search by words needs no vectors, and importing numpy takes longer.
    import numpy as np

    # Without rows there is no length to divide by.
    width = -1 if rows else 0
    return np.frombuffer(b"".join(rows), np.float32).reshape(len(rows), width)
