"""Facts about an index as a whole, over any connection to it."""

from __future__ import annotations

import datetime as dt

import apsw

from scrubjay.messages import restored
from scrubjay.records.search_records import SkippedFile
from scrubjay.store.connection import fetch
from scrubjay.store.rows import Counts, KnownDocument

CHECKED_AT = "checked at"
"""Key of the note that says when disk and index were last compared."""

DRIVE = "drive"
"""Key of the note that says which drive the notes were on."""

EMBEDDED = "embedded"
"""Key of the note that says how many chunks have a vector of the generation that answers. Counting
them takes a look-up for each, a second in a million."""

ALLOWED = "may send:"
"""With an identity: key of the note that says how many tokens may go to a remote provider."""


def read_documents(db: apsw.Connection) -> dict[str, KnownDocument]:
    """Everything that an index knows, by path."""
    rows = fetch(db, "select path, id, sha256, mtime_ns, size, chunking, indexed_ns from document")
    return {path: KnownDocument(*rest) for path, *rest in rows}


def read_skipped(db: apsw.Connection) -> tuple[SkippedFile, ...]:
    """Files that are left out, problems first."""
    rows = fetch(db, "select path, reason, is_problem from skipped order by is_problem desc, path")
    return tuple(SkippedFile(path, restored(reason), bool(flag)) for path, reason, flag in rows)


def read_note(db: apsw.Connection, key: str) -> str | None:
    """What was noted under a key; None when nothing was."""
    row = db.execute("select value from note where key = ?", (key,)).fetchone()
    return str(row[0]) if row else None


def read_checked_at(db: apsw.Connection) -> dt.datetime | None:
    """When disk and index were last compared."""
    noted = read_note(db, CHECKED_AT)
    return dt.datetime.fromisoformat(noted) if noted else None


def read_drive(db: apsw.Connection) -> int | None:
    """The drive that the notes were on; None when it was never noted."""
    noted = read_note(db, DRIVE)
    return int(noted) if noted else None


def read_counts(db: apsw.Connection) -> Counts:
    """Sizes of an index over any connection."""
    documents = int(db.execute("select count(*) from document").get)
    chunks = int(db.execute("select count(*) from chunk").get)
    return Counts(documents, chunks, int(read_note(db, EMBEDDED) or 0))
