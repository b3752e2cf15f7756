"""Widgets side by side."""

from __future__ import annotations

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QPushButton, QSplitter

from scrubjay_desktop.widgets.layouts import side_by_side


def test_what_is_on_the_left_is_read_first(qtbot) -> None:
    splitter: QSplitter = side_by_side(QPushButton("Left"), QPushButton("Right"), widths=(10, 10))
    qtbot.addWidget(splitter)
    splitter.show()
    spoken = QAccessible.queryAccessibleInterface(splitter)
    names = [spoken.child(at).text(QAccessible.Text.Name) for at in range(spoken.childCount())]
    assert [name for name in names if name] == ["Left", "Right"]
