"""The picture of a page, with marks painted on it."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QPainter, QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea

from scrubjay.records.page_picture import Mark, PagePicture
from scrubjay_desktop.widgets.theme import GRID, LIGHT, colors_of

_AROUND = 2 * GRID
"""Pixels around the page."""
_WIDEST = 4_000
"""Pixels that a page is wide at most; the process that draws it has its own limit."""


class PageCanvas(QAbstractScrollArea):
    """One page as wide as there is room: white paper, whatever the theme."""

    resized = Signal()
    turned = Signal(int)
    """Signal that the user continues after the end of the page (1), or back before its beginning
    (-1)."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # A bar that comes and goes changes the width that decides whether it is needed.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.picture: PagePicture | None = None
        self._image = QImage()

    def pixels_across(self, width: int) -> int:
        """The width in pixels of a page in a canvas that is so wide."""
        room = width - self.verticalScrollBar().sizeHint().width() - 2 * _AROUND
        return max(1, min(_WIDEST, round(room * self.devicePixelRatioF())))

    def show_page(self, picture: PagePicture, name: str, *, is_another: bool) -> None:
        """Show another page at what was found on it, or the same one redrawn in its place."""
        # Its pixels are not copied: they live as long as this record.
        self.picture = picture
        size = QSize(picture.width, picture.height)
        form = QImage.Format.Format_RGB32
        self._image = QImage(picture.pixels, size.width(), size.height(), 4 * size.width(), form)
        self.setAccessibleName(name)
        self.setAccessibleDescription(picture.text)
        self._lay_out()
        # A mark is seen a third from the top; without one the page begins at its top.
        if is_another:
            bar = self.verticalScrollBar()
            bar.setValue(0)
            for mark in (*picture.passage, *picture.words)[:1]:
                bar.setValue(round(self.area_of(mark).top()) - self.viewport().height() // 3)
        self.viewport().update()

    def area_of(self, mark: Mark) -> QRectF:
        """A mark as it is seen now."""
        paper = self._paper()
        x = paper.left() + mark.left * paper.width()
        y = paper.top() + mark.top * paper.height()
        across = (mark.right - mark.left) * paper.width()
        down = (mark.bottom - mark.top) * paper.height()
        return QRectF(x, y, across, down).adjusted(-1, -1, 1, 1)

    def _paper(self) -> QRectF:
        if self._image.isNull():
            return QRectF()
        width = max(1, self.viewport().width() - 2 * _AROUND)
        height = width * self._image.height() / self._image.width()
        return QRectF(_AROUND, _AROUND - self.verticalScrollBar().value(), width, height)

    def _region(self, marks: Iterable[Mark]) -> QRegion:
        region = QRegion()
        for mark in marks:
            region += self.area_of(mark).toAlignedRect()
        return region

    def _lay_out(self) -> None:
        bar = self.verticalScrollBar()
        high = self.viewport().height()
        # The same share of the page stays above when its height changes.
        share = bar.value() / max(1, bar.maximum())
        bar.setPageStep(high)
        bar.setSingleStep(3 * GRID)
        bar.setRange(0, max(0, round(self._paper().height()) + 2 * _AROUND - high))
        bar.setValue(round(share * bar.maximum()))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: D102
        super().resizeEvent(event)
        self._lay_out()
        self.resized.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: D102
        # At its ends the page cannot scroll, so the next one is wanted.
        bar = self.verticalScrollBar()
        if event.key() == Qt.Key.Key_PageDown and bar.value() == bar.maximum():
            self.turned.emit(1)
        elif event.key() == Qt.Key.Key_PageUp and bar.value() == 0:
            self.turned.emit(-1)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        if self.picture is None:
            return
        painter = QPainter(self.viewport())
        paper = self._paper()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(paper, self._image)
        # As a marker pen does, and in the light colours, since the paper is white.
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        words = self._region(self.picture.words)
        passage = self._region(self.picture.passage)
        for region, color in ((passage - words, LIGHT.accent_soft), (words, LIGHT.marked)):
            painter.setClipRegion(region)
            painter.fillRect(region.boundingRect(), color)
        painter.setClipping(False)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        painter.setPen(colors_of(self.palette()).border)
        painter.drawRect(paper)
