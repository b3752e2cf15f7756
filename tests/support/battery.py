"""The battery of a computer, as Linux lists it."""

from __future__ import annotations

from pathlib import Path


def discharge(supplies: Path) -> Path:
    """The entry of a battery that is used up, in a new folder of power supplies."""
    battery = supplies / "BAT0"
    battery.mkdir(parents=True)
    (battery / "type").write_text("Battery\n")
    (battery / "status").write_text("Discharging\n")
    return battery
