"""The file with which Linux desktops start Scrubjay when a person logs in."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

from scrubjay.platform.paths import HOME_VARIABLE, chosen_home, portable_home

FILE_NAME = "org.scrubjay.Scrubjay.desktop"
"""Name of the entry, the same as that of the program in menus."""
_PROGRAM = "TryExec="


def autostart_entry(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Path of the entry, whether it exists or not; None where the system has no such files."""
    if not sys.platform.startswith("linux"):
        return None
    config = environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(config) / "autostart" / FILE_NAME


def own_autostart_entry(environ: Mapping[str, str] = os.environ) -> Path | None:
    """Path of the entry; None where it starts another profile, such as that of a portable copy."""
    entry = autostart_entry(environ)
    home = chosen_home(environ) or portable_home()
    if entry is None or _home(entry) != home:
        return None
    return entry


def _home(entry: Path) -> Path | None:
    """The home of the profile that an entry starts; None for that of the user."""
    try:
        text = entry.read_text("utf-8")
        words = shlex.split(text, comments=True)
    except (OSError, ValueError):
        return None
    # The command names a home that was chosen; a portable copy has its home beside its program.
    for word in words:
        if word.startswith(f"{HOME_VARIABLE}="):
            return chosen_home({HOME_VARIABLE: word.partition("=")[2]})
    for line in text.splitlines():
        if line.startswith(f"{_PROGRAM}/"):
            return portable_home(Path(line.removeprefix(_PROGRAM)))
    return None
