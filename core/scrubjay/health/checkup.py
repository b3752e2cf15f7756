"""The health check of the health page and of `scrubjay doctor`, and the fixes of its findings."""

from __future__ import annotations

import datetime as dt
import itertools
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.concurrency.thread_pool import SerialQueue, queued
from scrubjay.config.loading import LoadedSettings
from scrubjay.documents.sandbox_status import sandbox_status
from scrubjay.embedding.remote.credentials import written_keys
from scrubjay.embedding.remote.service_catalogue import SERVICES
from scrubjay.embedding.selection.provider_factory import cpu_variant_status
from scrubjay.errors import KeychainUnavailable, NoteRefused
from scrubjay.health.dismissed_findings import DismissedFindings
from scrubjay.health.findings import (
    Finding,
    FindingKind,
    Fix,
    HealthReport,
    MemoryFileSize,
    Severity,
    Values,
)
from scrubjay.health.note_checks import (
    FactsCache,
    IoGuard,
    check_around_notes,
    check_notes,
    limit_findings,
    memory_sizes,
    read_notes,
)
from scrubjay.health.note_facts import leaked_secrets
from scrubjay.messages import Sentence, msg
from scrubjay.models.library.model_library import ModelLibrary
from scrubjay.notes.inotify_limits import LIMIT_FILE, folder_count, watch_limit
from scrubjay.notes.note_edits import NoteEdit, change_note, undo_change
from scrubjay.notes.note_reader import NoteUnreadable, decode_note, read_file
from scrubjay.notes.scan import Scan, scan_folder
from scrubjay.notes.unavailable_folders import unreachable_message
from scrubjay.platform.keychain import Keychain
from scrubjay.platform.paths import Paths
from scrubjay.platform.state_file import StateFile
from scrubjay.records.model_records import ModelPurpose, ModelState
from scrubjay.records.note_records import Workspace
from scrubjay.records.shared_records import SharingStatus
from scrubjay.records.status_records import EngineStatus, SkippedFile, WorkspaceStatus
from scrubjay.text.encodings import detect_codec
from scrubjay.text.file_kinds import document_kind
from scrubjay.text.redaction import REDACTED
from scrubjay.workspaces.open_workspace import LocalWorkspace
from scrubjay.workspaces.registry import Registry
from scrubjay.workspaces.shared_damage import workspace_damage
from scrubjay.workspaces.user_skips import UserSkips

OnRead = Callable[[int, int], None]
"""Called with the number of notes that were read, and of all."""

_CLOSE_SECONDS = 1.0
"""Seconds that closing waits for a running check-up."""
_RECENT = dt.timedelta(minutes=2)
"""Time in which changes that were found are read, so that they are not reported."""
_NEWS = dt.timedelta(days=7)
"""Time for which the health check tells that a damaged index was made again."""
_MIN_FREE = 500 * 2**20
"""Bytes that should be free: a rebuilt index stands beside the old one until it is complete."""


class MoreFindings(Protocol):
    """Findings of a part that the health check does not know."""

    def findings(self) -> Iterable[Finding]:
        """The findings of this moment. May wait for files."""


class _LookedThrough(msgspec.Struct):
    """The result of a look through all notes."""

    notes: int = 0
    """Number of notes that could be read."""
    documents: int = 0
    findings: list[Finding] = msgspec.field(default_factory=list)
    memory: list[MemoryFileSize] = msgspec.field(default_factory=list)
    skipped: dict[str, tuple[SkippedFile, ...]] = msgspec.field(default_factory=dict)
    """Files that are not searched, by id of the workspace."""


