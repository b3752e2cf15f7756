"""The entry by which the system starts Scrubjay when a person logs in."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from scrubjay.platform.autostart.start_at_login import LoginEntry
from scrubjay.platform.paths import chosen_home, portable_home


def login_entry(environ: Mapping[str, str] = os.environ) -> LoginEntry | None:
    """The entry of this system, whether it exists or not; None where no kind is known."""
    match sys.platform:
        case "win32":
            from scrubjay.platform.autostart.run_value import RunValue

            return RunValue()
        case "darwin":
            from scrubjay.platform.autostart.launch_agent import LaunchAgent

            return LaunchAgent.of_user()
        case "linux":
            from scrubjay.platform.autostart.desktop_file import DesktopFile

            return DesktopFile.of_user(environ)
    return None


def own_login_entry(environ: Mapping[str, str] = os.environ) -> LoginEntry | None:
    """The entry that exists; None where it starts another profile, such as a portable copy's."""
    entry = login_entry(environ)
    if entry is None:
        return None
    start = entry.read()
    if start is None:
        return None
    # The command names a home that was chosen; a portable copy has its home beside its program.
    home = start.home
    if home is None and start.program:
        home = portable_home(Path(start.program))
    if home != (chosen_home(environ) or portable_home()):
        return None
    return entry
