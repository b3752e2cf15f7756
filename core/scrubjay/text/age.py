"""Times of files, and the ages of days in words."""

from __future__ import annotations

import datetime as dt

_UNITS = ((365, "year"), (30, "month"), (7, "week"), (1, "day"))
"""Days of each unit, the longest first; a month and a year are meant roughly."""


_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def local_time(nanoseconds: int) -> dt.datetime:
    """A time in nanoseconds since 1970 or before it, local with zone."""
    moment = _EPOCH + dt.timedelta(seconds=nanoseconds / 1e9)
    # Windows has no local time before 1970.
    try:
        return moment.astimezone()
    except OSError:
        return moment


def age_in_words(day: dt.date, today: dt.date) -> str:
    """The time between a day and today in its largest unit, such as `3 days ago` or `in 2 weeks`.

    Whole units only: 13 days are one week.
    """
    days = (today - day).days
    if days in (0, 1, -1):
        return {0: "today", 1: "yesterday", -1: "tomorrow"}[days]
    # The longest unit that fits at least once.
    length, unit = next(each for each in _UNITS if each[0] <= abs(days))
    count = abs(days) // length
    words = f"{count} {unit}s"
    if count == 1:
        words = f"1 {unit}"
    if days < 0:
        return f"in {words}"
    return f"{words} ago"
