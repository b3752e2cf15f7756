"""A row that breaks like words do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QWidget

from scrubjay_desktop.widgets.flow_layout import FlowLayout
from scrubjay_desktop.widgets.theme import GRID


class Block(QWidget):
    """A widget of a fixed size."""

    def __init__(self, width: int, height: int = 20) -> None:
        super().__init__()
        self.setFixedSize(width, height)

    def sizeHint(self) -> QSize:
        return self.maximumSize()


@pytest.fixture
def blocks() -> list[Block]:
    return [Block(100), Block(60), Block(40, 30)]


@pytest.fixture
def layout(qtbot, blocks: list[Block]) -> Iterator[FlowLayout]:
    owner = QWidget()
    qtbot.addWidget(owner)
    layout = FlowLayout(*blocks)
    owner.setLayout(layout)
    owner.show()
    yield layout
    owner.hide()


def places(blocks: list[Block]) -> list[tuple[int, int]]:
    return [(block.x(), block.y()) for block in blocks]


def test_with_enough_room_everything_stands_in_one_line(layout, blocks) -> None:
    layout.setGeometry(QRect(0, 0, 400, 100))
    # The lower ones are centred beside the highest.
    assert places(blocks) == [(0, 5), (100 + GRID, 5), (160 + 2 * GRID, 0)]
    assert layout.heightForWidth(400) == 30


def test_with_less_room_the_rest_goes_to_the_next_line(layout, blocks) -> None:
    layout.setGeometry(QRect(0, 0, 170, 200))
    assert places(blocks) == [(0, 0), (100 + GRID, 0), (0, 20 + GRID)]
    assert layout.heightForWidth(170) == 20 + GRID + 30


def test_too_wide_a_widget_has_a_line_of_its_own(layout) -> None:
    assert layout.heightForWidth(50) == 20 + 20 + 30 + 2 * GRID


def test_hidden_widgets_take_no_room(layout, blocks) -> None:
    blocks[1].hide()
    layout.setGeometry(QRect(0, 0, 400, 100))
    assert blocks[2].x() == 100 + GRID
    assert layout.sizeHint() == QSize(140 + GRID, 30)
    for block in blocks:
        block.hide()
    assert layout.heightForWidth(400) == 0


def test_margins_are_kept(layout, blocks) -> None:
    layout.setContentsMargins(10, 4, 10, 6)
    layout.setGeometry(QRect(0, 0, 400, 100))
    assert blocks[0].x() == 10
    assert layout.heightForWidth(400) == 30 + 4 + 6
    assert layout.minimumSize() == QSize(100 + 20, 30 + 10)


def test_the_last_may_stand_apart_at_the_end(qtbot) -> None:
    blocks = [Block(100), Block(60)]
    owner = QWidget()
    qtbot.addWidget(owner)
    layout = FlowLayout(*blocks, is_last_apart=True)
    owner.setLayout(layout)
    owner.show()
    layout.setGeometry(QRect(0, 0, 400, 100))
    assert blocks[1].geometry().right() == 399
    layout.setGeometry(QRect(0, 0, 150, 100))
    assert places(blocks) == [(0, 0), (0, 20 + GRID)]


def test_items_can_be_taken_out(layout, blocks) -> None:
    assert layout.count() == 3
    assert layout.itemAt(1).widget() is blocks[1]
    assert layout.takeAt(1).widget() is blocks[1]
    assert (layout.count(), layout.itemAt(7), layout.takeAt(7)) == (2, None, None)
