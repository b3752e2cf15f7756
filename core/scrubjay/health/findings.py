"""Findings of a health check, and their sentences."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from enum import Enum, IntEnum, StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from scrubjay.messages import Value, fill_template, msg
from scrubjay.records.workspace_id import WorkspaceId

Values: TypeAlias = Mapping[str, Value]


class Severity(IntEnum):
    """Severity of a finding; higher is worse."""

    NOTICE = 1
    """Good to know."""
    ATTENTION = 2
    """Worth a look."""
    TROUBLE = 3
    """Something does not work, or something private lies open."""


class FindingKind(Enum):
    """The kind of a finding, with templates of its title, detail and advice."""

    # Notes.
    SECRET = (
        msg("A note contains a password or key"),
        msg("Line {line} of {path} contains what looks like a {what}."),
        msg(
            "Change the password or key at the service that it belongs to. Anyone "
            "who has read the note may have seen it."
        ),
    )
    MEMORY_TOO_LONG = (
        msg("{path} is too long for agents"),
        msg(
            "The file has {characters} characters, but agents load only {limit} and "
            "stop at line {line}."
        ),
        msg("Move the text that agents do not load to another note."),
    )
    DEAD_LINK = (
        msg("A link is broken"),
        msg("Line {line} of {path} links to {target}, which does not exist."),
        msg("Correct the link, or create the note."),
    )
    MISSING_FILE = (
        msg("An image or file is missing"),
        msg("Line {line} of {path} refers to {target}, which does not exist."),
        msg("Correct the file name in the note, or restore the file."),
    )
    DUPLICATE_NOTE = (
        msg("Two notes are identical"),
        msg("{path} and {other} have the same text."),
        msg("Delete one of the notes. Otherwise, search will show both."),
    )
    DUPLICATE_TEXT = (
        msg("The same paragraph appears twice"),
        msg("Line {line} of {path} repeats line {other_line} of {other}."),
        msg(
            "Keep the paragraph in only one place. Otherwise, the copies may "
            "contradict each other later."
        ),
    )
    CONFLICT_COPY = (
        msg("A note has a conflict copy"),
        msg("A sync program seems to have left {path} beside {other}. {difference}"),
        msg("Add what you need from the copy to the note, then delete the copy."),
    )
    DAYS_WITHOUT_LOG = (
        msg("Days without a daily note"),
        msg(
            "{days} of the last {span} days {days:has|have} no daily note in "
            "{workspace}. The last daily note is from {last}."
        ),
        msg(
            "Usually, no action is needed. If an agent is supposed to write every day, "
            "check that the agent is still running."
        ),
    )
    # Files and folders that are not searched.
    NOT_SEARCHED = (
        msg("A file is not searched"),
        msg("Scrubjay skips {path}. {reason}"),
        msg("Fix or move the file, then check again."),
    )
    OTHER_FILES = (
        msg("Files that are not notes"),
        msg("{workspace}: {reason}"),
        msg(
            "Scrubjay searches notes and, if you like, documents. To find anything "
            "else, copy it into a note."
        ),
    )
    LEFT_OUT = (msg("Excluded on purpose"), msg("{path}: {reason}"), msg("No action is needed."))
    FOLDER_GONE = (
        msg("A folder is missing"),
        msg("{workspace}: {reason} You can still search notes that Scrubjay has already read."),
        msg("Connect the drive, or set the new location of the folder on the Folders page."),
    )
    # Indexes.
    INDEX_TROUBLE = (
        msg("A folder cannot be searched"),
        msg("{workspace}: {reason}"),
        msg("Let Scrubjay read the notes in this folder again. Your notes will not change."),
    )
    INDEX_MENDED = (
        msg("A search index was damaged"),
        msg("Scrubjay rebuilt the search index of {workspace} on {day}."),
        msg(
            "No action is needed. Your notes are untouched. If this problem occurs "
            "again, have the drive checked."
        ),
    )
    INDEX_BEHIND = (
        msg("Not all notes are up to date"),
        msg(
            "{workspace}: {pending} {pending:note has|notes have} changed and {pending:has|have} "
            "not been read yet."
        ),
        msg("Check for changes now."),
    )
    # Settings, models and other programs.
    SETTING = (
        msg("A setting cannot be used"),
        msg("{key}: {reason}"),
        msg("Correct the value in the settings. Until then, Scrubjay ignores it."),
    )
    MODEL = (
        msg("Search by meaning is off"),
        msg("{reason}"),
        msg(
            "You can still search by words. To restore search by meaning, check the "
            "language helpers."
        ),
    )
    FALLBACK = (
        msg("The fallback answers instead of {provider}"),
        msg("{reason}"),
        msg("Search by meaning works. To use {provider} again, check the language helpers."),
    )
    QMD = (
        msg("QMD is not responding"),
        msg("{reason}"),
        msg(
            "Until QMD responds, Scrubjay searches without it. Try running QMD "
            "in a terminal, or set memory.backend to builtin."
        ),
    )
    AGENT_CONNECTION = (
        msg("The connection to an agent has changed"),
        msg("{agent}: {reason}"),
        msg(
            "An update of the agent may have caused this. Connect the agent again on the Agents "
            "page or with `scrubjay connect {client}`. If you no longer want to see this "
            "message, disconnect the agent."
        ),
    )
    AGENT_CONNECTED_TWICE = (
        msg("An agent is connected to Scrubjay twice"),
        msg("{agent}: {reason}"),
        msg(
            "To remove the copy in its settings, connect the agent again on the Agents page or "
            "with `scrubjay connect {client}`. To keep that copy instead, remove the Scrubjay "
            "extension in {agent}."
        ),
    )
    # Memories of a team.
    SHARED_MEMORY = (
        msg("A shared memory has a problem"),
        msg("{reason}"),
        msg(
            "You can search the folders on this computer as usual. Scrubjay keeps "
            "trying to open the shared memory."
        ),
    )
    SHARED_LEFTOVERS = (
        msg("Leftover data in a shared memory"),
        msg("{tables} {tables:part|parts} of {name} at {place} {tables:is|are} no longer needed."),
        msg(
            "No action is needed. Scrubjay will delete this data when the folder is "
            "published again."
        ),
    )
    # Keys.
    KEY_IN_SETTINGS = (
        msg("The settings file contains a key"),
        msg("Every program on this computer can read {keys} {keys:key|keys} in the settings file."),
        msg(
            "Move every key to the keychain in Settings under “Service keys”, or with "
            "`scrubjay keys move`."
        ),
    )
    KEYCHAIN = (
        msg("The keychain is not responding"),
        msg("{reason}"),
        msg("You can enter a key that is kept only until you quit Scrubjay."),
    )
    # The computer.
    WATCH_LIMIT = (
        msg("Not all folders can be watched for changes"),
        msg(
            "The system lets Scrubjay watch only {limit} folders, but {folders} need to be watched."
        ),
        msg(
            "Scrubjay checks the other folders for changes at regular intervals. The "
            "administrator of this computer can raise fs.inotify.max_user_watches."
        ),
    )
    DISK_FULL = (
        msg("The disk is nearly full"),
        msg("Only {free} MB is free on the disk where Scrubjay keeps its search indexes."),
        msg(
            "Delete files that you do not need. Without free space, Scrubjay cannot "
            "read your changes."
        ),
    )
    LEFTOVERS = (
        msg("Leftover downloads"),
        msg("{files} unfinished {files:download takes up|downloads take up} {size} MB."),
        msg("You can delete these files."),
    )
    MORE = (
        msg("More findings of the same kind"),
        msg(
            "{count} more {count:finding|findings} of this kind in {workspace} "
            "{count:is|are} not listed."
        ),
        msg("Fix the problems that are listed, then check again."),
    )


class Fix(StrEnum):
    """Actions with which Scrubjay can fix a finding."""

    REDACT = "redact"
    """Blank the secret out in the note; a copy is kept, and it can be undone."""
    REBUILD = "rebuild"
    """Read all notes of the workspace again. The index is a cache: nothing is lost."""
    REFRESH = "refresh"
    """Look for changes now."""
    CLEAN = "clean"
    """Delete leftovers of interrupted downloads."""


class Finding(Struct, frozen=True):
    """A finding for the user."""

    kind: FindingKind
    severity: Severity
    values: Values = field(default_factory=dict)
    """Values for the placeholders of its words. Never the secret itself."""
    workspace: WorkspaceId = WorkspaceId("")
    """Id; empty if it concerns no single workspace."""
    path: str = ""
    """Label inside the workspace; empty if it concerns no single note."""
    file: Path | None = None
    first_line: int = 0
    """1-based; 0 if it concerns no single line."""
    fix: Fix | None = None
    is_left: bool = False
    """Whether a person chose to leave it as it is."""


def attention_count(findings: Iterable[Finding]) -> int:
    """Number of findings that are more than good to know."""
    return sum(finding.severity > Severity.NOTICE for finding in findings)


class HealthReport(Struct, frozen=True):
    """The result of a health check."""

    found: tuple[Finding, ...]
    """Findings that need a look at notes, settings and the computer."""
    notes: int
    """Number of notes that could be read."""
    documents: int
    """Number of documents besides, such as PDF and canvas files, which are not checked."""
    checked_at: dt.datetime
    memory: tuple[MemoryFileSize, ...] = ()
    library: str = ""
    """The build of llama.cpp for the local model, with the reason; empty without such a model."""
    of_folders: tuple[Finding, ...] = ()
    """Findings in the status of the folders; those of a later moment may take their place."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings: worst first, then by kind and place."""
        found = [*self.found, *self.of_folders]
        # Two sorts in a row: the second one keeps the order of places within a kind.
        kinds = list(FindingKind)
        found.sort(key=lambda each: (each.workspace, each.path, each.first_line))
        return tuple(sorted(found, key=lambda each: (-each.severity, kinds.index(each.kind))))

    @property
    def attention(self) -> int:
        """Number of findings that need the user."""
        return attention_count(self.findings)


class MemoryFileSize(Struct, frozen=True):
    """The size of a MEMORY.md, of which agents load the beginning."""

    workspace: WorkspaceId
    path: str
    file: Path
    characters: int
    limit: int
    lines: int
    cut_line: int
    """1-based line in which the limit falls; 0 when all of it is loaded."""


class FindingWords(Struct, frozen=True):
    """A finding in words."""

    title: str
    detail: str
    advice: str


def finding_words(
    finding: Finding, names: Mapping[WorkspaceId, str] = MappingProxyType({})
) -> FindingWords:
    """The finding in words; of several folders, by id and name, it names its own."""
    # Values of the finding itself go before those that every finding has.
    values = {"line": str(finding.first_line), "path": finding.path, **finding.values}
    if len(names) > 1 and finding.path and "workspace" not in finding.values:
        values["path"] = f"{names.get(finding.workspace, finding.workspace)} › {finding.path}"
    words = FindingWords(*(fill_template(template, values) for template in finding.kind.value))
    if finding.is_left:
        return replace(words, advice=msg("You chose to leave this as it is."))
    return words
