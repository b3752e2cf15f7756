"""The picture of a page, with marks painted on it."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QPainter, QPaintEvent, QRegion, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea

from scrubjay.records.page_picture import Mark, PagePicture
from scrubjay_desktop.widgets.theme import GRID, LIGHT, palette_colors

_AROUND = 2 * GRID
"""Pixels around the page."""
_MOST_ZOOM = 1.6
"""Widths of the canvas that a page takes at most, so that small letters can be read."""
_WIDEST = 4_000
"""Pixels that a page is wide at most; the process that draws it has its own limit."""


class PageCanvas(QAbstractScrollArea):
    """One page on white paper, whatever the theme: as wide as there is room, or wider where its
    letters would be too small.
    """

    resized = Signal()
    turned = Signal(int)
    """Signal that the user continues after the end of the page (1), or back before its beginning
    (-1)."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        # A bar that comes and goes changes the width that decides whether it is needed.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.picture: PagePicture | None = None
        self.zoom = 1.0
        """Widths of the canvas that the page takes."""
        self._is_fitted = False
        """Whether the user wants to see the whole width of pages."""
        self._image = QImage()

    def pixels_across(self, width: int) -> int:
        """The width in pixels of a page in a canvas that is so wide."""
        room = width - self.verticalScrollBar().sizeHint().width() - 2 * _AROUND
        return max(1, min(_WIDEST, round(room * self.zoom * self.devicePixelRatioF())))

    def fit_width(self, is_fitted: bool) -> None:
        """Show the whole width of pages, or what was found in letters that can be read."""
        self._is_fitted = is_fitted
        if self.picture is not None:
            self._zoom_to_marks(self.picture)
            self._lay_out()
            self._scroll_to_marks(self.picture)
            self.viewport().update()

    def show_page(self, picture: PagePicture, name: str, *, is_another: bool) -> None:
        """Show another page at what was found on it, or the same one redrawn in its place."""
        # Its pixels are not copied: they live as long as this record.
        self.picture = picture
        size = QSize(picture.width, picture.height)
        form = QImage.Format.Format_RGB32
        self._image = QImage(picture.pixels, size.width(), size.height(), 4 * size.width(), form)
        self.setAccessibleName(name)
        self.setAccessibleDescription(picture.text)
        if is_another:
            self._zoom_to_marks(picture)
        self._lay_out()
        if is_another:
            self._scroll_to_marks(picture)
        self.viewport().update()

    def _zoom_to_marks(self, picture: PagePicture) -> None:
        """Make the letters of the passage as large as those of the app, where its lines have room.

        A page without marks keeps the size of the one before.
        """
        marks = picture.passage or picture.words
        zoom = self.zoom
        if self._is_fitted:
            zoom = 1.0
        elif marks:
            width = max(1, self.viewport().width() - 2 * _AROUND)
            height = width * picture.height / picture.width
            letters = height * sum(mark.bottom - mark.top for mark in marks) / len(marks)
            across = max(mark.right for mark in marks) - min(mark.left for mark in marks)
            wanted = self.fontMetrics().height() / max(1.0, letters)
            zoom = max(1.0, min(wanted, 1 / max(across, 1 / _MOST_ZOOM)))
        if zoom != self.zoom:
            self.zoom = zoom
            # The page is drawn again with more pixels.
            self.resized.emit()

    def _scroll_to_marks(self, picture: PagePicture) -> None:
        """Show a mark a third from the top and its line from its beginning, or else the top."""
        across = self.horizontalScrollBar()
        down = self.verticalScrollBar()
        across.setValue(0)
        down.setValue(0)
        marks = picture.passage or picture.words
        if not marks:
            return
        down.setValue(round(self.area_of(marks[0]).top()) - self.viewport().height() // 3)
        left = min(self.area_of(mark).left() for mark in marks)
        across.setValue(round(left) - _AROUND)

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
        width = self.zoom * max(1, self.viewport().width() - 2 * _AROUND)
        height = width * self._image.height() / self._image.width()
        left = _AROUND - self.horizontalScrollBar().value()
        return QRectF(left, _AROUND - self.verticalScrollBar().value(), width, height)

    def _region(self, marks: Iterable[Mark]) -> QRegion:
        region = QRegion()
        for mark in marks:
            region += self.area_of(mark).toAlignedRect()
        return region

    def _lay_out(self) -> None:
        bar = self.verticalScrollBar()
        high = self.viewport().height()
        across = self.horizontalScrollBar()
        # The same share of the page stays above and at the left when its size changes.
        share = bar.value() / max(1, bar.maximum())
        share_across = across.value() / max(1, across.maximum())
        bar.setPageStep(high)
        bar.setSingleStep(3 * GRID)
        bar.setRange(0, max(0, round(self._paper().height()) + 2 * _AROUND - high))
        bar.setValue(round(share * bar.maximum()))
        wide = self.viewport().width()
        across.setPageStep(wide)
        across.setSingleStep(3 * GRID)
        across.setRange(0, max(0, round(self._paper().width()) + 2 * _AROUND - wide))
        across.setValue(round(share_across * across.maximum()))

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
        painter.setPen(palette_colors(self.palette()).border)
        painter.drawRect(paper)
