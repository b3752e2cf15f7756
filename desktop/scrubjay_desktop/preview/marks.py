"""Marks on a picture, as a marker pen makes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPolygonF, QRegion

from scrubjay_desktop.widgets.theme import DARK, LIGHT

_DARK = 110
"""Lightness below which a part of a picture is dark, of 255; between ink on paper and a dark screen
with text."""
_POINTS = 256
"""Points along each side of a picture at which its lightness is looked at."""


Corners: TypeAlias = tuple[QPointF, QPointF, QPointF, QPointF]
"""Corners of a mark as shares of a picture's width and height, clockwise from the top left of its
text."""


class TextMarks(Struct, frozen=True):
    """What was found on a picture."""

    words: tuple[Corners, ...] = ()
    passage: tuple[Corners, ...] = ()
    """Lines that hold the passage; none if it is not on this picture."""

    @property
    def main(self) -> tuple[Corners, ...]:
        """The marks that the picture is scrolled to."""
        return self.passage or self.words


class PictureMarks:
    """Marks on one picture: looked at once, however often they are painted."""

    def __init__(self, image: QImage, found: TextMarks) -> None:
        lightness = _Lightness(image)
        self._words = lightness.divide(found.words)
        self._passage = lightness.divide(found.passage)
        self._size = QSizeF()
        """Size of the painted picture for which the pixels of the marks are known."""
        self._parts: tuple[_Part, ...] = ()

    def paint(self, painter: QPainter, paper: QRectF) -> None:
        """Mark words, and the passage around them, on the picture painted in a rectangle."""
        if self._size != paper.size():
            self._size = paper.size()
            self._parts = self._regions(self._size)
        painter.save()
        painter.translate(paper.topLeft().toPoint())
        for region, mode, color in self._parts:
            painter.save()
            painter.setCompositionMode(mode)
            painter.setClipRegion(region, Qt.ClipOperation.IntersectClip)
            painter.fillRect(region.boundingRect(), color)
            painter.restore()
        painter.restore()

    def _regions(self, size: QSizeF) -> tuple[_Part, ...]:
        """The pixels of the marks on the picture of a size, and how each part is coloured."""
        paper = QRectF(QPointF(), size)
        light_words, dark_words = (marked_region(marks, paper) for marks in self._words)
        light_lines, dark_lines = (marked_region(marks, paper) for marks in self._passage)
        # A word in the passage has one colour, not both.
        over = light_words + dark_words
        # Light paper takes a colour, and a dark one begins to shine in it.
        multiply = QPainter.CompositionMode.CompositionMode_Multiply
        screen = QPainter.CompositionMode.CompositionMode_Screen
        parts = (
            _Part(light_lines - over, multiply, color=LIGHT.accent_soft),
            _Part(dark_lines - over, screen, color=DARK.accent_soft),
            _Part(light_words, multiply, color=LIGHT.marked),
            _Part(dark_words, screen, color=DARK.marked),
        )
        return tuple(part for part in parts if not part.region.isEmpty())


class _Part(NamedTuple):
    """Pixels of one colour."""

    region: QRegion
    mode: QPainter.CompositionMode
    color: QColor


def marked_region(marks: Iterable[Corners], paper: QRectF) -> QRegion:
    """The pixels of marks on a picture that is painted in a rectangle."""
    region = QRegion()
    for mark in marks:
        region += QRegion(painted(mark, paper).toPolygon())
    return region


def painted(mark: Corners, paper: QRectF) -> QPolygonF:
    """A mark on a picture that is painted in a rectangle, one pixel larger on each side."""
    corners = [
        QPointF(paper.left() + each.x() * paper.width(), paper.top() + each.y() * paper.height())
        for each in mark
    ]
    # The edges of letters are on the edges of the mark.
    middle = QPolygonF(corners).boundingRect().center()
    return QPolygonF([each + _direction(each - middle) for each in corners])


def _direction(offset: QPointF) -> QPointF:
    """One pixel across and one down, away from the middle."""
    return QPointF(1 if offset.x() > 0 else -1, 1 if offset.y() > 0 else -1)


class _Lightness:
    """How light a picture is at points across and down it, from 0 to 255."""

    def __init__(self, image: QImage) -> None:
        # The window has no time for each pixel, and needs the colour of the paper alone.
        size = QSize(_POINTS, _POINTS)
        points = image.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio)
        self._rows = bytes(points.convertToFormat(QImage.Format.Format_Grayscale8).constBits())

    def divide(self, marks: Iterable[Corners]) -> tuple[list[Corners], list[Corners]]:
        """The marks on light parts of the picture, and those on dark parts."""
        light: list[Corners] = []
        dark: list[Corners] = []
        for mark in marks:
            if self._is_dark(mark):
                dark.append(mark)
            else:
                light.append(mark)
        return light, dark

    def _is_dark(self, mark: Corners) -> bool:
        box = QPolygonF(mark).boundingRect()
        columns = _points_between(box.left(), box.right())
        values = [
            self._rows[row * _POINTS + column]
            for row in _points_between(box.top(), box.bottom())
            for column in columns
        ]
        return sum(values) < _DARK * len(values)


def _points_between(low: float, high: float) -> range:
    """The points between two shares of a side, at least one."""
    first = min(max(int(low * _POINTS), 0), _POINTS - 1)
    return range(first, min(max(round(high * _POINTS), first + 1), _POINTS))
