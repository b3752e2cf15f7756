"""The check-up that the health page and `scrubjay doctor` show, and what mends its findings."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Callable, Mapping
from concurrent.futures import Executor, Future
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.concurrency.thread_pool import SerialQueue
from scrubjay.embedding.selection.provider_factory import library_told
from scrubjay.errors import NoteRefused
from scrubjay.health.findings import (
    Finding,
    FindingKind,
    Fix,
    HealthReport,
    MemorySize,
    worst_first,
)
from scrubjay.health.io_guard import Drives, Step
from scrubjay.health.note_checks import (
    FactsCache,
    check_around_notes,
    check_notes,
    memory_sizes,
    read_notes,
)
from scrubjay.health.note_facts import leaks
from scrubjay.health.system_checks import (
    check_backend,
    check_disk,
    check_keychain,
    check_model,
    check_settings,
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

T = TypeVar("T")

Reading = Callable[[int, int], None]
"""Called with the number of notes read, and of all."""

_CLOSE_SECONDS = 1.0


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
        """Refresh queues a pass over a workspace, reading everything again when it is told to."""
        self._paths = paths
        self._registry = registry
        self._library = library
        self._keychain = keychain
        self._status = status
        self._skip_list = skip_list
        self._io_timeouts = io_timeouts
        self._refresh = refresh
        self._cache = FactsCache()
        self._life = CancelToken()
        self._jobs = SerialQueue(pool)

    def check(
        self, cancel: CancelToken | None = None, reading: Reading = lambda _done, _total: None
    ) -> Future[HealthReport]:
        """Look at everything. Notes that did not change since the last time are not read again."""
        token = cancel or CancelToken()
        return self._jobs.submit(lambda: self._while_open(token, reading))

    def fix(self, finding: Finding) -> Future[NoteEdit | None]:
        """Mend one finding that has a fix; the answer undoes it where a note was changed.

        The future may raise NoteRefused when the note has changed since the check-up.
        """
        return self._jobs.submit(lambda: self._fix(finding))

    def undo(self, edit: NoteEdit) -> Future[None]:
        """Put a note back as it was. The future may raise NoteRefused."""
        return self._jobs.submit(lambda: undo_change(edit))

    def close(self) -> None:
        """Stop a check-up that is under way."""
        self._life.cancel()
        self._jobs.close(_CLOSE_SECONDS)

    # -- on the thread ------------------------------------------------------------------------

    def _while_open(self, cancel: CancelToken, reading: Reading) -> HealthReport:
        with self._life.calling(cancel.cancel):
            return self._check(cancel, reading)

    def _check(self, cancel: CancelToken, reading: Reading) -> HealthReport:
        status = self._status().result()
        findings = [
            *check_settings(self._registry.loaded),
            *check_model(self._registry.loaded, status, self._library),
            *check_backend(status),
            *check_keychain(self._registry.loaded, self._keychain),
            *check_disk(self._paths.state),
        ]
        drives = Drives(self._io_timeouts, cancel)
        scans = {one: self._scan(one, drives) for one in self._registry.all()}
        found = {one: scan for one, scan in scans.items() if scan is not None}
        notes, memory = self._check_notes(findings, found, drives, reading)
        folders = [drives.ask(one, partial(folder_count, one.root)) or 0 for one in found]
        findings += check_watches(sum(folders))
        for one in status.workspaces:
            findings += check_workspace(
                one, is_there=one.workspace in found, is_silent=one.workspace in drives.silent
            )
        local = self._registry.loaded.settings.memory_search.local
        return HealthReport(
            worst_first(findings),
            notes,
            dt.datetime.now().astimezone(),
            tuple(memory),
            library_told(local, self._paths),
        )

    def _check_notes(
        self,
        findings: list[Finding],
        scans: Mapping[Workspace, Scan],
        drives: Drives,
        reading: Reading,
    ) -> tuple[int, list[MemorySize]]:
        total = sum(len(found.files) for found in scans.values())
        done, memory = 0, list[MemorySize]()

        def one_read() -> None:
            nonlocal done
            done += 1
            reading(done, total)

        today = dt.datetime.now().astimezone().date()
        for one, found in scans.items():
            notes = read_notes(one, found, self._cache, drives, one_read)
            skipped = self._skip_list.marked(one, notes.skipped)
            findings += check_notes(replace(notes, skipped=skipped))
            sizes = drives.ask(one, partial(memory_sizes, notes)) or []
            findings += drives.ask(one, partial(check_around_notes, notes, sizes, today)) or ()
            memory += sizes
        return total, memory

    def _scan(self, workspace: Workspace, drives: Drives) -> Scan | None:
        """None when the folder is not there, or does not answer."""
        extra = self._registry.settings(workspace).extra_paths
        found = Scan()

        def look(_: Step) -> Scan | None:
            return scan(workspace.root, extra, into=found) if is_folder(workspace.root) else None

        return drives.ask(workspace, look, lambda: found.looked_at)

    def _fix(self, finding: Finding) -> NoteEdit | None:
        match finding.fix:
            case Fix.REDACT:
                return self._redact(finding)
            case Fix.REBUILD:
                self._refresh(finding.workspace, True)
            case Fix.REFRESH:
                self._refresh(finding.workspace, False)
            case Fix.CLEAN:
                self._library.clean().result()
        return None

    def _redact(self, finding: Finding) -> NoteEdit:
        """Blank out what leaks in one line, and nothing else."""
        if finding.file is None or finding.kind is not FindingKind.SECRET:
            raise NoteRefused("There is nothing to blank out", hint="Check again.")
        before = _bytes_of(finding.file)
        text = _decoded(finding.file, before)
        after = _without_leaks(text, finding.first_line)
        if after == text:
            raise NoteRefused(
                msg("{file} was changed meanwhile", file=finding.file.name),
                "The secret no longer stands in that line.",
                hint="Check again.",
            )
        return change_note(finding.file, before, _encoded(after, before), self._backups)

    @property
    def _backups(self) -> Path:
        return self._paths.state / "backups"


def _bytes_of(file: Path) -> bytes:
    with contextlib.suppress(FileNotFoundError, NoteUnreadable):
        return read_note(file).data
    raise NoteRefused(msg("{name} cannot be read any more", name=file.name), hint="Check again.")


def _decoded(file: Path, data: bytes) -> str:
    try:
        return decode(data)
    except NoteUnreadable as error:
        raise NoteRefused(
            msg("{name} cannot be read any more", name=file.name), str(error)
        ) from error


def _encoded(text: str, like: bytes) -> bytes:
    """In the encoding that the note had, with its byte order mark."""
    if like.startswith((b"\xff\xfe", b"\xfe\xff")):
        name, mark = ("utf-16-le", like[:2]) if like[0] == 0xFF else ("utf-16-be", like[:2])
        return mark + text.encode(name)
    return text.encode("utf-8-sig" if like.startswith(b"\xef\xbb\xbf") else "utf-8")


def _without_leaks(text: str, line: int) -> str:
    """The text with the secrets that begin in a line replaced."""
    for secret in reversed(leaks(text)):
        if text.count("\n", 0, secret.start) + 1 == line:
            text = text[: secret.start] + REDACTED + text[secret.end :]
    return text
