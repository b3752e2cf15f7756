"""Work that never ends is left behind, and its caller goes on."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimedOut, IoTimeout, IoTimeouts
from scrubjay.errors import Cancelled
from support import platforms
from support.vault import TIMEOUT
from support.waiting import wait_until

SHORT_S = 0.05


@pytest.fixture
def hanging(tmp_path: Path) -> Iterator[Callable[[], int]]:
    """Opening a pipe that nobody writes to: a call of the system that does not come back."""
    platforms.require("named pipes")
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
    drive = IoTimeout()
    assert drive.call(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        drive.call(lambda: 1 // 0)
    names = {drive.call(threading.get_ident) for _ in range(3)}
    assert len(names) <= 2
    assert threading.get_ident() not in names


def test_what_hangs_is_left_behind_and_the_next_call_answers(hanging) -> None:
    drive = IoTimeout(SHORT_S)
    with pytest.raises(IoTimedOut):
        drive.call(hanging)
    assert drive.call(lambda: "fine") == "fine"


def test_when_too_much_hangs_nothing_is_tried_until_it_answers(hanging, tmp_path: Path) -> None:
    drive = IoTimeout(SHORT_S)
    while not drive.is_exhausted:
        with pytest.raises(IoTimedOut):
            drive.call(hanging)
    tried: list[int] = []
    with pytest.raises(IoTimedOut):
        drive.call(lambda: tried.append(1))
    assert tried == []
    writer = os.open(tmp_path / "pipe", os.O_RDWR)
    wait_until(lambda: not drive.is_exhausted)
    assert drive.call(lambda: "again") == "again"
    os.close(writer)


def test_one_drive_that_hangs_does_not_concern_the_others(hanging) -> None:
    drives = IoTimeouts(SHORT_S)
    while not drives[Path("away")].is_exhausted:
        with pytest.raises(IoTimedOut):
            drives[Path("away")].call(hanging)
    assert drives[Path("here")].call(lambda: "fine") == "fine"


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

    def progress() -> int | None:
        beat = next(seen, None)
        if beat is None:
            done.set()
        return beat

    assert IoTimeout(SHORT_S).call(lambda: done.wait(TIMEOUT), progress=progress)


def test_calls_to_one_drive_do_not_wait_for_one_another() -> None:
    drive, gate = IoTimeout(TIMEOUT), threading.Barrier(2)
    other = threading.Thread(target=lambda: drive.call(gate.wait))
    other.start()
    drive.call(lambda: gate.wait(TIMEOUT))
    other.join(TIMEOUT)
    assert not other.is_alive()
