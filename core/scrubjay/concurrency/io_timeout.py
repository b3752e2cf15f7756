"""Calls to a drive that may never answer, given up in time."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import Any, TypeVar

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.thread_pool import DaemonThreadPool

T = TypeVar("T")

INDEX_SECONDS = 20.0
"""How long work in the background waits: 64 MB take 13 s where a network gives 5 MB/s."""
SEARCH_SECONDS = 2.0
"""How long a call waits while a user waits for an answer."""
_MAX_HANGING = 8
"""Calls that may hang at a time; the whole drive counts as away after that."""


class IoTimedOut(Exception):
    """A drive did not answer in time."""


class IoTimeout:
    """Runs calls to one drive on threads left behind when they hang: no call can be cancelled."""

    def __init__(self, seconds: float = INDEX_SECONDS) -> None:
        """Seconds is how long a call may take without any progress."""
        self._seconds = seconds
        self._pool = DaemonThreadPool("drive")
        self._lock = threading.Lock()
        self._hanging: set[Future[Any]] = set()

    @property
    def is_exhausted(self) -> bool:
        """True while so many calls hang that no other is tried."""
        with self._lock:
            self._hanging = {call for call in self._hanging if not call.done()}
            return len(self._hanging) >= _MAX_HANGING

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
        if self.is_exhausted:
            raise IoTimedOut
        limit = self._seconds if seconds is None else min(seconds, self._seconds)
        ended = threading.Event()
        call = self._pool.submit(work)
        call.add_done_callback(lambda _: ended.set())
        with (cancel or CancelToken()).calling(ended.set):
            before = progress()
            while not ended.wait(limit) and before != (before := progress()):
                pass
        if call.done():
            return call.result()
        with self._lock:
            self._hanging.add(call)
        if cancel:
            cancel.check()
        raise IoTimedOut


class IoBudget:
    """What is left of the seconds that several calls may take together."""

    def __init__(self, seconds: float, *, is_patient: bool = True) -> None:
        """Patient: what is being opened is waited for, too."""
        self.seconds = seconds
        self.is_patient = is_patient

    @contextlib.contextmanager
    def spending(self) -> Iterator[float]:
        """The seconds that are left; those that pass meanwhile are taken off."""
        began = time.monotonic()
        try:
            yield self.seconds
        finally:
            self.seconds = max(0.0, self.seconds - (time.monotonic() - began))


class IoTimeouts(defaultdict[str, IoTimeout]):
    """An IoTimeout for each workspace id, so that a drive which hangs stops no other."""

    def __init__(self, seconds: float = INDEX_SECONDS) -> None:
        super().__init__(lambda: IoTimeout(seconds))
