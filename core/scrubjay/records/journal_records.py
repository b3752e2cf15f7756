"""Records of the journal: days, changes, and the lines of a comparison."""

from __future__ import annotations

import datetime as dt
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from scrubjay.records.note_records import DocumentInfo, NoteAddress
from scrubjay.records.workspace_id import WorkspaceId


class LineKind(StrEnum):
    """Change of a line."""

    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    GAP = "gap"
    """Unchanged lines that are omitted."""


class DiffLine(Struct, frozen=True):
    """One line of a comparison."""

    kind: LineKind
    text: str
    number: int
    """Number in the text of now, for a removed line in the former one, 1-based; for a gap its
    length."""


class JournalDay(Struct, frozen=True):
    """Amount of writing on a day that has notes."""

    day: dt.date
    workspace: WorkspaceId
    notes: int
    bytes: int


class JournalDays(Struct, frozen=True):
    """The days of a range."""

    days: tuple[JournalDay, ...]
    """Days in order; one for each day and workspace with notes."""
    earliest: dt.date | None
    """First day of all notes, also outside the range; None without notes."""


class JournalPosition(Struct, frozen=True):
    """Last row of a page, after which the next one begins."""

    # Rows of one moment are told apart by their number in their workspace.
    moment: int
    workspace: WorkspaceId
    row: int


class NotesOfDays(Struct, frozen=True):
    """One page of the notes of some days, those of the last day first."""

    notes: tuple[DocumentInfo, ...]
    next: JournalPosition | None
    """Position to continue from; None at the end."""


class ChangeKind(StrEnum):
    """Kind of change of a note."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"
    MOVED = "moved"

    @classmethod
    def of(cls, *, existed: bool, exists: bool, former_path: str = "") -> ChangeKind:
        """The kind for a note that existed before, maybe at another place, and exists now."""
        # A note that was moved and changed counts as moved: its new path is what a reader needs.
        if former_path:
            return cls.MOVED
        if not existed:
            return cls.ADDED
        if not exists:
            return cls.REMOVED
        return cls.CHANGED


class NoteChange(Struct, frozen=True):
    """A note that changed, or the notes of a folder that were moved and are otherwise the same."""

    workspace: WorkspaceId
    path: str
    """Path of the note, or of a folder with several notes that were moved; empty for the workspace
    itself."""
    kind: ChangeKind
    title: str
    file: Path | None
    """File of the note; None if it was removed, and for a folder."""
    moment: dt.datetime
    """Moment of its last change; when it was noticed, if the file has an older time."""
    former_path: str = ""
    """Path of a moved note or folder before."""
    moved: tuple[NoteChange, ...] = ()
    """Notes that were moved together from one folder to another, in the order of their paths."""

    @property
    def address(self) -> NoteAddress:
        """The note that it is about."""
        return NoteAddress(self.workspace, self.path)


class NoteChanges(Struct, frozen=True):
    """One page of changed notes, the last change first."""

    changes: tuple[NoteChange, ...]
    next: JournalPosition | None
    """Position to continue from; None at the end."""
    kept_days: int
    """Days back that changes are known at most; 0 if the settings want no history."""


class LineDiff(Struct, frozen=True):
    """The difference of two texts."""

    lines: tuple[DiffLine, ...]
    """Lines with their changes; none when all are equal, or the older text is unknown."""
    added: int
    removed: int
    is_cut: bool
    """Whether there are more lines."""


class NoteDifference(LineDiff, frozen=True):
    """Changed lines of a note."""

    workspace: WorkspaceId
    path: str
    kind: ChangeKind
    is_known: bool
    """Whether the older text is stored."""
    former_path: str = ""
    """Path before it was moved; empty if it was not."""
