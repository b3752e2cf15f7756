"""Which lines a hit is about: a list item or a paragraph, whatever window was shown around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scrubjay.agents.dreaming.recall_entry import RecallEntry, is_recordable, one_line
from scrubjay.notes.markdown import split_lines
from scrubjay.notes.note_reader import NoteUnreadable, decode, read_note
from scrubjay.records.search_records import Hit, Snippet
from scrubjay.search.snippet import cut

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


MAX_CHARACTERS = 500
"""Of one line in MEMORY.md; more belongs into a note of its own."""

_NO_TEXT = re.compile(r"\s*(?:#{1,6}\s|```|~~~|<!--|-{3,}\s*$)")
_BULLET = re.compile(r"^\s*(?:>\s*|[-*+]\s+|\d{1,3}[.)]\s+)+")


@dataclass(frozen=True, slots=True)
class Located:
    """What a place says now, and on which lines."""

    first_line: int
    last_line: int
    text: str
    """On one line, without headings and list marks."""


def located(root: Path, entry: RecallEntry) -> Located | None:
    """The place as it stands in its file; None when its text was changed or is gone."""
    wanted = entry.snippet.rstrip("…").strip()
    lines = lines_of(root, entry.path)
    size = entry.last_line - entry.first_line + 1
    for first in _nearest_first(entry.first_line, len(lines)) if wanted else ():
        window = lines[first - 1 : first - 1 + size]
        if wanted in one_line(" ".join(window)):
            text = _said(window)
            return Located(first, first + len(window) - 1, text) if text else None
    return None


def _nearest_first(line: int, count: int) -> Iterator[int]:
    """All line numbers, beginning where the place was."""
    for distance in range(count + line):
        for number in dict.fromkeys((line - distance, line + distance)):
            if 1 <= number <= count:
                yield number


def _said(window: list[str]) -> str:
    kept = [_BULLET.sub("", line).strip() for line in window if not _NO_TEXT.match(line)]
    text = one_line("; ".join(filter(None, kept)))
    return text if len(text) <= MAX_CHARACTERS else f"{cut(text, MAX_CHARACTERS - 1)}…"
