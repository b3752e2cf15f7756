"""Revisions: earlier texts of notes, kept in the index up to a limit of days and size."""

from __future__ import annotations

import time
from collections.abc import Iterable

import apsw

from scrubjay.config.schema.memory_search import HistorySettings
from scrubjay.records.note_records import Source
from scrubjay.store.index_file import fetch
from scrubjay.store.index_records import NewDocument, compress_text, decompress_text
from scrubjay.store.metadata import Metadata

BUCKET_NS = 15 * 60 * 1_000_000_000
"""15 minutes; of several changes of a note within a bucket only the text before them is kept.

Every time zone begins its days on a quarter of an hour, so that "since yesterday" is exact.
"""

_MOST_TEXTS = 500
"""Texts kept in one pass; the differences of a folder swapped for another are of no use."""

_MOST_ROWS = 200_000
"""Revisions kept in all; those beyond it are dropped from the oldest on."""

_FORMER = "select id, sha256, source, title from document where path = ?"
"""State of a document in the index."""
_CHUNKS = "select first_line, last_line, text from chunk where document = ? order by id"
"""Chunks of a document, in their order."""
_KEEP = """
insert into revision(path, bucket, at_ns, existed, sha256, title, source, text)
values (?, ?, ?, ?, ?, ?, ?, ?)
"""
"""Statement that stores a revision."""
_LATEST = """
select bucket, existed, sha256 from revision where path = ? order by bucket desc limit 1
"""
"""Latest revision of a path."""
_GIVE_TEXT = """
update revision set text = ? where sha256 = ? and bucket >= ? and existed and text is null
and path not in (select path from document)
"""
"""Statement that gives the removals of notes with some content their text."""
_REMOVED = "update revision set at_ns = ? where path = ? and bucket = ?"
"""Statement that gives a revision the time of a removal."""
_EMPTY_OLDEST = """
update revision set text = null where id in (
  select id from (
    select id, sum(length(text)) over (order by bucket desc, id desc) as newer
    from revision where text is not null)
  where newer > ?)
"""
"""Statement that deletes the oldest texts beyond a number of bytes; their rows stay."""
_DROP_OLDEST = """
delete from revision where id in (
  select id from revision order by bucket desc, id desc limit -1 offset ?)
"""
"""Statement that deletes the oldest revisions beyond a number."""


