"""Which file systems a program serves, told without asking them, and a look at them."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from concurrent.futures import Future, wait
from pathlib import Path

import pytest

from scrubjay.concurrency.io_timeout import DriveProbe, is_served_by_a_program
from scrubjay.concurrency.thread_pool import DaemonThreadPool
from support import platforms
from support.hanging_drive import EVERYTHING, HangingDrive, hanging_drive
from support.vault import TIMEOUT
from support.waiting import wait_until


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    platforms.require("odd names")
    folder = tmp_path / "a drive \\ (ñ)"
    folder.mkdir()
    return folder


@pytest.fixture
def drive(folder: Path) -> Iterator[HangingDrive]:
    """It hangs from the beginning."""
    stack = contextlib.ExitStack()
    try:
        made = stack.enter_context(hanging_drive(folder, {"note.md": "All about tea.\n"}))
    except OSError as error:
        pytest.skip(f"no drive can be mounted here: {error}")
    with stack:
        made.hanging = {EVERYTHING}
        yield made


def asked(probe: DriveProbe) -> Future[None]:
    return DaemonThreadPool("probe").submit(probe.wait)


def test_a_drive_is_known_by_its_path_and_by_links_to_it(
    drive: HangingDrive, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(folder)
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "link").symlink_to("../link/inside")
    for place in (folder, folder / "x" / "y", tmp_path / "link", tmp_path / "deep/link/z"):
        assert is_served_by_a_program(place), place
    assert not drive.asked.is_set()


def test_other_places_are_served_by_the_kernel(drive: HangingDrive, tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    for place in (tmp_path, tmp_path / "not there", tmp_path / "loop" / "x", Path("/")):
        assert not is_served_by_a_program(place), place


def test_a_look_ends_when_the_drive_answers(drive: HangingDrive, folder: Path) -> None:
    probe = DriveProbe(folder)
    looks = [asked(probe) for _ in range(3)]
    assert drive.asked.wait(TIMEOUT)
    assert not any(look.done() for look in looks)
    wait_until(lambda: probe.is_silent(0.1))
    drive.release()
    assert not wait(looks, TIMEOUT).not_done
    assert not probe.is_silent(0.0)


def test_a_drive_that_has_just_answered_is_not_looked_at_again(
    drive: HangingDrive, folder: Path
) -> None:
    drive.release()
    probe = DriveProbe(folder)
    probe.wait()
    drive.hanging = {EVERYTHING}
    began = time.monotonic()
    asked(probe).result(TIMEOUT)
    assert time.monotonic() - began < TIMEOUT


def test_a_place_on_a_disk_is_not_looked_at(tmp_path: Path) -> None:
    probe = DriveProbe(tmp_path / "not there")
    probe.wait()
    assert not probe.is_silent(0.0)
