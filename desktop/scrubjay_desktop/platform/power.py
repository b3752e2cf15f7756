"""Whether the computer runs on its battery."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path
from typing import Protocol

_SUPPLIES = Path("/sys/class/power_supply")
_ON_BATTERY = 0
"""ACLineStatus of Windows' SYSTEM_POWER_STATUS; 1 is mains, 255 unknown."""


class Power(Protocol):
    """Reads the power source on request; it does not poll."""

    def is_on_battery(self) -> bool:
        """True while no mains are connected; False also when that is unknown."""


class LinuxPower:
    """Reads the power supplies of the kernel."""

    def __init__(self, supplies: Path = _SUPPLIES) -> None:
        self._supplies = supplies

    def is_on_battery(self) -> bool:
        """True when a battery is discharging and no mains are there."""
        try:
            kinds = [(_word(supply / "type"), supply) for supply in self._supplies.iterdir()]
        except OSError:
            return False
        mains = [supply for kind, supply in kinds if kind in ("Mains", "USB")]
        if any(_word(supply / "online") == "1" for supply in mains):
            return False
        # A wireless mouse has a battery too, which says nothing about the computer.
        batteries = [
            supply
            for kind, supply in kinds
            if kind == "Battery" and _word(supply / "scope") != "Device"
        ]
        return any(_word(supply / "status") == "Discharging" for supply in batteries)


class WindowsPower:
    """Asks kernel32."""

    def is_on_battery(self) -> bool:
        """True when Windows says that no mains are connected."""
        status = (ctypes.c_byte * 12)()
        library = ctypes.CDLL("kernel32.dll")
        return bool(library.GetSystemPowerStatus(status)) and status[0] == _ON_BATTERY


class MacPower:
    """Asks `pmset`, which every macOS has."""

    def is_on_battery(self) -> bool:
        """True when power is drawn from the battery."""
        try:
            result = subprocess.run(
                ["/usr/bin/pmset", "-g", "batt"], capture_output=True, text=True, timeout=5
            )
        except (OSError, subprocess.SubprocessError):
            return False
        return "'Battery Power'" in result.stdout


def power_here() -> Power:
    """The way to ask on this platform."""
    if sys.platform == "win32":
        return WindowsPower()
    return MacPower() if sys.platform == "darwin" else LinuxPower()


def _word(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
