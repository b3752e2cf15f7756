"""Opens notes in the editors of this computer, shows them in their folder, copies them."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar
from urllib.parse import quote

from msgspec import Struct
from PySide6.QtCore import QObject, QProcess, QSettings, QStandardPaths, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.documents.media_types import media_type
from scrubjay.errors import DriveSilent
from scrubjay.platform.program_search import find_program, split_command
from scrubjay.platform.windows_scripts import has_command_characters, is_script, script_target
from scrubjay.text.file_kinds import document_kind, text_ending
from scrubjay_desktop.platform.programs import find_program_command
from scrubjay_desktop.results.result_rows import Row
from scrubjay_desktop.text.formatting import translate, translated

T = TypeVar("T")

_ANSWER_SECONDS = 0.5
"""Seconds that a drive may take while the window waits for it."""
_AT_LINE: Mapping[str, tuple[str, str]] = {
    "code": ("VS Code", "code -g {file}:{line}"),
    "codium": ("VSCodium", "codium -g {file}:{line}"),
    "subl": ("Sublime Text", "subl {file}:{line}"),
    "zed": ("Zed", "zed {file}:{line}"),
    "kate": ("Kate", "kate -l {line} {file}"),
    "gnome-text-editor": ("GNOME Text Editor", "gnome-text-editor {file} +{line}"),
}
"""Editors that open at a line, in the order in which they are looked for."""

_AT_PAGE: Mapping[str, str] = {
    **dict.fromkeys(("evince", "papers", "atril", "xreader"), "--page-index={page} {file}"),
    "okular": "--page={page} {file}",
    "zathura": "--page={page} {file}",
    **dict.fromkeys(("mupdf", "mupdf-gl", "mupdf-x11"), "{file} {page}"),
    "qpdfview": "{file}#{page}",
    **dict.fromkeys(
        (
            *("firefox", "firefox-esr", "librewolf", "chromium", "chromium-browser"),
            *("google-chrome", "google-chrome-stable", "brave-browser", "microsoft-edge"),
        ),
        "{address}#page={page}",
    ),
}
"""Viewers of PDF files, by the name of the program, and what tells them the page."""
_DEFAULT_VIEWER = ("query", "default", "application/pdf")

_OBSIDIAN = "obsidian://open?path={file}"
"""Obsidian's own address for a note in one of its vaults. It knows no lines."""

EDITOR_VARIABLE = "SCRUBJAY_EDITOR"
"""Variable of the environment with a command that opens notes; `{file}` and `{line}` are filled
in."""
_OPENED_BY_A_LINK = ("http", "https", "mailto")
_DATA = (
    " .zip .7z .rar .tar .gz .tgz .xz .bz2 .csv .tsv .json .xml .yaml .yml .log .bib .ics .vcf "
    ".gpx .kml .svg .bmp .tif .tiff .avif .psd .xcf .ai .eps .drawio .canvas .base .stl .step .dwg "
    ".dxf .mp4 .m4v .mov .webm .mkv .avi .3gp .ogv .oga .wma .aif .aiff .mid .djvu .cbz .mobi "
    ".doc .xls .ppt .ods .odp .odg .pages .numbers .key "
)
"""Ends of the names of files that a system opens and never starts, beside notes and documents."""


class Editor(Struct, frozen=True):
    """A program on this computer."""

    name: str
    command: str
    """A command or an address, with `{file}` and perhaps `{line}` in it."""


def installed_editors() -> Iterator[Editor]:
    """The editors on this computer, those that open at a line first."""
    for program, (name, command) in _AT_LINE.items():
        if find_program(program):
            yield Editor(name, command)
    if _has_obsidian():
        yield Editor("Obsidian", _OBSIDIAN)


def is_address(command: str) -> bool:
    """Whether the system hands it to the program that knows it, as `obsidian://…`."""
    return "://" in command.split("{", 1)[0]


