"""Ages of days in words."""

from __future__ import annotations

import datetime as dt

import pytest

from scrubjay.text.age import age_in_words

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
