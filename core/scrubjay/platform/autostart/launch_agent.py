"""The entry of macOS, a property list in the folder LaunchAgents.

See "Creating Launch Daemons and Agents" in Apple's "Daemons and Services Programming Guide",
launchd.plist(5), and, for the name in the settings, "Updating helper executables from earlier
versions of macOS" in the documentation of Service Management.
"""

from __future__ import annotations

import plistlib
from pathlib import Path
from typing import Any
from xml.parsers.expat import ExpatError

from scrubjay.platform.atomic_write import write_atomically
from scrubjay.platform.autostart.start_at_login import StartAtLogin, home_of
from scrubjay.platform.installation import APP_ID
from scrubjay.platform.paths import chosen_home


class LaunchAgent:
    """The property list, whether it exists or not. launchd reads it at the next login."""

    def __init__(self, file: Path) -> None:
        self.file = file

    @classmethod
    def of_user(cls) -> LaunchAgent:
        """The list in the person's own folder."""
        return cls(Path.home() / "Library" / "LaunchAgents" / f"{APP_ID}.plist")

    @property
    def place(self) -> str:
        """Its path."""
        return str(self.file)

    def read(self) -> StartAtLogin | None:
        """What it says; None where it cannot be read."""
        try:
            keys = plistlib.loads(self.file.read_bytes())
            command = [str(word) for word in keys["ProgramArguments"]]
            variables = dict(keys.get("EnvironmentVariables", {}))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, ExpatError):
            return None
        is_enabled = bool(keys.get("RunAtLoad")) and not keys.get("Disabled")
        # A program that is only a name is found by launchd, and may be this one.
        program = ""
        if command and command[0].startswith("/"):
            program = command[0]
        return StartAtLogin(program, is_enabled, home_of(command) or chosen_home(variables))

    def write(self, command: tuple[str, ...]) -> None:
        """Let launchd start a command at each login. Raises OSError."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(self.file, plistlib.dumps(agent_keys(command)), 0o644)

    def remove(self) -> None:
        """Delete the list, unless it is gone. Raises OSError."""
        self.file.unlink(missing_ok=True)


def agent_keys(command: tuple[str, ...]) -> dict[str, Any]:
    """Keys of the property list that starts a command."""
    return {
        "Label": APP_ID,
        "ProgramArguments": list(command),
        "RunAtLoad": True,
        # An app with a window: only in graphical sessions, and not slowed down as a service is.
        "LimitLoadToSessionType": "Aqua",
        "ProcessType": "Interactive",
        # The settings of macOS list it under the name and the icon of this app.
        "AssociatedBundleIdentifiers": [APP_ID],
    }
