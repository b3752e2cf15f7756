"""The reasons why a folder of notes cannot be read: it is missing, without its drive, or silent."""

from __future__ import annotations

import contextlib
from pathlib import Path

from scrubjay.concurrency.io_timeout import IoTimedOut, IoTimeout
from scrubjay.messages import msg
from scrubjay.notes.note_files import drive_id, is_folder
from scrubjay.platform.path_limit import SYSTEM_PATH_LIMIT, PathLimit
from scrubjay.text.printable import printable_label


def unavailable_reason(root: Path, drive: int | None, io_timeout: IoTimeout) -> str:
    """Why a folder cannot be read, by a look at it alone; empty if it can."""

    # An empty folder counts as unavailable where its drive is another one than before.
    def look() -> str:
        if not is_folder(root):
            return missing_message(root)
        with contextlib.suppress(OSError):
            if drive is not None and drive_id(root) != drive and not any(root.iterdir()):
                return empty_message(root)
        return ""

    try:
        return io_timeout.call(look)
    except IoTimedOut:
        return unreachable_message(root)


def empty_message(root: Path) -> str:
    """The sentence about a folder whose drive is another one than before."""
    return msg("The folder {root} is empty. Its drive is probably not connected.", root=root)


TOO_LONG = msg(
    "The path is longer than Windows allows. Give the file or its folders shorter names, or turn "
    "on long paths in Windows (LongPathsEnabled) and start Scrubjay again."
)
"""The sentence about what Windows does not open for the length of its path."""


def missing_message(root: Path, limit: PathLimit | None = None) -> str:
    """The sentence about a folder that is not there, or cannot be seen. The limit is the system's,
    unless one is passed.
    """
    limit = limit or SYSTEM_PATH_LIMIT
    if limit and limit.refuses(root, is_folder=True):
        return TOO_LONG
    return msg("The folder {folder} does not exist.", folder=printable_label(str(root)))


def unreachable_message(root: Path) -> str:
    """The sentence about a folder that does not answer."""
    return msg("The folder {root} is not responding. Its drive may be disconnected.", root=root)
