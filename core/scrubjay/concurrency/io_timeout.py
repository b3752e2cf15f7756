"""Asks a drive that may never answer, and gives up on it in time."""

from __future__ import annotations

import queue
import threading
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

from scrubjay.concurrency.cancel import CancelToken

T = TypeVar("T")

PATIENCE_S = 20.0
"""A file of 64 MB takes 13 s where a network gives 5 MB/s."""
_MOST_STUCK = 8
"""So many calls may hang at a time. Then the whole drive is taken to be away."""
_IDLE_S = 5.0
"""After which a thread that nobody needs ends."""


class IoTimedOut(Exception):
    """A drive did not answer in time."""


class IoTimeout:
    """Runs what may hang on a thread of its own, which is left behind when it does.

    A call of the system that hangs cannot be called off. One is for what hangs together, such as
    the folder of a workspace. For any thread.
    """

    def __init__(self, seconds: float = PATIENCE_S) -> None:
        self._seconds = seconds
        self._lock = threading.Lock()
        self._thread: _DriveThread | None = None
        self._stuck: set[_DriveThread] = set()

    @property
    def is_exhausted(self) -> bool:
        """True while so many calls hang that no other one is tried."""
        with self._lock:
            self._stuck = {one for one in self._stuck if one.is_alive()}
            return len(self._stuck) >= _MOST_STUCK

    def call(
        self,
        work: Callable[[], T],
        cancel: CancelToken | None = None,
        *,
        pulse: Callable[[], object] = lambda: None,
    ) -> T:
        """What work gives or raises. Raises NoAnswer when that takes too long, or Cancelled.

        While pulse changes, the work is going on, however long it takes.
        """
        if self.is_exhausted:
            raise IoTimedOut
        call = _Call(work)
        thread = self._handed(call)
        with (cancel or CancelToken()).calling(call.ended.set):
            before = pulse()
            while not call.ended.wait(self._seconds) and before != (before := pulse()):
                pass
        if call.outcome.done():
            return call.outcome.result()
        self._leave(thread, call)
        if cancel:
            cancel.check()
        raise IoTimedOut

    def _handed(self, call: _Call[Any]) -> _DriveThread:
        with self._lock:
            if self._thread is None or not self._thread.take(call):
                self._thread = _DriveThread()
                self._thread.take(call)
            return self._thread

    def _leave(self, thread: _DriveThread, call: _Call[Any]) -> None:
        """It ends by itself when the drive answers after all."""
        call.is_wanted = False
        with self._lock:
            self._stuck.add(thread)
            if self._thread is thread:
                self._thread = None
            # Under the lock: a call that was handed over after the end would never be made.
            thread.calls.put(None)


class IoTimeouts(defaultdict[str, IoTimeout]):
    """One for each workspace, so that a drive which hangs stops no other."""

    def __init__(self, seconds: float) -> None:
        super().__init__(lambda: IoTimeout(seconds))


class _Call(Generic[T]):
    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self.outcome: Future[T] = Future()
        self.ended = threading.Event()
        self.is_wanted = True
        """False once its caller went on; what has not begun by then need not."""

    def run(self) -> None:
        if not self.is_wanted:
            return
        try:
            self.outcome.set_result(self._work())
        except BaseException as error:  # who waits for it has to know
            self.outcome.set_exception(error)
        self.ended.set()


class _DriveThread(threading.Thread):
    def __init__(self) -> None:
        super().__init__(name="scrubjay-drive", daemon=True)
        self.calls: queue.SimpleQueue[_Call[Any] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._has_ended = False
        self.start()

    def take(self, call: _Call[Any]) -> bool:
        """False when it has just ended for want of work."""
        with self._lock:
            if not self._has_ended:
                self.calls.put(call)
            return not self._has_ended

    def run(self) -> None:
        while (call := self._next()) is not None:
            call.run()

    def _next(self) -> _Call[Any] | None:
        try:
            return self.calls.get(timeout=_IDLE_S)
        except queue.Empty:
            with self._lock:
                self._has_ended = self.calls.empty()
            return None if self._has_ended else self.calls.get()
