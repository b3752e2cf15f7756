"""The single lines that hits point at, as they stand in the files right now."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scrubjay.notes.markdown import split_lines
from scrubjay.notes.note_reader import NoteUnreadable, decode, read_note
from scrubjay.records.search_records import Hit, Source

_NO_TEXT = re.compile(r"\s*(?:#{1,6}\s|```|~~~|<!--|-{3,}\s*$|\|)")
"""Headings, fences, hidden marks, rules and tables: not something that was remembered."""
_BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """One line of a note."""

    workspace: str
    path: str
    file: Path
    number: int
    """1-based."""
    text: str

    @property
    def plain(self) -> str:
        """Without the mark of a list item."""
        return _BULLET.sub("", self.text).strip()


def written_lines(hits: Sequence[Hit]) -> tuple[WrittenLine, ...]:
    """The lines of the hits that say something, each once. Transcripts are left out."""
    return tuple(dict.fromkeys(line for hit in hits for line in _lines(hit)))


def _lines(hit: Hit) -> Iterator[WrittenLine]:
    if hit.source is Source.SESSIONS:
        return
    try:
        lines = split_lines(decode(read_note(hit.file).data))
    except (NoteUnreadable, OSError):
        return
    for number in range(hit.first_line, min(hit.last_line, len(lines)) + 1):
        text = lines[number - 1]
        if text.strip() and not _NO_TEXT.match(text):
            yield WrittenLine(hit.workspace, hit.path, hit.file, number, text)
