"""Work that never ends is left behind, and its caller goes on."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimedOut, IoTimeout, IoTimeouts
from scrubjay.errors import Cancelled
from support.vault import TIMEOUT
from support.waiting import wait_until

SHORT_S = 0.05


@pytest.fixture
def hanging(tmp_path: Path) -> Iterator[Callable[[], int]]:
    """Opening a pipe that nobody writes to: a call of the system that does not come back."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    begun: list[Path] = []
    opened: list[int] = []

    def hang() -> int:
        begun.append(pipe)
        opened.append(os.open(pipe, os.O_RDONLY))
        return opened[-1]

    yield hang
    writer = os.open(pipe, os.O_RDWR)  # lets everybody go who still waits
    wait_until(lambda: len(opened) == len(begun))
    os.close(writer)
    for handle in opened:
        os.close(handle)


def test_what_answers_is_handed_on_whatever_it_is() -> None:
    patience = IoTimeout()
    assert patience.call(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        patience.call(lambda: 1 // 0)
    names = {patience.call(threading.get_ident) for _ in range(3)}
    assert len(names) == 1
    assert threading.get_ident() not in names


def test_what_hangs_is_left_behind_and_the_next_call_answers(hanging) -> None:
    patience = IoTimeout(SHORT_S)
    with pytest.raises(IoTimedOut):
        patience.call(hanging)
    assert patience.call(lambda: "fine") == "fine"


def test_when_too_much_hangs_nothing_is_tried_until_it_answers(hanging, tmp_path: Path) -> None:
    patience = IoTimeout(SHORT_S)
    while not patience.is_exhausted:
        with pytest.raises(IoTimedOut):
            patience.call(hanging)
    tried: list[int] = []
    with pytest.raises(IoTimedOut):
        patience.call(lambda: tried.append(1))
    assert tried == []
    writer = os.open(tmp_path / "pipe", os.O_RDWR)
    wait_until(lambda: not patience.is_exhausted)
    assert patience.call(lambda: "again") == "again"
    os.close(writer)


def test_one_drive_that_hangs_does_not_concern_the_others(hanging) -> None:
    drives = IoTimeouts(SHORT_S)
    while not drives["away"].is_exhausted:
        with pytest.raises(IoTimedOut):
            drives["away"].call(hanging)
    assert drives["here"].call(lambda: "fine") == "fine"


def test_a_call_is_given_up_when_nobody_wants_it_any_more(hanging) -> None:
    cancel = CancelToken()
    asked = threading.Event()

    def hang() -> int:
        asked.set()
        return int(hanging())

    def give_up() -> None:
        asked.wait(TIMEOUT)
        cancel.cancel()

    threading.Thread(target=give_up).start()
    with pytest.raises(Cancelled):
        IoTimeout(TIMEOUT).call(hang, cancel)


def test_work_that_goes_on_is_waited_for() -> None:
    seen = iter(range(4))
    done = threading.Event()

    def pulse() -> int | None:
        beat = next(seen, None)
        if beat is None:
            done.set()
        return beat

    assert IoTimeout(SHORT_S).call(lambda: done.wait(TIMEOUT), pulse=pulse)


def test_what_waited_behind_another_call_is_not_begun_after_its_caller_went_on() -> None:
    patience, threads = IoTimeout(SHORT_S), list[threading.Thread]()
    begun, may_end = threading.Event(), threading.Event()
    late: list[str] = []

    def slow() -> None:
        threads.append(threading.current_thread())
        begun.set()
        may_end.wait(TIMEOUT)

    beats = itertools.count()
    first = threading.Thread(target=lambda: patience.call(slow, pulse=lambda: next(beats)))
    first.start()
    assert begun.wait(TIMEOUT)
    with pytest.raises(IoTimedOut):
        patience.call(lambda: late.append("begun"))
    may_end.set()
    first.join(TIMEOUT)
    threads[0].join(TIMEOUT)
    assert not threads[0].is_alive()
    assert late == []
