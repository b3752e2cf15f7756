"""Finds the lines that a person wants forgotten, and takes a line out of its note."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from scrubjay.embedding.similarity import Likeness
from scrubjay.errors import NoteRefused
from scrubjay.messages import msg
from scrubjay.notes.last_edit import UndoableEdits, read_for_edit
from scrubjay.notes.markdown import split_lines
from scrubjay.notes.note_reader import NoteUnreadable, decode, read_note
from scrubjay.records.search_records import Hit, Source

LISTED_FROM = 0.7
CERTAIN_ABOVE = 0.9


@dataclass(frozen=True, slots=True)
class Forgettable:
    """A line of a note that may be what a person wants forgotten."""

    workspace: str
    path: str
    file: Path
    line: int
    """1-based."""
    text: str
    """The whole line as it stands in the file."""
    likeness: float
    """0 to 1: how much it says what was asked for."""


def forgettable(query: str, hits: Sequence[Hit], likeness: Likeness) -> tuple[Forgettable, ...]:
    """The lines of the hits that are like the query, most alike first."""
    lines = written_lines(hits)
    alike = likeness.of(query, [line.plain for line in lines])
    found = [
        Forgettable(line.workspace, line.path, line.file, line.number, line.text, value)
        for line, value in zip(lines, alike, strict=True)
        if value >= LISTED_FROM
    ]
    return tuple(sorted(found, key=lambda one: (-one.likeness, one.path, one.line)))


def certain(found: Sequence[Forgettable]) -> Forgettable | None:
    """The one line that is meant without doubt; None when there is none, or more than one."""
    sure = [one for one in found if one.likeness > CERTAIN_ABOVE]
    return sure[0] if len(sure) == 1 else None


def remove_line(edits: UndoableEdits, found: Forgettable) -> None:
    """Take a line out of its note. Raises NoteRefused or NotWritable."""
    before = read_for_edit(found.file)
    lines = before.splitlines(keepends=True) if before is not None else []
    at = found.line - 1
    if before is None or at >= len(lines) or _plain(lines[at]) != found.text.strip():
        raise NoteRefused(
            msg("{file} was changed meanwhile", file=found.path),
            "Nothing was deleted.",
            hint="Search again.",
        )
    after = b"".join(lines[:at] + lines[at + 1 :])
    edits.replace(found.file, before, after, f"forgot line {found.line} of {found.path}")


def _plain(line: bytes) -> str:
    return line.decode("utf-8", "replace").lstrip("\ufeff").strip()


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
