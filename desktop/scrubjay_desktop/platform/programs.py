"""The programs of this computer that open files: their names, and the commands that start them."""

from __future__ import annotations

import configparser
import plistlib
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PureWindowsPath
from xml.parsers.expat import ExpatError

from msgspec import Struct
from PySide6.QtCore import QLocale, QMimeDatabase, QStandardPaths

from scrubjay.platform.program_search import command_line, find_program, split_command
from scrubjay.platform.windows_registry import Hive, RegistryReader, WindowsRegistry

_FILE_FIELDS = ("%f", "%F", "%u", "%U")
_OTHER_FIELDS = ("%i", "%c", "%k", "%d", "%D", "%n", "%N", "%v", "%m")

_APPLICATIONS = "Applications"
"""Key of the registry with the programs that open files."""
_WINDOWS_FILE = re.compile("%[1Ll]")
"""Place of the file in a command of the registry."""
_UNQUOTED_PROGRAM = re.compile(r"([^\"]*?\.exe)(?=\s)", re.I)
"""Program at the beginning of a command."""
_MAC_FOLDERS = (
    *(Path("/Applications"), Path("/System/Applications")),
    Path("~/Applications").expanduser(),
)
"""Folders of a Mac with its programs."""
_MAC_TYPES: Mapping[str, str] = {
    **dict.fromkeys(("public.text", "public.plain-text", "public.data"), "text/plain"),
    "net.daringfireball.markdown": "text/markdown",
    "com.adobe.pdf": "application/pdf",
    "public.html": "text/html",
}
"""Apple's names for kinds of files -> those that everybody else has. See "System-declared uniform
type identifiers" in Apple's documentation."""


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
    """The programs of this computer that open files, by name.

    Reads hundreds of small files or keys: not for the GUI thread.
    """
    match sys.platform:
        case "win32":
            programs = registered_programs(WindowsRegistry(Hive.CLASSES))
        case "darwin":
            programs = mac_programs(_MAC_FOLDERS)
        case _:
            programs = _programs_of_menus()
    # Programs that are installed twice, or for several kinds, are listed once.
    once = {program.command: program for program in programs}
    return tuple(sorted(once.values(), key=lambda program: program.name.casefold()))


def _programs_of_menus() -> Iterator[Program]:
    """The programs in the menus of a Linux desktop."""
    folders = QStandardPaths.standardLocations(QStandardPaths.StandardLocation.ApplicationsLocation)
    entries: dict[str, Program | None] = {}
    for folder in map(Path, folders):
        for file in sorted(folder.rglob("*.desktop")):
            # A file of the user hides that of the system with the same name.
            name = file.relative_to(folder).as_posix()
            if name not in entries:
                entries[name] = _program_of(file)
    return filter(None, entries.values())


def registered_programs(registry: RegistryReader) -> Iterator[Program]:
    """The programs that Windows has in its "Open with", from the classes of its registry.

    See "Application Registration" on Microsoft Learn.
    """
    for key in registry.keys(_APPLICATIONS):
        place = rf"{_APPLICATIONS}\{key}"
        command = registry.read(rf"{place}\shell\open\command", "")
        if "NoOpenWith" in registry.names(place) or not isinstance(command, str):
            continue
        filled = _filled_for_windows(command)
        # A name that begins so stands in a library, and would have to be looked up there.
        name = registry.read(place, "FriendlyAppName")
        if not isinstance(name, str) or not name or name.startswith("@"):
            name = PureWindowsPath(key).stem
        if filled:
            yield Program(name, filled, _types(registry.names(rf"{place}\SupportedTypes")))


def mac_programs(folders: Iterable[Path]) -> Iterator[Program]:
    """The apps of a Mac that say which files they open, in these folders and those in them.

    See "CFBundleDocumentTypes" in Apple's documentation, and open(1).
    """
    for folder in folders:
        for app in sorted([*folder.glob("*.app"), *folder.glob("*/*.app")]):
            try:
                info = plistlib.loads((app / "Contents" / "Info.plist").read_bytes())
                kinds = info["CFBundleDocumentTypes"]
                contents = {each for kind in kinds for each in kind.get("LSItemContentTypes", ())}
                endings = {
                    each for kind in kinds for each in kind.get("CFBundleTypeExtensions", ())
                }
            except (OSError, ValueError, KeyError, TypeError, AttributeError, ExpatError):
                continue  # it opens no files, or is damaged
            known = _types(f".{ending}" for ending in endings if ending != "*")
            mime_types = known.union(_MAC_TYPES[each] for each in contents & _MAC_TYPES.keys())
            command = command_line(["open", "-a", str(app), "{file}"])
            yield Program(app.stem, command, mime_types)


def _types(endings: Iterable[str]) -> frozenset[str]:
    """The kinds of files with these endings."""
    match = QMimeDatabase.MatchMode.MatchExtension
    kinds = QMimeDatabase()
    return frozenset(kinds.mimeTypeForFile(f"file{each}", match).name() for each in endings)


def _filled_for_windows(command: str) -> str:
    """A command of the registry with the place of the file as ours are written; empty for one that
    names no file, or whose program is not there.
    """
    # Many old programs wrote their paths without quotes.
    unquoted = _UNQUOTED_PROGRAM.match(command)
    if unquoted:
        command = f'"{unquoted[1]}"{command[unquoted.end(1) :]}'
    try:
        words = split_command(command, is_windows=True)
    except ValueError:
        return ""
    filled = [_WINDOWS_FILE.sub("{file}", word) for word in words if word != "%*"]
    if filled == words or not words or find_program(words[0]) is None:
        return ""
    return command_line(filled, is_windows=True)


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
