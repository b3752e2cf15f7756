"""Days and changes of the small engine in memory."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

from scrubjay.concurrency.worker import Worker
from scrubjay.records.journal_records import (
    ChangeKind,
    JournalDay,
    JournalDays,
    JournalPlace,
    NoteChange,
    NoteChanges,
    NoteDifference,
    NotesOfDays,
)
from scrubjay.records.search_records import DocumentInfo


@dataclass
class FakeJournal:
    """Implements what the timeline needs of the Journal over a list of documents."""

    worker: Worker
    documents: Callable[[], tuple[DocumentInfo, ...]]
    """All notes, newest first."""
    changed: list[NoteChange] = field(default_factory=list)
    """What every question about changes is answered with, newest first."""
    differences: dict[str, NoteDifference] = field(default_factory=dict)
    """By path."""
    asked: list[tuple[object, ...]] = field(default_factory=list)
    kept_days: int = 14
    error: BaseException | None = None
    """Raised by everything while it is set."""

    def days(
        self, first: dt.date, last: dt.date, workspace: str | None = None
    ) -> Future[JournalDays]:
        self.asked.append(("days", first, last, workspace))

        def job() -> JournalDays:
            self._fail()
            found = [(one.modified.date(), one.workspace) for one in self._of(workspace)]
            counted = sorted(Counter(one for one in found if first <= one[0] <= last).items())
            days = tuple(JournalDay(*place, count, 100 * count) for place, count in counted)
            return JournalDays(days, min((day for day, _ in found), default=None))

        return self.worker.submit(job)

    def notes(
        self,
        first: dt.date,
        last: dt.date,
        workspace: str | None = None,
        *,
        after: JournalPlace | None = None,
        limit: int = 200,
    ) -> Future[NotesOfDays]:
        self.asked.append(("notes", first, last, workspace, after))

        def job() -> NotesOfDays:
            self._fail()
            found = [one for one in self._of(workspace) if first <= one.modified.date() <= last]
            start, end = _range(after, limit)
            return NotesOfDays(tuple(found[start:end]), _next(end, len(found)))

        return self.worker.submit(job)

    def changes(
        self,
        since: dt.datetime,
        workspace: str | None = None,
        *,
        after: JournalPlace | None = None,
        limit: int = 200,
    ) -> Future[NoteChanges]:
        self.asked.append(("changes", since, workspace, after))

        def job() -> NoteChanges:
            self._fail()
            start, end = _range(after, limit)
            found = [one for one in self.changed if workspace in (None, one.workspace)]
            place = _next(end, len(found))
            return NoteChanges(tuple(found[start:end]), place, self.kept_days)

        return self.worker.submit(job)

    def difference(self, workspace: str, path: str, since: dt.datetime) -> Future[NoteDifference]:
        self.asked.append(("difference", workspace, path))
        unknown = NoteDifference(
            workspace, path, ChangeKind.CHANGED, (), 0, 0, is_known=False, is_cut=False
        )
        return self.worker.submit(lambda: self.differences.get(path, unknown))

    def _of(self, workspace: str | None) -> list[DocumentInfo]:
        return [one for one in self.documents() if workspace in (None, one.workspace)]

    def _fail(self) -> None:
        if self.error is not None:
            raise self.error


def _range(after: JournalPlace | None, limit: int) -> tuple[int, int]:
    start = after.row if after else 0
    return start, start + limit


def _next(end: int, count: int) -> JournalPlace | None:
    return JournalPlace(0, "", end) if end < count else None
