from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QKeySequence, QTextDocument
from PySide6.QtWidgets import QApplication, QPushButton

from scrubjay.version import current_version
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.controllers.help_actions import show_licences
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.health.help_dialogs import DiagnosticsDialog, HelpDialog
from scrubjay_desktop.widgets.theme import DARK

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)


@pytest.fixture
def help_text(desktop: Desktop) -> str:
    """All that the help says."""
    desktop.begin(StartRequest.WINDOW)
    desktop.window.requests.help.emit()
    return desktop.window.findChild(HelpDialog).text.toPlainText()


@pytest.mark.parametrize(
    "words", [f"Scrubjay {current_version()}", '"silver leaf"', "-plum", "path:", "yesterday", "→"]
)
def test_the_help_says_how_to_search(help_text: str, words: str) -> None:
    assert words in help_text


def test_the_help_names_every_key_of_the_window(desktop: Desktop, help_text: str) -> None:
    form = QKeySequence.SequenceFormat.NativeText
    keys = [key.toString(form) for one in desktop.window.actions() for key in one.shortcuts()]
    assert len(keys) > 15
    assert [key for key in keys if key not in help_text] == []


def test_the_marks_take_the_colour_of_a_theme_chosen_later(qtbot, desktop: Desktop) -> None:
    desktop.begin(StartRequest.WINDOW)
    desktop.theme.choose("light")
    desktop.window.requests.help.emit()
    document = desktop.window.findChild(HelpDialog).text.document()

    def inks() -> set[str]:
        image = document.resource(QTextDocument.ResourceType.ImageResource, QUrl("words")).toImage()
        return {image.pixelColor(x, y).name() for x in range(18) for y in range(18)}

    desktop.theme.choose("dark")
    qtbot.waitUntil(lambda: DARK.accent.name() in inks())


def test_the_names_of_works_need_no_scroll_bar(qtbot, desktop: Desktop) -> None:
    desktop.begin(StartRequest.WINDOW)
    dialog = show_licences(desktop.ui)
    qtbot.waitUntil(lambda: dialog.works.count() > 10)
    qtbot.waitUntil(lambda: dialog.works.horizontalScrollBar().maximum() == 0)
    dialog.reject()


def test_the_diagnostics_are_shown_before_they_are_saved(
    qtbot, desktop: Desktop, tmp_path: Path
) -> None:
    desktop.begin(StartRequest.WINDOW)
    desktop.window.requests.help.emit()
    box = desktop.window.findChild(HelpDialog)
    next(one for one in box.findChildren(QPushButton) if "Diagnostics" in one.text()).click()
    qtbot.waitUntil(lambda: bool(desktop.window.findChildren(DiagnosticsDialog)))
    dialog = desktop.window.findChild(DiagnosticsDialog)
    assert "Qt 6" in dialog.text.toPlainText()
    assert list(tmp_path.rglob("*.txt")) == []
    dialog.copy.click()
    assert QApplication.clipboard().text() == dialog.text.toPlainText()
    dialog.save(tmp_path / "mine.txt")
    assert "Qt 6" in (tmp_path / "mine.txt").read_text()
    saved = f"The diagnostics were saved as {tmp_path / 'mine.txt'}."
    banner = desktop.window.banner
    assert (banner.words, banner.property("good")) == (saved, True)
    dialog.save(tmp_path / "nowhere" / "mine.txt")
    assert "could not be saved" in banner.words
    assert not banner.property("good")
    dialog.reject()
