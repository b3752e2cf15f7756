"""The token that cancels work."""

from __future__ import annotations

import threading

import pytest

from scrubjay.concurrency.cancel import CancelToken, SearchPriority, YieldingCancelToken
from scrubjay.errors import Cancelled


def test_a_token_is_checked() -> None:
    token = CancelToken()
    token.check()
    assert not token.cancelled
    token.cancel()
    assert token.cancelled
    with pytest.raises(Cancelled):
        token.check()


def test_a_token_calls_back_inside_and_never_after() -> None:
    token, calls = CancelToken(), []
    with token.calling(lambda: calls.append("inside")):
        token.cancel()
    token.cancel()
    assert calls == ["inside"]
    with pytest.raises(Cancelled), token.calling(lambda: calls.append("late")):
        calls.append("never")
    assert calls == ["inside"]


class Clock:
    """Tells certain times one after the other, and how often it was asked."""

    def __init__(self, *times: float) -> None:
        self._times = times
        self.asked = 0

    def __call__(self) -> float:
        self.asked += 1
        return self._times[self.asked - 1]


def test_nobody_steps_aside_for_nothing() -> None:
    clock = Clock(10)
    priority = SearchPriority(clock)
    with priority.answering():
        pass
    YieldingCancelToken(priority).check()
    assert clock.asked == 1  # at the end of the answer


def test_half_of_the_time_is_left_to_other_work() -> None:
    # Aside from 10 to 14, therefore not before 18; then again.
    clock = Clock(10, 14, 15, 17, 18, 19, 20)
    priority = SearchPriority(clock)
    asked = []
    with priority.answering():
        for _ in range(4):
            priority.yield_to_search()
            asked.append(clock.asked)
    assert asked == [2, 3, 4, 6]


def test_work_without_haste_waits_until_typing_has_stopped() -> None:
    priority = SearchPriority(Clock(9, 10, 10.2, 11))
    assert not priority.until_rest()
    with priority.answering():
        assert priority.until_rest() == 0.5
    assert priority.until_rest() == pytest.approx(0.3)
    assert not priority.until_rest()


def test_a_search_that_nobody_asked_for_ends_no_rest() -> None:
    priority = SearchPriority()
    with priority.answering(is_automatic=True):
        assert not priority.until_rest()
    assert not priority.until_rest()
    with priority.answering(), priority.answering(is_automatic=True):
        assert priority.until_rest() == 0.5
    assert priority.until_rest()


def test_an_answer_that_ends_lets_others_go_on() -> None:
    priority = SearchPriority()
    token = YieldingCancelToken(priority)
    answering, done = threading.Event(), threading.Event()

    def answer() -> None:
        with priority.answering():
            answering.set()
        done.set()

    thread = threading.Thread(target=answer)
    thread.start()
    answering.wait()
    token.check()
    thread.join()
    assert done.is_set()


def test_what_is_called_off_does_not_wait() -> None:
    clock = Clock()
    token = YieldingCancelToken(SearchPriority(clock))
    token.cancel()
    with pytest.raises(Cancelled):
        token.check()
    assert clock.asked == 0
