"""Connections of agents: their parts, and the changes of files that make them."""

from __future__ import annotations

import difflib
from enum import Enum, StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from scrubjay.messages import Sentence
from scrubjay.records.journal_records import DiffLine

if TYPE_CHECKING:
    from scrubjay.onboarding.discovery import NotesFolder


class ConnectionPart(StrEnum):
    """The parts of a connection, each of which a person may leave out."""

    SERVER = "server"
    """Entry that lets the agent call the tools."""
    HOOKS = "hooks"
    """Commands that the agent runs by itself."""
    INSTRUCTIONS = "instructions"
    """Text in the file that the agent reads first."""


class PartState(Enum):
    """Whether a part stands in the files of an agent."""

    MISSING = "missing"
    OUTDATED = "outdated"
    """Something of ours is there, and not as it would be written now."""
    CURRENT = "current"


class PartEdit(Protocol):
    """The edit of one file that belongs to a part. Both raise ConnectFailed."""

    part: ConnectionPart
    file: Path

    def applied(self, text: str | None) -> str | None:
        """The text of the file with the part; the same text if it has it."""

    def removed(self, text: str | None) -> str | None:
        """The text without the part, None for no file; the same text if it does not have it."""


class AgentConnection(Struct, frozen=True):
    """One kind of agent on this computer."""

    client: str
    """Id of the agent, as in the rules."""
    name: str
    file: Path
    is_found: bool
    """Whether one of its files, or the folder of one, exists."""
    is_connected: bool
    """Whether parts are in its files as we would write them now, and no part was lost."""
    is_outdated: bool = False
    """Whether a part is another one than we would write now, or was removed by someone."""
    is_of_this_home: bool = False
    """Whether our entry in its settings leads to the notes of this profile, and no other."""
    problem: str = ""
    """Reason why its settings cannot be read; empty if they can."""
    after: str = ""
    """Next step of the user once it is connected."""
    guide: str = ""
    """File into which the user may paste the text for it; empty if it reads none."""
    memory: tuple[NotesFolder, ...] = ()
    """Folders with its own memory that are not searched yet; looked for once it is connected."""
    available: tuple[ConnectionPart, ...] = ()
    """Parts that this kind of agent can have."""
    current: tuple[ConnectionPart, ...] = ()
    """Parts that are there as we would write them now."""
    has_bundle: bool = False
    """Whether our plugin or extension, which has all parts, is installed in it."""
    doubled: tuple[ConnectionPart, ...] = ()
    """Parts of that extension that are in the agent's files as well, and so run twice."""
    lost: tuple[ConnectionPart, ...] = ()
    """Parts that were connected here, and that something has removed or changed since."""


class FileChange(Struct, frozen=True):
    """A planned change of one file."""

    file: Path
    before: str | None
    """Text of the file; None if it does not exist."""
    after: str | None
    """Text that it gets; None if it is deleted."""
    lines: tuple[DiffLine, ...] = ()
    """Changed lines with a few around them."""

    @property
    def is_needed(self) -> bool:
        """Whether the file differs from what it should be."""
        return self.before != self.after

    @property
    def diff(self) -> str:
        """The change as a unified diff."""
        lines = difflib.unified_diff(
            (self.before or "").splitlines(keepends=True),
            (self.after or "").splitlines(keepends=True),
            fromfile=f"{self.file}",
            tofile=f"{self.file}",
            n=2,
        )
        return "".join(line.removesuffix("\n") + "\n" for line in lines)


class ConnectionChange(Struct, frozen=True):
    """The planned changes that connect or disconnect one agent."""

    client: str
    """Id of the agent."""
    name: str
    parts: tuple[ConnectionPart, ...]
    """Parts that are written, or removed."""
    files: tuple[FileChange, ...]
    """Changes of files that are needed."""
    available: tuple[ConnectionPart, ...] = ()
    """Parts that this kind of agent can have."""
    lacks: tuple[Sentence, ...] = ()
    """Sentences on what this kind of agent cannot do."""
    has_bundle: bool = False
    """Whether our plugin or extension has the parts, so the files must not have them as well."""
    is_undo: bool = False

    @property
    def is_needed(self) -> bool:
        """Whether any file differs from what it should be."""
        return bool(self.files)

    @property
    def diff(self) -> str:
        """The changes as unified diffs."""
        return "".join(change.diff for change in self.files)
