"""Which lines a hit is about: a list item or a paragraph, whatever window was shown around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from scrubjay.agents.dreaming.recall_entry import is_recordable
from scrubjay.notes.markdown import split_lines
from scrubjay.notes.note_reader import NoteUnreadable, decode, read_note
from scrubjay.records.search_records import Hit, Snippet

_MAX_LINES = 20
_SILENT = re.compile(r"\s*(?:$|#{1,6}(?:\s|$)|```|~~~|<!--|(?:-{3,}|\*{3,}|_{3,})\s*$)")
"""Blank lines, headings, fences, hidden marks and rules."""
_BEGINS = re.compile(r"\s*(?:[-*+]\s|\d{1,3}[.)]\s|\||>)")
"""List items, rows of tables and quotes stand for themselves."""


def places(root: Path, hits: Iterable[Hit]) -> Iterator[Hit]:
    """The hits in daily files, narrowed to the lines that they are about.

    Questions in other words show other windows around the same line; it is one place all the
    same.
    """
    read: dict[str, list[str]] = {}
    for hit in hits:
        if is_recordable(hit):
            if hit.path not in read:
                read[hit.path] = lines_of(root, hit.path)
            if narrowed := _narrowed(hit, read[hit.path]):
                yield narrowed


def lines_of(root: Path, path: str) -> list[str]:
    """Of a daily file of the workspace; none when it cannot be read or a link is on the way."""
    place = root
    for part in path.split("/"):
        place /= part
        if place.is_symlink():
            return []
    try:
        return split_lines(decode(read_note(place).data))
    except (OSError, NoteUnreadable, ValueError):
        return []


def _narrowed(hit: Hit, lines: Sequence[str]) -> Hit | None:
    window = range(max(1, hit.first_line), min(hit.last_line, len(lines)) + 1)
    telling = [number for number in window if not _SILENT.match(lines[number - 1])]
    if not telling:
        return None
    best = min(telling, key=lambda number: abs(number - hit.best_line))
    first, last = _block(lines, best)
    text = "\n".join(lines[first - 1 : last])
    return replace(hit, first_line=first, last_line=last, best_line=best, snippet=Snippet(text))


def _block(lines: Sequence[str], line: int) -> tuple[int, int]:
    """First and last line of the paragraph or list item around a line."""
    first = last = line
    while (
        first > 1
        and last - first + 1 < _MAX_LINES
        and not _BEGINS.match(lines[first - 1])
        and not _SILENT.match(lines[first - 2])
    ):
        first -= 1
    while (
        last < len(lines)
        and last - first + 1 < _MAX_LINES
        and not _BEGINS.match(lines[last])
        and not _SILENT.match(lines[last])
    ):
        last += 1
    return first, last
