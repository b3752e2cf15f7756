"""Folders whose changes are collected once they are due."""

from __future__ import annotations

import threading
import time

from scrubjay.concurrency.thread_pool import DaemonThreadPool, SerialQueue
from scrubjay.concurrency.timers import Debounce, DebounceTime, Timers
from scrubjay.notes.watcher import FolderWatch
from scrubjay.workspaces.open_workspace import UnreadChanges
from support.vault import TIMEOUT


class Due:
    """Collects which folders have changes that are due."""

    def __init__(self, quiet_seconds: float) -> None:
        self.calls: list[tuple[str, float]] = []
        self._came = threading.Condition()
        self.timers = Timers()
        self._quiet = DebounceTime(quiet_seconds)
        self._jobs = SerialQueue(DaemonThreadPool("test"))
        self._folders: dict[str, FolderWatch] = {}

    def folder(self, name: str = "notes") -> FolderWatch:
        """A folder by its name."""
        if name not in self._folders:
            debounce = Debounce(self._quiet, self.timers, self._jobs, due=lambda: self._take(name))
            self._folders[name] = FolderWatch(UnreadChanges(), debounce)
        return self._folders[name]

    def changes(self, name: str = "notes") -> UnreadChanges:
        """The changes of a folder, by its name."""
        changes = self.folder(name).changes
        assert isinstance(changes, UnreadChanges)
        return changes

    def wait(self, count: int = 1) -> list[str]:
        with self._came:
            assert self._came.wait_for(lambda: len(self.calls) >= count, TIMEOUT)
        return [name for name, _ in self.calls]

    def _take(self, name: str) -> None:
        self.changes(name).be_due()
        with self._came:
            self.calls.append((name, time.monotonic()))
            self._came.notify_all()