@dataclass(eq=False)
class Health:
    """Checks up in the background. For any thread; futures may raise Cancelled."""

    _paths: Paths
    _jobs: SerialQueue
    _registry: Registry
    _library: ModelLibrary
    _keychain: Keychain
    _status: Callable[[], Future[EngineStatus]]
    _user_skips: UserSkips
    _sharing: Callable[[], Future[SharingStatus] | None]
    """Asks all shared memories, if there are any."""
    _refresh: Callable[[LocalWorkspace, bool], object]
    """Queues a pass over a workspace; true means that all notes are read again."""
    _suspect: Callable[[LocalWorkspace], object]
    """Queues a pass over a folder that may be unavailable, where passes begin by themselves."""
    _io_timeouts: IoTimeouts
    _agents: MoreFindings
    """Connections of agents."""
    _until_rest: Callable[[], float]
    """Seconds to wait between two notes, while a person searches."""
    _cache: FactsCache = field(default_factory=dict, init=False)
    _life: CancelToken = field(default_factory=CancelToken, init=False)

    @queued
    def check(
        self, cancel: CancelToken | None = None, reading: OnRead = lambda _done, _total: None
    ) -> HealthReport:
        """Check everything. Notes that have not changed since the last time are not read again."""
        cancel = cancel or CancelToken()
        with self._life.calling(cancel.cancel):
            # The look at all notes takes longest, so it comes last.
            status = self._status().result()
            findings = [
                *_check_search(self._registry.loaded, status, self._library),
                *_check_keys(self._registry.loaded),
                *_check_keychain(self._registry.loaded, self._keychain),
                *_check_disk(self._paths.state),
                *self._agents.findings(),
            ]
            sharing = self._sharing()
            if sharing:
                findings += _check_sharing(sharing.result())
            looked = self._look_through(cancel, reading)
            findings += looked.findings
            statuses = self._statuses(status, looked.skipped)
            local = self._registry.loaded.settings.memory_search.local
            return HealthReport(
                tuple(findings),
                notes=looked.notes,
                documents=looked.documents,
                checked_at=dt.datetime.now().astimezone(),
                memory=tuple(looked.memory),
                library=cpu_variant_status(local, self._paths),
                of_folders=folder_findings(statuses),
            )

    @queued
    def document_sandbox(self) -> Sentence:
        """Whether documents are read in a sandbox, and in which; starts a process that says it."""
        return sandbox_status()

    @queued
    def fix(self, finding: Finding) -> NoteEdit | None:
        """Fix a finding; the result undoes it in a note. Raises NoteRefused if that changed."""
        # Only this one changes a note, and can be undone.
        if finding.fix is Fix.REDACT:
            return self._redact(finding)
        if finding.fix is Fix.CLEAN:
            self._library.clean().result()
        elif finding.fix:
            self._refresh(self._registry.local(finding.workspace), finding.fix is Fix.REBUILD)
        return None

    @queued
    def leave(self, finding: Finding) -> None:
        """Report a finding no longer as something to fix; it stays in the list."""
        self._left.add(finding)

    @queued
    def report_again(self, finding: Finding) -> None:
        """Report a finding that was left as it is."""
        self._left.remove(finding)

    @queued
    def undo(self, edit: NoteEdit) -> None:
        """Undo a fix. The future may raise NoteRefused."""
        undo_change(edit)

    def close(self) -> None:
        """Stop a health check that is under way."""
        self._life.cancel()
        self._jobs.close(_CLOSE_SECONDS)

    @property
    def _left(self) -> DismissedFindings:
        return DismissedFindings(StateFile(self._paths.state / "left-findings.json"))

    def _look_through(self, cancel: CancelToken, reading: OnRead) -> _LookedThrough:
        """Read all notes that changed; those on a drive that does not answer are skipped."""
        # All folders are listed before the first note is read, so that the total is known.
        guard = IoGuard(self._io_timeouts, cancel)
        scans: dict[Workspace, Scan] = {}
        for listed in self._registry.readable():
            result = self._scan(listed, guard)
            if result:
                scans[listed.record] = result
        roots = {each.root for each in self._registry.all()}
        total = sum(len(result.files) for result in scans.values())
        number = itertools.count(1)
        today = dt.datetime.now().astimezone().date()

        def on_read() -> None:
            # A person who searches has the computer first.
            seconds = self._until_rest()
            if seconds:
                cancel.wait(seconds)
            reading(next(number), total)

        looked = _LookedThrough()
        for workspace, result in scans.items():
            notes = read_notes(
                workspace,
                result,
                cache=self._cache,
                guard=guard,
                on_read=on_read,
                left=self._left.of(workspace.id),
            )
            looked.notes += len(notes.facts)
            looked.documents += sum(bool(document_kind(label)) for label in result.files)
            looked.skipped[workspace.id] = self._user_skips.marked(workspace, notes.skipped, roots)
            looked.findings += check_notes(notes)
            sizes = guard.run(workspace, partial(memory_sizes, notes)) or []
            around = partial(check_around_notes, notes, sizes, today)
            looked.findings += guard.run(workspace, around) or ()
            looked.memory += sizes
        # Facts of notes that are gone are not needed any longer.
        files = {file.path for result in scans.values() for file in result.files.values()}
        self._cache = {path: self._cache[path] for path in self._cache.keys() & files}
        # Watches are limited for a person's programs together, so the sum counts.
        folders = [guard.run(item, partial(folder_count, item.root)) or 0 for item in scans]
        looked.findings += check_watches(sum(folders))
        for silent in guard.unreachable:
            reason = unreachable_message(silent.root)
            looked.skipped[silent.id] = (SkippedFile("", reason, is_problem=True),)
        return looked

    def _statuses(
        self, status: EngineStatus, skipped: Mapping[str, tuple[SkippedFile, ...]]
    ) -> list[WorkspaceStatus]:
        """The states of the workspaces with the files that are skipped by now."""
        # One that was removed meanwhile is looked at no further.
        listed = {each.id: each for each in self._registry.with_guests()}
        statuses: list[WorkspaceStatus] = []
        for state in status.workspaces:
            seen = replace(state, skipped=skipped.get(state.workspace.id, state.skipped))
            statuses.append(seen)
            workspace = listed.get(state.workspace.id)
            if workspace and seen.away and not state.away:
                # No watcher is told that a folder far above went away.
                self._suspect(workspace)
        return statuses

    def _scan(self, workspace: LocalWorkspace, guard: IoGuard) -> Scan | None:
        """The files of a workspace; None if its folder does not answer."""
        record = workspace.record
        extra = workspace.settings.extra_paths
        partial_scan = Scan()

        # A large folder may take long, as long as more and more of its files are seen.
        look = partial(
            scan_folder,
            layout=record.layout,
            left_out=record.left_out,
            documents=record.documents,
            pictures=record.pictures,
            hidden_folders=record.hidden_folders,
        )
        work = partial(look, record.root, extra, into=partial_scan)
        return guard.run(record, lambda _: work(), lambda: partial_scan.looked_at)

    def _redact(self, finding: Finding) -> NoteEdit:
        """Blank out the secrets in one line, and nothing else."""
        if finding.file is None or finding.kind is not FindingKind.SECRET:
            raise NoteRefused(
                "There is no password or key to blank out", hint="Check your notes again."
            )
        before, text = _read(finding.file, finding.path)
        after = text
        # The last one first, so that the places of the others stay right.
        for secret in reversed(leaked_secrets(text)):
            if text.count("\n", 0, secret.start) + 1 == finding.first_line:
                after = after[: secret.start] + REDACTED + after[secret.end :]
        if after == text:
            raise NoteRefused(
                msg("{file} has changed since Scrubjay read it", file=finding.file.name),
                "The password or key is no longer on that line.",
                hint="Check your notes again.",
            )
        codec = detect_codec(before)
        # A byte order mark is not in the text that was read, and has to stay.
        if before.decode(codec).startswith("\ufeff"):
            after = "\ufeff" + after
        return change_note(
            finding.file,
            finding.path,
            before=before,
            after=after.encode(codec),
            backups=self._paths.backups,
        )


