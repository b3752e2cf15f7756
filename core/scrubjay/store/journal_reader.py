"""Notes by day, changes of notes, and their earlier texts."""

from __future__ import annotations

import datetime as dt
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from pathlib import Path, PurePosixPath
from typing import TypeAlias

import apsw
from msgspec import Struct
from msgspec.structs import astuple

from scrubjay.records.journal_records import ChangeKind, JournalDay, JournalPosition, NoteChange
from scrubjay.records.note_records import DocumentInfo
from scrubjay.store.index_file import convert_sqlite_errors, fetch, has_table
from scrubjay.store.index_records import (
    DOCUMENT_COLUMNS,
    Filters,
    decompress_text,
    document_info,
    folded_sql,
    local_midnight_ns,
    path_bounds,
)
from scrubjay.store.metadata import IndexOwner
from scrubjay.store.revisions import BUCKET_NS, document_text
from scrubjay.text.age import local_time

# A note belongs to the day of its name or front matter, otherwise to the day of its last change
# here.
_DATED = "date is not null and date between ? and ?"
"""Condition for notes with their own day within a range."""
_UNDATED = "date is null and mtime_ns >= ? and mtime_ns < ?"
"""Condition for notes without one whose last change is within a range."""
_DAYS = f"""
select day, sum(notes), sum(bytes) from (
  select date as day, count(*) as notes, sum(size) as bytes from document
  where {_DATED} and source != 'sessions' group by date
  union all
  select date(mtime_ns / 1000000000, 'unixepoch', 'localtime') as day, count(*), sum(size)
  from document where {_UNDATED} and source != 'sessions' group by day)
group by day order by day
"""
"""Days with notes, with the number and size of these."""
_EARLIEST = """
select min(day) from (
  select min(date) as day from document where source != 'sessions'
  union all
  select date(min(mtime_ns) / 1000000000, 'unixepoch', 'localtime') from document
  where date is null and source != 'sessions')
"""
"""First day of all notes."""
_DAY_NS = "coalesce(unixepoch(date, 'utc') * 1000000000 + mtime_ns % 86400000000000, mtime_ns)"
"""Moment of a note in the order of days: that of its last change, moved to the day of its own."""
_OF_DAYS = f"""(({_DATED}) or ({_UNDATED})) and source != 'sessions'
and instr('/' || {folded_sql("document.path")}, ?) between 1 and ?"""
"""Condition for the notes of some days whose path has a part."""
_PAGE = f"""
select {{moment}} as moment, id, {DOCUMENT_COLUMNS} from document
where {{condition}} and (moment, id) < (?, ?) order by moment desc, id desc limit ?
"""
"""Page of the documents that meet a condition, the last moment first."""
_BEGINNING = """
select path from document where {condition} and id in (
  select document.id from json_each(?) as beginning cross join document
  on document.path >= beginning.value and document.path < beginning.value || char(1114111))
order by {moment} desc, id desc
"""
"""Paths among these that have one of some beginnings."""
# The last revision of a path stands for it; the first one since the moment has the text of then.
# A note that came and went since, or has its old content again, did not change.
_CHANGED = """
select latest.bucket, latest.id, latest.path, max(latest.at_ns, coalesce(document.mtime_ns, 0)),
       former.existed, coalesce(document.title, former.title), document.file,
       former.sha256 as former_sha256, latest.sha256 as latest_sha256, document.sha256
from revision as latest
join revision as former on former.path = latest.path and former.bucket = (
  select min(bucket) from revision where path = latest.path and bucket >= :since)
left join document on document.path = latest.path
where latest.bucket >= :since and not exists (
  select 1 from revision as later where later.path = latest.path and later.bucket > latest.bucket)
and (former.existed or document.id is not null)
and not (former.existed and document.id is not null and document.sha256 = former.sha256)
"""
"""Notes that changed since a moment, with their first and last revision since."""
_CHANGES = f"""
{_CHANGED} and (latest.bucket, latest.id) < (:moment, :row)
and latest.path not in (select value from json_each(:moved))
order by latest.bucket desc, latest.id desc limit :limit
"""
"""Page of these notes, the last change first, without those that were moved."""
_GONE_OR_NEW = f"{_CHANGED} and former.existed = (document.id is null) order by latest.path"
"""Notes that are gone or new since a moment, some of which were moved."""
_FORMER = """
select existed, text, sha256 from revision where path = ? and bucket >= ? order by bucket limit 1
"""
"""First revision of a note since a moment, which has the text of that moment."""
_SAME_TEXT = "select id from document where sha256 = ? limit 1"
"""Document with a content: a note that was moved takes its text along."""


