"""Delayed calls, all on one thread, which can be cancelled.

A debounce makes a call when there are no further changes.
"""

from __future__ import annotations

import contextlib
import logging
import sched
import threading
import time
from collections.abc import Callable

from msgspec import Struct

from scrubjay.concurrency.thread_pool import SerialQueue

log = logging.getLogger(__name__)

_LONGEST_WAIT = 5
"""Factor of a debounce after which changes are due even if more keep coming."""


class ScheduledCall:
    """A call that is due later."""

    def __init__(self, scheduler: sched.scheduler, event: sched.Event | None) -> None:
        self._scheduler = scheduler
        self._event = event

    def cancel(self) -> None:
        """Cancel the call; too late once it has begun."""
        if self._event:
            with contextlib.suppress(ValueError):  # it was made, or cancelled before
                self._scheduler.cancel(self._event)


class Timers:
    """Makes calls when they are due. For any thread. Idle while no call is waiting."""

    def __init__(self) -> None:
        self._scheduler = sched.scheduler(time.monotonic)
        self._changed = threading.Event()
        self._lock = threading.Lock()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="scrubjay-timers", daemon=True)

    def after(self, seconds: float, call: Callable[[], object]) -> ScheduledCall:
        """Call in so many seconds, on the thread of all timers: the call must be quick."""
        with self._lock:
            if self._is_closed:
                return ScheduledCall(self._scheduler, None)
            event = self._scheduler.enter(seconds, 0, action=self._fire, argument=(call,))
            # The thread starts with the first call, so that many processes have none.
            if self._thread.ident is None:
                self._thread.start()
        # It may wait for a later call than this one.
        self._changed.set()
        return ScheduledCall(self._scheduler, event)

    def close(self) -> None:
        """Cancel all calls and end the thread."""
        with self._lock:
            self._is_closed = True
        self._changed.set()
        # A call may close the timers itself, and cannot wait for its own end.
        if self._thread.ident is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        """Make calls when they are due. On the thread of all timers."""
        while not self._is_closed:
            seconds_to_next = self._scheduler.run(blocking=False)
            self._changed.wait(seconds_to_next)
            self._changed.clear()

    def _fire(self, call: Callable[[], object]) -> None:
        """Make one call; its error is logged."""
        if self._is_closed:
            return
        try:
            call()
        except Exception:  # the other timers must still fire
            log.exception("A timer failed")


class DebounceTime(Struct):
    """The debounce time of all folders, which the settings may change at any time."""

    seconds: float
    """Seconds without a change after which those before it are due."""


class Debounce:
    """Waits until there are no further changes. For any thread."""

    def __init__(
        self, quiet: DebounceTime, timers: Timers, jobs: SerialQueue, due: Callable[[], None]
    ) -> None:
        """Due is a job for changes that are quiet."""
        self._quiet = quiet
        self._timers = timers
        self._jobs = jobs
        self._due = due
        self._lock = threading.Lock()
        self._first = 0.0
        self._last = 0.0
        self._is_timed = False
        """Whether a timer looks after the changes that wait."""

    def wait(self) -> None:
        """Wait from the change that was just noted, and from those before that wait already."""
        now = time.monotonic()
        with self._lock:
            if not self._is_timed:
                self._is_timed = True
                self._first = now
                self._timers.after(self._quiet.seconds, self._end_wait)
            self._last = now

    def _end_wait(self) -> None:
        """Submit the job if the changes are quiet; otherwise look again later."""
        with self._lock:
            # Quiet for long enough, but no later than some times the debounce after the first.
            latest = self._first + _LONGEST_WAIT * self._quiet.seconds
            wait = min(self._last + self._quiet.seconds, latest) - time.monotonic()
            if wait > 0:
                self._timers.after(wait, self._end_wait)
                return
            self._is_timed = False
        self._jobs.submit(self._due)
