"""Records of the text that was read from a picture. All are immutable."""

from __future__ import annotations

from msgspec import Struct

UNSURE_MARK = " (?)"
"""End of a line of which the recogniser was not sure, for people, agents and the ranking."""


class PictureLine(Struct, frozen=True):
    """A line of text on a picture."""

    text: str
    confidence: float
    """Mean certainty of the letters, from 0 to 1."""
    corners: tuple[float, float, float, float, float, float, float, float]
    """Places of the four corners, x before y, as shares of the upright picture's width and height,
    clockwise from the upper left of the text."""


class PictureText(Struct, frozen=True):
    """What is written on a picture."""

    lines: tuple[PictureLine, ...]
    """Lines in reading order; none where the picture has no text."""
    width: int
    height: int
    """Pixels of the picture after the turn that its EXIF data ask for."""
