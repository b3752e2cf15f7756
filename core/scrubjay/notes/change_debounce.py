"""Changes of notes that are not indexed yet, handed on once they are quiet."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Collection

from msgspec import Struct

from scrubjay.concurrency.thread_pool import SerialQueue
from scrubjay.concurrency.timers import Timers

_LONGEST_WAIT = 5
"""Factor of the debounce after which changes are handed on even if more keep coming."""


class Quiet(Struct):
    """The debounce of all folders, which the settings change at any time."""

    seconds: float
    """Seconds without a change after which those before it are handed on."""


class ChangeDebounce:
    """Changes of one folder that are not indexed yet. For any thread."""

    def __init__(
        self, quiet: Quiet, timers: Timers, jobs: SerialQueue, due: Callable[[], None]
    ) -> None:
        """Due is a job for changes that are quiet."""
        self._quiet = quiet
        self._timers = timers
        self._jobs = jobs
        self._due = due
        self._lock = threading.Lock()
        self._first = 0.0
        self._last = 0.0
        self._waiting: set[str] = set()
        self._handed_on: set[str] = set()
        """Paths that were due and are not settled yet."""
        self._is_timed = False
        """Whether a timer looks after the changes that wait."""

    def forget(self) -> None:
        """Forget all changes."""
        with self._lock:
            self._waiting.clear()
            self._handed_on.clear()
            self._is_timed = False

    def add(self, path: str = "") -> None:
        """Note a change; an empty path stands for anything in the folder."""
        now = time.monotonic()
        with self._lock:
            if not self._is_timed:
                self._is_timed = True
                self._first = now
                self._timers.after(self._quiet.seconds, self._hand_on)
            self._last = now
            self._waiting.add(path)

    @property
    def pending(self) -> int:
        """Number of changes that are not settled; a folder changes with what is in it."""
        paths = self.paths
        return len(paths - {os.path.dirname(path) for path in paths})  # noqa: PTH120  (text)

    @property
    def paths(self) -> set[str]:
        """The paths that changed and are not settled yet."""
        with self._lock:
            return self._waiting | self._handed_on

    @property
    def handed_on(self) -> frozenset[str]:
        """The paths that were due and are not settled yet."""
        with self._lock:
            return frozenset(self._handed_on)

    def settle(self, paths: Collection[str]) -> None:
        """Forget paths that were read; those that wait are handed on all the same."""
        with self._lock:
            self._handed_on.difference_update(paths)
            self._waiting.difference_update(paths)

    def _hand_on(self) -> None:
        """Hand the changes on if they are quiet; otherwise look again later."""
        with self._lock:
            if not self._is_timed:
                return
            # Quiet for long enough, but no later than some times the debounce after the first.
            latest = self._first + _LONGEST_WAIT * self._quiet.seconds
            wait = min(self._last + self._quiet.seconds, latest) - time.monotonic()
            if wait > 0:
                self._timers.after(wait, self._hand_on)
                return
            self._handed_on |= self._waiting
            self._waiting.clear()
            self._is_timed = False
        # Outside of the lock, since the job may ask for the changes at once.
        self._jobs.submit(self._due)
