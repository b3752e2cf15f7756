"""Notes as links name them, and the stored rows that tell how notes belong together."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import apsw
import numpy as np
import numpy.typing as npt

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.notes.note_links import LinkTargets
from scrubjay.records.search_records import ChunkId, DocumentInfo
from scrubjay.store.connection import converting, fetch, interruptible
from scrubjay.store.rows import document_info, unpacked

_INFO_COLUMNS = "document.path, file, source, title, date, mtime_ns, null"
_INFO = f"select {_INFO_COLUMNS} from document where path = ?"
_PLACES = """
select document.path, first_line, chunk.text from {chunks}
cross join document on document.id = chunk.document
where source != 'sessions' {condition} order by chunk.id
"""
_MATCHING = "fts cross join chunk on chunk.id = fts.rowid"
_VECTORS = """
select chunk.id, embedding from document cross join chunk on chunk.document = document.id
cross join vector on vector.generation = ? and vector.hash = chunk.hash
where document.path = ? order by chunk.id
"""
_SAMPLE = """
select embedding from json_each(?) cross join vector on vector.id = value and generation = ?
"""
_SAMPLED = 64
"""Vectors from all over an index that tell how near two are as a rule."""

Vectors = npt.NDArray[np.float32]


class Passage(NamedTuple):
    """A chunk as it stands in its note."""

    path: str
    first_line: int
    """1-based."""
    text: str


class RelationReader:
    """Links between notes, over a Reader's connection. Raises IndexCorrupt, IndexUnavailable."""

    def __init__(self, db: apsw.Connection, path: Path) -> None:
        self._db = db
        self._path = path
        self._version = -1
        self._targets = LinkTargets(())

    def link_targets(self) -> LinkTargets:
        """The notes that links may lead to."""
        with converting(self._path):
            version = int(self._db.pragma("data_version"))
            if version != self._version:
                rows = fetch(self._db, "select path from document")
                self._targets, self._version = LinkTargets(path for (path,) in rows), version
            return self._targets

    def info(self, workspace: str, path: str) -> DocumentInfo | None:
        """The record of a document without its beginning; None where there is none."""
        with converting(self._path):
            rows = fetch(self._db, _INFO, (path,))
        return document_info(workspace, *rows[0]) if rows else None

    def passages(self, expression: str, cancel: CancelToken) -> Iterator[Passage]:
        """Chunks of notes that match an FTS5 expression, or all for an empty one.

        Raises Cancelled.
        """
        sql = _PLACES.format(chunks="chunk", condition="")
        values: tuple[str, ...] = ()
        if expression:
            sql = _PLACES.format(chunks=_MATCHING, condition="and fts match ?")
            values = (expression,)
        with converting(self._path), interruptible(self._db, cancel):
            for path, first_line, text in self._db.execute(sql, values):
                yield Passage(path, first_line, unpacked(text))

    def vectors(self, path: str, generation: int) -> tuple[list[ChunkId], Vectors]:
        """The chunks of a document that have vectors, and float32[chunks, dimensions]."""
        with converting(self._path):
            rows = fetch(self._db, _VECTORS, (generation, path))
        return [ChunkId(row[0]) for row in rows], _matrix([row[1] for row in rows])

    def sample(self, generation: int) -> Vectors:
        """float32[vectors, dimensions]: some vectors from all over the index."""
        with converting(self._path):
            last = int(self._db.execute("select coalesce(max(id), 0) from vector").get)
            ids = np.unique(np.linspace(1, max(1, last), _SAMPLED).astype(int)).tolist()
            rows = fetch(self._db, _SAMPLE, (json.dumps(ids), generation))
        return _matrix([row[0] for row in rows])


def _matrix(rows: list[bytes]) -> Vectors:
    return np.frombuffer(b"".join(rows), np.float32).reshape(len(rows), -1 if rows else 0)
