"""Times of files, and the ages of days in words."""

from __future__ import annotations

import datetime as dt

_UNITS = ((365, "year"), (30, "month"), (7, "week"), (1, "day"))
"""Days of each unit, the longest first; a month and a year are meant roughly."""


_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)

_FIRST = dt.datetime(1970, 1, 3)
"""Start of the times whose offset from UTC every system knows; Windows has none before it."""
_AFTER = dt.datetime(2038, 1, 1)
"""End of these times."""
_SIMILAR = 2000
"""Year that stands for others, with the three after it, as in SQLite, which counts days too."""


def local_time(nanoseconds: float) -> dt.datetime:
    """A time in nanoseconds since 1970 or before it, local with zone. Raises OverflowError."""
    return as_local(utc_time(nanoseconds / 1e9))


def utc_time(seconds: float) -> dt.datetime:
    """A time in seconds since 1970 or before it. Raises OverflowError or ValueError.

    Beyond the years that Windows knows, it is right on every system.
    """
    return _EPOCH + dt.timedelta(seconds=seconds)


def as_local(moment: dt.datetime) -> dt.datetime:
    """A moment in the zone of this computer; without a zone it counts as local already.

    The offset from UTC of a year that not every system knows is that of a similar year.
    """
    if _FIRST <= moment.replace(tzinfo=None) < _AFTER:
        return moment.astimezone()
    similar = moment.replace(year=_SIMILAR + moment.year % 4)
    zone = similar.astimezone().tzinfo
    if moment.tzinfo is None:
        return moment.replace(tzinfo=zone)
    # The first and the last day of all years have no other zone.
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return moment


def local_midnight(day: dt.date) -> dt.datetime:
    """The local time at which a day begins."""
    return as_local(dt.datetime.combine(day, dt.time.min))


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
