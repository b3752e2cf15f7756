"""Opens notes in other programs, shows them in their folder, copies them."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication

from scrubjay import media_type
from scrubjay_desktop.wording import translate

EDITOR_VARIABLE = "SCRUBJAY_EDITOR"
"""A command that opens notes; `{file}` and `{line}` are filled in."""
_AT_LINE: Mapping[str, tuple[str, ...]] = {
    "code": ("-g", "{file}:{line}"),
    "codium": ("-g", "{file}:{line}"),
    "subl": ("{file}:{line}",),
    "zed": ("{file}:{line}",),
    "kate": ("-l", "{line}", "{file}"),
    "gnome-text-editor": ("{file}", "+{line}"),
}
"""Editors that open at a line, in the order in which they are looked for."""
_OPENED_BY_A_LINK = ("http", "https", "mailto")


def editor_arguments(template: str, file: Path, line: int) -> list[str]:
    """A command with its places filled in; the file comes last when the command names none."""
    words = shlex.split(template)
    filled = [word.replace("{file}", str(file)).replace("{line}", str(line)) for word in words]
    return filled if any("{file}" in word for word in words) else [*filled, str(file)]


class Opener(QObject):
    """Starts other programs; says so when one does not start."""

    failed = Signal(str)
    done = Signal(str)
    """One short sentence, such as that something was copied."""

    def __init__(self, editor: str = "", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.editor = editor
        """The person's own command; empty for the default program."""

    def open(self, file: Path, line: int) -> None:
        """Open a note in the program that the person uses for notes, other files in theirs."""
        command = os.environ.get(EDITOR_VARIABLE) or self.editor
        if command and not media_type(file.name):
            self._start(editor_arguments(command, file, line))
            return
        self._hand_over(QUrl.fromLocalFile(str(file)))

    def open_at_line(self, file: Path, line: int) -> None:
        """Open a note in an editor that can go to a line, or else as usual."""
        command = os.environ.get(EDITOR_VARIABLE) or self.editor
        if not command and (found := _editor_at_line()):
            program, arguments = found
            command = shlex.join([program, *arguments])
        if command and not media_type(file.name):
            self._start(editor_arguments(command, file, line))
            return
        self.open(file, line)

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

    def _hand_over(self, url: QUrl) -> None:
        if not QDesktopServices.openUrl(url):
            sentence = translate("Opener", "No program wants to open {name}")
            self.failed.emit(sentence.format(name=url.toDisplayString()))

    def _start(self, command: Sequence[str]) -> None:
        program, *arguments = command
        # PySide answers with (started, process id).
        if not QProcess.startDetached(program, arguments, "")[0]:
            sentence = translate("Opener", "{program} could not be started")
            self.failed.emit(sentence.format(program=program))


def _editor_at_line() -> tuple[str, tuple[str, ...]] | None:
    for program, arguments in _AT_LINE.items():
        if found := shutil.which(program):
            return found, arguments
    return None
