"""Line ranges in daily files: the list item or paragraph of a hit, and where it stands now."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.agents.dreaming.dream_weights import MAX_CHARACTERS
from scrubjay.agents.dreaming.recall_entry import RecallEntry, is_recordable
from scrubjay.notes.note_reader import NoteUnreadable, decode_note, read_file
from scrubjay.records.note_records import Workspace
from scrubjay.records.search_records import Hit, Snippet
from scrubjay.text.graphemes import truncate_text
from scrubjay.text.markdown import split_lines

_MAX_LINES = 20
"""Lines of a range at most."""
_NO_CONTENT = re.compile(r"\s*(?:$|#{1,6}(?:\s|$)|```|~~~|<!--|(?:-{3,}|\*{3,}|_{3,})\s*$)")
"""Line that is blank, a heading, a fence, a hidden mark or a rule."""
_ITEM_START = re.compile(r"\s*(?:[-*+]\s|\d{1,3}[.)]\s|\||>)")
"""Beginning of a list item, a table row or a quote, each a range of its own."""
_NO_TEXT = re.compile(r"\s*(?:#{1,6}\s|```|~~~|<!--|-{3,}\s*$)")
_BULLET = re.compile(r"^\s*(?:>\s*|[-*+]\s+|\d{1,3}[.)]\s+)+")


class LineRange(Struct, frozen=True):
    """Lines of a daily file with their text."""

    first_line: int
    last_line: int
    text: str
    """Text on one line, without headings and list marks."""


def narrow_hits(workspace: Workspace, hits: Iterable[Hit]) -> Iterator[Hit]:
    """Hits in daily files of a workspace, narrowed to the list item or paragraph of the best line.

    Different queries show different windows around a line; all of them give the same range.
    """
    lines_of = functools.cache(functools.partial(note_lines, workspace.root))
    for hit in hits:
        if hit.workspace != workspace.id or not is_recordable(hit):
            continue
        # The note may have become shorter since it was indexed.
        lines = lines_of(hit.path)
        window = range(max(1, hit.first_line), min(hit.last_line, len(lines)) + 1)
        numbers = [line for line in window if not _NO_CONTENT.match(lines[line - 1])]
        if numbers:
            best = _nearest(numbers, hit.best_line)
            first, last = _paragraph(lines, best)
            text = Snippet("\n".join(lines[first - 1 : last]))
            yield replace(hit, first_line=first, last_line=last, best_line=best, snippet=text)


def _nearest(numbers: Iterable[int], wanted: int) -> int:
    """The number that is the closest to another one; the first of two that are as close."""
    return min(numbers, key=lambda number: abs(number - wanted))


def note_lines(root: Path, path: str) -> list[str]:
    """Lines of a note of the workspace; empty if it is unreadable or reached through a link."""
    try:
        return split_lines(decode_note(read_file(root / path, path).data))
    except (OSError, NoteUnreadable, ValueError):
        return []


def current_range(root: Path, entry: RecallEntry) -> LineRange | None:
    """The lines of an entry now, the nearest if moved; None if their text changed or is gone."""
    snippet = entry.snippet.rstrip("…").strip()
    if not snippet:
        return None
    lines = note_lines(root, entry.path)
    size = entry.last_line - entry.first_line + 1
    # Lines move when others are added above, so every start is tried, the nearest ones first.
    numbers = range(1, len(lines) + 1)
    for first in sorted(numbers, key=lambda number: abs(number - entry.first_line)):
        window = lines[first - 1 : first - 1 + size]
        if snippet in " ".join(" ".join(window).split()):
            text = _text_of(window)
            if not text:
                return None
            return LineRange(first, first + len(window) - 1, text)
    return None


def _text_of(window: Iterable[str]) -> str:
    """The text of lines on one line, without headings and list marks, cut where it is too long."""
    # Items of one range become one sentence, since a line of MEMORY.md stands for all of them.
    texts = [_BULLET.sub("", line).strip() for line in window if not _NO_TEXT.match(line)]
    text = " ".join("; ".join(filter(None, texts)).split())
    if len(text) > MAX_CHARACTERS:
        text = f"{truncate_text(text, MAX_CHARACTERS - 1)}…"
    return text


def _paragraph(lines: Sequence[str], line: int) -> tuple[int, int]:
    """First and last line of the paragraph or list item around a line, 1-based."""

    def is_joined(upper: int) -> bool:
        """Whether the line below a line continues with its text."""
        above, below = lines[upper - 1 : upper + 1]
        is_start = _ITEM_START.match(below) or _NO_CONTENT.match(below) or _NO_CONTENT.match(above)
        return last - first + 1 < _MAX_LINES and not is_start

    # It grows upwards first, then downwards, as far as the largest range goes.
    first = last = line
    while first > 1 and is_joined(first - 1):
        first -= 1
    while last < len(lines) and is_joined(last):
        last += 1
    return first, last
