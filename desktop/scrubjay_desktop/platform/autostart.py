"""Start in the background when the person logs in: off until asked for."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from scrubjay.errors import ScrubjayError, system_reason
from scrubjay.platform.atomic_write import write_atomically
from scrubjay.platform.autostart_entry import autostart_entry
from scrubjay.platform.program_search import find_program
from scrubjay_desktop.text.formatting import abbreviate_home, translate

_RESERVED = " \t\n\"'\\><~|&;$*?#()`"
"""Characters for which a word of an Exec line has to be quoted."""
_ESCAPED_IN_QUOTES = '"`$\\'
_ENTRY = """\
[Desktop Entry]
Type=Application
Version=1.4
Name=Scrubjay
Comment=Find what you and your agents wrote down, by words and by meaning
Comment[es]=Encuentra lo que tú y tus agentes anotasteis, por palabras y por significado
TryExec={program}
Exec={command}
Icon=org.scrubjay.Scrubjay
Terminal=false
StartupNotify=false
X-GNOME-Autostart-enabled=true
"""


class Autostart:
    """Starts the app with the session: here, where only the system's own settings can, not."""

    @property
    def unavailable(self) -> str:
        """The hint to do it by hand."""
        return translate(
            "Autostart",
            "To start Scrubjay when you log in, add this command to your startup "
            "programs: {command}",
        ).format(command="scrubjay-desktop --background")

    @property
    def is_on(self) -> bool:
        """Always False: it cannot be found out."""
        return False

    def switch(self, *, on: bool) -> None:
        """Refuse, since it cannot be changed from here."""
        raise ScrubjayError(
            translate("Autostart", "Scrubjay cannot change which programs start when you log in"),
            self.unavailable,
        )


class XdgAutostart(Autostart):
    """A desktop entry in the person's autostart folder (freedesktop.org, Autostart 0.5)."""

    def __init__(self, file: Path, command: tuple[str, ...]) -> None:
        self.file = file
        self._command = command

    unavailable = ""
    """Always empty: the entry can be written."""

    @property
    def is_on(self) -> bool:
        """Whether the entry is there and no desktop has switched it off."""
        try:
            lines = self.file.read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError):
            return False
        # Desktops switch an entry off by one of these two keys.
        keys = dict(line.split("=", 1) for line in lines if "=" in line)
        is_hidden = keys.get("Hidden", "").strip() == "true"
        return not is_hidden and keys.get("X-GNOME-Autostart-enabled", "true").strip() != "false"

    def switch(self, *, on: bool) -> None:
        """Write the entry, or take it away."""
        # An entry that is gone already needs no deleting.
        try:
            if on:
                self.file.parent.mkdir(parents=True, exist_ok=True)
                # Once Scrubjay is uninstalled, desktops pass over the entry that it left.
                program = self._command[0].replace("\\", "\\\\")
                entry = _ENTRY.format(program=program, command=exec_line(self._command))
                write_atomically(self.file, entry.encode(), 0o644)
            else:
                self.file.unlink(missing_ok=True)
        except OSError as error:
            raise ScrubjayError(
                translate(
                    "Autostart",
                    "The setting to start Scrubjay when you log in could not be changed",
                ),
                system_reason(error),
                hint=translate(
                    "Autostart", "Check that you have permission to write to the folder {folder}."
                ).format(folder=abbreviate_home(self.file.parent)),
            ) from error


def create_autostart(environ: Mapping[str, str] = os.environ) -> Autostart:
    """The way to start with the session on this platform."""
    entry = autostart_entry(environ)
    if entry is None:
        return Autostart()
    return XdgAutostart(entry, (*_own_command(), "--background"))


def exec_line(command: tuple[str, ...]) -> str:
    """A command as the Exec key of a desktop entry has it."""
    return " ".join(_quoted(word) for word in command)


def _quoted(word: str) -> str:
    plain = word.replace("%", "%%")
    if not any(letter in _RESERVED for letter in word):
        return plain
    # A letter that a shell would read gets a backslash.
    escaped = "".join(f"\\{letter}" if letter in _ESCAPED_IN_QUOTES else letter for letter in plain)
    # The file format takes one level of backslashes away before the quoting is looked at.
    return '"' + escaped.replace("\\", "\\\\") + '"'


def _own_command() -> tuple[str, ...]:
    """The command that starts this very program, wherever it is installed."""
    # In a bundle, Python itself is the program with the name of another face.
    beside = Path(sys.executable).with_name("scrubjay-desktop")
    if beside.exists():
        return (str(beside),)
    program = find_program("scrubjay-desktop")
    if program:
        return (program,)
    # -P: no module comes from the folder that a session starts in.
    return (sys.executable, "-P", "-m", "scrubjay_desktop")
