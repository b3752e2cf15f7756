"""Records of the text that was read from a picture. All are immutable."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

UNSURE_MARK = " (?)"
"""End of a line of which the recogniser was not sure, for people, agents and the ranking."""


Share: TypeAlias = Annotated[float, Meta(ge=0, le=1)]
"""Part of a whole, never NaN. What is decoded from bytes is checked."""


class PictureLine(Struct, frozen=True):
    """A line of text on a picture."""

    text: str
    confidence: Share
    """Mean certainty of the letters."""
    corners: tuple[Share, Share, Share, Share, Share, Share, Share, Share]
    """Places of the four corners, x before y, as shares of the upright picture's width and height,
    clockwise from the upper left of the text."""


class PictureText(Struct, frozen=True):
    """What is written on a picture."""

    lines: tuple[PictureLine, ...]
    """Lines in reading order; none where the picture has no text."""
    width: Annotated[int, Meta(ge=1)]
    height: Annotated[int, Meta(ge=1)]
    """Pixels of the picture after the turn that its EXIF data ask for."""
