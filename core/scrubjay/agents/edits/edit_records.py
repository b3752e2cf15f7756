"""Records of changes that agents make or propose."""

from __future__ import annotations

import datetime as dt
from typing import TypeAlias

from msgspec import Struct

from scrubjay.errors import NoteRefused
from scrubjay.notes.daily_note import AppendedEntry
from scrubjay.notes.note_edits import NoteEdit
from scrubjay.notes.text_edits import TextEdit
from scrubjay.records.journal_records import DiffLine
from scrubjay.records.note_records import NoteAddress
from scrubjay.records.workspace_id import WorkspaceId

WayBack: TypeAlias = AppendedEntry | NoteEdit
"""What undo needs: the appended entry, or the copy of the note before the change."""


class EditRequest(Struct, frozen=True):
    """A change as an agent asks for it."""

    agent: str
    """Name of the agent in the settings."""
    note: NoteAddress
    """Note to change, without a path for today's daily note."""
    edit: TextEdit
    expected: str = ""
    """Digest of the note that the agent has read; empty where that does not matter."""


class ProposedEdit(Struct, frozen=True):
    """A change that an agent asks for."""

    id: str
    agent: str
    """Name of the agent in the settings."""
    workspace: WorkspaceId
    path: str
    """Label of the note inside its workspace."""
    edit: TextEdit
    at: dt.datetime
    """Local time of the request, with a zone."""
    is_daily: bool = False
    """Whether the text goes to the daily note of that time, which need not exist."""

    @property
    def note(self) -> NoteAddress:
        """The note to change."""
        return NoteAddress(self.workspace, self.path)


class ReviewedEdit(Struct, frozen=True):
    """A proposal beside the note as it is now."""

    proposed: ProposedEdit
    lines: tuple[DiffLine, ...] = ()
    """Difference to the note after the change; of a change that no longer fits, its text alone."""
    reason: str = ""
    """Reason why the change no longer fits the note; empty if it fits."""
    is_cut: bool = False
    """Whether the difference is too long to be shown as a whole."""


class WrittenEdit(Struct, frozen=True):
    """A change that was written, and how to undo it."""

    id: str
    agent: str
    workspace: WorkspaceId
    path: str
    at: dt.datetime
    """Local time at which it was written, with a zone."""
    way_back: WayBack
    first_line: int
    """First changed line, 1-based."""
    last_line: int
    digest: str
    """Digest of the note after the change."""


class EditConflict(NoteRefused):
    """The note is not the one that the agent has read."""

    def __init__(self, title: str, text: str, digest: str) -> None:
        """The text and digest are those of the note now."""
        super().__init__(
            title,
            "Nothing was written.",
            hint="Read the text below, and repeat the change with its hash.",
        )
        self.text = text
        self.digest = digest
