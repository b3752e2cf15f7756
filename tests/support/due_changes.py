"""A set of changes that collects what it hands on."""

from __future__ import annotations

import threading
import time

from scrubjay.concurrency.thread_pool import DaemonThreadPool, SerialQueue
from scrubjay.concurrency.timers import Timers
from scrubjay.notes.change_debounce import ChangeSet
from support.vault import TIMEOUT


class Due:
    """Collects what a change set hands on."""

    def __init__(self, quiet_seconds: float) -> None:
        self.calls: list[tuple[str, float]] = []
        self._came = threading.Condition()
        self.timers = Timers()
        self.changes = ChangeSet(
            quiet_seconds, self._take, self.timers, SerialQueue(DaemonThreadPool("test"))
        )

    def wait(self, count: int = 1) -> list[str]:
        with self._came:
            assert self._came.wait_for(lambda: len(self.calls) >= count, TIMEOUT)
        return [workspace for workspace, _ in self.calls]

    def _take(self, workspace: str) -> None:
        with self._came:
            self.calls.append((workspace, time.monotonic()))
            self._came.notify_all()
