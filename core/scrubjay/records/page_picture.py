"""Records of pictures as a viewer shows them. All are immutable."""

from __future__ import annotations

from msgspec import Struct


class PageWanted(Struct, frozen=True):
    """A page to draw, and the text to find on it."""

    page: int
    """Number from 1; one after the last page means the last one."""
    width: int
    """Width of the picture in pixels, at most; a very large page gets fewer."""
    words: tuple[str, ...] = ()
    passage: str = ""


class Mark(Struct, frozen=True):
    """A rectangle on a page, as fractions of its width and height from the upper left."""

    left: float
    top: float
    right: float
    bottom: float


class PagePicture(Struct, frozen=True):
    """A page as a viewer shows it."""

    page: int
    pages: int
    """Number of pages of the whole document."""
    width: int
    height: int
    pixels: bytes
    """Blue, green, red and a byte without meaning for each pixel, line after line."""
    text: str
    words: tuple[Mark, ...]
    passage: tuple[Mark, ...]
    """Lines that hold the passage; none if it is not on this page."""


class DrawnPicture(Struct, frozen=True):
    """A picture file as a viewer shows it: upright, and perhaps reduced."""

    width: int
    height: int
    pixels: bytes
    """Red, green and blue of each pixel, line after line."""
