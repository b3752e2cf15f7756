"""A picture, or the picture of a page, with marks painted on it."""

from __future__ import annotations

import math

from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QMenu

from scrubjay_desktop.preview.marks import Corners, PictureMarks, marked_region, painted
from scrubjay_desktop.preview.note_trail import MOUSE_STEPS
from scrubjay_desktop.preview.shown_page import ShownPage
from scrubjay_desktop.preview.text_layer import Spot, TextSpan
from scrubjay_desktop.widgets.banner import copy_to_clipboard
from scrubjay_desktop.widgets.theme import GRID, LIGHT, palette_colors

_AROUND = 2 * GRID
"""Pixels around the picture."""
_MOST_ZOOM = 1.6
"""Widths of the canvas that a picture takes at most by itself, for small letters."""
_WIDEST_ZOOM = 6.0
"""Widths of the canvas that it takes at most when the user enlarges it."""
_STEP = 1.2
"""Factor by which the user enlarges it."""
_WIDEST = 4_000
"""Pixels that a page is wide at most; the process that draws it has its own limit."""
_SELECTED = 90
"""Opacity of the colour over selected text, of 255."""


class PageCanvas(QAbstractScrollArea):
    """One page on white paper, whatever the theme, or another picture: as wide as there is room, or
    wider where the letters of what was found would be too small.
    """

    resized = Signal()
    turned = Signal(int)
    """Signal that the user continues after the end of the page (1), or back before its beginning
    (-1)."""
    stepped = Signal()
    """Other matches, or another one of them."""
    is_excerpt = False
    """Whether only a part of the text is here."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        # A bar that comes and goes changes the width that decides whether it is needed.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.viewport().setMouseTracking(True)
        self.picture: ShownPage | None = None
        self.zoom = 1.0
        """Widths of the canvas that the picture takes."""
        self._is_fitted = False
        """Whether the user wants to see the whole width of pages, or the whole picture."""
        self._is_enlarged = False
        """Whether the user has chosen a size."""
        self._sought = ""
        self._matches: tuple[Corners, ...] = ()
        self._marks: PictureMarks | None = None
        """Matches and passage as they are painted; None without a picture that can be marked."""
        self.current_match = -1
        """The match that was stepped to, from 0; -1 without any."""
        self._selected: list[TextSpan] = []
        self._pressed: Spot | None = None
        """The place in the text where the user began to select."""

    # -- what is shown ------------------------------------------------------------------------

    def pixels_across(self, width: int) -> int:
        """The width in pixels of a page in a canvas that is so wide."""
        room = width - self.verticalScrollBar().sizeHint().width() - 2 * _AROUND
        return max(1, min(_WIDEST, round(room * self.zoom * self.devicePixelRatioF())))

    def fit(self, is_fitted: bool) -> None:
        """Show the whole width of pages or the whole picture, or what was found in letters that can
        be read.
        """
        self._is_fitted = is_fitted
        self._is_enlarged = False
        if self.picture is not None:
            self._zoom_to_marks(self.picture)
            self._lay_out()
            self._scroll_to_marks(self.picture)
            self.viewport().update()

    def show_page(self, picture: ShownPage, name: str, *, is_another: bool) -> None:
        """Show another picture at what was found on it, or the same one redrawn in its place."""
        is_another = is_another or self.picture is None
        self.picture = picture
        self.setAccessibleName(name)
        self.setAccessibleDescription(picture.text)
        if is_another:
            self._is_enlarged = False
            self._selected = []
            self.current_match = -1
            self._zoom_to_marks(picture)
        self._find()
        self._lay_out()
        if is_another:
            self._scroll_to_marks(picture)
            # What the user looks for goes before what the question found.
            if self._sought:
                self._scroll_to_match()
            self.stepped.emit()
        self.viewport().update()

    def clear(self) -> None:
        """Show nothing, so that a former picture is not taken for one that cannot be shown."""
        self.picture = None
        self._selected = []
        self.setAccessibleName("")
        self.setAccessibleDescription("")
        self._find()
        self._lay_out()
        self.viewport().update()
        self.stepped.emit()

    @property
    def has_text(self) -> bool:
        """Whether it shows text that was read on the picture, which can be selected and found."""
        return self.picture is not None and bool(self.picture.layer.count)

    @property
    def is_of_document(self) -> bool:
        """Whether it shows one of the pages of a document."""
        return self.picture is not None and self.picture.page > 0

    # -- its size and its place ---------------------------------------------------------------

    def _zoom_to_marks(self, picture: ShownPage) -> None:
        """Make the letters of the passage as large as those of the app, where its lines have room.

        A page without marks keeps the size of the one before.
        """
        marks = picture.marks.main
        zoom = max(self.zoom, self._least_zoom)
        if self._is_fitted or not picture.page:
            zoom = self._least_zoom
        if marks and not self._is_fitted:
            width = max(1, self.viewport().width() - 2 * _AROUND)
            height = width * picture.image.height() / picture.width
            letters = sum(_letters(mark, width, height) for mark in marks) / len(marks)
            sides = [corner.x() for mark in marks for corner in mark]
            across = max(sides) - min(sides)
            wanted = self.fontMetrics().height() / max(1.0, letters)
            zoom = max(self._least_zoom, min(wanted, 1 / max(across, 1 / _MOST_ZOOM)))
        self._set_zoom(zoom)

    def _set_zoom(self, zoom: float) -> None:
        if zoom != self.zoom:
            self.zoom = zoom
            # The page is drawn again with more pixels.
            self.resized.emit()

    @property
    def _least_zoom(self) -> float:
        """The size of a whole picture in the canvas, at most its own; pages have its width."""
        picture = self.picture
        if picture is None or picture.page:
            return 1.0
        room = QSizeF(self.viewport().size()) - QSizeF(2 * _AROUND, 2 * _AROUND)
        room = room.expandedTo(QSizeF(1, 1))
        size = QSizeF(picture.image.size())
        # A small picture keeps its size: enlarged, it would only be blurred.
        if size.width() > room.width() or size.height() > room.height():
            size = size.scaled(room, Qt.AspectRatioMode.KeepAspectRatio)
        return size.width() / room.width()

    def zoom_by(self, steps: int) -> None:
        """Make the picture larger, or smaller for a negative number, or for 0 as it is at first."""
        if self.picture is None:
            return
        self._is_enlarged = bool(steps)
        if steps:
            zoom = self.zoom * _STEP**steps
            self._set_zoom(min(max(zoom, min(1.0, self._least_zoom)), _WIDEST_ZOOM))
        else:
            self._zoom_to_marks(self.picture)
        # What was in the middle of the bars stays there.
        self._lay_out()
        self.viewport().update()

    def _scroll_to_marks(self, picture: ShownPage) -> None:
        """Show a mark a third from the top and its line from its beginning, or else the top."""
        across = self.horizontalScrollBar()
        down = self.verticalScrollBar()
        across.setValue(0)
        down.setValue(0)
        marks = picture.marks.main
        if marks:
            self._scroll_to(marks[0])
            left = min(self.area_of(mark).left() for mark in marks)
            across.setValue(round(left) + across.value() - _AROUND)

    def _scroll_to(self, mark: Corners) -> None:
        """Show a mark, a third from the top."""
        # Across only where the mark is not in sight.
        area = self.area_of(mark)
        down = self.verticalScrollBar()
        across = self.horizontalScrollBar()
        down.setValue(down.value() + round(area.top()) - self.viewport().height() // 3)
        if area.left() < 0 or area.right() > self.viewport().width():
            across.setValue(across.value() + round(area.left()) - _AROUND)

    def area_of(self, mark: Corners) -> QRectF:
        """The rectangle around a mark as it is seen now."""
        return painted(mark, self._paper()).boundingRect()

    def _share_of(self, point: QPointF) -> QPointF:
        """A point of the viewport as shares of the picture."""
        paper = self._paper()
        across = (point.x() - paper.left()) / max(1.0, paper.width())
        return QPointF(across, (point.y() - paper.top()) / max(1.0, paper.height()))

    def _paper(self) -> QRectF:
        if self.picture is None or self.picture.image.isNull():
            return QRectF()
        room = QSizeF(self.viewport().size()) - QSizeF(2 * _AROUND, 2 * _AROUND)
        width = self.zoom * max(1.0, room.width())
        height = width * self.picture.image.height() / self.picture.width
        left = _AROUND - self.horizontalScrollBar().value()
        top = _AROUND - self.verticalScrollBar().value()
        # Pages begin at the top, and pictures are in the middle.
        left += max(0, round(room.width() - width) // 2)
        if not self.picture.page:
            top += max(0, round(room.height() - height) // 2)
        return QRectF(left, top, width, height)

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

    # -- what is found in it ------------------------------------------------------------------

    @property
    def match_count(self) -> int:
        """The number of marked matches."""
        return len(self._matches)

    def look_for(self, text: str) -> None:
        """Mark a text, or for an empty one the question's words, and go to the first of it."""
        if text == self._sought:
            return
        self._sought = text
        self.current_match = -1
        self._find()
        if text:
            self._scroll_to_match()
        self.viewport().update()
        self.stepped.emit()

    def step(self, direction: int) -> None:
        """Go to the next match (1) or the one before (-1), around the ends."""
        if self._matches:
            self.current_match = (self.current_match + direction) % len(self._matches)
            self._scroll_to_match()
            self.viewport().update()
            self.stepped.emit()

    def _scroll_to_match(self) -> None:
        if self._matches:
            self._scroll_to(self._matches[self.current_match])

    def _find(self) -> None:
        self._matches = ()
        self._marks = None
        if self.picture is not None:
            self._matches = self.picture.marks.words
            if self._sought:
                layer = self.picture.layer
                self._matches = tuple(map(layer.area, layer.find(self._sought)))
            if not self.picture.image.isNull():
                marks = replace(self.picture.marks, words=self._matches)
                self._marks = PictureMarks(self.picture.image, marks)
        # Only what is looked for has a first match that the user was led to.
        last = len(self._matches) - 1
        least = 0 if self._sought else -1
        self.current_match = min(max(self.current_match, least), last)

    # -- what is selected ---------------------------------------------------------------------

    @property
    def selected_text(self) -> str:
        """The text that the user selected."""
        if self.picture is None:
            return ""
        return self.picture.layer.text_of(self._selected)

    def copy(self) -> None:
        """Copy the selected text, or all of it."""
        if self.has_text and self.picture is not None:
            copy_to_clipboard(self.selected_text or self.picture.text, self)

    def select_all(self) -> None:
        """Select all text."""
        if self.picture is not None:
            self._selected = self.picture.layer.everything
            self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: D102
        if event.button() in MOUSE_STEPS:
            # The preview goes back and forward.
            event.ignore()
        elif event.button() == Qt.MouseButton.LeftButton and self.picture is not None:
            # A click alone ends the selection.
            self._pressed = self.picture.layer.spot_at(self._share_of(event.position()))
            self._selected = []
            self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: D102
        if self.picture is None:
            return
        layer = self.picture.layer
        point = self._share_of(event.position())
        if self._pressed is not None:
            spot = layer.spot_at(point)
            if spot is not None:
                self._selected = layer.between(self._pressed, spot)
                self.viewport().update()
        # The pointer tells where there is text.
        shape = Qt.CursorShape.ArrowCursor
        if layer.is_on_text(point):
            shape = Qt.CursorShape.IBeamCursor
        self.viewport().setCursor(shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: D102
        self._pressed = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: D102
        if self.picture is not None:
            self._selected = self.picture.layer.word_at(self._share_of(event.position()))
            self.viewport().update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: D102
        if self.has_text:
            self.menu().popup(event.globalPos())

    def menu(self) -> QMenu:
        """What can be done with the text on the picture."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        text = self.tr("&Copy all text")
        if self._selected:
            text = self.tr("&Copy")
        menu.addAction(text).triggered.connect(self.copy)
        menu.addAction(self.tr("&Select all")).triggered.connect(self.select_all)
        return menu

    # -- keys, wheel and paint ----------------------------------------------------------------

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: D102
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            turned = event.angleDelta().y()
            if turned:
                self.zoom_by(1 if turned > 0 else -1)
            event.accept()
            return
        super().wheelEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: D102
        super().resizeEvent(event)
        # A whole picture stays whole, unless the user has chosen its size.
        former = self.zoom
        picture = self.picture
        if picture is not None and not (picture.page or self._is_enlarged):
            self._zoom_to_marks(picture)
        self._lay_out()
        if former == self.zoom:
            self.resized.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: D102
        # At its ends the page cannot scroll, so the next one is wanted.
        bar = self.verticalScrollBar()
        if event.key() == Qt.Key.Key_PageDown and bar.value() == bar.maximum():
            self.turned.emit(1)
        elif event.key() == Qt.Key.Key_PageUp and bar.value() == 0:
            self.turned.emit(-1)
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        if self.picture is None:
            return
        painter = QPainter(self.viewport())
        paper = self._paper()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(paper, self.picture.image)
        if self._marks is not None:
            self._marks.paint(painter, paper)
        colors = palette_colors(self.palette())
        # The current match has an edge, as its letters cannot be painted in another colour.
        if 0 <= self.current_match < len(self._matches):
            painter.setPen(QPen(LIGHT.accent, 2))
            painter.drawPolygon(painted(self._matches[self.current_match], paper))
        # A selection lies over all marks.
        if self._selected:
            color = QColor(LIGHT.accent)
            color.setAlpha(_SELECTED)
            region = marked_region(map(self.picture.layer.area, self._selected), paper)
            painter.setClipRegion(region)
            painter.fillRect(region.boundingRect(), color)
            painter.setClipping(False)
        painter.setPen(colors.border)
        painter.drawRect(paper)


def _letters(mark: Corners, width: float, height: float) -> float:
    """Pixels from the top of a line to its bottom on a picture of a size."""
    down = mark[3] - mark[0]
    return math.hypot(down.x() * width, down.y() * height)
