"""Once a day, at the time that the settings name."""

from __future__ import annotations

import datetime as dt
import threading

import pytest

from scrubjay.agents.dreaming.dreaming import NightlySchedule, last_due
from scrubjay.concurrency.timers import Timers
from support.vault import TIMEOUT


class Clock:
    """A clock that stands until it is set."""

    def __init__(self, text: str) -> None:
        self.now = dt.datetime.fromisoformat(text).astimezone()

    def __call__(self) -> dt.datetime:
        return self.now


@pytest.mark.parametrize(
    ("now", "due"),
    [
        ("2026-11-21 02:59", "2026-11-20 03:00"),
        ("2026-11-21 03:00", "2026-11-21 03:00"),
        ("2026-11-21 23:59", "2026-11-21 03:00"),
    ],
)
def test_the_last_time_that_it_was_due(now: str, due: str) -> None:
    assert last_due("3:00", Clock(now)()) == Clock(due)()


def test_a_night_calls_once_also_after_the_computer_slept() -> None:
    clock, calls = Clock("2026-11-20 22:00"), []
    schedule = NightlySchedule(Timers(), lambda: "03:00", lambda: calls.append(clock.now), clock)
    for now in ("2026-11-21 02:59", "2026-11-21 07:30", "2026-11-21 07:40", "2026-11-21 23:00"):
        clock.now = Clock(now)()
        schedule.check()
    assert [call.hour for call in calls] == [7]
    clock.now = Clock("2026-11-24 12:00")()
    schedule.check()
    schedule.check()
    assert len(calls) == 2


def test_a_start_after_the_time_waits_for_the_next_night() -> None:
    clock, calls = Clock("2026-11-20 22:00"), []
    timers = Timers()
    schedule = NightlySchedule(timers, lambda: "03:00", lambda: calls.append(1), clock)
    clock.now = Clock("2026-11-21 09:00")()
    schedule.start()
    schedule.check()
    timers.close()
    assert calls == []


def test_the_timer_fires_at_the_time() -> None:
    start = Clock("2026-11-21 02:59:59")()
    began = dt.datetime.now().astimezone()
    timers, rang = Timers(), threading.Event()
    schedule = NightlySchedule(
        timers, lambda: "03:00", rang.set, lambda: start + (dt.datetime.now().astimezone() - began)
    )
    schedule.start()
    assert rang.wait(TIMEOUT)
    timers.close()
