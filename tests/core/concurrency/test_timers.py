"""Calls that are made later."""

from __future__ import annotations

import threading

import pytest

from scrubjay.concurrency.timers import Timers
from support.vault import TIMEOUT


@pytest.fixture
def timers():
    timers = Timers()
    yield timers
    timers.close()


def test_timers_fire_in_the_order_of_their_times(timers: Timers) -> None:
    fired: list[str] = []
    done = threading.Event()
    timers.after(0.6, done.set)
    timers.after(0.3, lambda: fired.append("second"))
    timers.after(0.0, lambda: fired.append("first"))
    assert done.wait(TIMEOUT)
    assert fired == ["first", "second"]


def test_a_timer_that_is_cancelled_does_not_fire(timers: Timers) -> None:
    fired: list[str] = []
    done = threading.Event()
    timers.after(0.3, lambda: fired.append("never")).cancel()
    timers.after(0.31, done.set)
    assert done.wait(TIMEOUT)
    assert fired == []


def test_a_timer_that_fails_does_not_stop_the_others(
    timers: Timers, caplog: pytest.LogCaptureFixture
) -> None:
    done = threading.Event()
    timers.after(0.0, lambda: 1 / 0)
    timers.after(0.01, done.set)
    assert done.wait(TIMEOUT)
    assert "ZeroDivisionError" in caplog.text


def test_after_closing_nothing_fires_and_no_thread_is_left(timers: Timers) -> None:
    fired: list[str] = []
    timers.after(3600, lambda: fired.append("never"))
    timers.close()
    timers.after(0.0, lambda: fired.append("never"))
    assert not [thread for thread in threading.enumerate() if thread.name == "scrubjay-timers"]
    assert fired == []
