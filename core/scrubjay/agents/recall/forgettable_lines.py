"""Lines of notes that resemble a text, and the deletion of such a line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.embedding.similarity import TextSimilarity
from scrubjay.errors import NoteRefused
from scrubjay.messages import msg
from scrubjay.notes.note_edits import UndoableEdits, read_for_edit
from scrubjay.notes.note_reader import NoteUnreadable, decode_note, read_note
from scrubjay.records.note_records import Source
from scrubjay.records.search_records import Hit
from scrubjay.text.encodings import detect_codec, errors_kept
from scrubjay.text.file_kinds import document_kind
from scrubjay.text.markdown import split_lines

if TYPE_CHECKING:
    from scrubjay.documents.document_converter import Converter

LISTED_FROM = 0.7
"""Similarity from which a line is offered to be forgotten."""
CERTAIN_ABOVE = 0.9
"""Similarity above which the only such line is deleted without asking."""

_NO_TEXT = re.compile(r"\s*(?:#{1,6}\s|```|~~~|<!--|-{3,}\s*$|\|)")
"""Headings, fences, hidden marks, rules and tables."""
_WITH_END = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")


class SourceLine(Struct, frozen=True):
    """One line of a note."""

    workspace: str
    path: str
    file: Path
    line: int
    """1-based."""
    text: str
    """The whole line as it stands in the file."""
    similarity: float = 0.0
    """Similarity with the text to forget, 0 to 1."""

    @property
    def plain(self) -> str:
        """The text without the mark of a list item."""
        return _BULLET.sub("", self.text).strip()


def source_lines(hits: Sequence[Hit], converter: Converter) -> tuple[SourceLine, ...]:
    """The lines of hits as they stand in the files now, each once; none of transcripts."""
    lines: dict[SourceLine, None] = {}
    for hit in hits:
        if hit.source is Source.SESSIONS:
            continue
        try:
            texts = split_lines(decode_note(read_note(hit.file, hit.path, converter).data))
        except (NoteUnreadable, OSError):
            continue
        # Hits may share lines, and the note may have become shorter since it was indexed.
        for number in range(hit.first_line, min(hit.last_line, len(texts)) + 1):
            text = texts[number - 1]
            if text.strip() and not _NO_TEXT.match(text):
                line = SourceLine(hit.workspace, hit.path, file=hit.file, line=number, text=text)
                lines[line] = None
    return tuple(lines)


def similar_lines(
    query: str, lines: Sequence[SourceLine], similarity: TextSimilarity
) -> tuple[SourceLine, ...]:
    """The lines that are similar to the query, most similar first."""
    values = similarity.of(query, [line.plain for line in lines])
    similar = [
        replace(line, similarity=value)
        for line, value in zip(lines, values, strict=True)
        if value >= LISTED_FROM
    ]
    return tuple(sorted(similar, key=lambda line: (-line.similarity, line.path, line.line)))


def certain_match(lines: Sequence[SourceLine]) -> SourceLine | None:
    """The only line above `CERTAIN_ABOVE`; None if there is none, or more than one."""
    sure = [line for line in lines if line.similarity > CERTAIN_ABOVE]
    if len(sure) == 1:
        return sure[0]
    return None


def remove_line(edits: UndoableEdits, line: SourceLine) -> None:
    """Delete a line from its note. Raises NoteRefused or NotWritable."""
    # The text of a document is not what its file holds.
    if document_kind(line.path):
        raise NoteRefused(
            msg("{name} cannot be changed", name=line.path), "The file is not a plain-text note."
        )
    before = read_for_edit(line.file, line.path) or b""
    codec = detect_codec(before)
    # Not at other ends of lines, such as a form feed, which the index does not know.
    lines = _WITH_END.findall(before.decode(codec, errors_kept(codec)))
    at = line.line - 1
    text = "".join(lines[at : at + 1])
    # A byte order mark stands in the first line, and stays when that line goes.
    mark = ""
    if text.startswith("\ufeff"):
        mark = "\ufeff"
    if text.removeprefix(mark).strip() != line.text.strip():
        raise NoteRefused(
            msg("{file} has changed since Scrubjay read it", file=line.path),
            "Nothing was deleted.",
            hint="Search again.",
        )
    after = "".join([*lines[:at], mark, *lines[at + 1 :]]).encode(codec, errors_kept(codec))
    edits.replace(
        line.file,
        line.path,
        before=before,
        after=after,
        what=f"forgot line {line.line} of {line.path}",
    )
