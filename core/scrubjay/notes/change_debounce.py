"""Changes of notes that are not indexed yet, handed on once they are quiet."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection
from functools import partial

from msgspec import Struct, field

from scrubjay.concurrency.thread_pool import SerialQueue
from scrubjay.concurrency.timers import Timers
from scrubjay.records.workspace_id import WorkspaceId

_LONGEST_WAIT = 5
"""Factor of the debounce after which changes are handed on even if more keep coming."""


class _Changes(Struct):
    """Changed paths of one workspace that are not handed on yet."""

    first: float
    last: float
    paths: set[str] = field(default_factory=set)


class ChangeSet:
    """Changes that are not indexed yet, by workspace. For any thread."""

    def __init__(
        self,
        quiet_seconds: float,
        due: Callable[[WorkspaceId], None],
        timers: Timers,
        jobs: SerialQueue,
    ) -> None:
        """Due is a job with the id of a workspace whose changes are quiet."""
        self.quiet_seconds = quiet_seconds
        self._due = due
        self._timers = timers
        self._jobs = jobs
        self._lock = threading.Lock()
        self._waiting: dict[WorkspaceId, _Changes] = {}
        self._handed_on: dict[WorkspaceId, set[str]] = {}
        """Paths that were due and are not settled yet, by workspace."""

    def close(self) -> None:
        """Forget all changes."""
        with self._lock:
            self._waiting.clear()
            self._handed_on.clear()

    def add(self, workspace: WorkspaceId, path: str = "") -> None:
        """Note a change; an empty path stands for anything in the workspace."""
        now = time.monotonic()
        with self._lock:
            changes = self._waiting.get(workspace)
            if changes is None:
                changes = _Changes(first=now, last=now)
                self._waiting[workspace] = changes
                self._timers.after(self.quiet_seconds, partial(self._hand_on, workspace))
            changes.last = now
            changes.paths.add(path)

    def pending(self, workspace: WorkspaceId) -> int:
        """Number of changes that are not settled; a folder changes with what is in it."""
        paths = self.paths(workspace)
        return len(paths - {os.path.dirname(path) for path in paths})  # noqa: PTH120  (text)

    def paths(self, workspace: WorkspaceId) -> set[str]:
        """The paths that changed and are not settled yet."""
        with self._lock:
            changes = self._waiting.get(workspace)
            waiting = changes.paths if changes else set()
            return waiting | self._handed_on.get(workspace, set())

    def handed_on(self, workspace: WorkspaceId) -> frozenset[str]:
        """The paths that were due and are not settled yet."""
        with self._lock:
            return frozenset(self._handed_on.get(workspace, ()))

    def settle(self, workspace: WorkspaceId, paths: Collection[str]) -> None:
        """Forget paths that were read; those that wait are handed on all the same."""
        with self._lock:
            self._handed_on.get(workspace, set()).difference_update(paths)
            changes = self._waiting.get(workspace)
            if changes:
                changes.paths.difference_update(paths)

    def _hand_on(self, workspace: WorkspaceId) -> None:
        """Hand the changes of a workspace on if they are quiet; otherwise look again later."""
        with self._lock:
            changes = self._waiting.get(workspace)
            if changes is None:
                return
            # Quiet for long enough, but no later than some times the debounce after the first.
            latest = changes.first + _LONGEST_WAIT * self.quiet_seconds
            wait = min(changes.last + self.quiet_seconds, latest) - time.monotonic()
            if wait > 0:
                self._timers.after(wait, partial(self._hand_on, workspace))
                return
            self._handed_on.setdefault(workspace, set()).update(changes.paths)
            del self._waiting[workspace]
        # Outside of the lock, since the job may ask for the changes at once.
        self._jobs.submit(partial(self._due, workspace))
