"""Work once a night, at a time of day that the settings name."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Protocol

from scrubjay.concurrency.timers import ScheduledCall, Timers

_RECHECK_S = 600.0
"""Seconds between two looks at the clock: timers stand still while a computer sleeps, and the
settings may change."""


class NightlyJob(Protocol):
    """Work that starts once a night."""

    @property
    def time_of_day(self) -> str:
        """Time as `HH:MM`, which the settings may change."""

    def run_nightly(self) -> object:
        """Begin the work, and return at once."""


class NightlySchedule:
    """Starts work once a night on the timer thread, even after the computer slept."""

    def __init__(
        self,
        timers: Timers,
        work: NightlyJob,
        clock: Callable[[], dt.datetime] = lambda: dt.datetime.now().astimezone(),
    ) -> None:
        self._timers = timers
        self._work = work
        self._clock = clock
        self._checked_at = clock()
        self._timer: ScheduledCall | None = None

    @property
    def is_running(self) -> bool:
        """True once it was started."""
        return self._timer is not None

    def start(self) -> None:
        """Begin it from now on; for a night that has passed, nothing is made up."""
        if self._timer is None:
            self._checked_at = self._clock()
            self._wait()

    def check(self) -> None:
        """Begin it if the time has come since the last check."""
        # After a sleep the moment may be long past, and is noticed all the same.
        now = self._clock()
        if self._checked_at < last_due(self._work.time_of_day, now) <= now:
            self._work.run_nightly()
        self._checked_at = now

    def _wait(self) -> None:
        now = self._clock()
        due = last_due(self._work.time_of_day, now) + dt.timedelta(days=1)
        seconds = max(1.0, (due - now).total_seconds())
        self._timer = self._timers.after(min(_RECHECK_S, seconds), self._on_timer)

    def _on_timer(self) -> None:
        self._wait()
        self.check()


def last_due(at: str, now: dt.datetime) -> dt.datetime:
    """The latest moment with a time of day `HH:MM` that is not in the future."""
    hour, minute = (int(part) for part in at.split(":"))
    today = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    if today <= now:
        return today
    return today - dt.timedelta(days=1)
