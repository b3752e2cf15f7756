"""The file with which Linux desktops start Scrubjay when a person logs in."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

FILE_NAME = "org.scrubjay.Scrubjay.desktop"
"""Name of the entry, the same as that of the program in menus."""


def autostart_entry(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Path of the entry, whether it exists or not; None where the system has no such files."""
    if not sys.platform.startswith("linux"):
        return None
    config = environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(config) / "autostart" / FILE_NAME
