"""Calls to a drive that may never answer, given up in time."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.drive_probe import DriveProbe
from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.errors import Cancelled, DriveSilent

T = TypeVar("T")

INDEX_SECONDS = 20.0
"""Seconds that work in the background waits: 64 MB take 13 s where a network gives 5 MB/s."""
SEARCH_SECONDS = 2.0
"""Seconds that a call waits while a user waits for an answer."""
_AGAIN_SECONDS = 0.2
"""Seconds that a drive that is known to be silent is waited for: it may just have come back."""
_MAX_HANGING = 8
"""Calls that may hang at a time; after that, the whole drive counts as unavailable."""


class IoTimedOut(Exception):
    """A drive did not answer in time."""


class IoTimeout:
    """Runs calls to one drive on threads left behind when they hang: no call can be cancelled."""

    def __init__(self, seconds: float = INDEX_SECONDS, path: Path | None = None) -> None:
        """Seconds is how long a call may take without any progress; the path is on the drive."""
        self._seconds = seconds
        self._probe = DriveProbe(path) if path else None
        self._pool = DaemonThreadPool("drive")
        self._lock = threading.Lock()
        self._hanging: set[Future[Any]] = set()

    @property
    def is_exhausted(self) -> bool:
        """Whether the drive does not answer at all."""
        return self._is_silent() or self._hangs_too_often()

    def call(
        self,
        work: Callable[[], T],
        cancel: CancelToken | None = None,
        *,
        progress: Callable[[], object] = lambda: None,
        seconds: float | None = None,
    ) -> T:
        """The result of work. Raises IoTimedOut, Cancelled, or the error of work.

        While the value of progress changes, the call may take as long as it needs. Seconds is for
        this call only.
        """
        # More threads that hang would help nobody.
        if self._hangs_too_often():
            raise IoTimedOut
        limit = self._seconds
        if seconds is not None:
            limit = min(seconds, limit)
        if self._is_silent():
            limit = min(limit, _AGAIN_SECONDS)
        ended = threading.Event()
        given_up = threading.Event()
        # On another thread, which is left behind if it hangs.
        call = self._pool.submit(self._probed, work, given_up)
        call.add_done_callback(lambda _: ended.set())
        # A call that makes progress is waited for again, however long it takes in all.
        with (cancel or CancelToken()).calling(ended.set):
            before = progress()
            while not ended.wait(limit):
                now = progress()
                if now == before:
                    break
                before = now
        if call.done():
            return call.result()
        # It continues in its thread; where it has not begun, it never will.
        given_up.set()
        with self._lock:
            self._hanging.add(call)
        if cancel and cancel.cancelled:
            raise Cancelled
        raise IoTimedOut

    def _is_silent(self) -> bool:
        """Whether a look at the drive hangs for longer than a call may."""
        return self._probe is not None and self._probe.is_silent(self._seconds)

    def _hangs_too_often(self) -> bool:
        """Whether so many calls hang that no other one is tried."""
        with self._lock:
            self._hanging = {call for call in self._hanging if not call.done()}
            return len(self._hanging) >= _MAX_HANGING

    def _probed(self, work: Callable[[], T], given_up: threading.Event) -> T:
        """The result of work, begun when the drive answers in time. On a thread of the pool."""
        if self._probe:
            self._probe.wait()
        if given_up.is_set():
            raise IoTimedOut
        return work()


class IoBudget:
    """Rest of the seconds that several calls may take together."""

    def __init__(self, seconds: float, *, is_patient: bool = True) -> None:
        """Patient means that what is being opened is waited for, too."""
        self.seconds = seconds
        self.is_patient = is_patient

    @contextlib.contextmanager
    def spending(self) -> Iterator[float]:
        """The seconds that are left; those that pass meanwhile are subtracted."""
        began = time.monotonic()
        try:
            yield self.seconds
        finally:
            self.seconds = max(0.0, self.seconds - (time.monotonic() - began))


class IoTimeouts(dict[Path, IoTimeout]):
    """An IoTimeout for each folder, so that a drive which hangs stops no other."""

    def __init__(self, seconds: float = INDEX_SECONDS) -> None:
        super().__init__()
        self._seconds = seconds

    def __missing__(self, folder: Path) -> IoTimeout:
        """The timeout of a folder that was not asked before."""
        # Two threads may come at once, and get the same one.
        return self.setdefault(folder, IoTimeout(self._seconds, folder))

    def ask(
        self,
        folder: Path,
        work: Callable[[], T],
        cancel: CancelToken | None = None,
        *,
        progress: Callable[[], object] = lambda: None,
    ) -> T:
        """The result of work on a folder. Raises DriveSilent, and as `IoTimeout.call`."""
        # People are told which drive it is.
        try:
            return self[folder].call(work, cancel, progress=progress)
        except IoTimedOut as error:
            raise DriveSilent(folder) from error

    def check(self, folder: Path) -> None:
        """Raise DriveSilent unless the drive of a folder answers, before work that may take long.

        A drive that stops answering in the middle of such work is not noticed.
        """
        self.ask(folder, partial(os.path.exists, folder))

    def answers(self, folder: Path) -> bool:
        """Whether the drive of a folder answers, also where the folder is not there."""
        with contextlib.suppress(DriveSilent):
            self.check(folder)
            return True
        return False
