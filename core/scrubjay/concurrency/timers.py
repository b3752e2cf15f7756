"""Calls that are made later, on one thread for all of them, unless they are called off."""

from __future__ import annotations

import heapq
import itertools
import logging
import threading
import time
from collections.abc import Callable

log = logging.getLogger(__name__)

_FEW = 64
"""Alarms that were called off are not looked for among so few."""


class Timer:
    """One call that waits for its time."""

    def __init__(self, call: Callable[[], object]) -> None:
        self._call: Callable[[], object] | None = call

    def cancel(self) -> None:
        """Do not make the call; too late once it has begun."""
        self._call = None

    @property
    def is_off(self) -> bool:
        """True when it was called off."""
        return self._call is None

    def ring(self) -> None:
        """Make the call now, unless it was called off."""
        if (call := self._call) is not None:
            call()


class Timers:
    """Makes calls when their time has come. For any thread; idle while nothing waits."""

    def __init__(self) -> None:
        self._waiting: list[tuple[float, int, Timer]] = []
        self._many = _FEW
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="scrubjay-alarms", daemon=True)

    def after(self, seconds: float, call: Callable[[], object]) -> Timer:
        """Call in so many seconds, on the thread of all alarms: call must be quick."""
        alarm = Timer(call)
        with self._changed:
            if not self._is_closed:
                self._forget_what_is_off()
                when = time.monotonic() + seconds
                heapq.heappush(self._waiting, (when, next(self._numbers), alarm))
                if self._thread.ident is None:
                    self._thread.start()
                if self._waiting[0][2] is alarm:
                    self._changed.notify()
        return alarm

    def close(self) -> None:
        """Forget all calls and end the thread."""
        with self._changed:
            self._is_closed = True
            self._waiting.clear()
            self._changed.notify()
        if self._thread.ident is not None and self._thread is not threading.current_thread():
            self._thread.join()

    @property
    def waiting(self) -> int:
        """How many are kept; at most as many as will ring and once more that, or a few."""
        return len(self._waiting)

    def _forget_what_is_off(self) -> None:
        """Most alarms are called off long before their time, and would pile up until then."""
        if len(self._waiting) >= self._many:
            self._waiting = [one for one in self._waiting if not one[2].is_off]
            heapq.heapify(self._waiting)
            self._many = max(_FEW, 2 * len(self._waiting))

    def _run(self) -> None:
        while (alarm := self._next()) is not None:
            try:
                alarm.ring()
            except Exception:  # the other alarms must still ring
                log.exception("An alarm failed")

    def _next(self) -> Timer | None:
        """The alarm whose time has come, after waiting for it; None at the end."""
        with self._changed:
            while not self._is_closed:
                wait = self._waiting[0][0] - time.monotonic() if self._waiting else None
                if wait is not None and wait <= 0:
                    return heapq.heappop(self._waiting)[2]
                self._changed.wait(wait)
            return None
