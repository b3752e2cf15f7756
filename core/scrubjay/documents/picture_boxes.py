"""Rectangles around the lines of text that the detector's map shows.

The usual steps after a detector with differentiable binarisation (DB, arXiv:1911.08947), written
with numpy alone: OpenCV would be larger than all other parts that read pictures.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Box = NDArray[np.float64]
"""Four corners of a rectangle, a row each, clockwise from the upper left of the text."""

THRESHOLD = 0.3
"""Probability from which a point belongs to text. All four numbers are those of PP-OCR."""
LEAST_SCORE = 0.5
"""Mean probability of a rectangle, at least."""
GROWTH = 1.6
"""The map shows the core of each line. A rectangle grows by this times its area by its girth."""
_LEAST_SIDE = 3.0
"""Points of the map that the shorter side of a core has, at least."""
MOST_BOXES = 1500
"""Rectangles of a picture; a full page of small print has a fifth of them."""
_SAMPLES_ACROSS = 64
_SAMPLES_DOWN = 8


def find_boxes(probability: NDArray[np.float32]) -> list[Box]:
    """Rectangles in points of the map, in no order."""
    mask = probability > THRESHOLD
    # Points that touch at a corner belong together, as do those with one point between them.
    mask[1:] |= mask[:-1]
    mask[:, 1:] |= mask[:, :-1]
    boxes: list[Box] = []
    for points in _components(mask):
        box = _smallest_rectangle(points)
        # What is left are specks, and shapes that the detector is not sure of.
        width, height = sides(box)
        if min(width, height) < _LEAST_SIDE or _mean_inside(probability, box) < LEAST_SCORE:
            continue
        boxes.append(_grown(box, GROWTH * width * height / (2 * (width + height))))
        if len(boxes) == MOST_BOXES:
            break
    return boxes


def _components(mask: NDArray[np.bool_]) -> list[NDArray[np.float64]]:
    """Ends of the runs of each connected area, as rows of x and y."""
    edges = np.diff(np.pad(mask, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, starts = np.nonzero(edges == 1)
    ends = np.nonzero(edges == -1)[1]
    parents = list(range(len(rows)))

    def root(run: int) -> int:
        while parents[run] != run:
            parents[run] = parents[parents[run]]
            run = parents[run]
        return run

    # Two runs touch where each one begins before the other one ends, in rows above each other.
    first_of_row = np.searchsorted(rows, np.arange(mask.shape[0] + 1)).tolist()
    start_list = starts.tolist()
    end_list = ends.tolist()
    for row in range(1, mask.shape[0]):
        above = first_of_row[row - 1]
        below = first_of_row[row]
        last_above = below
        last_below = first_of_row[row + 1]
        while above < last_above and below < last_below:
            if start_list[above] < end_list[below] and start_list[below] < end_list[above]:
                parents[root(below)] = root(above)
            if end_list[above] < end_list[below]:
                above += 1
            else:
                below += 1
    # Each run now leads to the first one of its area.
    members: dict[int, list[int]] = {}
    for run in range(len(parents)):
        members.setdefault(root(run), []).append(run)
    # The last point of a run is one before its end.
    points = np.stack([starts, rows, ends - 1, rows], axis=1).astype(np.float64)
    return [points[runs].reshape(-1, 2) for runs in members.values()]


def _hull(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Corners of the convex hull, by Andrew's monotone chain."""
    ordered = sorted(set(map(tuple, points.tolist())))
    if len(ordered) < 3:
        return np.array(ordered)

    def chain(sequence: list[Any]) -> list[Any]:
        corners: list[Any] = []
        for point in sequence:
            while len(corners) > 1 and _turn(corners[-2], corners[-1], point) <= 0:
                corners.pop()
            corners.append(point)
        return corners[:-1]

    return np.array(chain(ordered) + chain(ordered[::-1]))


def _turn(first: Any, second: Any, third: Any) -> float:
    """Above 0 for a turn to the left, as in the cross product of both ways."""
    return float(
        (second[0] - first[0]) * (third[1] - first[1])
        - (second[1] - first[1]) * (third[0] - first[0])
    )


def _smallest_rectangle(points: NDArray[np.float64]) -> Box:
    """The rectangle with the smallest area around all points; one side lies on the hull."""
    # One of its sides lies on a side of the hull, so all of them are tried.
    hull = _hull(points)
    sides = np.roll(hull, -1, axis=0) - hull
    angles = np.mod(np.arctan2(sides[:, 1], sides[:, 0]), np.pi / 2)
    axes = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    along = hull @ axes.T
    across = hull @ np.stack([-axes[:, 1], axes[:, 0]])
    areas = np.ptp(along, axis=0) * np.ptp(across, axis=0)
    best = int(np.argmin(areas))
    left, right = along[:, best].min(), along[:, best].max()
    top, bottom = across[:, best].min(), across[:, best].max()
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    cosine, sine = axes[best]
    return _from_upper_left(corners @ np.array([[cosine, sine], [-sine, cosine]]))


def _from_upper_left(box: Box) -> Box:
    """The same corners clockwise, from the one that is nearest to the upper left."""
    # The upper side is the one whose direction is nearest to that of a line of text.
    rightward = np.roll(box, -1, axis=0) - box
    lengths = np.maximum(np.hypot(rightward[:, 0], rightward[:, 1]), 1e-9)
    return np.roll(box, -int(np.argmax(rightward[:, 0] / lengths)), axis=0)


def sides(box: Box) -> tuple[float, float]:
    """Width and height."""
    across = box[1] - box[0]
    down = box[3] - box[0]
    return float(np.hypot(*across)), float(np.hypot(*down))


def _mean_inside(probability: NDArray[np.float32], box: Box) -> float:
    """Mean of the map at points in the rectangle."""
    right = np.linspace(0, 1, _SAMPLES_ACROSS)[None, :, None]
    down = np.linspace(0, 1, _SAMPLES_DOWN)[:, None, None]
    places = box[0] + right * (box[1] - box[0]) + down * (box[3] - box[0])
    xs = np.clip(np.rint(places[..., 0]).astype(int), 0, probability.shape[1] - 1)
    ys = np.clip(np.rint(places[..., 1]).astype(int), 0, probability.shape[0] - 1)
    return float(probability[ys, xs].mean())


def _grown(box: Box, distance: float) -> Box:
    """The rectangle with each side moved outwards."""
    width, height = sides(box)
    right = (box[1] - box[0]) / width * distance
    down = (box[3] - box[0]) / height * distance
    grown: Box = box + np.array([-right - down, right - down, right + down, down - right])
    return grown
