"""Import of notes from exports, in three steps: the plan, writing, and undo."""

from __future__ import annotations

import contextlib
import datetime as dt
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import platformdirs
from msgspec import Struct

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.concurrency.thread_pool import SerialQueue, queued
from scrubjay.errors import ScrubjayError, system_reason
from scrubjay.event_bus import Event
from scrubjay.events import NoteImportProgressed
from scrubjay.messages import msg
from scrubjay.note_import.export_process import open_export
from scrubjay.note_import.imported_note import ExportRefused, Obstacle
from scrubjay.note_import.note_writer import NoteWriter, WrittenFiles, delete_written_files
from scrubjay.note_import.plan import NotePlan, make_plan, number_duplicate_keys
from scrubjay.platform.paths import Paths
from scrubjay.platform.state_file import StateFile

_IMPORTS = "imports"
_SAVE_EVERY = 200
"""Notes after which the record for undo is written: a crash loses no more of it."""
_SAVE_SHARE = 20
"""Times as long as saving took is spent on notes before the next: the record grows with them."""
_TELL_EVERY = 20
"""Notes after which the progress is told."""


class NoteImportResult(Struct, frozen=True):
    """Result of an import of notes."""

    target: Path
    notes: int
    attachments: int
    failed: tuple[Obstacle, ...] = ()


class NoteImportUndoResult(Struct, frozen=True):
    """Result of undoing the last import."""

    target: Path
    removed: int
    changed: tuple[str, ...]
    """Files that the user changed since, which stay."""


class NoteImport:
    """Imports exports and undoes imports, one at a time. For any thread."""

    def __init__(
        self,
        paths: Paths,
        pool: Executor,
        publish: Callable[[Event], None],
        search: Callable[[Path], bool],
        forget: Callable[[Path], None],
        io_timeouts: IoTimeouts,
    ) -> None:
        """Search gets a folder with imported notes, and says whether it was not searched before;
        forget gets one that was put on the list so, when it is gone.
        """
        self._history = StateFile(paths.state / "note-imports.json", is_large=True)
        self._publish = publish
        self._search = search
        self._forget = forget
        self._io_timeouts = io_timeouts
        self._life = CancelToken()
        self._jobs = SerialQueue(pool)

    @queued
    def plan(
        self, export: Path, target: Path | None = None, cancel: CancelToken | None = None
    ) -> NotePlan:
        """The plan for an export; nothing is written.

        The future may raise ExportRefused or DriveSilent.
        """
        self._io_timeouts.check(export)
        if target is not None:
            self._io_timeouts.check(target)
        return make_plan(export, target, default=default_target, cancel=cancel or self._life)

    @queued
    def apply(self, plan: NotePlan, cancel: CancelToken | None = None) -> NoteImportResult:
        """Write the notes of a plan, and search their folder from then on.

        The future may raise ExportRefused or DriveSilent. Cancelling keeps the notes written so
        far; they can be taken back, and another run adds the others.
        """
        for path in (plan.export, plan.target):
            self._io_timeouts.check(path)
        # The entry tells an undo what this import wrote.
        writer = NoteWriter(plan)
        failed: list[Obstacle] = []
        entry: dict[str, Any] = {
            "at": dt.datetime.now(dt.UTC).isoformat(),
            "target": str(plan.target),
            "isNew": not plan.target.exists(),
        }
        try:
            plan.target.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ExportRefused(
                msg("The folder {folder} cannot be created", folder=plan.target),
                system_reason(error),
            ) from error
        # Whatever ends it, what was written can be taken back.
        try:
            failed.extend(self._write(plan, writer, entry=entry, cancel=cancel))
        finally:
            self._save(entry, writer.written)
        # A folder that was not searched before goes off the list again with the undo.
        if writer.written.files and self._search(plan.target):
            self._save(entry | {"isAdded": True}, writer.written)
        notes = sum(label in writer.written.files for label in plan.labels.values())
        attachments = len(writer.written.files) - notes
        return NoteImportResult(plan.target, notes, attachments=attachments, failed=tuple(failed))

    def _write(
        self,
        plan: NotePlan,
        writer: NoteWriter,
        *,
        entry: dict[str, Any],
        cancel: CancelToken | None,
    ) -> Iterator[Obstacle]:
        """Write the notes of a plan; the obstacles are those that were not in it."""
        token = cancel or self._life
        done = 0
        next_save = 0.0
        with contextlib.ExitStack() as stack:
            # The end of the app ends an import that has its own token.
            if cancel:
                stack.enter_context(self._life.calling(cancel.cancel))
            opened = stack.enter_context(open_export(plan.export, token, has_attachments=True))
            for note in number_duplicate_keys(opened.notes()):
                token.check()
                if isinstance(note, Obstacle) or note.key not in plan.labels:
                    continue
                yield from writer.write(note)
                done += 1
                if done % _TELL_EVERY == 0:
                    self._publish(NoteImportProgressed(done, len(plan.labels)))
                if done % _SAVE_EVERY == 0 and time.monotonic() >= next_save:
                    began = time.monotonic()
                    self._save(entry, writer.written)
                    next_save = time.monotonic() + _SAVE_SHARE * (time.monotonic() - began)
            # Other obstacles are in the plan, which was shown.
            if opened.broken_off and opened.broken_off not in plan.obstacles:
                yield opened.broken_off

    @queued
    def last(self) -> dt.datetime | None:
        """The moment of the last import; None if there is nothing to take back."""
        imports = _imports(self._history.read())
        if not imports:
            return None
        return dt.datetime.fromisoformat(imports[-1]["at"])

    @queued
    def undo(self) -> NoteImportUndoResult:
        """Take back the last import. The future may raise ScrubjayError."""
        with self._history.changed() as history:
            imports = _imports(history)
            if not imports:
                raise ScrubjayError(
                    "There is nothing to undo", "No notes were imported into this folder."
                )
            entry = imports[-1]
            target = Path(entry["target"])
            self._io_timeouts.check(target)
            written = WrittenFiles(dict(entry.get("files", {})), list(entry.get("folders", ())))
            changed = delete_written_files(target, written)
            history[_IMPORTS] = imports[:-1]
        # A folder that the import made goes with it, unless something of the user is in it.
        if entry.get("isNew") and not changed:
            with contextlib.suppress(OSError):
                target.rmdir()
        if entry.get("isAdded") and not changed:
            self._forget(target)
        removed = len(written.files) - len(changed)
        return NoteImportUndoResult(target, removed=removed, changed=changed)

    def close(self) -> None:
        """Stop writing; what is written stays."""
        self._life.cancel()
        self._jobs.close(seconds=1)

    def _save(self, entry: dict[str, Any], written: WrittenFiles) -> None:
        """Write down what an import has written, for its undo."""
        if not written.files:
            return
        with self._history.changed() as history:
            others = [each for each in _imports(history) if each["at"] != entry["at"]]
            own = entry | {"files": written.files, "folders": written.folders}
            history[_IMPORTS] = [*others, own]


def default_target(program: str) -> Path:
    """The folder for the notes of a program, unless the user names one."""
    return platformdirs.user_documents_path() / f"{program} notes"


def _imports(history: dict[str, Any]) -> list[dict[str, Any]]:
    """The imports of the history, the last one at the end."""
    imports = history.get(_IMPORTS)
    if not isinstance(imports, list):
        return []
    return imports
