"""The order in which the lines of a picture are read."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

import numpy as np

from scrubjay.documents.picture_boxes import Box

PROSE_WIDTH = 6.0
"""Width by height of the lines of a column of prose, in the median; cells of tables have less."""
PROSE_SHARE = 0.6
"""Share of the column's width that they fill, in the median."""
LEAST_LINES = 2
"""Lines of a column, at least."""


class Place(NamedTuple):
    """A box on the page as it would be without its skew."""

    left: float
    top: float
    right: float
    bottom: float
    box: int
    """Number of the box."""

    @property
    def height(self) -> float:
        """Height of the line."""
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        """Height at which the line is."""
        return (self.top + self.bottom) / 2


def reading_order(boxes: Sequence[Box]) -> list[int]:
    """Numbers of the boxes, whose first side is the top of their text.

    Columns of prose are read one after the other, and cells of a table row by row.
    """
    # A median of nothing has no value.
    if not boxes:
        return []
    return [place.box for place in _ordered(_without_skew(boxes))]


def _without_skew(boxes: Sequence[Box]) -> list[Place]:
    """Where the boxes would be if the page was straight and upright."""
    tops = np.array([box[1] - box[0] for box in boxes])
    # Long lines tell the direction best, and most of them agree.
    longest = tops[np.argsort(np.hypot(tops[:, 0], tops[:, 1]))[-len(tops) // 2 :]]
    directions = longest / np.hypot(longest[:, 0], longest[:, 1])[:, None]
    # numpy's own median needs a part of numpy that bundles do not have.
    ahead = np.array([median(part) for part in directions.T.tolist()])
    ahead /= max(float(np.hypot(*ahead)), 1e-9)
    turn = np.array([[ahead[0], -ahead[1]], [ahead[1], ahead[0]]])
    places = []
    for index, box in enumerate(boxes):
        straight = box @ turn
        left, top = straight.min(axis=0)
        right, bottom = straight.max(axis=0)
        places.append(Place(left, top, right=right, bottom=bottom, box=index))
    return places


def _ordered(places: list[Place]) -> list[Place]:
    """The places in reading order."""
    bands = _bands(places)
    ordered: list[Place] = []
    # Bands that follow each other may be parts of the same columns.
    first = 0
    while first < len(bands):
        # The most bands from here on that have columns in common.
        for last in range(len(bands), first, -1):
            together = [place for band in bands[first:last] for place in band]
            columns = _columns(together)
            if columns:
                break
        if columns:
            for column in columns:
                ordered += _ordered(column)
            first = last
        else:
            ordered += _rows(bands[first])
            first += 1
    return ordered


def _bands(places: list[Place]) -> list[list[Place]]:
    """Groups of places that no straight line from left to right separates, from the top."""
    bands: list[list[Place]] = []
    end = float("-inf")
    for place in sorted(places, key=lambda place: place.top):
        # Boxes of lines that follow each other closely may overlap a little.
        margin = place.height / 4
        if place.top + margin >= end:
            bands.append([])
        bands[-1].append(place)
        end = max(end, place.bottom - margin)
    return bands


def _columns(places: list[Place]) -> list[list[Place]]:
    """Two columns of prose or more, from the left; none for other groups."""
    if len(places) < 2 * LEAST_LINES:
        return []
    gap = median(place.height for place in places) / 2
    columns: list[list[Place]] = []
    end = float("-inf")
    for place in sorted(places):
        if place.left > end + gap:
            columns.append([])
        columns[-1].append(place)
        end = max(end, place.right)
    # Cells of a table and amounts of a bill have columns too, and are read by row.
    if len(columns) > 1 and all(map(_is_prose, columns)):
        return columns
    return []


def _is_prose(column: list[Place]) -> bool:
    """Whether most lines are as long as those of prose are."""
    # The last line of a paragraph is short, so the median counts.
    width = max(place.right for place in column) - min(place.left for place in column)
    lengths = [place.right - place.left for place in column]
    ratios = [length / place.height for length, place in zip(lengths, column, strict=True)]
    return (
        len(column) >= LEAST_LINES
        and median(ratios) >= PROSE_WIDTH
        and median(lengths) >= PROSE_SHARE * width
    )


def _rows(places: list[Place]) -> list[Place]:
    """The places row by row, each from left to right."""
    rows: list[list[Place]] = []
    # Letters with tails move the middle of a box, by less than half of its height.
    for place in sorted(places, key=lambda place: place.middle):
        if not rows or place.middle > rows[-1][0].middle + place.height / 2:
            rows.append([])
        rows[-1].append(place)
    return [place for row in rows for place in sorted(row)]
