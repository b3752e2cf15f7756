"""Rows of a few lines of text, some with a sign."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from PySide6.QtCore import QAbstractItemModel, QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QMouseEvent, QPainter
from PySide6.QtWidgets import QListView, QStyledItemDelegate, QStyleOptionViewItem

from scrubjay_desktop.widgets.icons import pixmap
from scrubjay_desktop.widgets.list_models import ROW_ROLE, Index
from scrubjay_desktop.widgets.painting import draw_elided, inset, paint_row_state
from scrubjay_desktop.widgets.theme import GRID, Colors, palette_colors, sized_font

_FLAGS = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)


class TextLine(Struct, frozen=True):
    """One text of a row, elided to one line unless it wraps."""

    text: str
    color: QColor
    points: float = 0
    """Points that are added to the size of the view's font."""
    weight: QFont.Weight = QFont.Weight.Normal
    wraps: bool = False
    is_beside: bool = False
    """Whether it stands at the right end of the lines that follow."""


class Sign(Struct, frozen=True):
    """A picture beside the lines."""

    picture: str
    color: QColor
    size: int = 16
    is_last: bool = True
    """Whether it stands at the end of the row, not at its beginning."""


RowText = Callable[[Index, Colors], tuple[tuple[TextLine, ...], Sign | None]]
"""Function that gives the lines of a row from top to bottom, and its sign."""


class TextRowDelegate(QStyledItemDelegate):
    """Paints the lines of each row below one another."""

    sign_clicked = Signal(object)
    """Signal with the value of a row whose last sign was clicked."""

    def __init__(self, view: QListView, row_text: RowText, *, beside: int = GRID) -> None:
        """Beside are the pixels left and right of the surface of a row."""
        super().__init__(view)
        self._beside = beside
        self._view = view
        self._row_text = row_text

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: D102
        lines, sign = self._row_text(index, palette_colors(option.palette))
        beside = 0
        if sign is not None:
            beside = sign.size + GRID
        width = self._view.viewport().width() - 4 * GRID - beside
        heights = (
            _height(QFontMetrics(_font(option.font, line)), line, width)
            for line in lines
            if not line.is_beside
        )
        # A widget below the lines, such as buttons, has its room too.
        room = 0
        below = self._view.indexWidget(index)
        if below is not None:
            room = below.sizeHint().height()
        return QSize(20 * GRID, sum(heights) + 5 * GRID // 2 + room)

    def editorEvent(  # noqa: D102
        self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index
    ) -> bool:
        _, sign = self._row_text(index, palette_colors(option.palette))
        is_released = (
            isinstance(event, QMouseEvent) and event.type() == event.Type.MouseButtonRelease
        )
        if sign and isinstance(event, QMouseEvent) and is_released:
            # A fingertip of room around it.
            room = sign.size + 4 * GRID
            if event.position().x() > option.rect.right() - room:
                self.sign_clicked.emit(index.data(ROW_ROLE))
        return super().editorEvent(event, model, option, index)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: D102
        colors = palette_colors(option.palette)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = inset(QRect(option.rect), across=self._beside, down=1)
        paint_row_state(painter, area, state=option.state, colors=colors)
        # The lines stand where those of cards do.
        inner = inset(QRect(option.rect), across=2 * GRID, down=GRID + 1)
        lines, sign = self._row_text(index, colors)
        # The sign takes its room from the lines.
        if sign is not None:
            scale = painter.device().devicePixelRatioF()
            image = pixmap(sign.picture, sign.color, size=sign.size, scale=scale)
            corner = inner.topLeft()
            # The lines stand left or right of the sign.
            if sign.is_last:
                corner.setX(inner.right() - sign.size + 1)
                inner.setRight(inner.right() - sign.size - GRID)
            else:
                inner.setLeft(inner.left() + sign.size + GRID)
            painter.drawPixmap(corner, image)
        for line in lines:
            painter.setPen(line.color)
            painter.setFont(_font(option.font, line))
            # What stands at the right end takes its room from the lines below.
            if line.is_beside:
                painter.drawText(inner, _RIGHT, line.text)
                width = painter.fontMetrics().horizontalAdvance(line.text)
                inner.setRight(inner.right() - width - GRID * bool(width))
                continue
            if line.wraps:
                painter.drawText(inner, _FLAGS, line.text)
            else:
                draw_elided(painter, inner, text=line.text, alignment=Qt.AlignmentFlag.AlignTop)
            inner.setTop(inner.top() + _height(painter.fontMetrics(), line, inner.width()))
        painter.restore()


def _font(font: QFont, line: TextLine) -> QFont:
    return sized_font(font, line.points, line.weight)


def _height(metrics: QFontMetrics, line: TextLine, width: int) -> int:
    if not line.wraps:
        return metrics.height()
    room = QRect(QPoint(), QSize(max(1, width), 10_000))
    return metrics.boundingRect(room, _FLAGS, line.text).height()
