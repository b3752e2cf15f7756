"""How many folders Linux lets a person's programs watch, and how many some notes take."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

LIMIT_FILE = Path("/proc/sys/fs/inotify/max_user_watches")


def watch_limit(file: Path = LIMIT_FILE) -> int | None:
    """Folders that may be watched; None where the system does not say."""
    try:
        return int(file.read_text("ascii"))
    except (OSError, ValueError):
        return None


def folder_count(root: str | Path, step: Callable[[], None] = lambda: None) -> int:
    """How many folders are watched, with those that are never searched; step is called at each."""
    count = 0
    for _ in os.walk(root):
        step()
        count += 1
    return count
