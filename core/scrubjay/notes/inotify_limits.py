"""The number of folders that Linux lets the user's programs watch, and how many are watched."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from scrubjay.notes.note_files import walk

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
    for _ in walk(root):
        step()
        count += 1
    return count


def held_watches() -> int:
    """Number of watches that this process holds."""
    count = 0
    for file in Path("/proc/self/fdinfo").iterdir():
        with contextlib.suppress(OSError):
            count += file.read_text("ascii").count("inotify wd:")
    return count
