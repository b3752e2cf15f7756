"""The beginning of a page of a note, as agents and people write it."""

from __future__ import annotations

MAX_PAGE_START = 2**31
"""Largest number of a line or a column; no note has as many."""


class PageStart(str):
    """The beginning of a page: `12` is a line, and `12:3001` a character of a long line."""

    __slots__ = ()

    def __new__(cls, text: str | int = 1) -> PageStart:
        """Numbers below 1 count as 1. Raises ValueError for any other text."""
        line, _, column = str(text).strip().partition(":")
        # Whatever programs send, the numbers stay ones that a file can be read by.
        first_line = min(max(1, int(line)), MAX_PAGE_START)
        first_column = min(max(1, int(column or 1)), MAX_PAGE_START)
        if first_column == 1:
            return super().__new__(cls, first_line)
        return super().__new__(cls, f"{first_line}:{first_column}")

    @property
    def line(self) -> int:
        """Number of the line, from 1."""
        return int(self.partition(":")[0])

    @property
    def column(self) -> int:
        """Number of the character in its line, from 1."""
        return int(self.partition(":")[2] or 1)


FIRST_LINE = PageStart()
"""Beginning of a note."""
