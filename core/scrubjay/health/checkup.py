"""The check-up of the health page and of `scrubjay doctor`, and the fixes of its findings."""

from __future__ import annotations

import codecs
import datetime as dt
import itertools
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import replace
from functools import partial
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.concurrency.thread_pool import SerialQueue
from scrubjay.embedding.selection.provider_factory import cpu_variant_status
from scrubjay.errors import NoteRefused
from scrubjay.health.findings import Finding, FindingKind, Fix, HealthReport, MemorySize
from scrubjay.health.note_checks import (
    FactsCache,
    IoGuard,
    Step,
    check_around_notes,
    check_notes,
    memory_sizes,
    read_notes,
)
from scrubjay.health.note_facts import leaks
from scrubjay.health.system_checks import (
    check_disk,
    check_keychain,
    check_search,
    check_watches,
    check_workspace,
)
from scrubjay.messages import msg
from scrubjay.models.library.model_library import ModelLibrary
from scrubjay.notes.inotify_limits import folder_count
from scrubjay.notes.note_edits import NoteEdit, change_note, undo_change
from scrubjay.notes.note_reader import NoteUnreadable, decode, read_note
from scrubjay.notes.scan import Scan, is_folder, scan
from scrubjay.platform.keychain import Keychain
from scrubjay.platform.paths import Paths
from scrubjay.records.search_records import EngineStatus, Workspace
from scrubjay.text.redaction import REDACTED
from scrubjay.workspaces.registry import Registry
from scrubjay.workspaces.skip_list import SkipList

OnRead = Callable[[int, int], None]
"""Called with the number of notes that were read, and of all."""

_CLOSE_SECONDS = 1.0
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Health:
    """Checks up in the background. For any thread; futures may raise Cancelled."""

    def __init__(
        self,
        paths: Paths,
        pool: Executor,
        registry: Registry,
        library: ModelLibrary,
        keychain: Keychain,
        status: Callable[[], Future[EngineStatus]],
        skip_list: SkipList,
        refresh: Callable[[str, bool], object],
        io_timeouts: IoTimeouts,
    ) -> None:
        """Refresh queues a pass over a workspace; true means that all notes are read again."""
        self._paths = paths
        self._registry = registry
        self._library = library
        self._keychain = keychain
        self._status = status
        self._skip_list = skip_list
        self._io_timeouts = io_timeouts
        self._refresh = refresh
        self._cache: FactsCache = {}
        self._life = CancelToken()
        self._jobs = SerialQueue(pool)

    def check(
        self, cancel: CancelToken | None = None, reading: OnRead = lambda _done, _total: None
    ) -> Future[HealthReport]:
        """Check everything. Notes that have not changed since the last time are not read again."""
        return self._jobs.submit(lambda: self._check(cancel or CancelToken(), reading))

    def fix(self, finding: Finding) -> Future[NoteEdit | None]:
        """Mend a finding that has a fix; the result undoes it if a note was changed.

        The future may raise NoteRefused when the note has changed since the check-up.
        """
        return self._jobs.submit(lambda: self._fix(finding))

    def undo(self, edit: NoteEdit) -> Future[None]:
        """Undo a fix. The future may raise NoteRefused."""
        return self._jobs.submit(lambda: undo_change(edit))

    def close(self) -> None:
        """Stop a check-up that is under way."""
        self._life.cancel()
        self._jobs.close(_CLOSE_SECONDS)

    # -- on the thread ------------------------------------------------------------------------

    def _check(self, cancel: CancelToken, reading: OnRead) -> HealthReport:
        with self._life.calling(cancel.cancel):
            return self._report(cancel, reading)

    def _report(self, cancel: CancelToken, reading: OnRead) -> HealthReport:
        status = self._status().result()
        findings = [
            *check_search(self._registry.loaded, status, self._library),
            *check_keychain(self._registry.loaded, self._keychain),
            *check_disk(self._paths.state),
        ]
        guard = IoGuard(self._io_timeouts, cancel)
        scans = {
            workspace: result
            for workspace in self._registry.all()
            if (result := self._scan(workspace, guard))
        }
        total = sum(len(result.files) for result in scans.values())
        number = itertools.count(1)
        memory: list[MemorySize] = []
        today = dt.datetime.now().astimezone().date()
        for workspace, result in scans.items():
            notes = read_notes(
                workspace, result, self._cache, guard, lambda: reading(next(number), total)
            )
            skipped = self._skip_list.marked(workspace, notes.skipped)
            findings += check_notes(replace(notes, skipped=skipped))
            sizes = guard.run(workspace, partial(memory_sizes, notes)) or []
            findings += guard.run(workspace, partial(check_around_notes, notes, sizes, today)) or ()
            memory += sizes
        folders = [guard.run(item, partial(folder_count, item.root)) or 0 for item in scans]
        findings += check_watches(sum(folders))
        for state in status.workspaces:
            findings += check_workspace(
                state,
                is_there=state.workspace in scans,
                is_silent=state.workspace in guard.unreachable,
            )
        local = self._registry.loaded.settings.memory_search.local
        return HealthReport(
            tuple(sorted(findings, key=_order)),
            total,
            dt.datetime.now().astimezone(),
            tuple(memory),
            cpu_variant_status(local, self._paths),
        )

    def _scan(self, workspace: Workspace, guard: IoGuard) -> Scan | None:
        """The files of a workspace; None when its folder is missing or does not answer."""
        extra = self._registry.settings(workspace).extra_paths
        partial_scan = Scan()

        def work(_: Step) -> Scan | None:
            if not is_folder(workspace.root):
                return None
            return scan(workspace.root, extra, into=partial_scan)

        return guard.run(workspace, work, lambda: partial_scan.looked_at)

    def _fix(self, finding: Finding) -> NoteEdit | None:
        if finding.fix is Fix.REDACT:
            return self._redact(finding)
        if finding.fix is Fix.CLEAN:
            self._library.clean().result()
        elif finding.fix:
            self._refresh(finding.workspace, finding.fix is Fix.REBUILD)
        return None

    def _redact(self, finding: Finding) -> NoteEdit:
        """Blank out the secrets in one line, and nothing else."""
        if finding.file is None or finding.kind is not FindingKind.SECRET:
            raise NoteRefused("There is nothing to blank out", hint="Check again.")
        before, text = _read(finding.file)
        after = text
        for secret in reversed(leaks(text)):
            if text.count("\n", 0, secret.start) + 1 == finding.first_line:
                after = after[: secret.start] + REDACTED + after[secret.end :]
        if after == text:
            raise NoteRefused(
                msg("{file} was changed meanwhile", file=finding.file.name),
                "The secret no longer stands in that line.",
                hint="Check again.",
            )
        marks = (item for item in _MARKS if before.startswith(item[0]))
        mark, encoding = next(marks, (b"", "utf-8"))
        backups = self._paths.state / "backups"
        return change_note(finding.file, before, mark + after.encode(encoding), backups)


def _order(finding: Finding) -> tuple[int, int, str, str, int]:
    """Worst first, then by kind and place."""
    kind = list(FindingKind).index(finding.kind)
    return -finding.severity, kind, finding.workspace, finding.path, finding.first_line


def _read(file: Path) -> tuple[bytes, str]:
    title = msg("{name} cannot be read any more", name=file.name)
    try:
        data = read_note(file).data
    except (FileNotFoundError, NoteUnreadable):
        raise NoteRefused(title, hint="Check again.") from None
    try:
        return data, decode(data)
    except NoteUnreadable as error:
        raise NoteRefused(title, str(error)) from error
