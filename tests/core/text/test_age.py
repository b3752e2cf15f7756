"""Times of files, and ages of days in words."""

from __future__ import annotations

import datetime as dt

import pytest

from scrubjay.text.age import age_in_words, local_time

TODAY = dt.date(2026, 11, 27)


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (0, "today"),
        (1, "yesterday"),
        (-1, "tomorrow"),
        (2, "2 days ago"),
        (6, "6 days ago"),
        (7, "1 week ago"),
        (13, "1 week ago"),
        (14, "2 weeks ago"),
        (29, "4 weeks ago"),
        (30, "1 month ago"),
        (364, "12 months ago"),
        (365, "1 year ago"),
        (4000, "10 years ago"),
        (-3, "in 3 days"),
        (-8, "in 1 week"),
    ],
)
def test_an_age_is_told_in_its_largest_unit(days: int, words: str) -> None:
    assert age_in_words(TODAY - dt.timedelta(days=days), TODAY) == words


@pytest.mark.parametrize(
    ("nanoseconds", "moment"),
    [
        (1_500_000_000, dt.datetime(1970, 1, 1, 0, 0, 1, 500_000, tzinfo=dt.UTC)),
        (-1_000_000_000, dt.datetime(1969, 12, 31, 23, 59, 59, tzinfo=dt.UTC)),
        (-(2**63), dt.datetime(1677, 9, 21, 0, 12, 43, 145_224, tzinfo=dt.UTC)),
        (2**63 - 1, dt.datetime(2262, 4, 11, 23, 47, 16, 854_776, tzinfo=dt.UTC)),
    ],
)
def test_each_time_of_a_file_has_a_local_time(nanoseconds: int, moment: dt.datetime) -> None:
    assert local_time(nanoseconds).tzinfo is not None
    assert abs(local_time(nanoseconds) - moment) < dt.timedelta(milliseconds=1)
