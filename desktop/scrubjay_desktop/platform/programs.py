"""The programs of this computer that open files: their names, and the commands that start them."""

from __future__ import annotations

import configparser
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct
from PySide6.QtCore import QLocale, QMimeDatabase, QStandardPaths

from scrubjay.platform.program_search import command_line, find_program

_FILE_FIELDS = ("%f", "%F", "%u", "%U")
_OTHER_FIELDS = ("%i", "%c", "%k", "%d", "%D", "%n", "%N", "%v", "%m")


class Program(Struct, frozen=True):
    """A program that opens files."""

    name: str
    command: str
    """Command with `{file}` in it."""
    mime_types: frozenset[str] = frozenset()
    """Names of the kinds of files that it says it opens."""

    def opens(self, kind: str) -> bool:
        """Whether it says that it opens files whose names end so."""
        found = QMimeDatabase().mimeTypeForFile(
            f"file{kind}", QMimeDatabase.MatchMode.MatchExtension
        )
        return bool({found.name(), *found.allAncestors()} & self.mime_types)


def installed_programs() -> tuple[Program, ...]:
    """The programs in the menus of a Linux desktop, by name; elsewhere none are listed.

    Reads hundreds of small files: not for the GUI thread.
    """
    match sys.platform:
        case "darwin" | "win32":
            return ()
    # Programs that are installed twice, or for several kinds, are listed once.
    folders = QStandardPaths.standardLocations(QStandardPaths.StandardLocation.ApplicationsLocation)
    entries: dict[str, Program | None] = {}
    for folder in map(Path, folders):
        for file in sorted(folder.rglob("*.desktop")):
            # A file of the user hides that of the system with the same name.
            name = file.relative_to(folder).as_posix()
            if name not in entries:
                entries[name] = _program_of(file)
    programs = {program.command: program for program in entries.values() if program}
    return tuple(sorted(programs.values(), key=lambda program: program.name.casefold()))


def find_program_command(name: str) -> str:
    """The command of the program file with a name, such as `okular.desktop`; empty without it.

    It may be hidden from the menus: many viewers have such a file for each kind of document.
    """
    # A dash in the name may stand for a folder.
    folders = QStandardPaths.standardLocations(QStandardPaths.StandardLocation.ApplicationsLocation)
    files = (Path(folder, file) for folder in folders for file in (name, name.replace("-", "/")))
    programs = (_program_of(file, or_hidden=True) for file in files if name and file.is_file())
    return next((program.command for program in programs if program), "")


def program_file_command(file: Path) -> str:
    """The command that opens files with a program file that the user chose."""
    program = None
    if file.suffix == ".desktop":
        program = _program_of(file)
    if program:
        return program.command
    # What is not a file of a desktop is taken for the program itself.
    start = [str(file)]
    if file.suffix == ".app":
        start = ["open", "-a", str(file)]
    return command_line([*start, "{file}"])


def _program_of(file: Path, *, or_hidden: bool = False) -> Program | None:
    """The program of a desktop file; None for what is not in the menus or opens no files."""
    # Names may have any case, and values any sign.
    parser = configparser.RawConfigParser(delimiters=("=",), strict=False)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    try:
        parser.read_string(file.read_text("utf-8", "replace"))
        entry = parser["Desktop Entry"]
        words = shlex.split(entry["Exec"])
    except (OSError, KeyError, ValueError, configparser.Error):
        return None
    is_hidden = any(entry.get(key) == "true" for key in ("NoDisplay", "Hidden", "Terminal"))
    is_here = bool(words) and find_program(entry.get("TryExec", words[0])) is not None
    if (
        (is_hidden and not or_hidden)
        or not is_here
        or not any(field in words for field in _FILE_FIELDS)
    ):
        return None
    # The name is that of the person's language, where the file has it.
    language = QLocale().name()
    keys = (f"Name[{language}]", f"Name[{language.partition('_')[0]}]", "Name")
    name = next((entry[key] for key in keys if key in entry), file.stem)
    mime_types = frozenset(filter(None, entry.get("MimeType", "").split(";")))
    return Program(name, shlex.join(_filled(words)), mime_types)


def _filled(words: Iterable[str]) -> list[str]:
    """The words of a command, with the place of the file as ours are written."""
    return [
        "{file}" if word in _FILE_FIELDS else word.replace("%%", "%")
        for word in words
        if word not in _OTHER_FIELDS
    ]
