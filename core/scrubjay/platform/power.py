"""Whether the computer runs on its battery.

On a Mac, psutil asks IOPSCopyPowerSourcesInfo of IOKit
(https://developer.apple.com/documentation/iokit/1523839-iopscopypowersourcesinfo).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

SUPPLIES = Path("/sys/class/power_supply")
"""Folder in which Linux lists batteries and mains."""

IsOnBattery = Callable[[], bool]


def is_on_battery(supplies: Path = SUPPLIES) -> bool:
    """True while no mains are connected; False also when that is unknown. Reads, does not poll."""
    match sys.platform:
        case "linux":
            return _supplies_are_used_up(supplies)
        case _:
            # Imported late: Linux does without it.
            import psutil

            battery = psutil.sensors_battery()
            return battery is not None and battery.power_plugged is False


def _supplies_are_used_up(supplies: Path) -> bool:
    """Whether Linux lists a battery that is being discharged, and no mains.

    psutil takes the battery of a wireless mouse for that of the computer.
    """
    try:
        kinds = [(_word(supply / "type"), supply) for supply in supplies.iterdir()]
    except OSError:
        return False
    mains = [supply for kind, supply in kinds if kind in ("Mains", "USB")]
    if any(_word(supply / "online") == "1" for supply in mains):
        return False
    return any(
        _word(supply / "status") == "Discharging"
        for kind, supply in kinds
        if kind == "Battery" and _word(supply / "scope") != "Device"
    )


def _word(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
