"""The text cursor stands still when nobody types."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from scrubjay_desktop.app.run_app import CursorBlink

FLASH_MS = 1_000


@pytest.fixture
def boxes_window(qtbot, qapp: QApplication) -> Iterator[QWidget]:
    before = qapp.cursorFlashTime()
    qapp.setCursorFlashTime(FLASH_MS)
    window = QWidget()
    layout = QVBoxLayout(window)
    for edit in (QLineEdit(window), QPlainTextEdit(window)):
        layout.addWidget(edit)
    qtbot.addWidget(window)
    CursorBlink(qapp, window, blinks_ms=50)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    yield window
    qapp.setCursorFlashTime(before)


@pytest.mark.parametrize("kind", [QLineEdit, QPlainTextEdit])
def test_it_stands_still_after_a_while_and_blinks_with_the_next_key(
    qtbot, qapp: QApplication, boxes_window: QWidget, kind: type[QWidget]
) -> None:
    edit = boxes_window.findChild(kind)
    edit.setFocus()
    qtbot.waitUntil(lambda: qapp.cursorFlashTime() == 0)
    blinked: list[int] = []
    qapp.styleHints().cursorFlashTimeChanged.connect(blinked.append)
    qtbot.keyClick(edit, Qt.Key.Key_A)
    assert blinked == [FLASH_MS]
    qtbot.waitUntil(lambda: qapp.cursorFlashTime() == 0)


def test_an_edit_that_is_gone_is_forgotten(
    qtbot, qapp: QApplication, boxes_window: QWidget
) -> None:
    line, text = boxes_window.findChild(QLineEdit), boxes_window.findChild(QPlainTextEdit)
    line.setFocus()
    with qtbot.waitSignal(line.destroyed):
        line.deleteLater()
    text.setFocus()
    qtbot.waitUntil(lambda: qapp.cursorFlashTime() == 0)
