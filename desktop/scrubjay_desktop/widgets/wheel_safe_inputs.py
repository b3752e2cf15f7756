"""Boxes that the wheel passes by: scrolling a page must not change what lies under the pointer."""

from __future__ import annotations

from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSpinBox


class _PassedBy:
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class ChoiceBox(_PassedBy, QComboBox):
    """One of several choices, by click or key."""


class NumberBox(_PassedBy, QSpinBox):
    """A whole number, by click or key."""


class ShareBox(_PassedBy, QDoubleSpinBox):
    """A number with decimals, by click or key."""
