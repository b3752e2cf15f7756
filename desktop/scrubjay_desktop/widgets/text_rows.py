"""Rows of a few lines of text, some with a sign."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QAbstractItemModel, QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QMouseEvent, QPainter
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QStyleOptionViewItem

from scrubjay_desktop.widgets.icons import pixmap
from scrubjay_desktop.widgets.list_models import ROW_ROLE, Index
from scrubjay_desktop.widgets.painting import draw_elided, paint_row_state
from scrubjay_desktop.widgets.theme import GRID, Colors, colors_of, sized

_FLAGS = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)


class TextLine(NamedTuple):
    """One text of a row, elided to one line unless it wraps."""

    text: str
    color: QColor
    points: float = 0
    """Added to the size of the view's font."""
    weight: QFont.Weight = QFont.Weight.Normal
    wraps: bool = False
    is_beside: bool = False
    """At the right end of the lines that follow."""


class Sign(NamedTuple):
    """A picture beside the lines."""

    picture: str
    color: QColor
    size: int = 16
    is_last: bool = True
    """At the end of the row, not at its beginning."""


RowText = Callable[[Index, Colors], tuple[tuple[TextLine, ...], Sign | None]]
"""The lines of a row from top to bottom, and its sign."""


class TextRowDelegate(QStyledItemDelegate):
    """Paints the lines of each row below one another."""

    sign_clicked = Signal(object)
    """The value of a row whose last sign was clicked."""

    def __init__(self, view: QListView, row_text: RowText) -> None:
        super().__init__(view)
        self._view = view
        self._row_text = row_text

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: D102
        lines, sign = self._row_text(index, colors_of(option.palette))
        beside = sign.size + GRID if sign else 0
        width = self._view.viewport().width() - 4 * GRID - beside
        heights = (
            _height(QFontMetrics(_font(option.font, line)), line, width)
            for line in lines
            if not line.is_beside
        )
        below = self._view.indexWidget(index)  # such as buttons
        room = below.sizeHint().height() if below else 0
        return QSize(20 * GRID, sum(heights) + 5 * GRID // 2 + room)

    def editorEvent(  # noqa: D102
        self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        _, sign = self._row_text(index, colors_of(option.palette))
        if (
            sign
            and isinstance(event, QMouseEvent)
            and event.type() == event.Type.MouseButtonRelease
        ):
            room = sign.size + 4 * GRID  # a fingertip of room around it
            if event.position().x() > option.rect.right() - room:
                self.sign_clicked.emit(index.data(ROW_ROLE))
        return super().editorEvent(event, model, option, index)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: D102
        colors = colors_of(option.palette)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRect(option.rect).adjusted(GRID, 1, -GRID, -1)
        paint_row_state(painter, area, option.state, colors)
        inner = area.adjusted(GRID, GRID, -GRID, -GRID)
        lines, sign = self._row_text(index, colors)
        if sign is not None:
            image = pixmap(*sign[:3], painter.device().devicePixelRatioF())
            left = inner.right() - sign.size + 1 if sign.is_last else inner.left()
            painter.drawPixmap(QPoint(left, inner.top()), image)
            beside = sign.size + GRID
            inner.adjust(0 if sign.is_last else beside, 0, -beside if sign.is_last else 0, 0)
        for line in lines:
            painter.setPen(line.color)
            painter.setFont(_font(option.font, line))
            if line.is_beside:
                painter.drawText(inner, _RIGHT, line.text)
                width = painter.fontMetrics().horizontalAdvance(line.text)
                inner.setRight(inner.right() - width - GRID * bool(width))
                continue
            if line.wraps:
                painter.drawText(inner, _FLAGS, line.text)
            else:
                draw_elided(painter, inner, line.text, Qt.AlignmentFlag.AlignTop)
            inner.setTop(inner.top() + _height(painter.fontMetrics(), line, inner.width()))
        painter.restore()


def _font(font: QFont, line: TextLine) -> QFont:
    return sized(font, line.points, line.weight)


def _height(metrics: QFontMetrics, line: TextLine, width: int) -> int:
    if not line.wraps:
        return metrics.height()
    return metrics.boundingRect(QRect(0, 0, max(1, width), 10_000), _FLAGS, line.text).height()
