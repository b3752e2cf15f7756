"""What a check-up can find, and how to say it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from pathlib import Path
from typing import TypeAlias

from scrubjay.translated import translate

Values: TypeAlias = Mapping[str, str | int]


class Severity(IntEnum):
    """How much a finding matters; higher is worse."""

    NOTICE = 1
    """Good to know."""
    ATTENTION = 2
    """Worth a look."""
    TROUBLE = 3
    """Something does not work, or something private lies open."""


class FindingKind(StrEnum):
    """What was found."""

    SECRET = "secret"
    MEMORY_TOO_LONG = "memory-too-long"
    DEAD_LINK = "dead-link"
    DUPLICATE_NOTE = "duplicate-note"
    DUPLICATE_TEXT = "duplicate-text"
    DAYS_WITHOUT_LOG = "days-without-log"
    NOT_SEARCHED = "not-searched"
    LEFT_OUT = "left-out"
    FOLDER_GONE = "folder-gone"
    INDEX_TROUBLE = "index-trouble"
    INDEX_BEHIND = "index-behind"
    SETTING = "setting"
    MODEL = "model"
    QMD = "qmd"
    KEYCHAIN = "keychain"
    WATCH_LIMIT = "watch-limit"
    DISK_FULL = "disk-full"
    LEFTOVERS = "leftovers"
    MORE = "more"


class Fix(StrEnum):
    """What Scrubjay can do about a finding itself."""

    REDACT = "redact"
    """Blank the secret out in the note; a copy is kept, and it can be undone."""
    REBUILD = "rebuild"
    """Read all notes of the workspace again. The index is a cache: nothing is lost."""
    REFRESH = "refresh"
    """Look for changes now."""
    CLEAN = "clean"
    """Delete what interrupted downloads left."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a person may want to know."""

    kind: FindingKind
    severity: Severity
    values: Values = field(default_factory=dict)
    """What the words about it mention. Never the secret itself."""
    workspace: str = ""
    """Id; empty when it concerns no single workspace."""
    path: str = ""
    """Label inside the workspace; empty when it concerns no single note."""
    file: Path | None = None
    first_line: int = 0
    """1-based; 0 when it concerns no single line."""
    fix: Fix | None = None


@dataclass(frozen=True, slots=True)
class HealthReport:
    """Everything that a check-up found."""

    findings: tuple[Finding, ...]
    """Worst first."""
    notes: int
    """How many notes were looked at."""
    checked_at: dt.datetime
    memory: tuple[MemorySize, ...] = ()
    library: str = ""
    """Which build of llama.cpp the local model uses and why; empty without such a model."""

    @property
    def needs_person(self) -> bool:
        """True when something is more than good to know."""
        return any(one.severity > Severity.NOTICE for one in self.findings)


@dataclass(frozen=True, slots=True)
class MemorySize:
    """How much of a MEMORY.md agents load."""

    workspace: str
    path: str
    file: Path
    characters: int
    limit: int
    lines: int
    cut_line: int
    """1-based line in which the limit falls; 0 when all of it is loaded."""


@dataclass(frozen=True, slots=True)
class FindingWords:
    """A finding in words."""

    title: str
    detail: str
    advice: str


