"""Times of files, and ages of days in words."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator

import apsw
import pytest

from scrubjay.text.age import age_in_words, as_local, local_midnight, local_time

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


@pytest.fixture(params=["America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This computer is somewhere else."""
    if not hasattr(time, "tzset"):
        pytest.skip("the zone cannot be changed here")
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("year", [1677, 1883, 1900, 1960, 1969, 1970, 1971, 2037, 2038, 2100, 2262])
def test_a_time_is_on_the_day_that_the_index_counts(year: int, zone: None) -> None:
    db = apsw.Connection(":memory:")
    for month in (1, 7, 12):
        for hour in range(0, 24, 3):
            moment = dt.datetime(year, month, 1, hour, 30, tzinfo=dt.UTC)
            seconds = round(moment.timestamp())
            [[day]] = db.execute("select date(?, 'unixepoch', 'localtime')", (seconds,))
            if -(2**63) <= seconds * 10**9 < 2**63:
                assert local_time(seconds * 10**9).date().isoformat() == day


@pytest.mark.parametrize("year", [1, 1883, 1960, 1970, 2026, 2038, 3001, 9999])
def test_a_local_day_begins_at_midnight_in_each_year(year: int, zone: None) -> None:
    midnight = local_midnight(dt.date(year, 3, 12))
    assert midnight.replace(tzinfo=None) == dt.datetime(year, 3, 12)
    assert as_local(midnight.astimezone(dt.UTC)) == midnight


@pytest.mark.parametrize("moment", [dt.datetime.min, dt.datetime.max])
def test_the_ends_of_all_time_have_a_local_time(moment: dt.datetime, zone: None) -> None:
    assert as_local(moment).tzinfo is not None
    assert as_local(moment.replace(tzinfo=dt.UTC)).tzinfo is not None
