"""What the long run counts in the app, without adding to it."""

from __future__ import annotations

import gc

import shiboken6
from bench.soak_probe import qt_kinds
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QComboBox, QWidget
from pytestqt.qtbot import QtBot


def choices_in(window: QWidget) -> QWidget:
    """A part of a window with a box, for which Qt makes a list with bars, models and layouts."""
    part = QWidget(window)
    box = QComboBox(part)
    box.addItem("Words")
    box.view()
    return part


def python_objects() -> int:
    """Objects of Python that stand for one of Qt."""
    gc.collect()
    return sum(isinstance(each, shiboken6.Object) for each in gc.get_objects())


def count_and_delete(window: QWidget) -> None:
    """Count while a window has choices, and let Qt delete them."""
    part = choices_in(window)
    qt_kinds()
    part.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_qt_objects_are_counted(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    before = qt_kinds()
    choices_in(window)
    more = qt_kinds() - before
    assert more["QComboBox"] == 1
    assert more["QScrollBar"] == 2
    assert more.total() > 10


def test_counting_them_leaves_nothing_behind(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    count_and_delete(window)
    before = python_objects()
    for _ in range(5):
        count_and_delete(window)
    assert python_objects() == before
