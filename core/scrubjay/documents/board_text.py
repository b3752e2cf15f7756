"""Text of what people write in Obsidian and Excalidraw besides notes: cards, tables, drawings."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.document_text import DocumentText
from scrubjay.messages import msg
from scrubjay.text.encodings import detect_codec
from scrubjay.text.json_values import json_object, json_objects

_WIDEST = 1e12
"""Units; beyond them the place of a card is not one that a person sees."""


def read_canvas(data: bytes, text: DocumentText) -> None:
    """Add the cards of a canvas of Obsidian from top to bottom, those of a group below its label.

    The words on its lines follow.
    """
    canvas = _json_of(data, text)
    nodes = json_objects(canvas.get("nodes"))
    groups = [node for node in nodes if node.get("type") == "group"]
    # Smaller groups come first, so that a card counts to the innermost one around it.
    groups.sort(key=lambda group: _number(group, "width") * _number(group, "height"))
    cards: dict[int, list[Mapping[str, Any]]] = {at: [] for at in range(-1, len(groups))}
    sides = [_sides(group) for group in groups]
    for node in nodes:
        if node.get("type") != "group":
            # A card that sticks out of a group belongs to it with its larger part.
            x, y = _middle(node)
            around = (
                at
                for at, (left, top, right, bottom) in enumerate(sides)
                if left <= x <= right and top <= y <= bottom
            )
            cards[next(around, -1)].append(node)
    # Cards outside of groups come first, then each group with its own.
    _add_cards(cards[-1], text)
    for at in sorted(range(len(groups)), key=lambda at: _place(groups[at])):
        label = " ".join(_string(groups[at], "label").split())
        text.markdown(f"## {label}" if label else "")
        _add_cards(cards[at], text)
    for edge in json_objects(canvas.get("edges")):
        text.paragraph(_string(edge, "label"), "- ")


def _add_cards(cards: Sequence[Mapping[str, Any]], text: DocumentText) -> None:
    """Add the text of cards; a card that shows a note, a file or a page has its name."""
    for card in sorted(cards, key=_place):
        text.markdown(_string(card, "text"))
        if _string(card, "file"):
            text.markdown(f"[[{_string(card, 'file')}{_string(card, 'subpath')}]]")
        text.markdown(_string(card, "url"))


def read_base(data: bytes, text: DocumentText) -> None:
    """Add a base of Obsidian as it is written: its views, filters and formulas."""
    text.may_be_empty = True
    base = data.decode(detect_codec(data), "replace").removeprefix("\ufeff")
    if base.strip():
        text.fenced(base, "yaml")


def read_excalidraw(data: bytes, text: DocumentText) -> None:
    """Add the texts of a drawing, without its lines and shapes."""
    drawing = _json_of(data, text)
    for element in json_objects(drawing.get("elements")):
        if not element.get("isDeleted"):
            text.lines(_string(element, "name"))
            text.lines(_string(element, "originalText") or _string(element, "text"))
            text.lines(_string(element, "link"))


def _json_of(data: bytes, text: DocumentText) -> dict[str, Any]:
    """The object of a file; an empty one for a file that its program has only just created."""
    text.may_be_empty = True
    if not data.strip(b"\0 \t\r\n\xef\xbb\xbf"):
        return {}
    board = json.loads(data, parse_int=float)
    if not isinstance(board, dict):
        raise DocumentRefused(msg("The file does not contain a canvas or a drawing."))
    return json_object(board)


def _place(node: Mapping[str, Any]) -> tuple[float, float]:
    return _number(node, "y"), _number(node, "x")


def _middle(node: Mapping[str, Any]) -> tuple[float, float]:
    """The middle of a card."""
    left, top, right, bottom = _sides(node)
    return (left + right) / 2, (top + bottom) / 2


def _sides(node: Mapping[str, Any]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a card or a group."""
    left = _number(node, "x")
    top = _number(node, "y")
    return left, top, left + _number(node, "width"), top + _number(node, "height")


def _number(node: Mapping[str, Any], key: str) -> float:
    value = node.get(key)
    if isinstance(value, float) and abs(value) < _WIDEST:
        return value
    return 0.0


def _string(node: Mapping[str, Any], key: str) -> str:
    value = node.get(key)
    if isinstance(value, str):
        return value
    return ""
