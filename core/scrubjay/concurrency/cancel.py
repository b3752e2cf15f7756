"""Tokens that cancel work, or pause it while a search is running."""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import TypeVar

from scrubjay.errors import Cancelled

T = TypeVar("T")

_TYPING_S = 0.5
"""Seconds that are longer than nearly every pause between two keys."""
_LONGEST_S = 0.05
"""Seconds that are longer than nearly every search; a longer one does not hold up indexing."""


class CancelToken:
    """A flag that the owner of some work sets, and the work checks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cancelled = False
        self._callbacks: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        """Whether the owner has cancelled."""
        return self._cancelled

    def cancel(self) -> None:
        """Cancel the work and run the callbacks of `calling`."""
        with self._lock:
            self._cancelled = True
            for callback in self._callbacks:
                # Under the lock, so that none runs after its `calling` has ended.
                callback()

    def check(self) -> None:
        """Raise Cancelled once the owner has cancelled."""
        if self._cancelled:
            raise Cancelled

    def wait(self, seconds: float) -> None:
        """Sleep so long. Raises Cancelled at once when the owner cancels."""
        # Its own event wakes this thread, whichever of many tokens is cancelled.
        cancelled = threading.Event()
        with self.calling(cancelled.set):
            cancelled.wait(seconds)
        self.check()

    def result_of(self, future: Future[T]) -> T:
        """The result of a future. Raises Cancelled at once when the owner cancels."""
        is_due = threading.Event()
        future.add_done_callback(lambda _: is_due.set())
        with self.calling(is_due.set):
            is_due.wait()
        self.check()
        return future.result()

    @contextlib.contextmanager
    def calling(self, callback: Callable[[], None]) -> Iterator[None]:
        """Inside, cancel runs callback. Outside it never does, not even late."""
        with self._lock:
            # A token that is cancelled already would never run the callback.
            self.check()
            self._callbacks.append(callback)
        try:
            yield
        finally:
            with self._lock:
                self._callbacks.remove(callback)


class SearchPriority:
    """The number of searches that are running. For any thread.

    Python runs one thread at a time, each for 5 ms. A search releases the interpreter a hundred
    times, at each row that SQLite reads, and would wait for the index thread as often.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._answers = 0
        self._asked = 0
        """Number of those that somebody asked for."""
        self._idle = threading.Event()
        self._idle.set()
        self._free_until = 0.0
        self._ended = -math.inf

    @contextlib.contextmanager
    def answering(self, *, is_automatic: bool = False) -> Iterator[None]:
        """Inside, background work pauses. After a search that somebody asked for, work without
        haste waits for a while, since a person may type on.
        """
        asked = int(not is_automatic)
        self._count(1, asked)
        try:
            yield
        finally:
            self._count(-1, -asked)

    def yield_to_search(self) -> None:
        """Wait until the answer is made, during at most half of the caller's time."""
        if self._idle.is_set():
            return
        began = self._clock()
        if began < self._free_until:
            # As long as it waited, the caller may work now, so that it gets half of the time.
            return
        self._idle.wait(_LONGEST_S)
        now = self._clock()
        self._free_until = now + (now - began)

    def until_rest(self, seconds: float = _TYPING_S) -> float:
        """Seconds for which work without haste waits: until a person has not typed for so long."""
        if self._asked:
            return seconds
        return max(0.0, self._ended + seconds - self._clock())

    def _count(self, change: int, asked: int) -> None:
        with self._lock:
            # Several threads answer at once; the last one that is done ends the pause.
            self._answers += change
            self._asked += asked
            if asked and not self._asked:
                self._ended = self._clock()
            if self._answers:
                self._idle.clear()
            else:
                self._idle.set()


class YieldingCancelToken(CancelToken):
    """A token that pauses work for searches wherever the work checks for cancellation."""

    def __init__(self, priority: SearchPriority) -> None:
        super().__init__()
        self._priority = priority

    def check(self) -> None:
        """Raise Cancelled once the owner has cancelled; wait for a search otherwise."""
        # The wait for a search may have been long enough for a cancel.
        super().check()
        self._priority.yield_to_search()
        super().check()


class TimeLimit(CancelToken):
    """Cancels work that takes longer than a number of seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._until = time.monotonic() + seconds

    def check(self) -> None:
        """Raise Cancelled once the time is over."""
        if time.monotonic() > self._until:
            raise Cancelled
