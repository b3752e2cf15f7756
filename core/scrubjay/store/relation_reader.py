"""Notes as links name them."""

from __future__ import annotations

from pathlib import Path

import apsw

from scrubjay.notes.note_links import LinkTargets
from scrubjay.records.search_records import DocumentInfo
from scrubjay.store.connection import converting, fetch
from scrubjay.store.rows import document_info

_INFO = "select path, file, source, title, date, mtime_ns, null from document where path = ?"


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