class Listing(Struct, frozen=True):
    """The documents that a list has and their order, in SQL."""

    condition: str
    values: Sequence[str | int]
    moment: str = "mtime_ns"
    """Moment of each, the last of which comes first."""

    @classmethod
    def of(cls, filters: Filters) -> Listing:
        """The documents that filters admit, the last change first."""
        return cls(*filters.sql())

    @classmethod
    def of_days(cls, first: dt.date, last: dt.date, part: str) -> Listing:
        """The notes of days first to last whose path has a part, the last day first."""
        return cls(_OF_DAYS, (*_range(first, last), *path_bounds(part)), _DAY_NS)


class JournalReader:
    """Days and changes, over a Reader's connection. Raises IndexCorrupt, IndexUnavailable."""

    def __init__(self, db: apsw.Connection, path: Path, owner: IndexOwner) -> None:
        self._db = db
        self._path = path
        self._owner = owner

    def days(self, first: dt.date, last: dt.date) -> list[JournalDay]:
        """The days from first to last with notes."""
        with convert_sqlite_errors(self._path):
            rows = self._db.execute(_DAYS, _range(first, last))
            workspace = self._owner.workspace
            return [JournalDay(dt.date.fromisoformat(day), workspace, *rest) for day, *rest in rows]

    def earliest(self) -> dt.date | None:
        """The first day of all; None without notes."""
        with convert_sqlite_errors(self._path):
            day = self._db.execute(_EARLIEST).get
            return dt.date.fromisoformat(day) if day else None

    def page(
        self, listing: Listing, before: tuple[int, int], limit: int
    ) -> list[tuple[JournalPosition, DocumentInfo]]:
        """The first documents of a list before (moment, id), where the page before ended."""
        statement = _PAGE.format(moment=listing.moment, condition=listing.condition)
        with convert_sqlite_errors(self._path):
            workspace = self._owner.workspace
            rows = self._db.execute(statement, (*listing.values, *before, limit))
            return [
                (JournalPosition(moment, workspace, number), document_info(workspace, *row))
                for moment, number, *row in rows
            ]

    def beginning_with(self, listing: Listing, beginnings: Iterable[str]) -> list[str]:
        """The paths in a list that have one of some beginnings, in its order."""
        statement = _BEGINNING.format(moment=listing.moment, condition=listing.condition)
        with convert_sqlite_errors(self._path):
            rows = fetch(self._db, statement, (*listing.values, json.dumps([*beginnings])))
            return [path for (path,) in rows]

    def changes(
        self, since_ns: int, before: tuple[int, int], limit: int
    ) -> list[tuple[JournalPosition, NoteChange]]:
        """Notes that changed since a moment, before (bucket, id), the last change first."""
        moment, number = before
        with convert_sqlite_errors(self._path):
            if not has_table(self._db, "revision"):
                # What was moved is not listed as gone and new: the moves below tell it.
                return []
            moves = self._moves(since_ns)
            moved = [row.path for move in moves for row in move]
            values = {
                "moment": moment,
                "row": number,
                "limit": limit,
                "moved": json.dumps(moved),
                "since": since_ns // BUCKET_NS,
            }
            rows = [_Changed(*row) for row in self._db.execute(_CHANGES, values)]
        # Moves are few, so they are found at once and cut to the page that is asked for.
        changes = [(self._position(row), self._change(row)) for row in rows]
        for position, change in self._moved_together(moves):
            if (position.moment, position.row) < before:
                changes.append((position, change))
        return changes

    def _position(self, row: _Changed) -> JournalPosition:
        return JournalPosition(row.bucket, self._owner.workspace, row.number)

    def _change(self, row: _Changed, former_path: str = "") -> NoteChange:
        # What the note is now and what it was then give the kind of the change.
        exists = row.file is not None
        kind = ChangeKind.of(existed=bool(row.existed), exists=exists, former_path=former_path)
        return NoteChange(
            self._owner.workspace,
            row.path,
            kind=kind,
            title=row.title,
            file=Path(row.file) if row.file else None,
            moment=local_time(row.at_ns),
            former_path=former_path,
        )

    def _moved_together(
        self, moves: Iterable[_Move]
    ) -> Iterator[tuple[JournalPosition, NoteChange]]:
        """The changes that moves are listed as: one for the notes of a folder that are the same."""
        groups: dict[tuple[str, ...], list[_Move]] = defaultdict(list)
        for old, new in moves:
            key: tuple[str, ...] = (old.path, new.path)
            # A note that was changed as well is listed by itself, so that its change can be seen.
            if old.former_sha256 == new.sha256:
                key = _folders(old, new)
            groups[key].append((old, new))
        # One note is a change of its own; several become one change of their folder.
        for (former_path, path), group in groups.items():
            # The last of the notes says where the group stands among all changes.
            changes = [self._change(new, old.path) for old, new in group]
            position = max((self._position(new) for _, new in group), key=astuple)
            change = changes[0]
            if len(changes) > 1:
                moment = max(change.moment for change in changes)
                changes.sort(key=attrgetter("path"))
                change = NoteChange(
                    self._owner.workspace,
                    path,
                    kind=ChangeKind.MOVED,
                    title=PurePosixPath(path).name,
                    file=None,
                    moment=moment,
                    former_path=former_path,
                    moved=tuple(changes),
                )
            yield position, change

    def former_path(self, path: str, since_ns: int) -> str:
        """The place of a note at a given time if it was moved since; otherwise empty."""
        with convert_sqlite_errors(self._path):
            if not has_table(self._db, "revision"):
                return ""
            return next((old.path for old, new in self._moves(since_ns) if new.path == path), "")

    def _moves(self, since_ns: int) -> list[_Move]:
        rows = self._db.execute(_GONE_OR_NEW, {"since": since_ns // BUCKET_NS})
        return _paired([_Changed(*row) for row in rows])

    def former(self, path: str, since_ns: int) -> tuple[bool, str | None]:
        """(whether a note existed at a moment, its text then, or None when it is not stored)."""
        with convert_sqlite_errors(self._path):
            row = None
            if has_table(self._db, "revision"):
                row = self._db.execute(_FORMER, (path, since_ns // BUCKET_NS)).fetchone()
            # A note without a revision is today as it was then.
            if row is None:
                return True, self.text(path)
            existed, data, sha256 = row
            if data is not None:
                return bool(existed), decompress_text(data)
            number = None
            if existed:
                number = self._db.execute(_SAME_TEXT, (sha256,)).get
            if number is None:
                return bool(existed), None
            return True, document_text(self._db, number)

    def text(self, path: str) -> str | None:
        """The text of a note in the index; None if it has none."""
        with convert_sqlite_errors(self._path):
            rows = fetch(self._db, "select id from document where path = ?", (path,))
            if not rows:
                return None
            return document_text(self._db, rows[0][0])


class _Changed(Struct, frozen=True):
    """A row of _CHANGED."""

    bucket: int
    number: int
    path: str
    at_ns: int
    existed: int
    title: str
    file: str | None
    former_sha256: bytes | None
    """Digest of the text now; of a new note, of the text that it began with."""
    latest_sha256: bytes | None
    """Digest of the text before the last change: the last one of a note that is gone."""
    sha256: bytes | None
    """Digest of the text of now; None for a note that is gone."""


_Move: TypeAlias = tuple[_Changed, _Changed]
"""A note that is gone, and the new one that it became."""


def _paired(rows: Iterable[_Changed]) -> list[_Move]:
    """The moves among notes that are gone or new: by text and name, by text, then by folder.

    A note in a folder that others were moved with may have been changed as well.
    """
    gone = {row.path: row for row in rows if row.existed}
    new = {row.path: row for row in rows if not row.existed}
    moves: list[_Move] = []

    def pair(old_path: str, new_path: str) -> None:
        moves.append((gone.pop(old_path), new.pop(new_path)))

    # Notes whose text and name are the same were moved, then those whose text is.
    for with_name in (True, False):
        gone_paths: dict[tuple[bytes | None, str], list[str]] = defaultdict(list)
        for path, row in reversed(gone.items()):
            name = PurePosixPath(path).name if with_name else ""
            gone_paths[row.latest_sha256, name].append(path)
        for path, row in list(new.items()):
            name = PurePosixPath(path).name if with_name else ""
            text = row.former_sha256 or row.sha256  # older indexes have only the second one
            old_paths = gone_paths.get((text, name))
            if old_paths:
                pair(old_paths.pop(), path)
    # The moves so far tell which folders were moved, and with them the notes that also changed.
    folders = {new: old for old, new in (_folders(*move) for move in moves)}
    for path in list(new):
        for parent in map(str, PurePosixPath(path).parents):
            if parent not in folders:
                continue
            old_path = f"{folders[parent]}{path[len(parent) :]}"
            if old_path in gone:
                pair(old_path, path)
                break
    return moves


def _folders(old: _Changed, new: _Changed) -> tuple[str, str]:
    """The paths of a move without what they share at their ends."""
    olds = old.path.split("/")
    news = new.path.split("/")
    while olds and news and olds[-1] == news[-1]:
        del olds[-1], news[-1]
    return "/".join(olds), "/".join(news)


def _range(first: dt.date, last: dt.date) -> tuple[str, str, int, int]:
    """The values of the conditions on days."""
    start = local_midnight_ns(first)
    return first.isoformat(), last.isoformat(), start, local_midnight_ns(last, days_later=1)
