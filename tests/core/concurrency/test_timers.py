"""Calls that are made later."""

from __future__ import annotations

import threading

import pytest

from scrubjay.concurrency.timers import Timers
from support.vault import TIMEOUT


@pytest.fixture
def alarms():
    made = Timers()
    yield made
    made.close()


def test_alarms_ring_in_the_order_of_their_times(alarms: Timers) -> None:
    rung: list[str] = []
    done = threading.Event()
    alarms.after(0.6, done.set)
    alarms.after(0.3, lambda: rung.append("second"))
    alarms.after(0.0, lambda: rung.append("first"))
    assert done.wait(TIMEOUT)
    assert rung == ["first", "second"]


def test_an_alarm_that_is_called_off_does_not_ring(alarms: Timers) -> None:
    rung: list[str] = []
    done = threading.Event()
    alarms.after(0.3, lambda: rung.append("never")).cancel()
    alarms.after(0.31, done.set)
    assert done.wait(TIMEOUT)
    assert rung == []


def test_an_alarm_that_fails_does_not_stop_the_others(
    alarms: Timers, caplog: pytest.LogCaptureFixture
) -> None:
    done = threading.Event()
    alarms.after(0.0, lambda: 1 / 0)
    alarms.after(0.01, done.set)
    assert done.wait(TIMEOUT)
    assert "ZeroDivisionError" in caplog.text


def test_after_closing_nothing_rings_and_no_thread_is_left(alarms: Timers) -> None:
    rung: list[str] = []
    alarms.after(3600, lambda: rung.append("never"))
    alarms.close()
    alarms.after(0.0, lambda: rung.append("never"))
    assert not [one for one in threading.enumerate() if one.name == "scrubjay-alarms"]
    assert rung == []


def test_alarms_that_were_called_off_are_not_kept(alarms: Timers) -> None:
    rung = threading.Event()
    for _ in range(1_000):
        alarms.after(3600, lambda: None).cancel()
    assert alarms.waiting < 100
    alarms.after(0.01, rung.set)
    assert rung.wait(TIMEOUT)


def test_alarms_that_will_ring_are_all_kept(alarms: Timers) -> None:
    for _ in range(200):
        alarms.after(3600, lambda: None)
        alarms.after(3600, lambda: None).cancel()
    assert 200 <= alarms.waiting <= 400
