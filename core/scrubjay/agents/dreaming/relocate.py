"""Where a snippet stands in its daily file right now: it may have moved, changed or gone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scrubjay.agents.dreaming.line_ranges import lines_of
from scrubjay.agents.dreaming.recall_entry import RecallEntry, one_line
from scrubjay.search.snippet import cut

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
