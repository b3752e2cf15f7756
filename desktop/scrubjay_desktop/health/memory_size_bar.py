"""How much of a MEMORY.md agents load, as a bar with a cut line."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from scrubjay import MemorySize
from scrubjay_desktop.text.formatting import number, translate
from scrubjay_desktop.widgets.theme import GRID, colors_of, sized

_BAR = 12


class MemoryBar(QWidget):
    """The whole file as a bar; what lies behind the cut line is not loaded."""

    def __init__(self, size: MemorySize, workspace: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._size = size
        self._text = memory_sentence(size, workspace)
        self.setAccessibleName(self._text)
        self.setToolTip(self._text)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:  # noqa: D102
        return QSize(40 * GRID, self.fontMetrics().height() + _BAR + 2 * GRID)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(colors.text)
        painter.setFont(sized(self.font(), -0.5))
        metrics = painter.fontMetrics()
        shown = metrics.elidedText(self._text, Qt.TextElideMode.ElideMiddle, self.width())
        painter.drawText(0, metrics.ascent(), shown)
        bar = QRectF(0.5, metrics.height() + GRID / 2, self.width() - 1, _BAR)
        painter.setPen(QPen(colors.border, 1))
        painter.setBrush(colors.surface)
        painter.drawRoundedRect(bar, 3, 3)
        whole = max(self._size.characters, self._size.limit)
        loaded = min(self._size.characters, self._size.limit) / whole * bar.width()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colors.accent)
        painter.drawRoundedRect(QRectF(bar.left(), bar.top(), loaded, _BAR), 3, 3)
        if self._size.cut_line:
            self._paint_rest(painter, bar, loaded)

    def _paint_rest(self, painter: QPainter, bar: QRectF, loaded: float) -> None:
        """Hatched, so that it differs in shape and not in colour alone, behind the cut line."""
        colors = colors_of(self.palette())
        rest = QRectF(bar.left() + loaded, bar.top(), bar.width() - loaded, _BAR)
        painter.setBrush(colors.warning_soft)
        painter.drawRect(rest)
        painter.save()
        painter.setClipRect(rest)
        painter.setPen(QPen(colors.warning, 1))
        left = int(rest.left()) - _BAR
        while left < rest.right():
            painter.drawLine(left, int(rest.bottom()), left + _BAR, int(rest.top()))
            left += 6
        painter.restore()
        painter.setPen(QPen(colors.danger, 2))
        cut = int(rest.left())
        painter.drawLine(cut, int(bar.top()) - 3, cut, int(bar.bottom()) + 3)


def memory_sentence(size: MemorySize, workspace: str) -> str:
    """What the bar shows, in words."""
    if size.cut_line:
        text = translate(
            "Health",
            "{workspace}, {path}: agents load {limit} of {characters} characters, "
            "up to line {line}",
        )
    else:
        text = translate(
            "Health", "{workspace}, {path}: {characters} of the {limit} characters that agents load"
        )
    return text.format(
        workspace=workspace,
        path=size.path,
        characters=number(size.characters),
        limit=number(size.limit),
        line=number(size.cut_line),
    )
