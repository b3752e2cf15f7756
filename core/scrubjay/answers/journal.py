"""The journal: notes by the day of writing, and changes since a given time."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import Future
from itertools import chain
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.answers.search_thread import SearchThread
from scrubjay.errors import IndexUnavailable, NoteRefused
from scrubjay.messages import msg
from scrubjay.records.journal_records import (
    ChangeKind,
    JournalDays,
    JournalPosition,
    LineDiff,
    NoteChanges,
    NoteDifference,
    NotesOfDays,
)
from scrubjay.records.note_records import NoteAddress, Workspace
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.store.index_records import Filters
from scrubjay.store.journal_reader import JournalReader, Listing
from scrubjay.text.file_kinds import copy_beginnings, find_conflict_copies, group_copies
from scrubjay.text.line_diff import compare_lines
from scrubjay.text.redaction import REDACTED, redact
from scrubjay.workspaces.open_workspace import OpenWorkspace
from scrubjay.workspaces.registry import Registry

T = TypeVar("T")

_NEWEST = 2**62
"""Moment in nanoseconds that is later than any other."""


class _Versions(Struct, frozen=True):
    """A note at a moment and now."""

    former_path: str
    """Path before it was moved; empty if it was not."""
    existed: bool
    former: str | None
    """Text now; None if it is not stored."""
    current: str | None
    """Text now; None if the note is gone."""


class Journal:
    """Days and changes from the indexes, without reading notes. For any thread.

    It has its own thread, because search requests would have to wait while two long notes are
    compared. The futures may raise IndexUnavailable when no index can be read.
    """

    def __init__(self, thread: SearchThread, registry: Registry) -> None:
        self._thread = thread
        self._registry = registry

    def days(
        self, first: dt.date, last: dt.date, workspace: Workspace | None = None
    ) -> Future[JournalDays]:
        """Days from first to last, of one workspace or of all.

        A note counts for the day in its name or front matter, otherwise for that of its last
        change.
        """

        def job() -> JournalDays:
            results = self._each(
                workspace, lambda _, journal: (journal.days(first, last), journal.earliest())
            )
            # One list of days over all indexes, and the earliest day in any of them.
            days = sorted(chain.from_iterable(days for days, _ in results), key=lambda day: day.day)
            starts = (start for _, start in results if start)
            return JournalDays(tuple(days), min(starts, default=None))

        return self._thread.submit(job)

    def notes(
        self,
        first: dt.date,
        last: dt.date,
        workspace: Workspace | None = None,
        *,
        part: str = "",
        after: JournalPosition | None = None,
        limit: int = 200,
    ) -> Future[NotesOfDays]:
        """The notes of some days whose path has a part, page by page."""

        def job() -> NotesOfDays:
            listing = Listing.of_days(first, last, part)
            return self._page(self._chosen(workspace), listing, after=after, limit=limit)

        return self._thread.submit(job)

    def newest(
        self,
        filters: Filters,
        among: Collection[WorkspaceId],
        *,
        after: JournalPosition | None = None,
        limit: int = 200,
    ) -> Future[NotesOfDays]:
        """The documents of some workspaces that filters admit, the last change first."""

        def job() -> NotesOfDays:
            chosen = [each for each in self._registry.readable() if each.id in among]
            return self._page(chosen, Listing.of(filters), after=after, limit=limit)

        return self._thread.submit(job)

    def changes(
        self,
        since: dt.datetime,
        workspace: Workspace | None = None,
        *,
        after: JournalPosition | None = None,
        limit: int = 200,
    ) -> Future[NoteChanges]:
        """Notes that were added, changed, moved or removed since a moment with a time zone.

        The moment counts as its quarter of an hour. Notes that are again as they were are left
        out, and so are conversations. Notes that were moved with their folder are one change.
        History goes back `history.days` days, and begins when an index is complete for the first
        time.
        """

        def job() -> NoteChanges:
            since_ns = _nanoseconds(since)
            results = self._each(
                workspace,
                lambda searched, journal: journal.changes(
                    since_ns, before=resume_position(after, searched), limit=limit
                ),
            )
            # Indexes tell no more than the longest history that the settings keep.
            histories = (each.settings.history for each in self._chosen(workspace))
            days = max((history.days for history in histories), default=0)
            page, last = first_page(list(chain.from_iterable(results)), limit)
            page = tuple(sorted(page, key=lambda change: change.moment, reverse=True))
            return NoteChanges(page, last, days)

        return self._thread.submit(job)

    def difference(self, note: NoteAddress, since: dt.datetime) -> Future[NoteDifference]:
        """The changes of a note since a given time, line by line."""
        return self._thread.submit(lambda: self._difference(note, since))

    def close(self) -> None:
        """End the thread."""
        self._thread.close()

    # -- on the thread ------------------------------------------------------------------------

    def _page(
        self,
        workspaces: Iterable[OpenWorkspace],
        listing: Listing,
        *,
        after: JournalPosition | None,
        limit: int,
    ) -> NotesOfDays:
        """The first rows of a list, in which conflict copies stand behind their note."""
        results = self._read_in(
            workspaces,
            lambda searched, journal: journal.page(
                listing, before=resume_position(after, searched), limit=limit
            ),
        )
        page, last = first_page([*chain.from_iterable(results)], limit)
        # For each workspace, the notes that stay, with their copies.
        shown: dict[NoteAddress, tuple[str, ...]] = {}
        for workspace in {note.workspace for note in page}:
            paths = [note.path for note in page if note.workspace == workspace]
            reader = self._thread.reader(self._registry.get(workspace))
            if reader:
                lines = _lines_of_copies(reader.journal, listing, paths)
                for path, copies in group_copies(lines).items():
                    shown[NoteAddress(workspace, path)] = copies
        notes = ((note, NoteAddress(note.workspace, note.path)) for note in page)
        return NotesOfDays(
            tuple(replace(note, conflict_copies=shown[at]) for note, at in notes if at in shown),
            last,
        )

    def _difference(self, compared: NoteAddress, since: dt.datetime) -> NoteDifference:
        path = compared.path
        since_ns = _nanoseconds(since)

        def read(_: OpenWorkspace, journal: JournalReader) -> _Versions:
            former_path = journal.former_path(path, since_ns)
            existed, former = journal.former(former_path or path, since_ns)
            return _Versions(former_path, existed, former=former, current=journal.text(path))

        results = self._read_in([self._registry.get(compared.workspace)], read)
        if not results:
            raise NoteRefused(
                msg("{path} is not one of the notes", path=path),
                ("Scrubjay has not read this note's folder yet."),
            )
        note = results[0]
        kind = ChangeKind.of(
            existed=note.existed, exists=note.current is not None, former_path=note.former_path
        )
        is_known = note.former is not None or not note.existed
        diff = LineDiff((), added=0, removed=0, is_cut=False)
        if is_known:
            # A note that is new or gone is compared with an empty text.
            former = note.former or ""
            current = note.current or ""
            # Secrets that were blanked out in the older text are no change in the newer one.
            if REDACTED in former:
                current = redact(current)
            diff = compare_lines(former, current)
        return NoteDifference(
            diff.lines,
            added=diff.added,
            removed=diff.removed,
            is_cut=diff.is_cut,
            workspace=compared.workspace,
            path=path,
            kind=kind,
            is_known=is_known,
            former_path=note.former_path,
        )

    def _each(
        self, chosen: Workspace | None, read: Callable[[OpenWorkspace, JournalReader], T]
    ) -> list[T]:
        """Results of `read` over the readable indexes of one workspace or of all."""
        return self._read_in(self._chosen(chosen), read)

    def _read_in(
        self, workspaces: Iterable[OpenWorkspace], read: Callable[[OpenWorkspace, JournalReader], T]
    ) -> list[T]:
        """Results of `read` over all readable indexes. Raises IndexUnavailable for none."""
        results: list[T] = []
        failure: IndexUnavailable | None = None
        is_any_readable = False
        # An index that does not exist yet counts as readable, and has nothing to tell.
        for workspace in workspaces:
            try:
                reader = self._thread.reader(workspace)
                if reader is not None:
                    results.append(read(workspace, reader.journal))
                is_any_readable = True
            except IndexUnavailable as error:
                failure = error
        if failure and not is_any_readable:
            raise failure
        return results

    def _chosen(self, chosen: Workspace | None) -> tuple[OpenWorkspace, ...]:
        if chosen:
            return (self._registry.get(chosen.id),)
        return self._registry.readable()


def _lines_of_copies(
    journal: JournalReader, listing: Listing, paths: Sequence[str]
) -> dict[str, Sequence[str]]:
    """Lines of the notes of a page, and of the notes and copies of its list that belong to them, by
    path; none unless only the text tells whether one is a copy.
    """
    copies = find_conflict_copies(paths)
    certain = {path: copy.note for path, copy in copies.items() if copy.is_certain}
    # A note and its copies may be on different pages. In the order of the list, so that of copies
    # without their note the same one stands for the others on each page.
    notes = {certain.get(path, path) for path in paths}
    beginnings = [*notes, *chain.from_iterable(map(copy_beginnings, notes))]
    listed = journal.beginning_with(listing, beginnings)
    found = find_conflict_copies(listed)
    related = (
        path
        for path in listed
        if path in notes or (path in found and found[path].is_certain and found[path].note in notes)
    )
    lines: dict[str, Sequence[str]] = dict.fromkeys((*related, *paths), ())
    # Most lists have no names that leave it open, and cost nothing more.
    doubtful = {
        label for path, copy in copies.items() if not copy.is_certain for label in (path, copy.note)
    }
    return lines | {path: (journal.text(path) or "").split("\n") for path in doubtful}


def first_page(
    rows: list[tuple[JournalPosition, T]], limit: int
) -> tuple[tuple[T, ...], JournalPosition | None]:
    """The first rows of several indexes, and the position of the last one."""
    # Rows of all indexes have one order, in which a position is a place between two of them.
    rows.sort(key=lambda row: (row[0].moment, row[0].workspace, row[0].row), reverse=True)
    page = rows[:limit]
    # A page that is not full is the last one.
    last = page[-1][0] if len(page) == limit else None
    return tuple(row for _, row in page), last


def resume_position(after: JournalPosition | None, workspace: OpenWorkspace) -> tuple[int, int]:
    """Moment and row in one index that come after a position in the order of all indexes."""
    if after is None:
        return _NEWEST, 0
    # Of rows of the same moment, those of later ids were on the page before.
    if workspace.id == after.workspace:
        return after.moment, after.row
    return after.moment + (workspace.id < after.workspace), 0


def _nanoseconds(moment: dt.datetime) -> int:
    """A moment as indexes store it, in whole seconds; history has none before 1970."""
    return min(max(int(moment.timestamp()), 0) * 1_000_000_000, _NEWEST)
