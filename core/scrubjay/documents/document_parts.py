"""Numbered parts of the text of a document: pages, slides, sheets, chapters and messages."""

from __future__ import annotations

import re

from scrubjay.text.file_kinds import document_kind

_PART = re.compile(r"# (Page|Slide|Sheet|Chapter|Message) (\d+)(?:$|: | > )")
"""Headings of the first level that only the conversion writes, also with those below them."""


def part_heading(kind: str, number: int, name: str = "") -> str:
    """The line above a page, slide, sheet, chapter or message."""
    if not name:
        return f"# {kind} {number}"
    return f"# {kind} {number}: {name}"


def split_part(path: str) -> tuple[str, int | None]:
    """A path such as `report.pdf#p3` without its end, and the number in it."""
    name, mark, number = path.rpartition("#p")
    if mark and number.isascii() and number.isdigit() and document_kind(name):
        return name, int(number)
    return path, None


def part_number(line: str) -> int | None:
    """The number in such a line; None for any other line."""
    match = _PART.match(line)
    if match is None:
        return None
    return int(match[2])
