"""The files that the user skips. Their problem is not reported again until they change."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from scrubjay.concurrency.io_timeout import IoTimedOut, IoTimeouts
from scrubjay.messages import msg, serialize_sentence
from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import SkippedFile

if TYPE_CHECKING:
    from scrubjay.platform.state_file import StateFile


class UserSkips:
    """Skipped files of all workspaces, in a state file. For any thread."""

    def __init__(self, file: Path, io_timeouts: IoTimeouts) -> None:
        """Nothing is read yet."""
        self._path = file
        self._lock = threading.Lock()
        self._entries: dict[str, Any] | None = None
        """Reason and state of each file by its path, by the workspace's id."""
        self._io_timeouts = io_timeouts

    def marked(
        self, workspace: Workspace, skipped: Sequence[SkippedFile], roots: Collection[Path]
    ) -> tuple[SkippedFile, ...]:
        """The files, with those marked that are on the list and have not changed since.

        Folders that are searched on their own, at one of the roots, are not among them.
        """
        entries = self._of(workspace)
        marked: list[SkippedFile] = []
        for file in skipped:
            # A folder that was excluded since it is on the list itself is not worth a word.
            if file.path in workspace.left_out and workspace.root / file.path in roots:
                continue
            if file.path in entries and self._is_same(workspace, file, entries[file.path]):
                reason = msg(
                    "You chose to skip this file until it changes. {reason}", reason=file.reason
                )
                file = replace(file, reason=reason, is_problem=False, is_chosen=True)
            marked.append(file)
        return tuple(marked)

    def add(self, workspace: Workspace, skipped: SkippedFile) -> None:
        """Skip a file until it changes. May raise OSError."""
        # A file that changes, or has another problem, is reported again.
        entry = {
            "reason": serialize_sentence(skipped.reason),
            "state": self._state(workspace, skipped.path),
        }
        with self._lock, self._file.changed() as entries:
            entries[workspace.id] = {**_object(entries, workspace.id), skipped.path: entry}
            self._entries = entries

    def remove(self, workspace: Workspace, path: str) -> None:
        """Take a file off the list. May raise OSError."""
        with self._lock, self._file.changed() as entries:
            own = {**_object(entries, workspace.id)}
            own.pop(path, None)
            entries[workspace.id] = own
            self._entries = entries

    def drop(self, workspace: Workspace) -> None:
        """Take all files of a workspace off the list. May raise OSError."""
        if self._of(workspace):
            # The whole file is written again, so it is left alone where nothing changes.
            with self._lock, self._file.changed() as entries:
                entries.pop(workspace.id, None)
                self._entries = entries

    @property
    def _file(self) -> StateFile:
        # Its file lock takes longer to import than a window may take to open.
        from scrubjay.platform.state_file import StateFile

        return StateFile(self._path)

    def _of(self, workspace: Workspace) -> dict[str, Any]:
        """Entries of one workspace by path."""
        with self._lock:
            if self._entries is None:
                self._entries = self._file.read()
            return _object(self._entries, workspace.id)

    def _is_same(self, workspace: Workspace, file: SkippedFile, entry: object) -> bool:
        """Whether a file has the state and the reason that it was skipped with."""
        if not isinstance(entry, dict) or entry.get("reason") != serialize_sentence(file.reason):
            return False
        # A drive that does not answer must not bring back what was skipped.
        state = self._state(workspace, file.path)
        return state is None or entry.get("state") in (None, state)

    def _state(self, workspace: Workspace, path: str) -> list[int] | None:
        """[nanoseconds of the last change, bytes]; None if the file or its drive gives none."""
        try:
            status = self._io_timeouts[workspace.root].call((workspace.root / path).lstat)
        except (OSError, ValueError, IoTimedOut):
            return None
        return [status.st_mtime_ns, status.st_size]


def _object(entries: dict[str, Any], key: str) -> dict[str, Any]:
    """The JSON object at a key; the file may have been edited by hand."""
    value = entries.get(key)
    if not isinstance(value, dict):
        return {}
    return value
