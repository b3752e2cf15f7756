"""Every word that a window paints, whoever paints it, with its colour and what lies behind it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QBuffer, QPointF, QRect
from PySide6.QtGui import QColor, QFont, QFontMetrics, QImage, QTransform
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

_SVG = "{http://www.w3.org/2000/svg}"
_MATRIX = re.compile(r"matrix\((.+)\)")


@dataclass(frozen=True)
class PaintedWords:
    """Words in one colour."""

    words: str
    ink: QColor
    paper: QColor
    """What there is most of where the words are."""
    area: QRect
    """In the window."""

    @property
    def contrast(self) -> float:
        """As WCAG 2 computes it: 1 to 21."""
        return contrast(self.ink, self.paper)


def painted_words(top: QWidget) -> Iterator[PaintedWords]:
    """What a window shows now; ink as it was asked for, paper from the pixels.

    Single letters are left out: most belong to a word whose shortcut they are, and lie on its line.
    """
    picture = top.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    for group in ET.fromstring(_drawing(top)).iter(f"{_SVG}g"):
        found = _MATRIX.match(group.get("transform", ""))
        a, b, c, d, x, y = map(float, found[1].split(",")) if found else (1, 0, 0, 1, 0, 0)
        place = QTransform(a, b, c, d, x, y)
        for text in group.findall(f"{_SVG}text"):
            area = place.mapRect(_box(text)).intersected(top.rect())
            words = (text.text or "").strip()
            if len(words) > 1 and not area.isEmpty():
                ink = QColor(text.get("fill", ""))
                yield PaintedWords(words, ink, _most_common(picture.copy(area)), area)


def _drawing(top: QWidget) -> bytes:
    # A drawing keeps texts as texts, where a picture has pixels only.
    kept = QBuffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(kept)
    generator.setSize(top.size())
    generator.setResolution(top.logicalDpiX())
    top.render(generator)
    return bytes(kept.data().data())


def _box(text: ET.Element) -> QRect:
    font = QFont(text.get("font-family", ""))
    font.setPixelSize(round(float(text.get("font-size", "12"))))
    font.setWeight(QFont.Weight(int(text.get("font-weight", "400"))))
    base = QPointF(float(text.get("x", "0")), float(text.get("y", "0"))).toPoint()
    box = QFontMetrics(font).tightBoundingRect(text.text or "")
    return box.translated(base).adjusted(0, -1, 0, 1)


def _most_common(part: QImage) -> QColor:
    counts = Counter(memoryview(part.constBits()).cast("B").cast("I"))
    return QColor.fromRgb(counts.most_common(1)[0][0])


def luminance(color: QColor) -> float:
    """How bright a colour is to the eye, 0 to 1, as WCAG 2 computes it."""

    def linear(value: float) -> float:
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    parts = (color.redF(), color.greenF(), color.blueF())
    red, green, blue = map(linear, parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: QColor, other: QColor) -> float:
    """1 for the same colour, 21 for black and white."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)
