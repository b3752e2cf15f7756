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
    """Asks the system when it is asked, and never by itself."""

    def is_on_battery(self) -> bool:
        """True while no mains are connected; False also where nobody can tell."""


class LinuxPower:
    """Reads what the kernel says."""

    def __init__(self, supplies: Path = _SUPPLIES) -> None:
        self._supplies = supplies

    def is_on_battery(self) -> bool:
        """True when a battery is discharging and no mains are there."""
        try:
            kinds = [(_word(one / "type"), one) for one in self._supplies.iterdir()]
        except OSError:
            return False
        mains = [one for kind, one in kinds if kind in ("Mains", "USB")]
        if any(_word(one / "online") == "1" for one in mains):
            return False
        # A wireless mouse has a battery too, which says nothing about the computer.
        batteries = [
            one for kind, one in kinds if kind == "Battery" and _word(one / "scope") != "Device"
        ]
        return any(_word(one / "status") == "Discharging" for one in batteries)


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
        """True when the battery is what power is drawn from."""
        try:
            asked = subprocess.run(
                ["/usr/bin/pmset", "-g", "batt"], capture_output=True, text=True, timeout=5
            )
        except (OSError, subprocess.SubprocessError):
            return False
        return "'Battery Power'" in asked.stdout


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
