"""Boxes that the wheel passes by: scrolling a page must not change what lies under the pointer."""

from __future__ import annotations

from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSpinBox


class ChoiceBox(QComboBox):
    """One of several choices, by click or key."""

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: D102
        event.ignore()


class NumberBox(QSpinBox):
    """A whole number, by click or key."""

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: D102
        event.ignore()


class ShareBox(QDoubleSpinBox):
    """A number with decimals, by click or key."""

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: D102
        event.ignore()
