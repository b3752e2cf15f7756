"""Facts about an index as a whole."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw
from msgspec import Struct

from scrubjay.errors import IndexCorrupt
from scrubjay.messages import deserialize_sentence, msg
from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import SkippedFile
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.store.index_file import convert_sqlite_errors, fetch
from scrubjay.store.index_records import IndexCounts, KnownDocument, decompress_text

CHECKED_AT = "checked at"
"""Key of the time when disk and index were last compared."""

DRIVE = "drive"
"""Key of the number of the drive that the notes were on."""

ROOT = "root"
"""Key of the folder that the notes are in."""

SCOPE = "scope"
"""Key of the settings that say which files of the folder belong to it."""

OWNER = "workspace"
"""Key of the id of the workspace that the index belongs to."""

MENDED = "mended"
"""Key of the time when the index was made again, because the one before was damaged."""

UNREAD = "unread documents"
"""Key of the number of documents that are still to be read."""

PICTURES = "unread pictures"
"""Key of the number of pictures that are still to be read."""

BLANK = "blank:"
"""Prefix of the keys of pictures without text, by label: they are known, and not found."""

VERIFIED = "verified"
"""Key of the day on which the whole file was last looked through for damage."""

EMBEDDED = "embedded"
"""Key of the number of chunks with a vector of the active generation. Counting them takes a lookup
for each, a second in a million."""

LEARNING = "learning"
"""Key of the id of the generation that passes add to, while it is not the active one."""

LEARNED = "learned"
"""Key of the number of chunks with a vector of that generation."""

ALLOWED = "may send:"
"""Prefix of the keys of the numbers of tokens that may go to a remote provider, by identity."""
BATCH = "batch:"
"""Prefix of the keys of the batches that were sent to a provider, by label."""

PACE = "pace:"
"""Prefix of the keys of the seconds for a chunk on this computer, by the name of a local model."""


_KNOWN = "id, sha256, mtime_ns, size, chunking, indexed_ns, ctime_ns"
"""Columns of `KnownDocument`, in its order."""
_BEGINNINGS = """
select text from chunk where id in (select min(id) from chunk where document in
  (select id from document where id % ? = 0) group by document)
