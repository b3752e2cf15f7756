"""DREAMS.md: a diary for people of what was looked at, proposed, taken and refused."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Sequence
from pathlib import Path

from scrubjay.notes.last_edit import read_for_edit

_NAME = "DREAMS.md"
_TITLE = "# Dream diary\n"


def write_diary(root: Path, lines: Sequence[str], now: dt.datetime) -> None:
    """Append what happened. Nothing that stands there is touched.

    Raises NotWritable, or OSError on a full disk.
    """
    file = root / _NAME
    held = read_for_edit(file)
    moment = now.strftime("%Y-%m-%d %H:%M")
    entry = "".join(f"- {line}\n" for line in lines)
    lead = _TITLE if not held else "" if held.endswith(b"\n") else "\n"
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(file, flags, 0o644)
    with open(handle, "ab", buffering=0) as opened:  # noqa: PTH123  (a descriptor, not a path)
        # One write: whatever somebody else adds at this moment comes before or after it.
        opened.write(f"{lead}\n## {moment}\n\n{entry}".encode())
