"""Files with a problem that a person does not want to hear of until they change."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrubjay.concurrency.io_timeout import IoTimedOut, IoTimeouts
from scrubjay.messages import msg, stored
from scrubjay.records.search_records import SkippedFile, Workspace

if TYPE_CHECKING:
    from scrubjay.platform.state_file import StateFile


class SkipList:
    """What people chose to leave out, kept in a file. For any thread."""

    def __init__(self, file: Path, io_timeouts: IoTimeouts) -> None:
        """Nothing is read yet."""
        self._path = file
        self._lock = threading.Lock()
        self._held: dict[str, Any] | None = None
        self._io_timeouts = io_timeouts

    def told(self, workspace: Workspace, skipped: Sequence[SkippedFile]) -> tuple[SkippedFile, ...]:
        """The files with those marked that were left out and are as they were then."""
        kept = self._of(workspace.id) if skipped else {}
        return tuple(
            _chosen(one) if one.path in kept and self._is_same(workspace, one, kept) else one
            for one in skipped
        )

    def add(self, workspace: Workspace, skipped: SkippedFile) -> None:
        """Leave a file out until it changes. May raise OSError."""
        state = {"reason": stored(skipped.reason), "state": self._state(workspace, skipped.path)}
        with self._lock, self._file.changed() as held:
            held[workspace.id] = {**_object(held, workspace.id), skipped.path: state}
            self._held = held

    def remove(self, workspace_id: str, path: str) -> None:
        """Tell of a file again. May raise OSError."""
        with self._lock, self._file.changed() as held:
            held[workspace_id] = {
                one: state for one, state in _object(held, workspace_id).items() if one != path
            }
            self._held = held

    def drop(self, workspace_id: str) -> None:
        """Forget what is kept about a workspace that is removed. May raise OSError."""
        if self._of(workspace_id):
            with self._lock, self._file.changed() as held:
                held.pop(workspace_id, None)
                self._held = held

    @property
    def _file(self) -> StateFile:
        # Late: what locks it takes longer to import than a window has.
        from scrubjay.platform.state_file import StateFile

        return StateFile(self._path)

    def _of(self, workspace_id: str) -> dict[str, Any]:
        with self._lock:
            if self._held is None:
                self._held = self._file.read()
            return _object(self._held, workspace_id)

    def _is_same(self, workspace: Workspace, one: SkippedFile, kept: dict[str, Any]) -> bool:
        then = kept[one.path]
        if not isinstance(then, dict) or then.get("reason") != stored(one.reason):
            return False
        now = self._state(workspace, one.path)
        return now is None or then.get("state") in (None, now)

    def _state(self, workspace: Workspace, path: str) -> list[int] | None:
        """Time and size; None when the file or its drive does not tell."""
        try:
            found = self._io_timeouts[workspace.id].call((workspace.root / path).lstat)
        except (OSError, ValueError, IoTimedOut):
            return None
        return [found.st_mtime_ns, found.st_size]


def _object(held: dict[str, Any], key: str) -> dict[str, Any]:
    """What a file holds there; people may have edited it."""
    kept = held.get(key)
    return kept if isinstance(kept, dict) else {}


def _chosen(skipped: SkippedFile) -> SkippedFile:
    reason = msg("Skipped by you until it changes. {reason}", reason=skipped.reason)
    return replace(skipped, reason=reason, is_problem=False, is_chosen=True)