"""
"""First chunk of every n-th document."""


def blank_picture(mtime_ns: int, size: int, *, ctime_ns: int, chunking: str, at_ns: int) -> str:
    """Value under the key of a picture without text."""
    return " ".join((str(mtime_ns), str(size), str(ctime_ns), str(at_ns), chunking))


def _blank(value: str) -> KnownDocument:
    """The record of a picture without text."""
    mtime_ns, size, ctime_ns, at_ns, chunking = value.split(" ", 4)
    return KnownDocument(
        id=0,
        sha256=b"",
        mtime_ns=int(mtime_ns),
        size=int(size),
        chunking=chunking,
        indexed_ns=int(at_ns),
        ctime_ns=int(ctime_ns),
    )


class IndexOwner(Struct):
    """The workspace of an index, for records of its content."""

    workspace: WorkspaceId = WorkspaceId("")
    """Its id; empty until it was checked."""


class Metadata:
    """Facts of one index. Raises IndexCorrupt, IndexLocked or IndexUnavailable."""

    def __init__(self, db: apsw.Connection, path: Path) -> None:
        self._db = db
        self._path = path
        self.owner = IndexOwner()

    def documents(self) -> dict[str, KnownDocument]:
        """All documents by path."""
        rows = self._rows(f"select path, {self._known()} from document")
        known = {path: KnownDocument(*rest) for path, *rest in rows}
        for key, value in self.notes(BLANK).items():
            known.setdefault(key.removeprefix(BLANK), _blank(value))
        return known

    def document(self, label: str) -> KnownDocument | None:
        """One document by its path."""
        rows = self._rows(f"select {self._known()} from document where path = ?", (label,))
        if not rows:
            return None
        return KnownDocument(*rows[0])

    def _known(self) -> str:
        """The columns of `KnownDocument`, as far as the index has them."""
        # A search may read an index of an older version, which only the next pass migrates.
        columns = {row[1] for row in self._rows("pragma table_info(document)")}
        if "ctime_ns" in columns:
            return _KNOWN
        return _KNOWN.replace("ctime_ns", "0")

    def unread_documents(self) -> int:
        """Number of documents that are still to be read."""
        return int(self._note(UNREAD) or 0)

    def unread_pictures(self) -> int:
        """Number of pictures that are still to be read."""
        return int(self._note(PICTURES) or 0)

    def count(self) -> int:
        """Number of notes."""
        return int(self._rows("select count(*) from document")[0][0])

    def beginnings(self, left_out: int) -> list[str]:
        """The beginnings of notes from the whole index, with so many notes skipped between two."""
        return [decompress_text(text) for (text,) in self._rows(_BEGINNINGS, (left_out + 1,))]

    def sizes(self) -> dict[str, int]:
        """Sizes in bytes of the notes in the folder itself, by path."""
        own = "source in ('memory', 'notes')"
        return dict(self._rows(f"select path, size from document where {own}"))

    def skipped(self) -> tuple[SkippedFile, ...]:
        """Files that the last pass excluded, problems first."""
        columns = "path, reason, is_problem"
        rows = self._rows(f"select {columns} from skipped order by is_problem desc, path")
        return tuple(
            SkippedFile(path, deserialize_sentence(reason), bool(flag))
            for path, reason, flag in rows
        )

    def counts(self) -> IndexCounts:
        """Sizes of the index."""
        [[documents]] = self._rows("select count(*) from document")
        [[chunks]] = self._rows("select count(*) from chunk")
        # The other numbers are stored, as counting them would take a second.
        embedded = int(self._note(EMBEDDED) or 0)
        learned = int(self._note(LEARNED) or embedded)
        return IndexCounts(documents, chunks, embedded=embedded, learned=learned)

    def checked_at(self) -> dt.datetime | None:
        """Time of the last comparison of disk and index."""
        return self._time(CHECKED_AT)

    def mended_at(self) -> dt.datetime | None:
        """Time when the index was made again after damage; None if it never was."""
        return self._time(MENDED)

    def check_owner(self, workspace: Workspace) -> None:
        """Raise IndexCorrupt for an index of another workspace than this one."""
        owner = self._note(OWNER)
        # Indexes of older versions do not say whose they are.
        if owner in (None, workspace.id):
            self.owner.workspace = workspace.id
        else:
            # Two folders of one name may have been exchanged, and with them their search files.
            exchanged = IndexCorrupt(
                "The search index belongs to another folder",
                msg("{path} is not the search index of {id}.", path=self._path, id=workspace.id),
                hint="Your notes are untouched. Scrubjay will rebuild the search index "
                "the next time it reads them.",
            )
            exchanged.file = self._path
            raise exchanged

    def drive(self) -> int | None:
        """Number of the drive that the notes were on; None if it was never stored."""
        drive = self._note(DRIVE)
        return int(drive) if drive else None

    def allowance(self, identity: str) -> int | None:
        """Tokens that a person allowed to be sent for an identity; None: never asked."""
        tokens = self._note(f"{ALLOWED}{identity}")
        return int(tokens) if tokens else None

    def paces(self) -> dict[str, float]:
        """Seconds for a chunk, by the local models that were used here."""
        return {key.removeprefix(PACE): float(pace) for key, pace in self.notes(PACE).items()}

    def notes(self, prefix: str) -> dict[str, str]:
        """Values stored under keys that begin so."""
        return dict(self._rows("select key, value from note where instr(key, ?) = 1", (prefix,)))

    def _note(self, key: str) -> str | None:
        rows = self._rows("select value from note where key = ?", (key,))
        if not rows:
            return None
        value: str = rows[0][0]
        return value

    def _time(self, key: str) -> dt.datetime | None:
        time = self._note(key)
        return dt.datetime.fromisoformat(time) if time else None

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with convert_sqlite_errors(self._path):
            return fetch(self._db, sql, values)
