"""Once a day, at the time that the settings name."""

from __future__ import annotations

import datetime as dt
import threading

import pytest

from scrubjay.agents.dreaming.nightly_schedule import NightlySchedule, last_due
from scrubjay.concurrency.timers import Timers
from support.vault import TIMEOUT


class Clock:
    """A clock that stands until it is set."""

    def __init__(self, text: str) -> None:
        self.now = dt.datetime.fromisoformat(text).astimezone()

    def __call__(self) -> dt.datetime:
        return self.now


class Work:
    """Work of the night at three, which counts how often it was begun."""

    time_of_day = "03:00"

    def __init__(self) -> None:
        self.runs = 0
        self.has_run = threading.Event()

    def run_nightly(self) -> None:
        self.runs += 1
        self.has_run.set()


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
    clock = Clock("2026-11-20 22:00")
    work = Work()
    schedule = NightlySchedule(Timers(), work, clock)
    runs = []
    for now in ("2026-11-21 02:59", "2026-11-21 07:30", "2026-11-21 07:40", "2026-11-21 23:00"):
        clock.now = Clock(now)()
        schedule.check()
        runs.append(work.runs)
    assert runs == [0, 1, 1, 1]
    clock.now = Clock("2026-11-24 12:00")()
    schedule.check()
    schedule.check()
    assert work.runs == 2


def test_a_start_after_the_time_waits_for_the_next_night() -> None:
    clock = Clock("2026-11-20 22:00")
    work = Work()
    timers = Timers()
    schedule = NightlySchedule(timers, work, clock)
    clock.now = Clock("2026-11-21 09:00")()
    schedule.start()
    schedule.check()
    timers.close()
    assert work.runs == 0


def test_the_timer_fires_at_the_time() -> None:
    start = Clock("2026-11-21 02:59:59")()
    began = dt.datetime.now().astimezone()
    timers = Timers()
    work = Work()
    schedule = NightlySchedule(
        timers, work, lambda: start + (dt.datetime.now().astimezone() - began)
    )
    schedule.start()
    assert work.has_run.wait(TIMEOUT)
    timers.close()
