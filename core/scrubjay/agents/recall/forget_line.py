"""Lines that the user wants forgotten, and their deletion from the notes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scrubjay.embedding.similarity import Likeness
from scrubjay.errors import NoteRefused
from scrubjay.messages import msg
from scrubjay.notes.markdown import split_lines
from scrubjay.notes.note_edits import UndoableEdits, read_for_edit
from scrubjay.notes.note_reader import NoteUnreadable, decode, read_note
from scrubjay.records.search_records import Hit, Source

LISTED_FROM = 0.7
CERTAIN_ABOVE = 0.9

_NO_TEXT = re.compile(r"\s*(?:#{1,6}\s|```|~~~|<!--|-{3,}\s*$|\|)")
"""Headings, fences, hidden marks, rules and tables."""
_BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One line of a note."""

    workspace: str
    path: str
    file: Path
    line: int
    """1-based."""
    text: str
    """The whole line as it stands in the file."""
    likeness: float = 0.0
    """Similarity with the text to forget, 0 to 1."""

    @property
    def plain(self) -> str:
        """The text without the mark of a list item."""
        return _BULLET.sub("", self.text).strip()


def source_lines(hits: Sequence[Hit]) -> tuple[SourceLine, ...]:
    """The lines of hits with text, as they stand in the files now, each once.

    Transcripts are left out.
    """
    lines: dict[SourceLine, None] = {}
    for hit in hits:
        if hit.source is Source.SESSIONS:
            continue
        try:
            texts = split_lines(decode(read_note(hit.file).data))
        except (NoteUnreadable, OSError):
            continue
        for number in range(hit.first_line, min(hit.last_line, len(texts)) + 1):
            text = texts[number - 1]
            if text.strip() and not _NO_TEXT.match(text):
                lines[SourceLine(hit.workspace, hit.path, hit.file, number, text)] = None
    return tuple(lines)


def forgettable(query: str, hits: Sequence[Hit], likeness: Likeness) -> tuple[SourceLine, ...]:
    """The lines of the hits that are similar to the query, most similar first."""
    lines = source_lines(hits)
    values = likeness.of(query, [line.plain for line in lines])
    similar = [
        replace(line, likeness=value)
        for line, value in zip(lines, values, strict=True)
        if value >= LISTED_FROM
    ]
    return tuple(sorted(similar, key=lambda line: (-line.likeness, line.path, line.line)))


def certain(lines: Sequence[SourceLine]) -> SourceLine | None:
    """The only line above `CERTAIN_ABOVE`; None if there is none, or more than one."""
    sure = [line for line in lines if line.likeness > CERTAIN_ABOVE]
    return sure[0] if len(sure) == 1 else None


def remove_line(edits: UndoableEdits, line: SourceLine) -> None:
    """Delete a line from its note. Raises NoteRefused or NotWritable."""
    before = read_for_edit(line.file)
    lines = before.splitlines(keepends=True) if before else []
    at = line.line - 1
    text = b"".join(lines[at : at + 1]).decode("utf-8", "replace")
    if text.lstrip("\ufeff").strip() != line.text.strip():
        raise NoteRefused(
            msg("{file} was changed meanwhile", file=line.path),
            "Nothing was deleted.",
            hint="Search again.",
        )
    after = b"".join(lines[:at] + lines[at + 1 :])
    edits.replace(line.file, before, after, f"forgot line {line.line} of {line.path}")
