"""Deletion of files that another program may have open: now, or at a later start of Scrubjay.

Windows deletes no file that is open. What is to go is noted in a file beside it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from scrubjay.platform.atomic_write import PAUSES_S, PRIVATE_FILE, when_released, write_atomically

NOTE_SUFFIX = ".to-delete"
"""End of the name of a file that holds the names of files to delete, one a line."""


def delete_or_note(
    files: Iterable[Path], note: Path, *, pauses_s: Sequence[float] = PAUSES_S
) -> OSError | None:
    """The error of a file that stays, which the note then names; None once all files are deleted.

    Raises OSError where the note cannot be written.
    """
    problem: OSError | None = None
    left: list[str] = []
    for file in files:
        try:
            when_released(partial(file.unlink, missing_ok=True), file, pauses_s=pauses_s)
        except OSError as error:
            problem = problem or error
            left.append(file.name)
    # What is noted goes at the next start, unless somebody deletes it by hand.
    if left:
        write_atomically(note, "\n".join(left).encode("utf-8", "surrogateescape"), PRIVATE_FILE)
    else:
        note.unlink(missing_ok=True)
    return problem


def delete_noted(note: Path) -> None:
    """Delete the files that a note names, and then the note.

    A note `a.sqlite.to-delete` may name only files beside it that begin with `a.sqlite`.
    """
    ours = note.name.removesuffix(NOTE_SUFFIX)
    with contextlib.suppress(OSError):
        names = note.read_bytes().decode("utf-8", "surrogateescape").split("\n")
        # A name with a folder in it was not noted by Scrubjay.
        named = [each for each in names if each.startswith(ours) and Path(each).name == each]
        files = [note.with_name(each) for each in named if ours]
        delete_or_note(files, note, pauses_s=())
