"""Records of workspaces, their notes and pages, which cross threads. All are immutable."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Literal, NewType, TypeAlias

from msgspec import Struct, field

from scrubjay.records.shared_records import SharedAddress
from scrubjay.records.workspace_id import WorkspaceId

ChunkId = NewType("ChunkId", int)
"""Number of a chunk in the index of its workspace."""


class Source(StrEnum):
    """Origin of a document of a workspace."""

    MEMORY = "memory"
    """`MEMORY.md` and `memory/**` of an agent workspace."""
    NOTES = "notes"
    """A plain folder of notes."""
    EXTRA = "extra"
    """Files and folders that `extraPaths` lists."""
    SESSIONS = "sessions"
    """Transcripts of an agent's conversations."""


Layout: TypeAlias = Literal["", "notes", "agent"]
"""Extent of a workspace: every note, or the memory of an agent; empty if its folder tells."""


Searched: TypeAlias = Literal["always", "named"]
"""Searches that a workspace is part of: all, or only those that name it."""


class FolderDescription(Struct, frozen=True):
    """What a person says about a folder, in one or two sentences."""

    folder: str
    """Path in the workspace, with forward slashes; empty for the workspace itself."""
    text: str


class Workspace(Struct, frozen=True):
    """A root folder with its sources."""

    id: WorkspaceId
    name: str
    root: Path
    # What of the folder is read.
    layout: Layout = ""
    """Decision that was taken when the folder was added."""
    left_out: tuple[str, ...] = ()
    """What is not read in it: labels of folders, and patterns (`config/ignore_patterns`)."""
    documents: bool = False
    """Whether PDF, Word and other documents are read besides notes; never in an agent's memory."""
    pictures: bool = False
    """Whether what is written on pictures is read; never in an agent's memory."""
    hidden_folders: bool = False
    """Whether folders are read whose names begin with a dot, which are those of programs mostly."""
    searched: Searched = "always"
    """Searches that it is part of."""
    descriptions: tuple[FolderDescription, ...] = ()
    """Descriptions of it and of its folders, for agents."""
    shared: SharedAddress | None = None
    """Address of a workspace that is published elsewhere; its root is not a folder here."""

    @property
    def memory_uri(self) -> str:
        """Address of the shared memory that it is in; empty for a folder of this computer."""
        if self.shared is None:
            return ""
        return self.shared.place.uri

    def description_of(self, path: str) -> FolderDescription | None:
        """The description of a folder, or of the nearest one around it or around a note."""
        texts = {each.folder: each for each in self.descriptions}
        while texts and path not in texts and path:
            path = path.rpartition("/")[0]
        return texts.get(path)


class NoteAddress(Struct, frozen=True):
    """One file of a workspace."""

    workspace: WorkspaceId
    path: str
    """Path inside the workspace, or label of a file elsewhere that belongs to it."""


class MovedFolder(Struct, frozen=True):
    """A folder in which the notes of a workspace may be now."""

    root: Path
    known: int
    """Number of notes of the index that are there, with the size they had."""
    notes: int
    """Number of all notes of the index."""

    @property
    def is_likely(self) -> bool:
        """Whether the notes there are those of the index."""
        # Half is enough, as notes are added and edited elsewhere meanwhile.
        return 2 * self.known >= self.notes


class NoteCounts(Struct, frozen=True):
    """Numbers of notes in a folder on disk, including notes that are not read."""

    notes: int
    memory: int
    """Number of notes that an agent's memory consists of."""
    subfolders: Mapping[str, int]
    """Number of notes in and below each folder, by its path."""
    documents: Mapping[str, int] = field(default_factory=dict)
    """Numbers of documents by the ends of their names, outside of excluded folders."""
    document_folders: Mapping[str, int] = field(default_factory=dict)
    """Number of documents in and below each folder, by its path, including excluded ones."""
    hidden: int = 0
    """Number of notes in folders whose names begin with a dot, which are not in the others."""
    read: int = 0
    """Number of notes that are not excluded now."""
    paths: tuple[str, ...] = ()
    """Paths of the notes, to count those that patterns would exclude."""


class PageRequest(Struct, frozen=True):
    """The part of a note that is wanted."""

    first_line: int = 1
    line_count: int | None = None
    """Number of lines; None for as many as a page has."""
    last_line: int | None = None
    """Last line of the section that is wanted, after which nothing is left; None for all lines."""
    is_whole: bool = False
    """Whether all of it is wanted at once, if it is not long."""
    first_column: int = 1
    """Number of the first character in the first line, from 1."""
    most_characters: int | None = None
    """Number of characters at most; None for as many as a page has."""
    has_facts: bool = False
    """Whether the digest and the day of the note are wanted, for which all of it is read."""
    other_lines: tuple[int, ...] = ()
    """Lines of further headings that are called as the section that is wanted."""


ONE_PAGE = PageRequest()
"""Request for the first page."""


class NoteFacts(Struct, frozen=True):
    """Facts about a whole note, of which only a part may be read."""

    digest: str = ""
    """Digest to refuse a change to a later version; empty for a file that cannot be changed."""
    date: dt.date | None = None
    """Day that the note has of its own; None if it has none, or only its index knows it."""
    modified: dt.datetime | None = None
    """Last change of the file, local time with zone; None if there is no file."""


NO_FACTS = NoteFacts()
"""Facts of a note of which nothing is known."""


class NotePage(Struct, frozen=True):
    """Part of a note, as memory_get returns it."""

    path: str
    text: str
    first_line: int
    """Line of the file where text begins, 1-based."""
    line_count: int
    """Number of lines in text."""
    is_truncated: bool
    next_line: int | None
    """First line of the next page; None at the end."""
    next_column: int = 1
    """First character of the next page in that line, from 1; larger after a part of a line."""
    is_missing: bool = False
    """Whether there is no such file, which an empty page alone does not tell."""
    facts: NoteFacts = NO_FACTS
    """Facts about the whole note, if those were asked for."""


class DocumentInfo(Struct, frozen=True):
    """A document of the index, without all of its text."""

    workspace: WorkspaceId
    path: str
    file: Path
    source: Source
    title: str
    modified: dt.datetime
    date: dt.date | None = None
    """Day that the note has of its own; None if it has none."""
    # Filled in only where a list shows them, since they have to be read for it.
    beginning: str = ""
    """Text that it begins with, if that was asked for."""
    tags: tuple[str, ...] = ()
    """Tags of the note, if those were asked for."""
    conflict_copies: tuple[str, ...] = ()
    """Paths of its conflict copies, which lists show behind it."""

    @property
    def recency(self) -> tuple[float, str, dt.datetime]:
        """Key that sorts notes by the time of their change.

        A program that copies a folder changes all notes at once. Then their own days decide.
        """
        day = str(self.date or "")
        return self.modified.timestamp() // 10, day, self.modified

    @property
    def day(self) -> dt.date:
        """The day that the note has of its own, else that of its last change."""
        return self.date or self.modified.date()


class Relation(StrEnum):
    """The kind of relation between two notes."""

    LINKS = "links"
    """Link from the other note to this one."""
    LINKED = "linked"
    """Link from this note to the other one."""
    SIMILAR = "similar"
    SAME_DAY = "same day"


class RelatedNote(Struct, frozen=True):
    """A note that is related to another one."""

    note: DocumentInfo
    relation: Relation
    why: str
    """Words that a similar note shares, or its line with a link to this one; often empty."""
    line: int
    """Line of the link, or of the passage that is most alike, 1-based."""
    score: float = 0.0
    """Probability that it is similar, as that of a hit of a search; 0 for other relations."""
