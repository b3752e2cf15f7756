"""The order of boxes on a page, without any model."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from scrubjay.documents.picture_boxes import find_boxes
from scrubjay.documents.picture_order import reading_order

Rectangle = tuple[float, float, float, float]


def boxes(rectangles: list[Rectangle], degrees: float = 0.0) -> list[NDArray[np.float64]]:
    """Left, top, right and bottom as corners, all turned around one point."""
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    corners = [
        np.array([[left, top], [right, top], [right, bottom], [left, bottom]], float)
        for left, top, right, bottom in rectangles
    ]
    return [box @ turn for box in corners]


TITLE = (0, 0, 900, 40)
LEFT = [(0, 100 + 40 * row, 400, 130 + 40 * row) for row in range(4)]
RIGHT = [(480, 110 + 40 * row, 880, 140 + 40 * row) for row in range(4)]
END = (0, 320, 900, 350)
CELLS = [
    (200 * cell, 40 * row, 200 * cell + 90, 40 * row + 30) for row in range(3) for cell in (0, 1)
]


@pytest.mark.parametrize("degrees", [0, 3, 88, 180, -91])
@pytest.mark.parametrize(
    "rectangles",
    [[TITLE, *LEFT, *RIGHT, END], [*LEFT, *RIGHT], CELLS, [TITLE], []],
    ids=["title", "columns", "cells", "one", "empty"],
)
def test_boxes_are_ordered_as_they_are_read(rectangles: list[Rectangle], degrees: float) -> None:
    mixed = np.random.default_rng(1).permutation(len(rectangles)).tolist()
    order = reading_order(boxes([rectangles[index] for index in mixed], degrees))
    assert [mixed[index] for index in order] == list(range(len(rectangles)))


@pytest.mark.parametrize("degrees", [0, 20, -20])
def test_areas_of_the_map_become_rectangles(degrees: float) -> None:
    rows, columns = np.mgrid[0:300, 0:400]
    angle = np.radians(degrees)
    along = (columns - 200) * np.cos(angle) + (rows - 150) * np.sin(angle)
    across = (rows - 150) * np.cos(angle) - (columns - 200) * np.sin(angle)
    probability = ((abs(along) < 100) & (abs(across) < 10)).astype(np.float32)
    probability[5, 5] = 1.0  # a speck is no line
    (box,) = find_boxes(probability)
    width, height = np.hypot(*(box[1] - box[0])), np.hypot(*(box[3] - box[0]))
    assert np.allclose(box.mean(axis=0), (200, 150), atol=1.5)
    # The core is 200 by 20, and each side moves outwards by 1.6 * area / girth.
    assert (width, height) == pytest.approx((229, 49), abs=4)
    assert np.degrees(np.arctan2(*(box[1] - box[0])[::-1])) == pytest.approx(degrees, abs=1.5)


def test_a_ring_and_a_comb_are_one_area_each() -> None:
    probability = np.zeros((200, 400), np.float32)
    probability[20:60, 20:180] = 1.0
    probability[32:48, 32:168] = 0.0
    probability[20:60, 220:380:8] = 1.0
    probability[20:60, 221:380:8] = 1.0
    probability[56:60, 220:380] = 1.0
    assert len(find_boxes(probability)) <= 2
