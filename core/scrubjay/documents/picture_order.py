"""The order in which the lines of a picture are read."""

from __future__ import annotations

from scrubjay.documents.picture_boxes import Box

Line = tuple[Box, str, float]
"""Rectangle, text and confidence."""


def in_reading_order(lines: list[Line]) -> list[Line]:
    """The lines from top to bottom, and from left to right in a row."""
    return sorted(lines, key=lambda line: (line[0][:, 1].mean(), line[0][:, 0].mean()))
