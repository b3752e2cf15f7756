"""Looks through the notes of one workspace."""

from __future__ import annotations

import datetime as dt
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

from scrubjay.health.findings import (
    Finding,
    FindingKind,
    Fix,
    MemorySize,
    Severity,
    Values,
)
from scrubjay.health.io_guard import Drives, Step
from scrubjay.health.note_facts import NoteFacts, note_facts
from scrubjay.notes.markdown import find_date
from scrubjay.notes.note_reader import NoteUnreadable, Outcome, decode, read_note
from scrubjay.notes.scan import FoundFile, Scan, is_agent_workspace, is_there
from scrubjay.records.search_records import SkippedFile, Source, Workspace

LOADED_CHARACTERS = 20_000
"""What OpenClaw-style agents load of a MEMORY.md at the start of a conversation
(`bootstrapMaxChars`); the rest is cut off without a word."""

_LOG_SPAN_DAYS = 30
_MOST = 100
"""Findings of one kind and workspace that are listed."""


@dataclass(slots=True)
class FactsCache:
    """Facts of notes that were read before, as long as size and time are the same."""

    _known: dict[Path, tuple[int, int, NoteFacts]] = field(default_factory=dict)

    def facts(self, found: FoundFile) -> NoteFacts | None:
        """What a note says; None when it has to be read for that."""
        known = self._known.get(found.path)
        if known and known[:2] == (found.mtime_ns, found.size):
            return known[2]
        return None

    def learn(self, found: FoundFile, outcome: Outcome) -> NoteFacts:
        """What was read of it says. Raises NoteUnreadable, or FileNotFoundError."""
        if isinstance(outcome, Exception):
            raise outcome
        facts = note_facts(decode(outcome.data))
        self._known[found.path] = found.mtime_ns, found.size, facts
        return facts


@dataclass(frozen=True, slots=True)
class Notes:
    """One workspace with what its notes say."""

    workspace: Workspace
    scan: Scan
    facts: Mapping[str, NoteFacts]
    """By label. Transcripts are not among them: they are records, not notes."""
    skipped: Sequence[SkippedFile]
    """What the search leaves out, with what turned out to be no text."""


def read_notes(
    workspace: Workspace,
    scan: Scan,
    cache: FactsCache,
    drives: Drives,
    read: Callable[[], None],
) -> Notes:
    """Facts of all notes; read is called for each. Raises Cancelled."""
    notes = [one for one in scan.files.values() if one.source is not Source.SESSIONS]
    facts: dict[str, NoteFacts] = {}
    skipped = list(scan.skipped)
    unknown = []
    for found in notes:
        if known := cache.facts(found):
            facts[found.label] = known
            read()
        else:
            unknown.append(found)
    for found, outcome in drives.notes(workspace, unknown):
        read()
        try:
            facts[found.label] = cache.learn(found, outcome)
        except NoteUnreadable as error:
            skipped.append(SkippedFile(found.label, str(error), is_problem=True))
        except FileNotFoundError:
            continue  # it was deleted just now
    in_order = {label: facts[label] for label in scan.files if label in facts}
    return Notes(workspace, scan, in_order, skipped)


def check_notes(notes: Notes) -> list[Finding]:
    """What the notes of one workspace say that gives rise to something."""
    checks = (_secrets, _duplicate_notes, _duplicate_text, _not_searched)
    return [one for check in checks for one in _limited(notes, check(notes))]


def check_around_notes(
    notes: Notes, memory: Sequence[MemorySize], today: dt.date, step: Step
) -> list[Finding]:
    """What a look at the disk shows besides; step is called before each such look."""
    checks = (_too_long(memory), _dead_links(notes, step), _missing_days(notes, today))
    return [one for check in checks for one in _limited(notes, check)]


def memory_sizes(notes: Notes, step: Step) -> list[MemorySize]:
    """How much of the curated memory agents load; step is called before each that is read."""
    sizes = []
    for label in ("MEMORY.md", "memory.md", "memory/MEMORY.md"):
        facts, found = notes.facts.get(label), notes.scan.files.get(label)
        if facts is None or found is None:
            continue
        step()
        cut = _cut_line(found.path) if facts.characters > LOADED_CHARACTERS else 0
        sizes.append(
            MemorySize(notes.workspace.id, label, found.path, facts.characters,
                       LOADED_CHARACTERS, facts.lines, cut)
        )  # fmt: skip
    return sizes


def _secrets(notes: Notes) -> Iterator[Finding]:
    for label, facts in notes.facts.items():
        found = notes.scan.files[label]
        for line, kind in facts.secrets:
            yield Finding(FindingKind.SECRET, Severity.TROUBLE, {"what": kind}, notes.workspace.id,
                          label, found.path, line, Fix.REDACT)  # fmt: skip


def _too_long(memory: Sequence[MemorySize]) -> Iterator[Finding]:
    for size in memory:
        if size.cut_line:
            values: Values = {
                "characters": size.characters,
                "limit": size.limit,
                "line": size.cut_line,
            }
            yield Finding(FindingKind.MEMORY_TOO_LONG, Severity.ATTENTION, values, size.workspace,
                          size.path, size.file, size.cut_line)  # fmt: skip


