from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QMessageBox

from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.health.help_dialogs import DiagnosticsDialog

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)


def test_the_diagnostics_are_shown_before_they_are_saved(
    qtbot, desktop: Desktop, tmp_path: Path
) -> None:
    desktop.begin(StartRequest.WINDOW)
    desktop.window.help_requested.emit()
    box = desktop.window.findChild(QMessageBox)
    next(one for one in box.buttons() if "Diagnostics" in one.text()).click()
    qtbot.waitUntil(lambda: bool(desktop.window.findChildren(DiagnosticsDialog)))
    dialog = desktop.window.findChild(DiagnosticsDialog)
    assert "Qt 6" in dialog.text.toPlainText()
    assert list(tmp_path.rglob("*.txt")) == []
    dialog.copy.click()
    assert QApplication.clipboard().text() == dialog.text.toPlainText()
    dialog.save(tmp_path / "mine.txt")
    assert "Qt 6" in (tmp_path / "mine.txt").read_text()
    assert desktop.window.banner.words == f"Saved as {tmp_path / 'mine.txt'}."
    dialog.save(tmp_path / "nowhere" / "mine.txt")
    assert "could not be written" in desktop.window.banner.words
    dialog.reject()
