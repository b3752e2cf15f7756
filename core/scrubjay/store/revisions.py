"""What notes held before they changed: kept beside the index, for some days and some megabytes."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

import apsw

from scrubjay.records.search_records import Source
from scrubjay.store.connection import fetch
from scrubjay.store.metadata import Metadata
from scrubjay.store.rows import NewDocument, packed, unpacked
from scrubjay.text.redaction import find_secrets, redact

BUCKET_NS = 15 * 60 * 1_000_000_000
"""Of several changes of a note within so long, only what was there before them is kept.

Every time zone begins its days on a quarter of an hour, so that "since yesterday" is exact.
"""

_MOST_TEXTS = 500
"""Texts kept in one pass: nobody reads the differences of a folder that was swapped for another."""

_MOST_ROWS = 200_000

_FORMER = "select id, sha256, source, title from document where path = ?"
_CHUNKS = "select first_line, last_line, text from chunk where document = ? order by id"
_KEEP = """
insert into revision(path, bucket, at_ns, existed, sha256, title, source, text)
values (?, ?, ?, ?, ?, ?, ?, ?)
"""
_LATEST = "select coalesce(max(bucket), -1) from revision where path = ?"
_EMPTY_OLDEST = """
update revision set text = null where id in (
  select id from (
    select id, sum(length(text)) over (order by bucket desc, id desc) as newer
    from revision where text is not null)
  where newer > ?)
"""
_DROP_OLDEST = """
delete from revision where id in (
  select id from revision order by bucket desc, id desc limit -1 offset ?)
"""


@dataclass(frozen=True, slots=True)
class HistoryLimits:
    """How much of the past is kept."""

    days: int = 14
    """0: nothing is kept."""
    max_bytes: int = 20_000_000
    """Of packed texts; the oldest are dropped first, that they changed is still known."""


class History:
    """Records changes in the transactions that make them. Lives on the index thread."""

    def __init__(self, db: apsw.Connection, limits: HistoryLimits, metadata: Metadata) -> None:
        self._db = db
        self._metadata = metadata
        self._limits = limits
        self._compared_ns: int | None = None
        self._texts = 0
        self._is_longer = False

    def record(self, path: str, becomes: NewDocument | None) -> None:
        """Keep what a path holds now, before it is replaced or (None) forgotten.

        Nothing is new or gone while an index is filled for the first time, and conversations grow
        all the time: neither is recorded.
        """
        if not self._is_recording():
            return
        row = self._db.execute(_FORMER, (path,)).fetchone()
        if row is not None:
            number, sha256, source, title = row
        elif becomes is not None:
            number, sha256, source, title = 0, None, becomes.source, becomes.title
        else:
            return
        if source == Source.SESSIONS or (becomes is not None and becomes.sha256 == sha256):
            return
        at_ns = self._moment(becomes.mtime_ns if becomes else None)
        bucket = at_ns // BUCKET_NS
        # A file that is put back has an older time than its removal.
        if bucket <= self._db.execute(_LATEST, (path,)).get:
            return
        text = self._former_text(number, becomes) if row else None
        self._is_longer = True
        about = (int(row is not None), sha256, title, source, text)
        self._db.execute(_KEEP, (path, bucket, at_ns, *about))

    def prune(self, now_ns: int) -> None:
        """Forget what is older or more than the limits allow."""
        oldest = (now_ns - self._limits.days * 86_400_000_000_000) // BUCKET_NS
        if self._limits.days == 0:
            self._db.execute("delete from revision")
            return
        # What is of the future was noted while the clock was wrong.
        newest = now_ns // BUCKET_NS
        self._db.execute("delete from revision where bucket < ? or bucket > ?", (oldest, newest))
        if self._is_longer:
            self._db.execute(_DROP_OLDEST, (_MOST_ROWS,))
            self._db.execute(_EMPTY_OLDEST, (self._limits.max_bytes,))
            self._is_longer = False

    def _is_recording(self) -> bool:
        if self._compared_ns is None:
            when = self._metadata.checked_at()
            self._compared_ns = int(when.timestamp() * 1e9) if when else 0
        return self._limits.days > 0 and self._compared_ns > 0

    def _moment(self, mtime_ns: int | None) -> int:
        """When a change was made, if that can be: else when it was noticed."""
        now = time.time_ns()
        if mtime_ns is not None and (self._compared_ns or 0) <= mtime_ns <= now:
            return mtime_ns
        return now

    def _former_text(self, document: int, becomes: NewDocument | None) -> bytes | None:
        self._texts += 1
        if self._texts > _MOST_TEXTS:
            return None
        former = document_text(self._db, document)
        chunks = becomes.chunks if becomes else ()
        current = joined_text((one.first_line, one.last_line, one.text) for one in chunks)
        return packed(_without_lost_secrets(former, current))


def document_text(db: apsw.Connection, document: int) -> str:
    """The text of a document as its chunks hold it."""
    rows = fetch(db, _CHUNKS, (document,))
    return joined_text((first, last, unpacked(data)) for first, last, data in rows)


def joined_text(chunks: Iterable[tuple[int, int, str]]) -> str:
    """Text of (first line, last line, text) in order: all that is not blank, line by line.

    Lines that several chunks share stand there once; pieces of one long line are joined again.
    """
    lines: dict[int, str] = {}
    before = (0, 0)
    for first, last, text in chunks:
        if first == last and before == (first, last):
            lines[first] += text
        else:
            lines |= zip(range(first, last + 1), text.split("\n"), strict=False)
        before = (first, last)
    return "\n".join(lines.get(number, "") for number in range(1, max(lines, default=0) + 1))


def _without_lost_secrets(former: str, current: str) -> str:
    """A secret that was taken out of a note must not live on in its history."""
    kept = set(current.split("\n"))
    lost = "\n".join(line for line in former.split("\n") if line not in kept)
    return redact(former) if find_secrets(lost) else former
