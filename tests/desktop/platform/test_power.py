"""Where the power comes from, as Windows and macOS tell it."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest

from scrubjay_desktop.platform.power import LinuxPower, MacPower, WindowsPower, power_here

ON_MAINS = "Now drawing from 'AC Power'\n -InternalBattery-0 (id=1)\t100%; charged;\n"
ON_BATTERY = "Now drawing from 'Battery Power'\n -InternalBattery-0 (id=1)\t61%; discharging;\n"


@pytest.mark.parametrize(("answer", "is_on_battery"), [(ON_MAINS, False), (ON_BATTERY, True)])
def test_macos_names_the_source(
    monkeypatch: pytest.MonkeyPatch, answer: str, *, is_on_battery: bool
) -> None:
    done = subprocess.CompletedProcess(["pmset"], 0, stdout=answer, stderr="")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: done)
    assert MacPower().is_on_battery() is is_on_battery


def test_a_mac_that_does_not_answer_is_not_on_battery(monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(*_: object, **__: object) -> None:
        raise subprocess.TimeoutExpired("pmset", 5)

    monkeypatch.setattr(subprocess, "run", hang)
    assert MacPower().is_on_battery() is False


@pytest.mark.parametrize(
    ("success", "line_status", "is_on_battery"),
    [(1, 0, True), (1, 1, False), (1, -1, False), (0, 0, False)],
)
def test_windows_says_whether_mains_are_connected(
    monkeypatch: pytest.MonkeyPatch, success: int, line_status: int, *, is_on_battery: bool
) -> None:
    class Kernel32:
        def GetSystemPowerStatus(self, status: ctypes.Array[ctypes.c_byte]) -> int:
            status[0] = line_status
            return success

    monkeypatch.setattr(ctypes, "CDLL", lambda _: Kernel32())
    assert WindowsPower().is_on_battery() is is_on_battery


@pytest.mark.parametrize(
    ("platform", "kind"), [("linux", LinuxPower), ("darwin", MacPower), ("win32", WindowsPower)]
)
def test_each_platform_has_its_own_way(
    monkeypatch: pytest.MonkeyPatch, platform: str, kind: type
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert isinstance(power_here(), kind)


def test_a_battery_that_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "BAT0").mkdir()
    assert LinuxPower(tmp_path).is_on_battery() is False
