"""The entry of Linux desktops, a file in an autostart folder (freedesktop.org, Autostart 0.5)."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path

from scrubjay.platform.atomic_write import write_atomically
from scrubjay.platform.autostart.start_at_login import StartAtLogin, home_of
from scrubjay.platform.installation import APP_ID

FILE_NAME = f"{APP_ID}.desktop"
"""Name of the entry, the same as that of the program in menus."""
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


class DesktopFile:
    """The file, whether it exists or not."""

    def __init__(self, file: Path) -> None:
        self.file = file

    @classmethod
    def of_user(cls, environ: Mapping[str, str] = os.environ) -> DesktopFile:
        """The file in the person's autostart folder."""
        config = environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
        return cls(Path(config) / "autostart" / FILE_NAME)

    @property
    def place(self) -> str:
        """Its path."""
        return str(self.file)

    def read(self) -> StartAtLogin | None:
        """What it says; None where it cannot be read."""
        try:
            lines = self.file.read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError):
            return None
        # Desktops switch an entry off by one of two keys.
        keys = dict(line.split("=", 1) for line in lines if "=" in line)
        is_hidden = keys.get("Hidden", "").strip() == "true"
        is_enabled = keys.get("X-GNOME-Autostart-enabled", "true").strip() != "false"
        program = keys.get("TryExec", "").strip().replace("\\\\", "\\")
        if not program.startswith("/"):
            program = ""
        return StartAtLogin(program, is_enabled and not is_hidden, _home(keys.get("Exec", "")))

    def write(self, command: tuple[str, ...]) -> None:
        """Let the desktop start a command from now on. Raises OSError."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        # Once Scrubjay is uninstalled, desktops pass over the entry that it left.
        program = command[0].replace("\\", "\\\\")
        entry = _ENTRY.format(program=program, command=exec_line(command))
        write_atomically(self.file, entry.encode(), 0o644)

    def remove(self) -> None:
        """Delete the file, unless it is gone. Raises OSError."""
        self.file.unlink(missing_ok=True)


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


def _home(command: str) -> Path | None:
    """The home of the profile that the command of an Exec line starts."""
    # The file format takes one level of backslashes away, and the quoting the other one: here that
    # before $ and `, and shlex the rest.
    unescaped = re.sub(r"\\([$`])", r"\1", command.replace("\\\\", "\\"))
    try:
        words = shlex.split(unescaped)
    except ValueError:
        return None
    return home_of([word.replace("%%", "%") for word in words])
