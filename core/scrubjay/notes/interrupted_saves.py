"""Temporary files of notes that a process left when it was killed during a save."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from scrubjay.notes.note_files import held_note
from scrubjay.platform.atomic_write import INCOMPLETE_FILE, PRIVATE_FILE, create_file
from scrubjay.platform.paths import make_private_folder

_CHUNK = 2**20
"""Bytes that are copied at once."""


def clear_interrupted_saves(files: Iterable[tuple[Path, str]], backups: Path) -> None:
    """Remove temporary files of ours, with their labels, from a folder of notes.

    An incomplete one is deleted. Another may be the note itself, exchanged with its new content a
    moment before: it goes to the folder of backups.
    """
    for file, label in files:
        with (
            contextlib.suppress(OSError),
            held_note(file, label) as note,
            note.abandoned() as status,
        ):
            # A process is still writing it, or it is not ours.
            if status is None:
                continue
            # The mode tells a complete file, which may be the note. Windows has no modes.
            if stat.S_IMODE(status.st_mode) != INCOMPLETE_FILE:
                make_private_folder(backups)
                content = _content(note.open(os.O_RDONLY))
                create_file(backups / f"left-behind-{file.name[-16:]}", content, PRIVATE_FILE)
            note.unlink()


def _content(handle: int) -> Iterator[bytes]:
    with open(handle, "rb") as file:
        while chunk := file.read(_CHUNK):
            yield chunk
