"""Calls once a day at a time that the settings name, also when the computer slept over it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from scrubjay.concurrency.timers import Timer, Timers

_LOOK_AGAIN_S = 600.0
"""Alarms stand still while a computer sleeps, and the settings may change."""


class Nightly:
    """One call a day, on the thread of the alarms: it must be quick."""

    def __init__(
        self,
        alarms: Timers,
        at: Callable[[], str],
        call: Callable[[], object],
        now: Callable[[], dt.datetime] = lambda: dt.datetime.now().astimezone(),
    ) -> None:
        """At gives the time of day as `HH:MM`."""
        self._alarms = alarms
        self._at = at
        self._call = call
        self._now = now
        self._since = now()
        self._alarm: Timer | None = None

    def start(self) -> None:
        """From now on; a night that has passed is not made up for."""
        if self._alarm is None:
            self._since = self._now()
            self._wait()

    def look(self) -> None:
        """Call if the time has come since the last look."""
        now = self._now()
        if self._since < last_due(self._at(), now) <= now:
            self._call()
        self._since = now

    def _wait(self) -> None:
        now = self._now()
        due = last_due(self._at(), now) + dt.timedelta(days=1)
        seconds = max(1.0, (due - now).total_seconds())
        self._alarm = self._alarms.after(min(_LOOK_AGAIN_S, seconds), self._ring)

    def _ring(self) -> None:
        try:
            self.look()
        finally:
            self._wait()


def last_due(at: str, now: dt.datetime) -> dt.datetime:
    """The latest time of that name that is not in the future."""
    hour, minute = (int(part) for part in at.split(":"))
    today = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return today if today <= now else today - dt.timedelta(days=1)
