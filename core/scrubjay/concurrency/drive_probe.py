"""A look at a drive by a separate process, before a thread of ours waits for the drive."""

from __future__ import annotations

import contextlib
import math
import os
import re
import threading
import time
from pathlib import Path

_MOUNTS = Path("/proc/self/mountinfo")
"""File in which Linux lists what is mounted where."""
_LOOK = ("/bin/sh", "-c", 'for name in "$0"/*; do exit; done')
"""Command that lists a folder, since what is known of the folder itself may still be in memory."""
_FRESH_SECONDS = 5.0
"""Seconds for which a drive that answered counts as answering; a look takes some milliseconds."""
_MOST_LINKS = 40
"""Links that a path may lead through, as the kernel counts them."""


class DriveProbe:
    """Whether the drive of a path answers. For any thread.

    A thread that waits for a file system which another program serves (FUSE: sshfs, rclone, drives
    in file managers) cannot be ended, and neither can its process: it keeps its locks and its
    standard output, and whoever started it waits on. A process that only looks harms nobody.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._answered_at = -math.inf
        self._asked_at = math.inf

    def is_silent(self, seconds: float) -> bool:
        """Whether the drive has let a look wait for more than so many seconds."""
        return time.monotonic() - self._asked_at > seconds

    def wait(self) -> None:
        """Return once the drive answers; at once for a drive that the kernel itself serves."""
        with self._lock:
            if time.monotonic() - self._answered_at < _FRESH_SECONDS:
                return
            # While the look hangs, `is_silent` counts from this moment.
            if is_served_by_a_program(self._path):
                self._asked_at = time.monotonic()
                with contextlib.suppress(OSError):  # no shell; then the thread itself waits
                    _look_at(self._path)
                self._asked_at = math.inf
            self._answered_at = time.monotonic()


def is_served_by_a_program(path: Path) -> bool:
    """Whether a program serves the file system of a path. Asks no such file system."""
    try:
        kinds = _kinds_of_mounts(_MOUNTS.read_bytes())
    except OSError:  # not Linux
        return False
    # Step by step from the top: a path is only asked for once nothing above it can hang.
    target = os.path.abspath(path)  # noqa: PTH100  (resolve() would ask)
    for _ in range(_MOST_LINKS):
        step = os.sep
        rest = list(Path(target).parts[1:])
        while rest:
            step = os.path.join(step, rest.pop(0))  # noqa: PTH118
            if kinds.get(step, "").startswith("fuse"):
                return True
            link = _target_of(step)
            if link:
                target = os.path.normpath(os.path.join(os.path.dirname(step), link, *rest))  # noqa: PTH118, PTH120
                break
        else:
            return False
    return False


def _kinds_of_mounts(mounts: bytes) -> dict[str, str]:
    """Kind of the file system at each path where one is mounted."""
    kinds = {}
    for line in mounts.splitlines():
        mount, _, source = line.partition(b" - ")
        # Spaces and other signs stand as three octal digits after a backslash.
        path = re.sub(rb"\\(\d{3})", lambda code: bytes([int(code[1], 8)]), mount.split(b" ")[4])
        kinds[os.fsdecode(path)] = os.fsdecode(source.split(b" ")[0])
    return kinds


def _target_of(path: str) -> str:
    """The path that a link leads to; empty for what is not a link."""
    try:
        return os.readlink(path)  # noqa: PTH115  (ten times as fast)
    except OSError:
        return ""


def _look_at(path: Path) -> None:
    """Let a separate process list a folder, and wait for it."""
    import subprocess  # takes long, and few notes are on such a drive

    # It gets nothing of ours that it could keep open while it hangs.
    subprocess.run(
        [*_LOOK, str(path)],
        check=False,
        cwd="/",
        env={},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