def _cut_line(file: Path) -> int:
    try:
        text = decode(read_note(file).data)
    except (FileNotFoundError, NoteUnreadable):
        return 0
    return text.count("\n", 0, LOADED_CHARACTERS) + 1


def _dead_links(notes: Notes, step: Step) -> Iterator[Finding]:
    names = _Names(notes, step)
    for label, facts in notes.facts.items():
        for link in facts.links:
            step()
            is_there = names.has_wiki if link.is_wiki else names.has_file
            if not is_there(label, link.target):
                # In a vault such a link may be a note that is yet to be written.
                severity = Severity.NOTICE if link.is_wiki else Severity.ATTENTION
                yield Finding(FindingKind.DEAD_LINK, severity, {"target": link.target},
                              notes.workspace.id, label, notes.scan.files[label].path,
                              link.line)  # fmt: skip


class _Names:
    """Answers whether a link leads to something."""

    def __init__(self, notes: Notes, step: Step) -> None:
        self._notes = notes
        self._step = step
        self._root = notes.workspace.root
        self._stems = {PurePosixPath(label).stem.casefold() for label in notes.scan.files}
        self._labels = {label.casefold() for label in notes.scan.files}
        self._attachments: set[str] | None = None

    def has_file(self, label: str, target: str) -> bool:
        """For `[text](target)`, which is relative to the note."""
        folder = self._notes.scan.files[label].path.parent
        names = dict.fromkeys((target, unquote(target)))
        return any(is_there(folder / name) or is_there(folder / f"{name}.md") for name in names)

    def has_wiki(self, label: str, target: str) -> bool:
        """For `[[target]]`: a name anywhere in the workspace, or a path from its root."""
        name = target.strip("/").casefold()
        bare = name.removesuffix(".md")
        if PurePosixPath(bare).name in self._stems and "/" not in bare:
            return True
        if f"{bare}.md" in self._labels or self.has_file(label, target):
            return True
        if any(known.endswith(f"/{bare}.md") for known in self._labels if "/" in bare):
            return True
        return PurePosixPath(name).suffix not in ("", ".md") and self._has_attachment(name)

    def _has_attachment(self, name: str) -> bool:
        if self._attachments is None:
            self._attachments = set()
            for _, _, files in os.walk(self._root):
                self._step()
                self._attachments.update(map(str.casefold, files))
        return PurePosixPath(name).name in self._attachments


def _duplicate_notes(notes: Notes) -> Iterator[Finding]:
    first: dict[bytes, str] = {}
    for label, facts in sorted(notes.facts.items()):
        if not facts.digest:
            continue
        other = first.setdefault(facts.digest, label)
        if other != label:
            yield Finding(FindingKind.DUPLICATE_NOTE, Severity.ATTENTION, {"other": other},
                          notes.workspace.id, label, notes.scan.files[label].path,
                          1)  # fmt: skip


def _duplicate_text(notes: Notes) -> Iterator[Finding]:
    same = {digest for digest, count in Counter(
        facts.digest for facts in notes.facts.values()
    ).items() if count > 1}  # fmt: skip
    places: dict[bytes, list[tuple[str, int]]] = defaultdict(list)
    for label, facts in sorted(notes.facts.items()):
        if facts.digest not in same:
            for digest, line in facts.paragraphs:
                places[digest].append((label, line))
    for (other, other_line), *repeats in places.values():
        for label, line in repeats:
            values: Values = {"other": other, "other_line": str(other_line)}
            yield Finding(FindingKind.DUPLICATE_TEXT, Severity.NOTICE, values, notes.workspace.id,
                          label, notes.scan.files[label].path, line)  # fmt: skip


def _missing_days(notes: Notes, today: dt.date) -> Iterator[Finding]:
    """Only where somebody writes daily: an agent's workspace that had a log in this span."""
    workspace = notes.workspace
    if not is_agent_workspace(workspace.root):
        return
    labels = (label for label in notes.scan.files if label.startswith("memory/"))
    written = {date for label in labels if (date := find_date(PurePosixPath(label).name))}
    span = [today - dt.timedelta(days=ago) for ago in range(1, _LOG_SPAN_DAYS + 1)]
    span = [day for day in span if written and day >= min(written)]
    missing = [day for day in span if day not in written]
    if missing and len(missing) < len(span):
        values: Values = {
            "days": len(missing),
            "span": len(span),
            "last": max(missing),
            "workspace": workspace.name,
        }
        yield Finding(FindingKind.DAYS_WITHOUT_LOG, Severity.NOTICE, values, workspace.id)


def _not_searched(notes: Notes) -> Iterator[Finding]:
    for skip in notes.skipped:
        kind = FindingKind.NOT_SEARCHED if skip.is_problem else FindingKind.LEFT_OUT
        severity = Severity.ATTENTION if skip.is_problem else Severity.NOTICE
        yield Finding(kind, severity, {"reason": skip.reason}, notes.workspace.id, skip.path)


def _limited(notes: Notes, findings: Iterable[Finding]) -> Sequence[Finding]:
    listed: list[Finding] = []
    beyond = 0
    for one in findings:
        if len(listed) < _MOST:
            listed.append(one)
        else:
            beyond += 1
    if beyond:
        values: Values = {"count": beyond, "workspace": notes.workspace.name}
        listed.append(Finding(FindingKind.MORE, listed[-1].severity, values, notes.workspace.id))
    return listed
