"""Opens notes in other programs, shows them in their folder, copies them."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from PySide6.QtCore import QObject, QProcess, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication

from scrubjay import media_type
from scrubjay_desktop.preview.editors import editors_here, is_address
from scrubjay_desktop.text.formatting import translate

EDITOR_VARIABLE = "SCRUBJAY_EDITOR"
"""A command that opens notes; `{file}` and `{line}` are filled in."""
_OPENED_BY_A_LINK = ("http", "https", "mailto")


def editor_arguments(template: str, file: Path, line: int) -> list[str]:
    """A command with its places filled in; the file comes last when the command names none."""
    words = shlex.split(template)
    filled = [word.replace("{file}", str(file)).replace("{line}", str(line)) for word in words]
    return filled if any("{file}" in word for word in words) else [*filled, str(file)]


def editor_address(template: str, file: Path, line: int) -> QUrl:
    """An address with its places filled in."""
    filled = template.replace("{file}", quote(str(file), safe="")).replace("{line}", str(line))
    return QUrl.fromEncoded(filled.encode())


class Opener(QObject):
    """Starts other programs; says so when one does not start."""

    failed = Signal(str)
    done = Signal(str)
    """One short sentence, such as that something was copied."""

    def __init__(self, editor: str = "", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.editor = editor
        """The person's own command or address; empty for the default program."""

    def open(self, file: Path, line: int) -> None:
        """Open a note in the program that the person uses for notes, other files in theirs."""
        self._open_with(self._wanted, file, line)

    def open_at_line(self, file: Path, line: int) -> None:
        """Open a note in an editor that can go to a line, or else as usual."""
        command = self._wanted
        if not command or (is_address(command) and "{line}" not in command):
            at_line = (one.command for one in editors_here() if "{line}" in one.command)
            command = next(at_line, command)
        self._open_with(command, file, line)

    def reveal(self, file: Path) -> None:
        """Show a note in its folder."""
        if sys.platform == "darwin":
            self._start(["open", "-R", str(file)])
            return
        if sys.platform == "win32":
            self._start(["explorer", f"/select,{file}"])
            return
        self._hand_over(QUrl.fromLocalFile(str(file.parent)))

    def copy(self, text: str, said: str) -> None:
        """Put text on the clipboard; said tells the person what was copied."""
        QGuiApplication.clipboard().setText(text)
        self.done.emit(said)

    def follow(self, url: QUrl) -> None:
        """Open a link of a note that was clicked. Only web and mail: notes may come from anyone."""
        if url.scheme().lower() not in _OPENED_BY_A_LINK:
            sentence = translate("Opener", "Scrubjay does not open links like {link}")
            self.failed.emit(sentence.format(link=url.toString()))
            return
        self._hand_over(url)

    @property
    def _wanted(self) -> str:
        return os.environ.get(EDITOR_VARIABLE) or self.editor

    def _open_with(self, command: str, file: Path, line: int) -> None:
        if not command or media_type(file.name):
            self._hand_over(QUrl.fromLocalFile(str(file)))
        elif is_address(command):
            self._hand_over(editor_address(command, file, line))
        else:
            self._start(editor_arguments(command, file, line))

    def _hand_over(self, url: QUrl) -> None:
        if not QDesktopServices.openUrl(url):
            sentence = translate("Opener", "No program on this computer opens {name}")
            name = url.toLocalFile() or url.toDisplayString()
            self.failed.emit(sentence.format(name=name))

    def _start(self, command: Sequence[str]) -> None:
        program, *arguments = command
        # Windows starts a script only by its whole name.
        program = shutil.which(program) or program
        # PySide answers with (started, process id).
        if not QProcess.startDetached(program, arguments, "")[0]:
            sentence = translate("Opener", "{program} could not be started")
            self.failed.emit(sentence.format(program=program))
