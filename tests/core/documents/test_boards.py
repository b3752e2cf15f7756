"""What is read of canvases, bases and drawings."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.documents.document_worker import convert_document
from scrubjay.text.file_kinds import NOTE, document_endings, document_kind

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
NODES = st.dictionaries(
    st.sampled_from(["type", "text", "label", "file", "url", "x", "y", "width", "height"]),
    VALUES | st.sampled_from(["group", "text"]),
)


def canvas(*nodes: dict[str, Any], edges: list[Any] | None = None) -> bytes:
    return json.dumps({"nodes": nodes, "edges": edges or []}).encode()


def card(text: str, x: float, y: float) -> dict[str, Any]:
    return {"type": "text", "text": text, "x": x, "y": y, "width": 10, "height": 10}


def group(label: str, x: float, y: float, side: float) -> dict[str, Any]:
    return {"type": "group", "label": label, "x": x, "y": y, "width": side, "height": side}


def test_cards_stand_below_the_innermost_group_around_them_from_top_to_bottom() -> None:
    data = canvas(
        card("Oak\n\n- acorns", 20, 40),
        card("Elm", 20, 20),
        card("Loose", 900, 0),
        card("Moss", 70, 70),
        group("Trees", 0, 0, 100),
        group("Ground", 60, 60, 30),
    )
    text = convert_document(data, ".canvas")
    assert " ".join(text.split()) == "Loose ## Trees Elm Oak - acorns ## Ground Moss"


def test_a_card_of_a_file_or_page_has_its_name_and_a_line_its_words() -> None:
    data = canvas(
        {"type": "file", "file": "Trees/Oak.md", "subpath": "#Bark"},
        {"type": "link", "url": "https://example.org/jay"},
        edges=[{"label": "grows into"}, {"label": 3}, None],
    )
    text = convert_document(data, ".canvas")
    assert text.split("\n\n") == [
        "[[Trees/Oak.md#Bark]]", "https://example.org/jay", "- grows into\n"
    ]  # fmt: skip


@pytest.mark.parametrize("ending", [".canvas", ".base", ".excalidraw"])
@pytest.mark.parametrize("data", [b"", b" \n", b"\xef\xbb\xbf"])
def test_a_new_file_is_an_empty_note(ending: str, data: bytes) -> None:
    assert convert_document(data, ending) == ""


def test_a_base_is_read_as_it_is_written() -> None:
    text = convert_document(b"views:\n  - type: table\n    name: Unpaid bills\n", ".base")
    assert "    name: Unpaid bills" in text.splitlines()


def test_of_a_drawing_the_texts_are_read() -> None:
    elements = [
        {"type": "text", "text": "two\nlines", "originalText": "two lines", "seed": 5},
        {"type": "frame", "name": "Kitchen plan"},
        {"type": "text", "text": "erased", "isDeleted": True},
    ]
    text = convert_document(json.dumps({"elements": elements}).encode(), ".excalidraw")
    assert text.split("\n\n") == ["two lines", "Kitchen plan", ""]


@given(st.lists(NODES | VALUES, max_size=5), VALUES)
def test_any_canvas_is_read(nodes: list[Any], edges: Any) -> None:
    convert_document(json.dumps({"nodes": nodes, "edges": edges}).encode(), ".canvas")


@given(st.text(st.characters(codec="ascii", categories=("L", "Nd")), min_size=1), st.floats())
def test_the_text_of_a_card_is_found_wherever_it_is(text: str, place: float) -> None:
    assert text in convert_document(canvas(card(text, place, place)), ".canvas")


def test_boards_are_notes() -> None:
    assert document_kind("Plans/Board.CANVAS") == NOTE
    assert document_endings(NOTE) == (".canvas", ".base", ".excalidraw")
    assert ".canvas" not in document_endings("")
