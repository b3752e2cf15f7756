"""Work that nobody waits for steps aside while somebody waits for an answer."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

from scrubjay.concurrency.cancel import CancelToken

_LONGEST_S = 0.05
"""Longer than nearly every search; one that takes longer does not hold up indexing."""


class SearchPriority:
    """Knows whether an answer is being made. For any thread.

    Python runs one thread at a time, each for 5 ms. A search gives its turn away a hundred times,
    at each row that SQLite reads, and would wait for the index thread as often.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._answers = 0
        self._idle = threading.Event()
        self._idle.set()
        self._free_until = 0.0

    @contextlib.contextmanager
    def answering(self) -> Iterator[None]:
        """Inside, others step aside."""
        self._count(1)
        try:
            yield
        finally:
            self._count(-1)

    def yield_to_search(self) -> None:
        """Wait for the answer that is being made; at most half of the time is spent so."""
        if self._idle.is_set():
            return
        began = self._clock()
        if began < self._free_until:
            return
        self._idle.wait(_LONGEST_S)
        now = self._clock()
        self._free_until = now + (now - began)

    def _count(self, change: int) -> None:
        with self._lock:
            self._answers += change
            if self._answers:
                self._idle.clear()
            else:
                self._idle.set()


class YieldingCancelToken(CancelToken):
    """Steps aside wherever work looks whether it is still wanted."""

    def __init__(self, courtesy: SearchPriority) -> None:
        super().__init__()
        self._courtesy = courtesy

    def check(self) -> None:
        """Raise Cancelled if the caller has lost interest; wait for an answer otherwise."""
        super().check()
        self._courtesy.yield_to_search()
        super().check()
