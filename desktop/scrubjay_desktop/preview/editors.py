"""Programs for notes that are on this computer, and how each is told what to open."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QSettings, QStandardPaths

_AT_LINE: Mapping[str, tuple[str, str]] = {
    "code": ("VS Code", "code -g {file}:{line}"),
    "codium": ("VSCodium", "codium -g {file}:{line}"),
    "subl": ("Sublime Text", "subl {file}:{line}"),
    "zed": ("Zed", "zed {file}:{line}"),
    "kate": ("Kate", "kate -l {line} {file}"),
    "gnome-text-editor": ("GNOME Text Editor", "gnome-text-editor {file} +{line}"),
}
"""Editors that open at a line, in the order in which they are looked for."""

_OBSIDIAN = "obsidian://open?path={file}"
"""Obsidian's own address for a note in one of its vaults. It knows no lines."""


@dataclass(frozen=True, slots=True)
class Editor:
    """A program that is here."""

    name: str
    command: str
    """A command or an address, with `{file}` and perhaps `{line}` in it."""


def editors_here() -> Iterator[Editor]:
    """Those that open at a line come first."""
    for program, (name, command) in _AT_LINE.items():
        if shutil.which(program):
            yield Editor(name, command)
    if _has_obsidian():
        yield Editor("Obsidian", _OBSIDIAN)


def is_address(command: str) -> bool:
    """True for `obsidian://…`, which the system hands to the program that knows it."""
    return "://" in command.split("{", 1)[0]


def _has_obsidian() -> bool:
    """Whether a program here opens Obsidian's addresses."""
    if sys.platform == "darwin":
        places = (Path("/Applications"), Path.home() / "Applications")
        return any((one / "Obsidian.app").exists() for one in places)
    if sys.platform == "win32":
        known = QSettings("HKEY_CLASSES_ROOT", QSettings.Format.NativeFormat)
        return "obsidian" in known.childGroups()
    folders = QStandardPaths.standardLocations(QStandardPaths.StandardLocation.ApplicationsLocation)
    # Its packages, snaps and flatpaks bring such a file; an AppImage has one once it was set up.
    return any(any(Path(one).glob("*bsidian*.desktop")) for one in folders)
