"""Checks of the notes of one workspace."""

from __future__ import annotations

import contextlib
import datetime as dt
import mimetypes
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import TypeAlias, TypeVar
from urllib.parse import unquote

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimedOut, IoTimeouts
from scrubjay.health.dismissed_findings import key_of
from scrubjay.health.findings import Finding, FindingKind, Fix, MemoryFileSize, Severity, Values
from scrubjay.health.note_facts import NoteFacts, note_facts
from scrubjay.messages import Sentence, msg
from scrubjay.notes.note_files import walk_folders
from scrubjay.notes.note_links import Link, LinkTargets
from scrubjay.notes.note_reader import (
    NotePrefetcher,
    NoteUnreadable,
    Outcome,
    decode_note,
    read_file,
)
from scrubjay.notes.scan import FoundFile, Scan, is_agent_workspace, path_exists
from scrubjay.records.journal_records import LineKind
from scrubjay.records.note_records import Source, Workspace
from scrubjay.records.status_records import SkippedFile
from scrubjay.text.file_kinds import are_alike, document_kind, find_conflict_copies
from scrubjay.text.line_diff import compare_lines
from scrubjay.text.markdown import find_date
from scrubjay.text.redaction import redact

LOADED_CHARACTERS = 20_000
"""Characters of a MEMORY.md that OpenClaw-style agents load at the start of a conversation
(`bootstrapMaxChars`); the rest is cut off without a message."""

T = TypeVar("T")
Step: TypeAlias = Callable[[], None]
FactsCache: TypeAlias = dict[Path, tuple[int, int, NoteFacts]]
"""Time, size and facts of notes."""

_LOG_SPAN_DAYS = 30
"""Days back in which daily notes are looked for."""
_LISTED = 100
"""Findings of one kind and workspace in the list."""
_LONGEST_LINE = 120
"""Characters of a line that a finding quotes."""
_MEDIA = re.compile(r"image/|audio/|video/|application/pdf")
"""Beginning of the type of a file that a note shows."""


class IoGuard:
    """Runs reads with a timeout, and skips a workspace that has exceeded it."""

    def __init__(self, io_timeouts: IoTimeouts, cancel: CancelToken) -> None:
        self._io_timeouts = io_timeouts
        self._cancel = cancel
        self._steps = 0
        self.unreachable: list[Workspace] = []

    def run(
        self,
        workspace: Workspace,
        work: Callable[[Step], T],
        progress: Callable[[], int] = lambda: 0,
    ) -> T | None:
        """The result of work; None if the drive does not answer. Raises Cancelled.

        While work calls its argument or the value of progress changes, it may take as long as
        it needs.
        """
        # A silent drive would cost the same wait again for each of its files.
        if workspace in self.unreachable:
            return None
        try:
            return self._io_timeouts[workspace.root].call(
                lambda: work(self._step), self._cancel, progress=lambda: self._steps + progress()
            )
        except IoTimedOut:
            self.unreachable.append(workspace)
            return None

    def read_notes(
        self, workspace: Workspace, files: Sequence[FoundFile]
    ) -> Iterator[tuple[FoundFile, Outcome]]:
        """Each file with its bytes, or with the error of reading it. Raises Cancelled."""
        if workspace not in self.unreachable:
            # Reading ahead hides the waits of a slow drive.
            prefetcher = NotePrefetcher(files, self._io_timeouts[workspace.root], self._cancel)
            yield from prefetcher
            if prefetcher.is_silent:
                self.unreachable.append(workspace)

    def _step(self) -> None:
        self._cancel.check()
        self._steps += 1


class WorkspaceNotes(Struct, frozen=True):
    """One workspace with the facts of its notes."""

    workspace: Workspace
    scan: Scan
    facts: Mapping[str, NoteFacts]
    """Facts by label, without transcripts."""
    skipped: Sequence[SkippedFile]
    """Files that are not searched."""
    left: Collection[str] = ()
    """Keys of findings that the user left as they are."""

    def finding(
        self,
        kind: FindingKind,
        severity: Severity,
        *,
        values: Values,
        label: str,
        line: int,
        fix: Fix | None = None,
    ) -> Finding:
        """A finding about a line of a note; one that was left needs no attention."""
        finding = Finding(
            kind,
            severity,
            values=values,
            workspace=self.workspace.id,
            path=label,
            file=self.scan.files[label].path,
            first_line=line,
            fix=fix,
        )
        if self.left and key_of(finding) in self.left:
            return replace(finding, severity=Severity.NOTICE, is_left=True)
        return finding