def _has_obsidian() -> bool:
    """Whether a program here opens Obsidian's addresses."""
    match sys.platform:
        case "darwin":
            applications = (Path("/Applications"), Path.home() / "Applications")
            return any((folder / "Obsidian.app").exists() for folder in applications)
        case "win32":
            classes = QSettings("HKEY_CLASSES_ROOT", QSettings.Format.NativeFormat)
            return "obsidian" in classes.childGroups()
    folders = QStandardPaths.standardLocations(QStandardPaths.StandardLocation.ApplicationsLocation)
    # Its packages, snaps and flatpaks bring such a file; an AppImage has one once it was set up.
    return any(any(Path(folder).glob("*bsidian*.desktop")) for folder in folders)


def editor_arguments(template: str, file: Path, line: int) -> list[str]:
    """A command with its places filled in; the file comes last when the command names none.

    Raises ValueError where a quote has no end.
    """
    words = split_command(template)
    # The name of a note may have such a place in it, so the file comes last.
    filled = [word.replace("{line}", str(line)).replace("{file}", str(file)) for word in words]
    if not any("{file}" in word for word in words):
        filled.append(str(file))
    return filled


def page_arguments(command: str, file: Path, page: int) -> list[str]:
    """A command that opens a page; empty for a program that is told no page, as far as known.

    Raises ValueError where a quote has no end.
    """
    words = split_command(command)
    # A command may start with another program, such as flatpak, so all its words are looked at.
    known = (Path(word).name.lower().removesuffix(".exe") for word in words)
    template = next((_AT_PAGE[name] for name in known if name in _AT_PAGE), "")
    if not template or "{file}" not in words:
        return []
    # The viewer's own words for file and page take the place of the file.
    address = bytes(QUrl.fromLocalFile(str(file)).toEncoded().data()).decode()
    values = {"page": page, "file": file, "address": address}
    filled = [word.format(**values) for word in template.split()]
    at = words.index("{file}")
    return [*words[:at], *filled, *words[at + 1 :]]


def explorer_arguments(file: Path) -> str:
    """The arguments of Explorer that mark a file in its folder, as its command line has them.

    Explorer divides its line at commas, unless they are inside of quotes. Quotes around the whole
    argument, as other programs understand them, would not help.
    """
    return f'/select,"{file}"'


def _is_of_another_program(file: Path) -> bool:
    """Whether an editor of texts would show signs without sense for a file."""
    return bool(media_type(file.name) or document_kind(file.name))


class _ViewerQuery(QProcess):
    """A question for the default program of PDF files, about one of them. It deletes itself.

    Its connections must not be closures that hold its parent: if they were all that did, deleting
    the query would delete the parent, which would delete the query again.
    """

    answered = Signal(str, object, int)
    """Name of the file that describes the program, or an empty one, with the PDF and its page."""

    def __init__(self, file: Path, page: int, parent: QObject) -> None:
        super().__init__(parent)
        self._file = file
        self._page = page
        self.finished.connect(self._answer)
        self.errorOccurred.connect(self._fail)

    def _answer(self) -> None:
        name = bytes(self.readAllStandardOutput().data()).decode().strip()
        self.answered.emit(name, self._file, self._page)
        self.deleteLater()

    def _fail(self, error: QProcess.ProcessError) -> None:
        # After other errors it finishes.
        if error == QProcess.ProcessError.FailedToStart:
            self._answer()


