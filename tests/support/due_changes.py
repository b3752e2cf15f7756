"""A set of changes that collects what it hands on."""

from __future__ import annotations

import threading
import time

from scrubjay.concurrency.thread_pool import DaemonThreadPool, SerialQueue
from scrubjay.concurrency.timers import Timers
from scrubjay.notes.change_debounce import ChangeDebounce, Quiet
from support.vault import TIMEOUT


class Due:
    """Collects what the changes of some folders hand on."""

    def __init__(self, quiet_seconds: float) -> None:
        self.calls: list[tuple[str, float]] = []
        self._came = threading.Condition()
        self.timers = Timers()
        self._quiet = Quiet(quiet_seconds)
        self._jobs = SerialQueue(DaemonThreadPool("test"))
        self._folders: dict[str, ChangeDebounce] = {}

    def changes(self, folder: str = "notes") -> ChangeDebounce:
        """The changes of a folder, by its name."""
        if folder not in self._folders:
            self._folders[folder] = ChangeDebounce(
                self._quiet, self.timers, self._jobs, due=lambda: self._take(folder)
            )
        return self._folders[folder]

    def close(self) -> None:
        """Forget what waits."""
        for changes in self._folders.values():
            changes.forget()

    def wait(self, count: int = 1) -> list[str]:
        with self._came:
            assert self._came.wait_for(lambda: len(self.calls) >= count, TIMEOUT)
        return [workspace for workspace, _ in self.calls]

    def _take(self, workspace: str) -> None:
        with self._came:
            self.calls.append((workspace, time.monotonic()))
            self._came.notify_all()