def read_notes(
    workspace: Workspace,
    scan: Scan,
    *,
    cache: FactsCache,
    guard: IoGuard,
    on_read: Callable[[], None],
    left: Collection[str] = (),
) -> WorkspaceNotes:
    """Facts of all notes; on_read is called for each. Raises Cancelled."""
    facts: dict[str, NoteFacts] = {}
    skipped = list(scan.skipped)
    changed = []
    # Notes with the time and size of the last health check have the same facts.
    for file in scan.files.values():
        if file.source is Source.SESSIONS:
            continue
        # Nobody could correct a line of the text that a canvas is converted to.
        if document_kind(file.label):
            on_read()
            continue
        mtime_ns, size, cached = cache.get(file.path, (0, 0, None))
        if cached and (mtime_ns, size) == (file.mtime_ns, file.size):
            facts[file.label] = cached
            on_read()
        else:
            changed.append(file)
    # The others are read again, several at a time.
    for file, outcome in guard.read_notes(workspace, changed):
        on_read()
        try:
            if isinstance(outcome, Exception):
                raise outcome
            facts[file.label] = note_facts(decode_note(outcome.data))
            cache[file.path] = file.mtime_ns, file.size, facts[file.label]
        except NoteUnreadable as error:
            skipped.append(SkippedFile(file.label, str(error), is_problem=True))
        except FileNotFoundError:
            continue  # it was deleted just now
    in_order = {label: facts[label] for label in scan.files if label in facts}
    return WorkspaceNotes(workspace, scan, in_order, skipped, left)


def check_notes(notes: WorkspaceNotes) -> list[Finding]:
    """Findings about the text of the notes."""
    # They need only the facts, so that a silent drive does not stop them.
    checks = (_secrets, _duplicate_notes, _duplicate_text)
    return limit_findings(notes.workspace, chain.from_iterable(check(notes) for check in checks))


def check_around_notes(
    notes: WorkspaceNotes, memory: Sequence[MemoryFileSize], today: dt.date, step: Step
) -> list[Finding]:
    """Findings that need the disk; step is called before each access."""
    checks = (
        _too_long(notes, memory),
        _conflict_copies(notes, step),
        _dead_links(notes, step),
        _missing_days(notes, today),
    )
    return limit_findings(notes.workspace, chain.from_iterable(checks))


def memory_sizes(notes: WorkspaceNotes, step: Step) -> list[MemoryFileSize]:
    """Sizes of the curated memory; step is called before each file is read."""
    sizes = []
    for label in ("MEMORY.md", "memory.md", "memory/MEMORY.md"):
        facts = notes.facts.get(label)
        if facts is None:
            continue
        step()
        file = notes.scan.files[label].path
        cut_line = 0
        # Only the text itself tells in which line the limit falls.
        if facts.characters > LOADED_CHARACTERS:
            with contextlib.suppress(FileNotFoundError, NoteUnreadable):
                text = decode_note(read_file(file, label).data)
                cut_line = text.count("\n", 0, LOADED_CHARACTERS) + 1
        sizes.append(
            MemoryFileSize(
                notes.workspace.id,
                label,
                file=file,
                characters=facts.characters,
                limit=LOADED_CHARACTERS,
                lines=facts.lines,
                cut_line=cut_line,
            )
        )
    return sizes


def _secrets(notes: WorkspaceNotes) -> Iterator[Finding]:
    for label, facts in notes.facts.items():
        for line, kind in facts.secrets:
            yield notes.finding(
                FindingKind.SECRET,
                Severity.TROUBLE,
                values={"what": kind},
                label=label,
                line=line,
                fix=Fix.REDACT,
            )


def _too_long(notes: WorkspaceNotes, memory: Sequence[MemoryFileSize]) -> Iterator[Finding]:
    for size in memory:
        line = size.cut_line
        if line:
            yield notes.finding(
                FindingKind.MEMORY_TOO_LONG,
                Severity.ATTENTION,
                values={"characters": size.characters, "limit": size.limit, "line": line},
                label=size.path,
                line=line,
            )


def _dead_links(notes: WorkspaceNotes, step: Step) -> Iterator[Finding]:
    targets = _DiskTargets(notes, step)
    for label, facts in notes.facts.items():
        for link in facts.links:
            step()
            if not targets.has(link, label):
                media = _MEDIA.match(mimetypes.guess_type(link.target)[0] or "")
                kind = FindingKind.MISSING_FILE if media else FindingKind.DEAD_LINK
                # A wiki link may name a note that is yet to be written.
                is_note = link.is_wiki and not media
                severity = Severity.NOTICE if is_note else Severity.ATTENTION
                values = {"target": link.target}
                yield notes.finding(kind, severity, values=values, label=label, line=link.line)


class _DiskTargets:
    """The notes and other files that links may lead to."""

    def __init__(self, notes: WorkspaceNotes, step: Step) -> None:
        self._notes = notes
        self._step = step
        self._known = LinkTargets(notes.scan.files)

    def has(self, link: Link, label: str) -> bool:
        """Whether a link in a note leads to a file: a note, a file next to it, or an attachment."""
        if self._known.follow(link, label):
            return True
        # Not a note: any file beside it, whose name may be encoded as in an address.
        folder = self._notes.scan.files[label].path.parent
        names = dict.fromkeys((link.target, unquote(link.target)))
        if any(path_exists(folder / name) or path_exists(folder / f"{name}.md") for name in names):
            return True
        is_file = PurePosixPath(link.target).suffix not in ("", ".md")
        return link.is_wiki and is_file and bool(self._attachments.follow(link, label))

    @cached_property
    def _attachments(self) -> LinkTargets:
        labels: list[str] = []
        for folder, files in walk_folders(self._notes.workspace.root):
            self._step()
            labels += [f"{folder}{name}" for name in files]
        return LinkTargets(labels)


