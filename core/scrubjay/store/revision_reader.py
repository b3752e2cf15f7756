"""Notes by day, changes of notes, and their former texts."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import apsw

from scrubjay.records.journal_records import ChangeKind, JournalDay, JournalPlace, NoteChange
from scrubjay.records.search_records import DocumentInfo
from scrubjay.store.connection import converting, fetch, has_table
from scrubjay.store.revisions import BUCKET_NS, document_text
from scrubjay.store.rows import document_info, local_midnight_ns, local_time, unpacked

# A note belongs to the day of its name or front matter, else to the day of its last change here.
_DATED = "date is not null and date between :first and :last"
_UNDATED = "date is null and mtime_ns >= :start and mtime_ns < :end"
_DAYS = f"""
select day, sum(notes), sum(bytes) from (
  select date as day, count(*) as notes, sum(size) as bytes from document
  where {_DATED} and source != 'sessions' group by date
  union all
  select date(mtime_ns / 1000000000, 'unixepoch', 'localtime') as day, count(*), sum(size)
  from document where {_UNDATED} and source != 'sessions' group by day)
group by day order by day
"""
_EARLIEST = """
select min(day) from (
  select min(date) as day from document where source != 'sessions'
  union all
  select date(min(mtime_ns) / 1000000000, 'unixepoch', 'localtime') from document
  where date is null and source != 'sessions')
"""
_NOTES = f"""
select id, path, file, source, title, date, mtime_ns from document
where (({_DATED}) or ({_UNDATED})) and source != 'sessions'
and (mtime_ns, id) < (:moment, :row) order by mtime_ns desc, id desc limit :limit
"""
# The last revision of a path stands for it; the first one since the moment has the text of then.
# A note that came and went since, or has its old content again, did not change.
_CHANGES = """
select latest.id, latest.path, latest.bucket, latest.at_ns, former.existed, former.title,
       document.title, document.file, document.mtime_ns
from revision as latest
join revision as former on former.path = latest.path and former.bucket = (
  select min(bucket) from revision where path = latest.path and bucket >= :since)
left join document on document.path = latest.path
where latest.bucket >= :since and (latest.bucket, latest.id) < (:moment, :row)
and not exists (
  select 1 from revision as later where later.path = latest.path and later.bucket > latest.bucket)
and (former.existed or document.id is not null)
and not (former.existed and document.id is not null and document.sha256 = former.sha256)
order by latest.bucket desc, latest.id desc limit :limit
"""
_FORMER = """
select existed, text from revision where path = ? and bucket >= ? order by bucket limit 1
"""


class JournalReader:
    """Days and changes, over a Reader's connection. Raises IndexCorrupt, IndexUnavailable."""

    def __init__(self, db: apsw.Connection, path: Path) -> None:
        self._db = db
        self._path = path

    def days(self, workspace: str, first: dt.date, last: dt.date) -> list[JournalDay]:
        """The days from first to last with notes."""
        with converting(self._path):
            rows = self._db.execute(_DAYS, _range(first, last))
            return [JournalDay(dt.date.fromisoformat(day), workspace, *rest) for day, *rest in rows]

    def earliest(self) -> dt.date | None:
        """The first day of all; None without notes."""
        with converting(self._path):
            day = self._db.execute(_EARLIEST).get
            return dt.date.fromisoformat(day) if day else None

    def notes(
        self, workspace: str, first: dt.date, last: dt.date, before: tuple[int, int], limit: int
    ) -> list[tuple[JournalPlace, DocumentInfo]]:
        """Notes of days first to last, before (mtime_ns, id), the last change first."""
        bound = {"moment": before[0], "row": before[1], "limit": limit}
        with converting(self._path):
            return [
                (JournalPlace(row[-1], workspace, number), document_info(workspace, *row))
                for number, *row in self._db.execute(_NOTES, _range(first, last) | bound)
            ]

    def changes(
        self, workspace: str, since_ns: int, before: tuple[int, int], limit: int
    ) -> list[tuple[JournalPlace, NoteChange]]:
        """Notes that changed since a moment, before (bucket, id), the last change first."""
        moment, row = before
        values = {"since": since_ns // BUCKET_NS, "moment": moment, "row": row, "limit": limit}
        changes: list[tuple[JournalPlace, NoteChange]] = []
        with converting(self._path):
            if not has_table(self._db, "revision"):
                return []
            for (
                number,
                path,
                bucket,
                at_ns,
                existed,
                former,
                title,
                file,
                mtime_ns,
            ) in self._db.execute(_CHANGES, values):
                kind = ChangeKind.of(existed=bool(existed), exists=file is not None)
                if file is None:
                    title, mtime_ns = former, at_ns
                where = Path(file) if file else None
                change = NoteChange(workspace, path, kind, title, where, local_time(mtime_ns))
                changes.append((JournalPlace(bucket, workspace, number), change))
        return changes

    def former(self, path: str, since_ns: int) -> tuple[bool, str | None]:
        """(whether a note existed at a moment, its text then, or None when it is not stored)."""
        with converting(self._path):
            row = None
            if has_table(self._db, "revision"):
                row = self._db.execute(_FORMER, (path, since_ns // BUCKET_NS)).fetchone()
            if row is None:
                return True, self.text(path)
            return bool(row[0]), unpacked(row[1]) if row[1] is not None else None

    def text(self, path: str) -> str | None:
        """The text of a note in the index; None when it has none."""
        with converting(self._path):
            rows = fetch(self._db, "select id from document where path = ?", (path,))
            return document_text(self._db, rows[0][0]) if rows else None


def _range(first: dt.date, last: dt.date) -> dict[str, Any]:
    return {
        "first": first.isoformat(),
        "last": last.isoformat(),
        "start": local_midnight_ns(first),
        "end": local_midnight_ns(last, days_later=1),
    }
