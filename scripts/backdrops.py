"""What is photographed with something around it: the popup over a desktop, the tray in a panel."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from scrubjay_desktop.text.status_sentences import AppState
from scrubjay_desktop.widgets.icons import pixmap
from scrubjay_desktop.widgets.theme import GRID, Colors, sized

_STATE_NAMES = {
    "en": {
        AppState.READY: "Up to date",
        AppState.INDEXING: "Reading notes",
        AppState.MODEL: "Learning meaning",
        AppState.PAUSED: "Paused",
        AppState.ERROR: "Something failed",
        AppState.ATTENTION: "Needs you",
    },
    "es": {
        AppState.READY: "Al día",
        AppState.INDEXING: "Lee notas",
        AppState.MODEL: "Aprende significados",
        AppState.PAUSED: "En pausa",
        AppState.ERROR: "Algo falló",
        AppState.ATTENTION: "Te necesita",
    },
}


def over_a_desktop(popup: QWidget, colors: Colors) -> QPixmap:
    """The popup over something like a desktop, because its corners are round."""
    margin = 6 * GRID
    size = popup.size() + QSize(2 * margin, 2 * margin)
    picture = _canvas(size, popup.devicePixelRatioF())
    picture.fill(QColor("#27323e" if colors.is_dark else "#a9bfd6"))
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    for spread in range(24, 0, -2):
        painter.setBrush(QColor(0, 0, 0, 4))
        shadow = QRect(QPoint(margin, margin + 6), popup.size())
        grown = shadow.adjusted(-spread, -spread, spread, spread)
        painter.drawRoundedRect(grown, 12 + spread, 12 + spread)
    popup.render(painter, QPoint(margin, margin), renderFlags=QWidget.RenderFlag.DrawChildren)
    painter.end()
    return picture


def in_a_panel(menu: QWidget, colors: Colors, language: str) -> QPixmap:
    """A strip like a panel with all six shapes, and the menu below it."""
    names = _STATE_NAMES[language]
    cell, strip = 19 * GRID, 11 * GRID
    width = cell * len(names)
    size = QSize(width, strip + menu.height() + 5 * GRID)
    scale = menu.devicePixelRatioF()
    picture = _canvas(size, scale)
    picture.fill(colors.window)
    painter = QPainter(picture)
    painter.fillRect(QRect(0, 0, width, strip), colors.sidebar)
    painter.setPen(colors.border)
    painter.drawLine(0, strip, width, strip)
    painter.setFont(sized(QFont(), -1))
    for number, (state, name) in enumerate(names.items()):
        left = number * cell
        drawn = pixmap(str(state), colors.text, 32, scale)
        painter.drawPixmap(left + (cell - 32) // 2, 2 * GRID, drawn)
        painter.setPen(colors.muted)
        words = QRect(left, 7 * GRID, cell, 3 * GRID)
        painter.drawText(words, Qt.AlignmentFlag.AlignCenter, name)
    menu.render(painter, QPoint((width - menu.width()) // 2, strip + 2 * GRID))
    painter.end()
    return picture


def _canvas(size: QSize, scale: float) -> QPixmap:
    picture = QPixmap(size * scale)
    picture.setDevicePixelRatio(scale)
    return picture
