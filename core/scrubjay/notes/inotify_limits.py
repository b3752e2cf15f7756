"""The number of folders that Linux lets the user's programs watch."""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Callable
from pathlib import Path

from scrubjay.notes.note_files import walk_folders

LIMIT_FILE = Path("/proc/sys/fs/inotify/max_user_watches")
"""File in which Linux states the limit."""


def watch_limit(file: Path = LIMIT_FILE) -> int | None:
    """Number of folders that may be watched; None if the system does not say."""
    try:
        return int(file.read_text("ascii"))
    except (OSError, ValueError):
        return None


def folder_count(root: str | Path, step: Callable[[], None] = lambda: None) -> int:
    """Number of folders to watch, including those never searched; step is called at each."""
    count = 0
    for _ in walk_folders(root):
        step()
        count += 1
    return count


def is_limit_reached() -> bool:
    """Whether Linux lets the user's programs watch no further folder."""
    # Under Wine, a program for Windows can read /proc.
    if os.name == "nt":
        return False
    from watchdog.observers.inotify_c import InotifyConstants, inotify_add_watch, inotify_init

    queue = inotify_init()
    if queue == -1:  # the number of queues is limited, too
        return False
    try:
        watch = inotify_add_watch(queue, b"/", InotifyConstants.IN_DELETE_SELF)
        return watch == -1 and ctypes.get_errno() == errno.ENOSPC
    finally:
        os.close(queue)
