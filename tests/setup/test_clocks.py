"""The time zone of a run of all tests."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable, Iterator

import pytest

from support.clocks import zone_without_midnight

pytestmark = pytest.mark.skipif(not hasattr(time, "tzset"), reason="only POSIX changes the zone")


@pytest.fixture
def set_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Sets the zone of this process until the end of the test."""

    def set_it(zone: str) -> None:
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    yield set_it
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("zone", "moment", "is_other"),
    [
        ("Europe/Berlin", "2026-11-27T12:00+01:00", False),
        ("Europe/Berlin", "2026-11-27T23:59+01:00", True),
        ("Europe/Berlin", "2026-11-28T00:30+01:00", True),
        ("Europe/Berlin", "2026-10-25T03:30+01:00", True),
        ("Europe/Berlin", "2027-03-28T03:30+02:00", True),
        ("Pacific/Kiritimati", "2026-11-27T12:00+14:00", False),
        ("America/St_Johns", "2026-11-27T21:00-03:30", True),
        ("Asia/Kathmandu", "2026-11-27T02:00+05:45", True),
    ],
)
def test_all_of_a_run_happens_on_one_day(
    set_zone: Callable[[str], None], zone: str, moment: str, is_other: bool
) -> None:
    set_zone(zone)
    now = dt.datetime.fromisoformat(moment)
    if now.astimezone().utcoffset() != now.utcoffset():
        pytest.skip(f"this system does not know {zone}, as tzdata is not installed")
    other = zone_without_midnight(now)
    assert bool(other) == is_other
    set_zone(other or zone)
    local = now.astimezone()
    assert 3 <= local.hour < 20
    for hours in (-3, 3):
        later = (now + dt.timedelta(hours=hours)).astimezone()
        assert (later.date(), later.utcoffset()) == (local.date(), local.utcoffset())