def _read(file: Path, label: str) -> tuple[bytes, str]:
    """The bytes of a note and its text. Raises NoteRefused."""
    title = msg("{name} can no longer be read", name=file.name)
    try:
        data = read_file(file, label).data
    except (FileNotFoundError, NoteUnreadable):
        raise NoteRefused(title, hint="Check your notes again.") from None
    try:
        return data, decode_note(data)
    except NoteUnreadable as error:
        raise NoteRefused(title, str(error)) from error


def folder_findings(statuses: Iterable[WorkspaceStatus]) -> tuple[Finding, ...]:
    """Findings about folders in this state, their indexes and files that are not searched."""
    return tuple(
        finding
        for status in statuses
        for finding in limit_findings(status.workspace, _check_folder(status))
    )


def _check_folder(status: WorkspaceStatus) -> Iterator[Finding]:
    """Findings about a folder, its index and its files that are not searched."""
    yield from _check_index(status)
    for skip in status.skipped:
        finding = _skip_finding(status.workspace, skip)
        if finding:
            yield finding


def _check_index(status: WorkspaceStatus) -> Iterator[Finding]:
    """Findings about the folder and its index."""
    workspace = status.workspace
    named = {"workspace": workspace.name}
    checked = status.freshness.checked_at
    pending = status.freshness.pending
    now = dt.datetime.now().astimezone()
    # Changes that were found a moment ago are indexed now or soon.
    is_recent = checked is not None and now - checked < _RECENT
    if status.away:
        yield Finding(
            FindingKind.FOLDER_GONE,
            Severity.TROUBLE,
            values={**named, "reason": status.away},
            workspace=workspace.id,
            path=str(workspace.root),
        )
    elif status.error:
        yield Finding(
            FindingKind.INDEX_TROUBLE,
            Severity.TROUBLE,
            values={**named, "reason": status.error},
            workspace=workspace.id,
            fix=Fix.REBUILD,
        )
    elif pending and not is_recent:
        yield Finding(
            FindingKind.INDEX_BEHIND,
            Severity.NOTICE,
            values={**named, "pending": pending},
            workspace=workspace.id,
            fix=Fix.REFRESH,
        )
    # A damaged index that was made again is news for some days.
    if status.mended_at and now - status.mended_at < _NEWS:
        yield Finding(
            FindingKind.INDEX_MENDED,
            Severity.NOTICE,
            values={**named, "day": status.mended_at.date()},
            workspace=workspace.id,
        )


