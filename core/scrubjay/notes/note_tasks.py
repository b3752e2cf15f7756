"""Tasks of notes, ticked and opened again: one letter changes and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

from scrubjay.errors import NoteRefused
from scrubjay.messages import msg
from scrubjay.notes.note_edits import NoteEdit, UndoableEdits, read_for_edit
from scrubjay.notes.note_reader import NoteUnreadable, codec_of, decode

EDITED = (".md", ".markdown", ".txt")
"""Ends of the names of notes that are changed where the user asks for it."""

_LINE_END = re.compile(r"\r\n|\r|\n")
_TASK = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t>]+)+\[([ xX])\](?=\s|$)")


def turned(text: str, line: int) -> str | None:
    """The text with the task of a 1-based line ticked or opened again; None without a task."""
    start = len(text) - len(text.removeprefix("\ufeff"))
    for _ in range(line - 1):
        end = _LINE_END.search(text, start)
        if end is None:
            return None
        start = end.end()
    task = _TASK.match(text, start)
    if task is None or line < 1:
        return None
    return text[: task.start(1)] + ("x" if task[1] == " " else " ") + text[task.end(1) :]


def tick(edits: UndoableEdits, file: Path, label: str, line: int, shown: str) -> NoteEdit:
    """Tick the task of a line, or open it again, in a note that still reads as it was shown.

    The change's description is the line as it is now.

    Raises NoteRefused when it does not, or when there is no task; NotWritable.
    """
    before = read_for_edit(file, label)
    try:
        if before is None or decode(before) != shown:
            raise NoteRefused(
                msg("{file} was changed meanwhile", file=label),
                "Nothing was written to it.",
                hint="Try again.",
            )
    except NoteUnreadable as error:
        raise NoteRefused(msg("{name} cannot be changed", name=label), str(error)) from error
    codec = codec_of(before)
    after = turned(before.decode(codec), line)
    if after is None:
        raise NoteRefused(
            msg("There is no task in line {line} of {file}", line=line, file=label),
            "Nothing was written to it.",
        )
    what = _LINE_END.split(after)[line - 1].strip()
    return edits.replace(file, label, before, after.encode(codec), what)
