"""A look at a drive by a process of its own, before a thread of ours waits for the drive."""

from __future__ import annotations

import contextlib
import math
import os
import re
import threading
import time
from pathlib import Path

_MOUNTS = Path("/proc/self/mountinfo")
_LOOK = ("/bin/sh", "-c", 'for name in "$0"/*; do exit; done')
"""Lists a folder, since what is known of the folder itself may still be in memory."""
_FRESH_SECONDS = 5.0
"""How long a drive that answered is taken to answer; a look takes some milliseconds."""
_MOST_LINKS = 40
"""Links on a way, as the kernel counts them."""


class DriveProbe:
    """Whether the drive of a place answers. For any thread.

    A thread that waits for a file system which another program serves (FUSE: sshfs, rclone, drives
    in file managers) cannot be ended, and neither can its process: it keeps its locks and its
    standard output, and whoever started it waits on. A process that only looks harms nobody.
    """

    def __init__(self, place: Path) -> None:
        self._place = place
        self._lock = threading.Lock()
        self._answered_at = -math.inf
        self._asked_at = math.inf

    def is_silent(self, seconds: float) -> bool:
        """True while the drive has let a look wait for so long."""
        return time.monotonic() - self._asked_at > seconds

    def wait(self) -> None:
        """Return once the drive answers; at once for a drive that the kernel itself serves."""
        with self._lock:
            if time.monotonic() - self._answered_at < _FRESH_SECONDS:
                return
            if is_served_by_a_program(self._place):
                self._asked_at = time.monotonic()
                with contextlib.suppress(OSError):  # no shell; then the thread itself waits
                    _look_at(self._place)
                self._asked_at = math.inf
            self._answered_at = time.monotonic()


def is_served_by_a_program(place: Path) -> bool:
    """Whether a program serves the file system of a path. Asks no such file system."""
    try:
        kinds = _kinds_of_mounts(_MOUNTS.read_bytes())
    except OSError:  # no Linux
        return False
    path = os.path.abspath(place)  # noqa: PTH100  (resolve() would ask)
    for _ in range(_MOST_LINKS):
        step, *rest = os.sep, *Path(path).parts[1:]
        while rest:
            step = os.path.join(step, rest.pop(0))  # noqa: PTH118
            if kinds.get(step, "").startswith("fuse"):
                return True
            if link := _target_of(step):
                path = os.path.normpath(os.path.join(os.path.dirname(step), link, *rest))  # noqa: PTH118, PTH120
                break
        else:
            return False
    return False


def _kinds_of_mounts(mounts: bytes) -> dict[str, str]:
    """Kind of the file system at each place where one is mounted."""
    kinds = {}
    for line in mounts.splitlines():
        place, _, source = line.partition(b" - ")
        path = re.sub(rb"\\(\d{3})", lambda code: bytes([int(code[1], 8)]), place.split(b" ")[4])
        kinds[os.fsdecode(path)] = os.fsdecode(source.split(b" ")[0])
    return kinds


def _target_of(path: str) -> str:
    """Where a link leads; empty for what is not a link."""
    try:
        return os.readlink(path)  # noqa: PTH115  (ten times as fast)
    except OSError:
        return ""


def _look_at(place: Path) -> None:
    import subprocess  # takes long, and few notes are on such a drive

    subprocess.run(
        [*_LOOK, str(place)],
        check=False,
        cwd="/",
        env={},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
