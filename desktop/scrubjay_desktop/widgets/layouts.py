"""Layouts built in one call, with margins and spacing in multiples of the grid."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLayout,
    QScrollArea,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from scrubjay_desktop.widgets.theme import GRID

TOP = Qt.AlignmentFlag.AlignTop
Part = QWidget | QLayout | int | tuple[QWidget | QLayout, int | Qt.AlignmentFlag]
"""Widget or layout, in a pair with its stretch factor or alignment; a number is a stretch."""
Margins = tuple[float, float, float, float]
"""Left, top, right and bottom."""

NONE: Margins = (0, 0, 0, 0)
PAGE: Margins = (3, 3, 3, 2)
"""Margins around pages."""
DIALOG: Margins = (2, 2, 2, 2)
"""Margins around dialogs."""

BEFORE_BAR = 0.75
"""Margin before the scroll bar of a page, which is 10 pixels wide: both are as wide as two."""

L = TypeVar("L", bound=QBoxLayout)


def vbox(
    *parts: Part,
    on: QWidget | None = None,
    margins: Margins | None = None,
    spacing: float | None = None,
) -> QVBoxLayout:
    """A vertical layout of these parts; of the widget `on` when there is one."""
    return _filled(QVBoxLayout(), parts, on=on, margins=margins, spacing=spacing)


def hbox(
    *parts: Part,
    on: QWidget | None = None,
    margins: Margins | None = None,
    spacing: float | None = None,
) -> QHBoxLayout:
    """A horizontal layout of these parts; of the widget `on` when there is one."""
    return _filled(QHBoxLayout(), parts, on=on, margins=margins, spacing=spacing)


def _filled(
    layout: L,
    parts: tuple[Part, ...],
    *,
    on: QWidget | None,
    margins: Margins | None,
    spacing: float | None,
) -> L:
    if on is not None:
        on.setLayout(layout)
    # Where nothing is said, the margins and the spacing are those of the platform.
    if margins is not None:
        sides = [int(GRID * margin) for margin in margins]
        layout.setContentsMargins(*sides)
    if spacing is not None:
        layout.setSpacing(int(GRID * spacing))
    for part in parts:
        # A number is a stretch; a pair says how much room its part takes, or where it stands in it.
        if isinstance(part, int):
            layout.addStretch(part)
            continue
        flags: Qt.AlignmentFlag | int = 0
        if isinstance(part, tuple):
            item, flags = part
        else:
            item = part
        if isinstance(item, QWidget):
            layout.addWidget(item)
        else:
            layout.addLayout(item)
        if isinstance(flags, Qt.AlignmentFlag):
            layout.setAlignment(item, flags)
        else:
            layout.setStretchFactor(item, flags)
    return layout


def side_by_side(left: QWidget, right: QWidget, *, widths: tuple[int, int]) -> QSplitter:
    """Two widgets with a thin movable edge between them; widths in multiples of the grid."""
    splitter = QSplitter(Qt.Orientation.Horizontal)
    splitter.setChildrenCollapsible(False)
    splitter.setHandleWidth(1)
    splitter.addWidget(left)
    splitter.addWidget(right)
    # Qt puts each new one below the others, and screen readers read from the lowest up.
    right.raise_()
    splitter.handle(1).raise_()
    splitter.setSizes([GRID * width for width in widths])
    return splitter


def stacked_widget(*pages: QWidget) -> QStackedWidget:
    """Pages of which the first is visible."""
    stack = QStackedWidget()
    for page in pages:
        stack.addWidget(page)
    return stack


def scroll_area(content: QWidget, name: str = "") -> QScrollArea:
    """A frameless area that scrolls its content vertically; name is for screen readers."""
    area = QScrollArea()
    area.setAccessibleName(name)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    # The bar, drawn only where something scrolls, keeps its room: no control moves aside for it.
    area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    # The controls inside are reached with the Tab key, and keys that scroll work on them too.
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    # The paper of the page is seen behind the content.
    area.setWidget(content)
    content.setAutoFillBackground(False)
    area.viewport().setAutoFillBackground(False)
    return area
