"""The file with which Linux desktops start Scrubjay when a person logs in."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

from scrubjay.platform.paths import HOME_VARIABLE, chosen_home

FILE_NAME = "org.scrubjay.Scrubjay.desktop"
"""Name of the entry, the same as that of the program in menus."""


def autostart_entry(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Path of the entry, whether it exists or not; None where the system has no such files."""
    if not sys.platform.startswith("linux"):
        return None
    config = environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(config) / "autostart" / FILE_NAME


def own_autostart_entry(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Path of the entry, unless SCRUBJAY_HOME is set and the entry starts another profile."""
    entry = autostart_entry(environ)
    home = chosen_home(environ)
    if entry is None or home is None:
        return entry
    # Its command names the home where it is not that of the user.
    try:
        words = shlex.split(entry.read_text("utf-8"), comments=True)
    except (OSError, ValueError):
        return None
    if f"{HOME_VARIABLE}={home}" in words:
        return entry
    return None
