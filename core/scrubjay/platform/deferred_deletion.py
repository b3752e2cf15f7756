"""Deletion of files that another program may have open: now, or at a later start of Scrubjay.

Windows deletes no file that is open. What is to go is noted in a file beside it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from scrubjay.platform.atomic_write import PAUSES_S, PRIVATE_FILE, when_released, write_atomically
from scrubjay.platform.state_file import StateFile

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


class DeletionsElsewhere:
    """The notes of deletions in folders that are not Scrubjay's own. For any thread.

    Such a folder is not searched for notes: a file of this name may belong to somebody else.
    """

    def __init__(self, file: StateFile) -> None:
        """The file lists the paths of the notes."""
        self._file = file

    def add(self, note: Path) -> None:
        """List a note, so that `finish` finds it at a later start. May raise OSError."""
        with self._file.changed() as state:
            state["notes"] = [*dict.fromkeys((*state.get("notes", ()), str(note)))]

    def notes(self) -> list[Path]:
        """The listed notes, on drives that may not be connected."""
        with contextlib.suppress(OSError):
            return [Path(note) for note in self._file.read().get("notes", ())]
        return []

    def files(self) -> list[Path]:
        """The files that the notes stand beside."""
        return [Path(str(note).removesuffix(NOTE_SUFFIX)) for note in self.notes()]

    def finish(self) -> None:
        """Delete what the notes name, and forget those that are done. A drive may hang."""
        for note in self.notes():
            delete_noted(note)
            # It is not done while its drive is not connected.
            if not note.exists() and note.parent.exists():
                self._forget(note)

    def _forget(self, note: Path) -> None:
        with contextlib.suppress(OSError), self._file.changed() as state:
            state["notes"] = [each for each in state["notes"] if each != str(note)]