def _skip_finding(workspace: Workspace, skip: SkippedFile) -> Finding | None:
    """The finding about files that are not searched; None for the folder itself."""
    # Files of a kind are one finding, not one for each file.
    if skip.is_kind:
        kind = FindingKind.OTHER_FILES
        return Finding(
            kind,
            Severity.NOTICE,
            values={"reason": skip.reason, "workspace": workspace.name},
            workspace=workspace.id,
            path=skip.path,
        )
    values = {"reason": skip.reason}
    if not skip.is_problem:
        kind = FindingKind.LEFT_OUT
        return Finding(kind, Severity.NOTICE, values=values, workspace=workspace.id, path=skip.path)
    if not skip.path:
        return None
    return Finding(
        FindingKind.NOT_SEARCHED,
        Severity.ATTENTION,
        values=values,
        workspace=workspace.id,
        path=skip.path,
        file=workspace.root / skip.path,
    )


def _check_search(
    loaded: LoadedSettings, status: EngineStatus, library: ModelLibrary
) -> Iterator[Finding]:
    """Findings about the settings file, the model, leftovers of downloads and QMD."""
    for problem in loaded.problems:
        values: Values = {"key": problem.key or "config.json5", "reason": problem.reason}
        yield Finding(FindingKind.SETTING, Severity.ATTENTION, values)
    reason = _model_trouble(status, library)
    if reason and loaded.settings.memory_search.provider != "none":
        yield Finding(FindingKind.MODEL, Severity.ATTENTION, {"reason": reason})
    takeover = status.takeover
    if takeover and takeover.fallback_reason:
        failure = msg("{reason} {why}", reason=takeover.reason, why=takeover.fallback_reason)
        yield Finding(FindingKind.MODEL, Severity.ATTENTION, {"reason": failure})
    elif takeover:
        named: Values = {"provider": takeover.provider, "reason": takeover.reason}
        yield Finding(FindingKind.FALLBACK, Severity.ATTENTION, named)
    # Downloads that were interrupted leave parts of files.
    sizes = library.leftover_sizes()
    if sizes:
        values = {"files": len(sizes), "size": max(1, sum(sizes) // 10**6)}
        yield Finding(FindingKind.LEFTOVERS, Severity.NOTICE, values=values, fix=Fix.CLEAN)
    reason = status.backend.reason or status.backend.note
    if reason:
        yield Finding(FindingKind.QMD, Severity.ATTENTION, {"reason": reason})


def _check_sharing(status: SharingStatus) -> Iterator[Finding]:
    """Findings about memories that a team shares."""
    # What is published from here, and what is searched here.
    records = [each.record for each in status.publications if each.record]
    records += [each for memory in status.memories for each in memory.workspaces]
    # The same reason may come from several places, and is told once.
    reasons = [each.reason for each in status.publications]
    reasons += [each.reason for each in status.memories]
    reasons += [
        msg(
            "The shared memory {name} was published with a newer version of Scrubjay",
            name=each.title,
        )
        for each in records
        if each.is_newer
    ]
    reasons += (memory.damage for memory in status.memories)
    reasons += map(workspace_damage, records)
    for reason in filter(None, dict.fromkeys(reasons)):
        yield Finding(FindingKind.SHARED_MEMORY, Severity.ATTENTION, {"reason": reason})
    for each in status.publications:
        if each.left_overs:
            values: Values = {"tables": each.left_overs, "name": each.name, "place": each.uri}
            yield Finding(
                FindingKind.SHARED_LEFTOVERS,
                Severity.NOTICE,
                values=values,
                workspace=each.workspace,
            )


def _model_trouble(status: EngineStatus, library: ModelLibrary) -> str:
    # Searches do without a result reader.
    helpers = (each for each in library.list() if each.purpose is ModelPurpose.EMBEDDING)
    used = [model for model in helpers if model.is_used]
    for model in used:
        if model.state is not ModelState.READY:
            return model.reason or msg("{name} is not on this computer.", name=model.name)
    # A local model starts when it is needed; a remote one is known after its first use.
    if used or status.model.is_ready or status.model.provider == "none":
        return ""
    return status.model.reason


def _check_keys(loaded: LoadedSettings) -> Iterator[Finding]:
    """A finding about keys that a person typed into the settings."""
    count = len(written_keys(loaded.raw))
    if count:
        yield Finding(FindingKind.KEY_IN_SETTINGS, Severity.NOTICE, {"keys": count})


def _check_keychain(loaded: LoadedSettings, keychain: Keychain) -> Iterator[Finding]:
    """Findings about the keychain, if the settings choose a provider that needs a key."""
    search = loaded.settings.memory_search
    chosen = {search.provider, search.fallback}
    needs_key = any(name in SERVICES and SERVICES[name].key_variable for name in chosen)
    # A keychain that nothing needs is not opened, since it may show a dialog.
    stored = [key.id for key in keychain.known() if not key.is_session_only]
    if not needs_key or not stored:
        return
    # Like a pass, it does not ask a person again who has refused.
    try:
        keychain.get(stored[0])
    except KeychainUnavailable as error:
        yield Finding(FindingKind.KEYCHAIN, Severity.ATTENTION, {"reason": str(error)})


def _check_disk(folder: Path) -> Iterator[Finding]:
    """A finding if there is little room for the index to grow."""
    # Before the first start the folder may not be there yet.
    existing = next((path for path in (folder, *folder.parents) if path.is_dir()), None)
    if existing is None:
        return
    free = shutil.disk_usage(existing).free
    if free < _MIN_FREE:
        severity = Severity.TROUBLE if free < _MIN_FREE // 10 else Severity.ATTENTION
        yield Finding(FindingKind.DISK_FULL, severity, {"free": free // 10**6})


def check_watches(folders: int, limit_file: Path = LIMIT_FILE) -> Iterator[Finding]:
    """A finding if Linux allows fewer watches than there are folders."""
    limit: int | None = None
    if sys.platform == "linux":
        limit = watch_limit(limit_file)
    if limit is not None and folders > limit:
        values = {"limit": limit, "folders": folders}
        yield Finding(FindingKind.WATCH_LIMIT, Severity.NOTICE, values)
