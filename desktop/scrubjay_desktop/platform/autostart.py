"""Start in the background when the person logs in: off until asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from scrubjay.errors import ScrubjayError, system_reason
from scrubjay.platform.autostart.login_entry import login_entry
from scrubjay.platform.autostart.start_at_login import (
    LoginEntry,
    StartAtLogin,
    home_arguments,
    home_of,
)
from scrubjay.platform.installation import temporary_place
from scrubjay.platform.program_search import find_program
from scrubjay_desktop.text.formatting import abbreviate_home, translate, translated


class Autostart:
    """The switch that lets the system start this very copy of Scrubjay."""

    def __init__(self, entry: LoginEntry | None, command: tuple[str, ...]) -> None:
        """Without an entry, only the system's own settings can do it."""
        self._entry = entry
        self._command = command

    @property
    def is_available(self) -> bool:
        """Whether it can be switched from here."""
        return self._entry is not None

    @property
    def is_on(self) -> bool:
        """Whether the system starts this copy, and nobody turned that off in its settings."""
        if self._entry is None:
            return False
        start = self._entry.read()
        return start is not None and start.is_enabled and self._is_own(start)

    @property
    def hint(self) -> str:
        """A sentence about what the switch does not say; empty where there is nothing to say."""
        if self._entry is None:
            return translate(
                "Autostart",
                "To start Scrubjay when you log in, add this command to your startup "
                "programs: {command}",
            ).format(command="scrubjay-desktop --background")
        start = self._entry.read()
        if start is None or self._is_own(start):
            return ""
        if self._is_own_program(start.program):
            return translate(
                "Autostart",
                "Scrubjay is set to start with other settings when you log in. To start it with "
                "the current settings instead, turn this on.",
            )
        # A portable copy may have been moved, and two copies may be installed. Unlike Path.exists,
        # this does not raise for a path that the system cannot look up.
        if not os.path.exists(start.program):  # noqa: PTH110
            return translate(
                "Autostart",
                "Scrubjay was set to start from {program}, which is not there. To start it from "
                "its current folder, turn this on.",
            ).format(program=abbreviate_home(Path(start.program)))
        return translate(
            "Autostart",
            "Another copy of Scrubjay is set to start when you log in: {program}. To start this "
            "copy instead, turn this on.",
        ).format(program=abbreviate_home(Path(start.program)))

    def switch(self, *, on: bool) -> None:
        """Write the entry, or remove it."""
        if self._entry is None:
            raise ScrubjayError(
                translate(
                    "Autostart", "Scrubjay cannot change which programs start when you log in"
                ),
                self.hint,
            )
        # At the next login, nothing would be there.
        reason = temporary_place(Path(self._command[0]))
        if on and reason is not None:
            raise ScrubjayError(
                translate("Autostart", "Scrubjay cannot start from here when you log in"),
                translated(reason),
            )
        # An entry that is gone already needs no deleting.
        try:
            if on:
                self._entry.write(self._command)
            else:
                self._entry.remove()
        except OSError as error:
            raise ScrubjayError(
                translate(
                    "Autostart",
                    "The setting to start Scrubjay when you log in could not be changed",
                ),
                system_reason(error),
                hint=translate(
                    "Autostart", "Check that you have permission to change {place}."
                ).format(place=self._entry.place),
            ) from error

    def _is_own(self, start: StartAtLogin) -> bool:
        """Whether an entry starts this copy with the profile that is open."""
        return self._is_own_program(start.program) and start.home == home_of(self._command)

    def _is_own_program(self, program: str) -> bool:
        """Whether a program is that of this copy; a name alone is taken for it."""
        return not program or os.path.normcase(program) == os.path.normcase(self._command[0])


def create_autostart(environ: Mapping[str, str] = os.environ) -> Autostart:
    """The way to start with the session on this platform."""
    command = (*_own_command(), *home_arguments(environ), "--background")
    return Autostart(login_entry(environ), command)


def _own_command() -> tuple[str, ...]:
    """The command that starts this very program, wherever it is installed."""
    # In a bundle, Python itself is the program with the name of another face.
    name = "scrubjay-desktop"
    if sys.platform == "win32":
        name = f"{name}.exe"
    beside = Path(sys.executable).with_name(name)
    if beside.exists():
        return (str(beside),)
    program = find_program("scrubjay-desktop")
    if program:
        return (program,)
    # -P: no module comes from the folder that a session starts in.
    return (sys.executable, "-P", "-m", "scrubjay_desktop")
