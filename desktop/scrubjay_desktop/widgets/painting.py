"""Shapes and texts that widgets and delegates paint in the same way."""

from __future__ import annotations

import contextlib
import ctypes
import math
from collections.abc import Sequence
from typing import Any, TypeVar

from PySide6.QtCore import (
    QEvent,
    QObject,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QGuiApplication, QPaintDevice, QPainter, QPen
from PySide6.QtWidgets import QStyle, QWidget

from scrubjay_desktop.widgets.theme import GRID, Colors

Area = TypeVar("Area", QRect, QRectF)

_UNPAINTED_MS = 250
"""Milliseconds after which a start continues without a window: it is hidden, or another one covers
it."""


class FirstPaint(QObject):
    """Waits until one of some windows was painted for the first time."""

    painted = Signal()
    """Signal that is emitted once."""

    def __init__(self, windows: Sequence[QWidget]) -> None:
        super().__init__(windows[0])
        self._windows = windows
        self._is_over = False
        for window in windows:
            window.installEventFilter(self)
        QTimer.singleShot(_UNPAINTED_MS, self, self._finish)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Qt's hook for events of the windows."""
        if event.type() == QEvent.Type.Paint:
            QTimer.singleShot(0, self, self._finish)
        return False

    def _finish(self) -> None:
        if self._is_over:
            return
        self._is_over = True
        for window in self._windows:
            window.removeEventFilter(self)
        self.painted.emit()


def smooth_painter(device: QPaintDevice) -> QPainter:
    """A painter with antialiasing."""
    painter = QPainter(device)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter


def inset(area: Area, *, across: int = 0, down: int = 0, right: int = 0) -> Area:
    """A rectangle within another, so many pixels from its sides and from its top and bottom.

    The right side may need some more.
    """
    return area.adjusted(across, down, -across - right, -down)


def line_rect(area: QRect, *, top: int, height: int) -> QRect:
    """A line of an area, as wide as that."""
    return QRect(QPoint(area.left(), top), QSize(area.width(), height))


def square_at(corner: QPointF, side: float) -> QRectF:
    """A square below and right of its upper left corner."""
    return QRectF(corner, QSizeF(side, side))


def paint_box(
    painter: QPainter,
    area: QRectF,
    fill: QColor | Qt.BrushStyle,
    border: QColor | Qt.PenStyle,
    radius: float,
    width: float = 1,
) -> None:
    """Paint a rounded rectangle; radius and border width in pixels."""
    if isinstance(border, QColor):
        painter.setPen(QPen(border, width))
    else:
        painter.setPen(border)
    painter.setBrush(fill)
    painter.drawRoundedRect(area, radius, radius)


def paint_shadow(painter: QPainter, area: QRectF, radius: float, width: int) -> None:
    """Paint a soft shadow around a box, so wide in pixels."""
    for distance in range(width, 0, -1):
        # Boxes upon boxes, fainter the larger they are.
        shade = QColor(Qt.GlobalColor.black)
        shade.setAlpha(round(16 * (1 - distance / (width + 1)) ** 2))
        around = inset(area, across=-distance, down=-distance)
        paint_box(painter, around, fill=shade, border=Qt.PenStyle.NoPen, radius=radius + distance)


def fill_unpainted(window: QWidget, color: QColor) -> None:
    """Give a window its colour until it paints itself; X11 shows it black else."""
    app = QGuiApplication.instance()
    if QGuiApplication.platformName() != "xcb" or not isinstance(app, QGuiApplication):
        return
    native: Any = app.nativeInterface()
    # Where Qt or X11 have changed, a window is black for a moment.
    with contextlib.suppress(OSError, AttributeError):
        x11 = ctypes.CDLL("libX11.so.6")
        display = ctypes.c_void_p(int(native.display()))
        pixel = ctypes.c_ulong(color.rgb())
        x11.XSetWindowBackground(display, ctypes.c_ulong(int(window.winId())), pixel)
        x11.XFlush(display)


def paint_row_state(
    painter: QPainter,
    card: QRect,
    state: QStyle.StateFlag,
    colors: Colors,
    *,
    has_bar: bool = False,
) -> None:
    """Paint the background of a selected or hovered row; `has_bar` adds a bar to a selected one."""
    is_selected = bool(state & QStyle.StateFlag.State_Selected)
    if not is_selected and not state & QStyle.StateFlag.State_MouseOver:
        return
    # A selected row has its own colour, and in some lists a bar at its left.
    fill = colors.accent_soft if is_selected else colors.hover
    paint_box(painter, QRectF(card), fill=fill, border=Qt.PenStyle.NoPen, radius=6)
    if is_selected and has_bar:
        corner = QPointF(card.left(), card.top() + GRID)
        bar = QRectF(corner, QSizeF(3, card.height() - 2 * GRID))
        paint_box(painter, bar, fill=colors.accent, border=Qt.PenStyle.NoPen, radius=1.5)


def draw_elided(
    painter: QPainter,
    area: QRect | QRectF,
    text: str,
    alignment: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter,
    mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> None:
    """Draw one line of text, with an ellipsis where the area is too narrow."""
    # A fraction of a pixel must not cut a letter.
    room = math.ceil(area.width())
    elided = painter.fontMetrics().elidedText(text, mode, room)
    painter.drawText(QRectF(area), alignment, elided)
