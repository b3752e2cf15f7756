"""The text that was read on a picture: words, passages, places and selections."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPolygonF
from PySide6.QtWidgets import QApplication

from scrubjay.records.picture_text import PictureLine, PictureText
from scrubjay_desktop.preview.text_layer import Spot, TextLayer, TextSpan

LINES = ("Call Margaret before noon", "and order the valves", "¿Cuánto ajo? Dos", "買い物リスト")


def line(text: str, top: float) -> PictureLine:
    bottom = top + 0.1
    return PictureLine(text, 0.9, (0.1, top, 0.9, top, 0.9, bottom, 0.1, bottom))


@pytest.fixture
def layer(qapp: QApplication) -> TextLayer:
    lines = tuple(line(text, 0.1 + 0.2 * number) for number, text in enumerate(LINES))
    return TextLayer(PictureText(lines, 1000, 500))


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["margaret", "VALVES"], ["Margaret", "valves"]),
        (["or"], []),
        (["cuánto", "dos"], ["Cuánto", "Dos"]),
        (["物リ"], ["物リ"]),
        (["order the", "order"], ["order the"]),
        ([], []),
        ([""], []),
    ],
)
def test_words_are_found_whole_and_in_any_case(layer: TextLayer, words, found) -> None:
    assert [layer.text_of([span]) for span in layer.words(words)] == found


@pytest.mark.parametrize(("text", "found"), [("OR", 2), ("e", 6), ("(", 0), ("?", 1), (".", 0)])
def test_a_text_is_found_as_it_is_typed(layer: TextLayer, text: str, found: int) -> None:
    assert len(layer.find(text)) == found


@pytest.mark.parametrize(
    ("passage", "lines"),
    [
        ("Call Margaret before noon and order the valves", [0, 1]),
        ("call margaret, before NOON (?)", [0]),
        ("order the valves", [1]),
        ("ajo", [2]),
        ("the zebra", []),
        ("", []),
    ],
)
def test_the_lines_of_a_passage_are_found_whatever_breaks_them(layer, passage, lines) -> None:
    assert [span.line for span in layer.passage(passage)] == lines


def test_characters_are_as_far_along_as_their_share_of_the_line(layer: TextLayer) -> None:
    area = QPolygonF(layer.area(TextSpan(0, 5, 13))).boundingRect()
    assert (area.top(), area.bottom()) == (pytest.approx(0.1), pytest.approx(0.2))
    assert 0.2 < area.left() < 0.35
    assert 0.45 < area.right() < 0.6
    whole = QPolygonF(layer.area(TextSpan(0, 0, len(LINES[0])))).boundingRect()
    assert (whole.left(), whole.right()) == (pytest.approx(0.1), pytest.approx(0.9))


def test_a_narrow_letter_has_a_narrow_mark(qapp: QApplication) -> None:
    layer = TextLayer(PictureText((line("iiiiWWWW", 0.1),), 1000, 500))
    assert QPolygonF(layer.area(TextSpan(0, 0, 4))).boundingRect().right() < 0.4


def test_a_line_that_runs_down_is_marked_down(qapp: QApplication) -> None:
    down = PictureLine("valves and pipes", 0.9, (0.9, 0.1, 0.9, 0.9, 0.8, 0.9, 0.8, 0.1))
    layer = TextLayer(PictureText((down,), 500, 1000))
    [span] = layer.words(["pipes"])
    area = QPolygonF(layer.area(span)).boundingRect()
    assert area.top() > 0.5
    assert (area.left(), area.right()) == (pytest.approx(0.8), pytest.approx(0.9))
    assert layer.spot_at(QPointF(0.85, 0.89)) == Spot(0, 16)


@pytest.mark.parametrize(
    ("x", "y", "spot"),
    [(0.1, 0.15, (0, 0)), (0.95, 0.12, (0, 25)), (0.0, 0.36, (1, 0)), (0.9, 1.0, (3, 6))],
)
def test_a_point_is_at_the_nearest_text(layer: TextLayer, x: float, y: float, spot) -> None:
    assert layer.spot_at(QPointF(x, y)) == spot
    assert layer.is_on_text(QPointF(0.5, 0.15))
    assert not layer.is_on_text(QPointF(0.5, 0.25))


def test_a_selection_runs_over_lines_in_either_direction(layer: TextLayer) -> None:
    ends = (Spot(1, 3), Spot(0, 14))
    for first, last in (ends, ends[::-1]):
        assert layer.text_of(layer.between(first, last)) == "before noon\nand"
    assert layer.between(Spot(0, 3), Spot(0, 3)) == []


def test_a_double_click_takes_a_word(layer: TextLayer) -> None:
    assert layer.text_of(layer.word_at(QPointF(0.3, 0.15))) == "Margaret"
    assert TextLayer().word_at(QPointF(0.3, 0.15)) == []
    assert TextLayer().spot_at(QPointF(0.3, 0.15)) is None
