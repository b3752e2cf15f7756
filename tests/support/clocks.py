"""Clocks that do not go by themselves."""

from __future__ import annotations

import datetime as dt

_MORNING, _EVENING = 3, 20
"""Hours between which a run of all tests neither begins just after midnight nor reaches it."""


class Clock:
    """A clock in seconds that stands until a test sets it."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def zone_without_midnight(now: dt.datetime) -> str:
    """A time zone in which it is noon; empty if the local day and its clocks last long enough.

    Tests that name today, yesterday or an hour ago would otherwise fail around midnight. The zone
    has the form of the variable TZ, so child processes have it too.
    """
    local = now.astimezone()
    hours = dt.timedelta(hours=3)
    near = [(now + distance).astimezone().utcoffset() for distance in (-hours, hours)]
    has_steady_clocks = near == [local.utcoffset()] * 2
    if has_steady_clocks and _MORNING <= local.hour < _EVENING:
        return ""
    # The sign is that of POSIX: the hours from the local time to UTC.
    return f"NOON{now.astimezone(dt.UTC).hour - 12}"
