"""A canvas of Obsidian as a picture of its cards, with their words and the lines between them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from PySide6.QtCore import QLineF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QPainter,
    QPen,
    QTextLayout,
)

from scrubjay.records.search_records import Snippet
from scrubjay.text.plain_snippet import plain_snippet
from scrubjay_desktop.widgets.painting import paint_box
from scrubjay_desktop.widgets.theme import LIGHT, Colors

CANVAS = ".canvas"
"""End of the name of a canvas."""
_MAX_BYTES = 4 * 2**20
"""Bytes of a canvas up to which it is read."""
_MAX_CARDS = 500
"""Cards of a canvas that are drawn."""
_MAX_PLACE = 1_000_000.0
"""Units of a canvas from its middle within which cards are drawn."""
_LONGEST = 2_000
"""Characters of a card that are drawn."""
_AROUND = 40.0
"""Units of empty paper around all cards."""
_WIDEST = 900
"""Pixels of the longer side where there is room."""
_LETTERS = 16.0
"""Height of letters in units of the canvas, as in Obsidian."""
_FEWEST_PIXELS = 10.0
"""Height of letters in a picture, however small its cards are."""
_PADDING = 10.0
_COLORS = {
    "1": "#e93147", "2": "#ec7500", "3": "#e0ac00",
    "4": "#08b94e", "5": "#00bfbc", "6": "#7852ee",
}  # fmt: skip
"""Colours by the numbers that a canvas gives them."""


class CanvasCard(Struct, frozen=True):
    """A card, or a group around some."""

    area: QRectF
    text: str
    color: QColor | None
    """Colour of its own, if it has one."""
    is_group: bool


class Arrow(Struct, frozen=True):
    """A line between two cards."""

    line: QLineF
    label: str


class Canvas(Struct, frozen=True):
    """The parts of a canvas that are drawn."""

    cards: Sequence[CanvasCard]
    """Groups first, since they lie below the others."""
    arrows: Sequence[Arrow]

    @property
    def area(self) -> QRectF:
        """The paper; empty for a canvas without cards."""
        area = QRectF()
        for card in self.cards:
            area = area.united(card.area)
        if not self.cards:
            return area
        return area.adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND)


def is_canvas(name: str) -> bool:
    """Whether a file or a link names a canvas."""
    return name.lower().endswith(CANVAS)


def read_canvas(file: Path) -> Canvas:
    """The cards of a canvas; none for a file that is not one."""
    nothing = Canvas((), ())
    try:
        if file.stat().st_size > _MAX_BYTES:
            return nothing
        content = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return nothing
    # Lines lead from card to card by their ids, and groups lie below all others.
    cards = {str(node.get("id")): _card(node) for node in _objects(content, "nodes")}
    shown = sorted(cards.values(), key=lambda card: not card.is_group)
    arrows: list[Arrow] = []
    for edge in _objects(content, "edges"):
        begin = cards.get(str(edge.get("fromNode")))
        end = cards.get(str(edge.get("toNode")))
        if begin and end:
            line = QLineF(begin.area.center(), end.area.center())
            arrows.append(Arrow(line, str(edge.get("label", ""))[:_LONGEST]))
    return Canvas(shown, arrows)


def canvas_size(file: Path) -> QSize:
    """The size in which a canvas is shown where there is room; empty without cards."""
    size = read_canvas(file).area.size().toSize()
    if max(size.width(), size.height()) > _WIDEST:
        size.scale(_WIDEST, _WIDEST, Qt.AspectRatioMode.KeepAspectRatio)
    return size


def canvas_picture(file: Path, within: QSize, colors: Colors = LIGHT) -> QImage:
    """A canvas within a size in pixels; a null picture without cards."""
    canvas = read_canvas(file)
    paper = canvas.area
    size = paper.size().toSize().scaled(within, Qt.AspectRatioMode.KeepAspectRatio)
    if paper.isEmpty() or size.isEmpty():
        return QImage()
    image = QImage(size, QImage.Format.Format_RGB32)
    image.fill(colors.window)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    # The painter counts in units of the canvas from here on.
    scale = size.width() / paper.width()
    painter.scale(scale, scale)
    painter.translate(-paper.topLeft())
    font = QFont(QGuiApplication.font())
    font.setPixelSize(round(max(_LETTERS, _FEWEST_PIXELS / scale)))
    painter.setFont(font)
    # Groups lie below the lines, and cards above them; what a line says stands above all.
    for card in [card for card in canvas.cards if card.is_group]:
        _paint_card(painter, card, colors)
    painter.setPen(QPen(colors.muted, 2))
    painter.drawLines([arrow.line for arrow in canvas.arrows])
    for card in [card for card in canvas.cards if not card.is_group]:
        _paint_card(painter, card, colors)
    for arrow in canvas.arrows:
        _paint_label(painter, arrow, colors)
    painter.end()
    return image


def _paint_card(painter: QPainter, card: CanvasCard, colors: Colors) -> None:
    # A card has paper with a breath of its colour; a group is seen through.
    border = card.color or colors.border
    fill = QColor(border)
    fill.setAlphaF(0.08)
    if not card.is_group:
        paint_box(painter, card.area, fill=colors.surface, border=Qt.PenStyle.NoPen, radius=8)
    paint_box(painter, card.area, fill=fill, border=border, radius=8, width=2)
    painter.setPen(colors.text)
    # Where the padding would take the only line, it gives way.
    high = painter.fontMetrics().height()
    padding = max(0.0, min(_PADDING, (card.area.height() - high) / 2))
    room = card.area.adjusted(_PADDING, padding, -_PADDING, -padding)
    flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
    for number, line in enumerate(_lines(card.text, painter.font(), room.size())):
        painter.drawText(room.translated(0, number * high), flags, line)


def _lines(text: str, font: QFont, room: QSizeF) -> list[str]:
    """The lines of a text that have room, the last one with an ellipsis where more follow."""
    # As many as fit, and one more that tells whether to say so.
    metrics = QFontMetricsF(font)
    most = max(1, int(room.height() // QFontMetrics(font).height()))
    lines: list[str] = []
    for paragraph in text.splitlines():
        layout = QTextLayout(paragraph, font)
        layout.beginLayout()
        while len(lines) <= most:
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(max(1.0, room.width()))
            start = line.textStart()
            lines.append(paragraph[start : start + line.textLength()].rstrip())
        layout.endLayout()
    if len(lines) > most:
        lines[most - 1] += "…"
    elide = Qt.TextElideMode.ElideRight
    return [metrics.elidedText(line, elide, room.width()) for line in lines[:most]]


def _paint_label(painter: QPainter, arrow: Arrow, colors: Colors) -> None:
    """Paint what a line says over its middle."""
    if not arrow.label:
        return
    # The paper behind it covers the line.
    flags = Qt.AlignmentFlag.AlignCenter
    area = QRectF(painter.fontMetrics().boundingRect(arrow.label)).adjusted(-4, 0, 4, 0)
    area.moveCenter(arrow.line.center())
    painter.fillRect(area, colors.window)
    painter.setPen(colors.muted)
    painter.drawText(area, flags, arrow.label)


def _card(node: Mapping[str, Any]) -> CanvasCard:
    area = QRectF(
        _number(node, "x"),
        _number(node, "y"),
        max(1.0, _number(node, "width")),
        max(1.0, _number(node, "height")),
    )
    # Words of the card, the name of the note or the address that it shows, or of the group.
    text = ""
    match node.get("type"):
        case "file":
            text = str(node.get("file", "")).rpartition("/")[2].removesuffix(".md")
        case "link":
            text = str(node.get("url", ""))
        case "group":
            text = str(node.get("label", ""))
        case _:
            text = plain_snippet(Snippet(str(node.get("text", ""))[:_LONGEST])).text
    # A number means one of six colours, otherwise the colour is written as on the web.
    named = str(node.get("color", ""))
    color = QColor.fromString(_COLORS.get(named, named))
    own = color if color.isValid() else None
    return CanvasCard(area, text[:_LONGEST], color=own, is_group=node.get("type") == "group")


def _objects(content: Any, name: str) -> list[Mapping[str, Any]]:
    """The objects of a list in a canvas, as many as are drawn."""
    objects = content.get(name) if isinstance(content, dict) else None
    if not isinstance(objects, list):
        return []
    return [each for each in objects[:_MAX_CARDS] if isinstance(each, dict)]


def _number(node: Mapping[str, Any], name: str) -> float:
    """A number of a card, within the paper; 0 for anything else."""
    value = node.get(name)
    if not isinstance(value, int | float) or not abs(value) < _MAX_PLACE:
        return 0.0
    return float(value)
