"""Marks on a picture, as a marker pen makes them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from msgspec import Struct
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPolygonF, QRegion

from scrubjay_desktop.widgets.theme import DARK, LIGHT

_DARK = 110
"""Lightness below which a part of a picture is dark, of 255; between ink on paper and a dark screen
with text."""


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


def paint_marks(painter: QPainter, image: QImage, paper: QRectF, found: TextMarks) -> None:
    """Mark words, and the passage around them, on an image that is painted in a rectangle."""
    painter.save()
    # A word in the passage has one colour, not both.
    over = marked_region(found.words, paper)
    kinds = (
        (found.passage, over, LIGHT.accent_soft, DARK.accent_soft),
        (found.words, QRegion(), LIGHT.marked, DARK.marked),
    )
    for marks, others, pale, deep in kinds:
        for is_dark in (False, True):
            # Light paper takes a colour, and a dark one begins to shine in it.
            mode = QPainter.CompositionMode.CompositionMode_Multiply
            color = pale
            if is_dark:
                mode = QPainter.CompositionMode.CompositionMode_Screen
                color = deep
            fitting = (mark for mark in marks if _is_dark(image, mark) is is_dark)
            region = marked_region(fitting, paper) - others
            painter.save()
            painter.setCompositionMode(mode)
            painter.setClipRegion(region, Qt.ClipOperation.IntersectClip)
            painter.fillRect(region.boundingRect(), color)
            painter.restore()
    painter.restore()


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


def _is_dark(image: QImage, mark: Corners) -> bool:
    """Whether a picture is dark around a mark."""
    box = painted(mark, QRectF(image.rect())).boundingRect().toAlignedRect()
    part = image.copy(box & image.rect())
    if part.isNull():
        return False
    smooth = Qt.TransformationMode.SmoothTransformation
    middle = part.scaled(QSize(1, 1), Qt.AspectRatioMode.IgnoreAspectRatio, smooth)
    return middle.pixelColor(0, 0).lightness() < _DARK
