"""Input boxes that ignore the wheel: scrolling a page must not change them."""

from __future__ import annotations

from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSpinBox


class _WheelSafe:
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class ChoiceBox(_WheelSafe, QComboBox):
    """One of several choices, by click or key."""


class NumberBox(_WheelSafe, QSpinBox):
    """A whole number, by click or key."""


class ShareBox(_WheelSafe, QDoubleSpinBox):
    """A number with decimals, by click or key."""