class History:
    """Stores revisions in the transactions of the changes. Used on the index thread.

    Of texts beyond the limit in bytes, the oldest are dropped first; their rows stay.
    """

    def __init__(self, db: apsw.Connection, limits: HistorySettings, metadata: Metadata) -> None:
        self._db = db
        self._metadata = metadata
        self._limits = limits
        self.compared_ns: int | None = None
        """Time when disk and index were compared before; None for what the index says."""
        self._texts = 0
        self._has_grown = False
        self.is_silent = False
        """Whether nothing is recorded, because other files are read although none has changed."""

    def record(self, path: str, becomes: NewDocument | None, *, moved_as: bytes = b"") -> None:
        """Store the text under a path before it is replaced or (None) removed.

        Moved_as is the digest of the text under a new path, where a note was renamed. The first
        pass over a folder changes nothing, and conversations grow all the time: neither is
        recorded.
        """
        if self.compared_ns is None:
            when = self._metadata.checked_at()
            self.compared_ns = int(when.timestamp() * 1e9) if when else 0
        if self.is_silent or self._limits.days <= 0 or self.compared_ns <= 0:
            return
        # What is known of the note so far decides whether the change is worth a revision.
        row = self._db.execute(_FORMER, (path,)).fetchone()
        if row is not None:
            number, sha256, source, title = row
        elif becomes is not None:
            # A new note has no former text; what it began with tells whether it was moved.
            number = 0
            sha256 = becomes.sha256
            source = becomes.source
            title = becomes.title
        else:
            return
        is_same = row is not None and becomes is not None and becomes.sha256 == sha256
        if source == Source.SESSIONS or is_same:
            return
        at_ns = _moment_of(becomes, self.compared_ns)
        bucket = at_ns // BUCKET_NS
        latest, existed, first = self._db.execute(_LATEST, (path,)).fetchone() or (-1, 1, b"")
        # A note that was moved takes its text along, and leaves it behind with its first change.
        is_moved = moved_as == sha256
        if row is not None and not (is_moved or existed) and first == sha256:
            text = self._kept_text(number, becomes)
            self._db.execute(_GIVE_TEXT, (text, sha256, latest))
        # A file that is put back has an older time than its removal.
        if bucket <= latest:
            if becomes is None:  # a note that is gone has no later time of its own
                self._db.execute(_REMOVED, (at_ns, path, latest))
            return
        text = None
        if row is not None and not is_moved:
            text = self._kept_text(number, becomes)
        self._has_grown = True
        existed = int(row is not None)
        values = (path, bucket, at_ns, existed, sha256, title, source, text)
        self._db.execute(_KEEP, values)

    def prune(self, now_ns: int) -> None:
        """Delete the revisions beyond the limits."""
        # Too old by the settings, which may also want no history at all.
        oldest = (now_ns - self._limits.days * 86_400_000_000_000) // BUCKET_NS
        if self._limits.days == 0:
            self._db.execute("delete from revision")
            return
        # Revisions of the future were stored while the clock was wrong.
        newest = now_ns // BUCKET_NS
        self._db.execute("delete from revision where bucket < ? or bucket > ?", (oldest, newest))
        # Limits by size are looked at only where something was added.
        if self._has_grown:
            self._db.execute(_DROP_OLDEST, (_MOST_ROWS,))
            self._db.execute(_EMPTY_OLDEST, (self._limits.max_bytes,))
            self._has_grown = False

    def _kept_text(self, document: int, becomes: NewDocument | None) -> bytes | None:
        """The text so far as it is stored; None after too many."""
        # A pass over a whole folder keeps the texts of its first changes only.
        self._texts += 1
        if self._texts > _MOST_TEXTS:
            return None
        return compress_text(self._former_text(document, becomes))

    def _former_text(self, document: int, becomes: NewDocument | None) -> str:
        """The text so far, redacted when a secret was taken out of the note since."""
        # Its patterns take long to compile, and most processes store no revision.
        from scrubjay.text.redaction import find_secrets, redact

        former = document_text(self._db, document)
        # Lines that the note no longer has: a secret among them was removed on purpose.
        chunks = becomes.chunks if becomes else ()
        parts = ((chunk.first_line, chunk.last_line, chunk.text) for chunk in chunks)
        lines = set(joined_text(parts).split("\n"))
        lost = "\n".join(line for line in former.split("\n") if line not in lines)
        if find_secrets(lost):
            return redact(former)
        return former


def document_text(db: apsw.Connection, document: int) -> str:
    """The text of a document, joined from its chunks."""
    rows = fetch(db, _CHUNKS, (document,))
    return joined_text((first, last, decompress_text(data)) for first, last, data in rows)


def joined_text(chunks: Iterable[tuple[int, int, str]]) -> str:
    """Text of chunks, each (first line, last line, text), in order; lines between them are blank.

    Lines that several chunks share stand there once; pieces of one long line are joined.
    """
    lines: dict[int, str] = {}
    before = (0, 0)
    for first, last, text in chunks:
        # Pieces of a long line share its number; other chunks may overlap by whole lines.
        if first == last and before == (first, last):
            lines[first] += text
        else:
            lines |= zip(range(first, last + 1), text.split("\n"), strict=False)
        before = (first, last)
    return "\n".join(lines.get(number, "") for number in range(1, max(lines, default=0) + 1))


def _moment_of(becomes: NewDocument | None, compared_ns: int) -> int:
    """The time of a change, if it is plausible; else the time of noticing it."""
    now_ns = time.time_ns()
    if becomes and compared_ns <= becomes.mtime_ns <= now_ns:
        return becomes.mtime_ns
    return now_ns
