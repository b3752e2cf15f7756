"""Where the power comes from, as psutil tells it on Windows and macOS."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from scrubjay.platform.power import is_on_battery


@pytest.mark.parametrize("platform", ["darwin", "win32"])
@pytest.mark.parametrize(
    ("battery", "expected"),
    [
        (None, False),
        (SimpleNamespace(power_plugged=True), False),
        (SimpleNamespace(power_plugged=None), False),
        (SimpleNamespace(power_plugged=False), True),
    ],
)
def test_other_platforms_say_whether_mains_are_connected(
    monkeypatch: pytest.MonkeyPatch, platform: str, battery: object, *, expected: bool
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(psutil, "sensors_battery", lambda: battery, raising=False)
    assert is_on_battery() is expected


@pytest.mark.needs("Linux")
@pytest.mark.parametrize(
    ("supplies", "expected"),
    [
        ({}, False),
        ({"BAT0": {"type": "Battery", "status": "Discharging"}}, True),
        ({"BAT0": {"type": "Battery", "status": "Charging"}}, False),
        (
            {
                "BAT0": {"type": "Battery", "status": "Discharging"},
                "AC": {"type": "Mains", "online": "1"},
            },
            False,
        ),
        (
            {
                "BAT0": {"type": "Battery", "status": "Discharging"},
                "AC": {"type": "Mains", "online": "0"},
            },
            True,
        ),
        ({"mouse": {"type": "Battery", "status": "Discharging", "scope": "Device"}}, False),
    ],
)
def test_linux_tells_where_the_power_comes_from(tmp_path: Path, supplies, expected) -> None:
    for name, facts in supplies.items():
        (tmp_path / name).mkdir()
        for fact, value in facts.items():
            (tmp_path / name / fact).write_text(f"{value}\n")
    assert is_on_battery(tmp_path) is expected
    assert is_on_battery(tmp_path / "nowhere") is False


def test_a_battery_that_cannot_be_read_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "BAT0").mkdir()
    assert is_on_battery(tmp_path) is False