def _conflict_copies(notes: WorkspaceNotes, step: Step) -> Iterator[Finding]:
    """A finding for each copy that a sync program left, with its difference from the note."""
    for label, copy in sorted(find_conflict_copies(notes.facts).items()):
        facts = notes.facts.get(copy.note)
        is_same = facts is not None and facts.digest == notes.facts[label].digest
        if facts is None or (is_same and not copy.is_certain):
            continue  # the note is gone, or they are reported as two notes with the same text
        # Only the texts themselves show a difference, and facts do not keep them.
        texts: list[str] = []
        for each in (copy.note, label):
            step()
            with contextlib.suppress(FileNotFoundError, NoteUnreadable):
                texts.append(decode_note(read_file(notes.scan.files[each].path, each).data))
        if len(texts) < 2:
            continue
        former, current = texts
        if copy.is_certain or are_alike(current.splitlines(), former.splitlines()):
            yield notes.finding(
                FindingKind.CONFLICT_COPY,
                Severity.ATTENTION,
                values={"other": copy.note, "difference": _difference(former, current)},
                label=label,
                line=1,
            )


def _difference(note: str, copy: str) -> Sentence:
    """What a copy has that its note has not, in a sentence or two."""
    if note == copy:
        return msg("Both files have the same text.")
    changes = compare_lines(note, copy)
    removed = [line.text for line in changes.lines if line.kind is LineKind.REMOVED]
    added = [line.text for line in changes.lines if line.kind is LineKind.ADDED]
    # The copy's own lines are those that could be lost.
    first = next((text.strip() for text in (*added, *removed) if text.strip()), "")
    if not first:
        return msg("They differ only in blank lines.")
    return msg(
        "{added} {added:line is|lines are} only in the copy, and {removed} only in the note. "
        "One of these lines is “{first}”.",
        added=changes.added,
        removed=changes.removed,
        first=redact(first)[:_LONGEST_LINE],
    )


def _duplicate_notes(notes: WorkspaceNotes) -> Iterator[Finding]:
    first: dict[bytes, str] = {}
    copies = find_conflict_copies(notes.facts)
    for label, facts in sorted(notes.facts.items()):
        if label in copies and copies[label].is_certain:
            continue
        # The first path stands for all with the same text.
        other = first.setdefault(facts.digest, label)
        if facts.digest and other != label:
            yield notes.finding(
                FindingKind.DUPLICATE_NOTE,
                Severity.ATTENTION,
                values={"other": other},
                label=label,
                line=1,
            )


def _duplicate_text(notes: WorkspaceNotes) -> Iterator[Finding]:
    counts = Counter(facts.digest for facts in notes.facts.values())
    copies: dict[bytes, list[tuple[str, int]]] = defaultdict(list)
    conflicts = find_conflict_copies(notes.facts)
    # Notes that are the same as a whole are a separate finding, and so are conflict copies.
    for label, facts in sorted(notes.facts.items()):
        is_conflict = label in conflicts and conflicts[label].is_certain
        if counts[facts.digest] == 1 and not is_conflict:
            for digest, line in facts.paragraphs:
                copies[digest].append((label, line))
    for (other, other_line), *repeats in copies.values():
        for label, line in repeats:
            yield notes.finding(
                FindingKind.DUPLICATE_TEXT,
                Severity.NOTICE,
                values={"other": other, "other_line": str(other_line)},
                label=label,
                line=line,
            )


def _missing_days(notes: WorkspaceNotes, today: dt.date) -> Iterator[Finding]:
    """A finding for an agent's workspace with some daily notes in this span, but not all."""
    workspace = notes.workspace
    if not is_agent_workspace(workspace.root, workspace.layout):
        return
    labels = (label for label in notes.scan.files if label.startswith("memory/"))
    dates = (find_date(PurePosixPath(label).name) for label in labels)
    written = {date for date in dates if date}
    # Today may still come, and before the first daily note there was nothing to miss.
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


def limit_findings(workspace: Workspace, findings: Iterable[Finding]) -> list[Finding]:
    """The first findings of each kind, and how many more there are."""
    # Those that were left take no place from others.
    kinds: dict[tuple[FindingKind, bool], list[Finding]] = defaultdict(list)
    for finding in findings:
        kinds[finding.kind, finding.is_left].append(finding)
    for listed in kinds.values():
        surplus = len(listed) - _LISTED
        if surplus > 0:
            more = Finding(
                FindingKind.MORE,
                listed[_LISTED - 1].severity,
                values={"count": surplus, "workspace": workspace.name},
                workspace=workspace.id,
            )
            listed[_LISTED:] = [more]
    return list(chain.from_iterable(kinds.values()))