class Opener(QObject):
    """Starts other programs; announces one that does not start."""

    failed = Signal(str)
    away = Signal(object)
    """A file that cannot be opened because its folder is not there."""

    def __init__(
        self,
        editor: str = "",
        parent: QObject | None = None,
        programs: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        super().__init__(parent)
        self.editor = editor
        """The user's own command or address; empty for the default program."""
        self.programs = programs
        """Ends of names, such as `.md` -> the commands that open such files instead."""
        self.absent: Sequence[Path] = ()
        """Folders of notes that are not there now."""
        self.folders: Sequence[Path] = ()
        """All folders of notes."""
        self._drives = IoTimeouts(_ANSWER_SECONDS)

    def open(self, file: Path, line: int, page: int = 0) -> None:
        """Open a note in the chosen editor, otherwise in Obsidian where it is its; other files in
        their default programs, a PDF at its page where they can.
        """
        command = self._command_for(file)
        if not command and self.opens_in_obsidian(file):
            command = _OBSIDIAN
        self._open_with(command, file, line, page=page)

    def open_row(self, row: Row, page: int = 0) -> None:
        """Open the note of a row, a PDF at a page or else at the one that was found."""
        if self.is_here(row):
            self.open(row.file, row.line, page or row.page)

    def is_here(self, row: Row) -> bool:
        """Whether this computer has the file of a row; else a sentence says that it has not."""
        if row.is_elsewhere:
            sentence = translate(
                "Opener",
                "This note is on another computer. You can read and copy it here, "
                "but you cannot change it or open it in another program.",
            )
            self.failed.emit(sentence)
        return not row.is_elsewhere

    def open_in_obsidian(self, file: Path) -> None:
        """Open a note of a vault in Obsidian."""
        self._open_with(_OBSIDIAN, file, 1)

    def opens_in_obsidian(self, file: Path) -> bool:
        """Whether a note is in a vault, and Obsidian on this computer."""
        return self.find_vault(file) is not None and _has_obsidian()

    def find_vault(self, file: Path) -> Path | None:
        """The vault of Obsidian that a note is in."""
        # Looking for the vault asks the drive, so no folder that is known to be absent is asked.
        if file.suffix.lower() != ".md" or any(map(file.is_relative_to, self.absent)):
            return None

        def vault() -> Path | None:
            vaults = (folder for folder in file.parents if os.path.isdir(folder / ".obsidian"))  # noqa: PTH112
            return next(vaults, None)

        with contextlib.suppress(DriveSilent):
            return self._asked(file, vault)
        return None

    def open_at_line(self, file: Path, line: int, page: int = 0) -> None:
        """Open a note in an editor that can go to a line, or otherwise in the default one."""
        command = self._command_for(file)
        if _is_of_another_program(file):
            self._open_with(command, file, line, page=page)
            return
        # The user's own editor goes first where it is a program or knows lines.
        if not command or (is_address(command) and "{line}" not in command):
            at_line = (
                editor.command for editor in installed_editors() if "{line}" in editor.command
            )
            command = next(at_line, command)
        self._open_with(command, file, line)

    def reveal(self, file: Path) -> None:
        """Show a note in its folder."""
        if not self._is_there(file):
            return
        # Windows and macOS (open(1)) mark the file in its folder; elsewhere the folder is opened.
        match sys.platform:
            case "darwin":
                self._start(["open", "-R", str(file)])
            case "win32":
                self._mark_in_explorer(file)
            case _:
                self._hand_over(QUrl.fromLocalFile(str(file.parent)))

    def _mark_in_explorer(self, file: Path) -> None:
        explorer = QProcess()
        explorer.setProgram(find_program("explorer") or "explorer")
        # Only Windows has this function, which adds no quotes.
        explorer.setNativeArguments(explorer_arguments(file))  # type: ignore[attr-defined]
        if not explorer.startDetached()[0]:
            self._tell_not_started("Explorer")

    def open_folder(self, folder: Path) -> None:
        """Show what is in a folder."""
        if self._is_there(folder):
            self._hand_over(QUrl.fromLocalFile(str(folder)))

    def follow(self, url: QUrl) -> None:
        """Open a clicked link of a note. Only web and mail: notes may come from anyone."""
        if url.scheme().lower() not in _OPENED_BY_A_LINK:
            sentence = translate(
                "Opener", "Scrubjay opens only web and email links, so {link} was not opened."
            )
            self.failed.emit(sentence.format(link=url.toString()))
            return
        self._hand_over(url)

    def open_attachment(self, file: Path) -> None:
        """Open a file that a note links to, as it was found; what could be a program is only shown
        in its folder, because notes may come from anyone.
        """
        if not self._is_there(file):
            return
        ending = file.suffix.lower()
        if self._asked(file, file.resolve) != file:
            # A link since then, perhaps out of the folder.
            self._tell_gone(file)
        elif _is_of_another_program(file) or text_ending(file.name):
            self.open(file, 1)
        elif f" {ending} " in _DATA:
            self._open_with(self.programs.get(ending, ""), file, 1)
        else:
            self.reveal(file)

    def _command_for(self, file: Path) -> str:
        """The command of the user; empty for the default program."""
        of_notes = os.environ.get(EDITOR_VARIABLE) or self.editor
        if _is_of_another_program(file):
            of_notes = ""
        return self.programs.get(file.suffix.lower(), of_notes)

    def _is_there(self, file: Path) -> bool:
        # The drive of a folder that is known to be absent is not asked.
        if any(file.is_relative_to(root) for root in self.absent):
            self.away.emit(file)
            return False
        try:
            is_there = self._asked(file, file.exists)
        except DriveSilent as error:
            self.failed.emit(translated(str(error)))
            return False
        if not is_there:
            self._tell_gone(file)
        return is_there

    def _asked(self, file: Path, question: Callable[[], T]) -> T:
        """The answer of the drive that a file is on. Raises DriveSilent soon: the window waits."""
        around = (folder for folder in self.folders if file.is_relative_to(folder))
        return self._drives.ask(next(around, file.parent), question)

    def _tell_gone(self, file: Path) -> None:
        sentence = translate(
            "Opener", "{name} was not found. The file may have been moved or deleted."
        )
        self.failed.emit(sentence.format(name=file.name))

    def _open_with(self, command: str, file: Path, line: int, page: int = 0) -> None:
        if not self._is_there(file) or not self._is_readable(command):
            return
        # Most programs that are told no page begin at the first one.
        at_page: list[str] = []
        if page:
            at_page = page_arguments(command, file, page)
        if at_page:
            self._start(at_page)
        elif page > 1 and not command and sys.platform == "linux":
            self._ask_for_viewer(file, page)
        elif not command:
            self._hand_over(QUrl.fromLocalFile(str(file)))
        elif is_address(command):
            quoted = quote(str(file), safe="")
            address = command.replace("{file}", quoted).replace("{line}", str(line))
            self._hand_over(QUrl.fromEncoded(address.encode()))
        else:
            self._start(editor_arguments(command, file, line))

    def _is_readable(self, command: str) -> bool:
        """Whether a command can be taken apart into words; otherwise it says why not."""
        if is_address(command):
            return True
        try:
            split_command(command)
        except ValueError:
            sentence = translate(
                "Opener",
                "A quotation mark is missing from the command {command}. Correct "
                "the command in the settings.",
            )
            self.failed.emit(sentence.format(command=command))
            return False
        return True

    def _ask_for_viewer(self, file: Path, page: int) -> None:
        """Open a page in the default program, or the file where it cannot be told the page."""
        query = _ViewerQuery(file, page, self)
        query.answered.connect(self._open_in_viewer)
        # Qt looks in PATH, out of which the app has taken the current folder.
        query.start("xdg-mime", _DEFAULT_VIEWER)

    def _open_in_viewer(self, name: str, file: Path, page: int) -> None:
        command = page_arguments(find_program_command(name), file, page)
        if command:
            self._start(command)
        else:
            self._hand_over(QUrl.fromLocalFile(str(file)))

    def _hand_over(self, url: QUrl) -> None:
        if not QDesktopServices.openUrl(url):
            sentence = translate(
                "Opener",
                "No program on this computer can open {name}. Install a program that can, and "
                "then try again.",
            )
            name = url.toLocalFile() or url.toDisplayString()
            self.failed.emit(sentence.format(name=name))

    def _start(self, command: Sequence[str]) -> None:
        program, *arguments = command
        # Windows starts a script only by its whole name.
        found = find_program(program)
        if found is not None and is_script(found):
            found = script_target(found) or found
        if found is not None and is_script(found) and has_command_characters(arguments):
            sentence = translate(
                "Opener",
                "The file was not opened because {program} would run part of the file name as "
                "a command. In the settings, choose the program itself instead of the script "
                "that starts it.",
            )
            self.failed.emit(sentence.format(program=program))
            return
        # PySide answers with (started, process id).
        if found is None or not QProcess.startDetached(found, arguments, "")[0]:
            self._tell_not_started(program)

    def _tell_not_started(self, program: str) -> None:
        sentence = translate(
            "Opener", "{program} could not be started. Check that the program is installed."
        )
        self.failed.emit(sentence.format(program=program))