_TEMPLATES: Mapping[FindingKind, tuple[str, str, str]] = {
    FindingKind.SECRET: (
        translate("Health", "A secret stands in a note"),
        translate("Health", "Line {line} of {path} holds what looks like a {what}."),
        translate("Health", "Replace it at its provider: who reads the note could have read it."),
    ),
    FindingKind.MEMORY_TOO_LONG: (
        translate("Health", "{path} is longer than agents load"),
        translate("Health", "It has {characters} characters; agents load {limit}, so they stop in "
                  "line {line}."),
        translate("Health", "Move what is below that line to a note of its own."),
    ),
    FindingKind.DEAD_LINK: (
        translate("Health", "A link leads nowhere"),
        translate("Health", "Line {line} of {path} links to {target}, which is not there."),
        translate("Health", "Correct the link, or create the note."),
    ),
    FindingKind.DUPLICATE_NOTE: (
        translate("Health", "Two notes say the same"),
        translate("Health", "{path} and {other} have the same text."),
        translate("Health", "Keep one of them, or search will show both."),
    ),
    FindingKind.DUPLICATE_TEXT: (
        translate("Health", "The same paragraph stands twice"),
        translate("Health", "Line {line} of {path} repeats line {other_line} of {other}."),
        translate("Health", "Keep it in one place, so that it cannot contradict itself later."),
    ),
    FindingKind.DAYS_WITHOUT_LOG: (
        translate("Health", "Days without a daily note"),
        translate("Health", "{days} of the last {span} days have none in {workspace}, the last one "
                  "{last}."),
        translate("Health", "Nothing needs to be done; an agent that should write every day may "
                  "have stopped."),
    ),
    FindingKind.NOT_SEARCHED: (
        translate("Health", "A file is not searched"),
        translate("Health", "{path}: {reason}"),
        translate("Health", "Mend the file, then check again."),
    ),
    FindingKind.LEFT_OUT: (
        translate("Health", "Left out on purpose"),
        translate("Health", "{path}: {reason}"),
        translate("Health", "Nothing needs to be done."),
    ),
    FindingKind.FOLDER_GONE: (
        translate("Health", "A folder is not there"),
        translate("Health", "{workspace}: {path} cannot be found. What was read of it can still be "
                  "searched."),
        translate("Health", "Connect the drive, or forget the workspace if the folder is gone for "
                  "good."),
    ),
    FindingKind.INDEX_TROUBLE: (
        translate("Health", "An index does not work"),
        translate("Health", "{workspace}: {reason}"),
        translate("Health", "Build it anew: it is made from your notes, and nothing is lost."),
    ),
    FindingKind.INDEX_BEHIND: (
        translate("Health", "Not all notes are up to date"),
        translate("Health", "{workspace}: {pending} notes changed and were not read yet."),
        translate("Health", "Check for changes now."),
    ),
    FindingKind.SETTING: (
        translate("Health", "A setting cannot be used"),
        translate("Health", "{key}: {reason}"),
        translate("Health", "Correct it in the settings."),
    ),
    FindingKind.MODEL: (
        translate("Health", "Search by meaning is off"),
        translate("Health", "{reason}"),
        translate("Health", "Search by words works. Look at the models to get meaning back."),
    ),
    FindingKind.QMD: (
        translate("Health", "QMD does not answer"),
        translate("Health", "{reason}"),
        translate("Health", "Scrubjay searches by itself meanwhile. See whether QMD works in a "
                  "terminal, or set memory.backend to builtin."),
    ),
    FindingKind.KEYCHAIN: (
        translate("Health", "The keychain does not answer"),
        translate("Health", "{reason}"),
        translate("Health", "Keys can be given for this session, or in an environment variable."),
    ),
    FindingKind.WATCH_LIMIT: (
        translate("Health", "Not every folder can be watched"),
        translate("Health", "The system allows {limit} watched folders, and there are {folders}."),
        translate("Health", "Changes are found by looking every now and then. "
              "Raise fs.inotify.max_user_watches to notice them at once."),
    ),
    FindingKind.DISK_FULL: (
        translate("Health", "The disk is nearly full"),
        translate("Health", "{free} MB are free where the index is kept."),
        translate("Health", "Make room: without it, changes of your notes cannot be indexed."),
    ),
    FindingKind.LEFTOVERS: (
        translate("Health", "Leftovers of downloads"),
        translate("Health", "{files} files that nobody can go on with take {size} MB."),
        translate("Health", "They can be deleted."),
    ),
    FindingKind.MORE: (
        translate("Health", "And more of the same"),
        translate("Health", "{count} more findings of this kind in {workspace} are not listed."),
        translate("Health", "Mend the listed ones, then check again."),
    ),
}  # fmt: skip


def finding_words(
    finding: Finding,
    translated: Callable[[str], str] = lambda text: text,
    number: Callable[[int], str] = "{:,}".format,
) -> FindingWords:
    """The finding in words; translated gets the templates, before values are filled in.

    Number says a number as the person's language writes it.
    """
    values = {
        name: number(value) if isinstance(value, int) else value
        for name, value in {"line": finding.first_line, **finding.values}.items()
    } | {"path": finding.path}
    title, detail, advice = (
        translated(template).format_map(values) for template in _TEMPLATES[finding.kind]
    )
    return FindingWords(title, detail, advice)


def worst_first(findings: list[Finding]) -> tuple[Finding, ...]:
    """Sorted by how much they matter, then by kind and place."""
    kinds = list(FindingKind)
    return tuple(
        sorted(
            findings,
            key=lambda one: (
                -one.severity,
                kinds.index(one.kind),
                one.workspace,
                one.path,
                one.first_line,
            ),
        )
    )
