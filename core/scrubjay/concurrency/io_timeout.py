"""Calls to a drive that may never answer, abandoned after a time limit.

Before a thread waits for a drive that another program serves, a separate process looks at
it (`DriveProbe`).
"""

from __future__ import annotations

import contextlib
import math
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.errors import Cancelled, DriveSilent
from scrubjay.records.engine_limits import DEFAULT_LIMITS

T = TypeVar("T")

_AGAIN_SECONDS = 0.2
"""Seconds that a drive that is known to be silent is waited for: it may just have come back."""
_MAX_HANGING = 8
"""Calls that may hang at a time; after that, the whole drive counts as unavailable."""

_MOUNTS = Path("/proc/self/mountinfo")
"""File in which Linux lists what is mounted where."""
_LOOK = ("/bin/sh", "-c", 'for name in "$0"/*; do exit; done')
"""Command that lists a folder, since what is known of the folder itself may still be in memory."""
_FRESH_SECONDS = 5.0
"""Seconds for which a drive that answered counts as answering; a look takes some milliseconds."""
_MOST_LINKS = 40
"""Links that a path may lead through, as the kernel counts them."""


class IoTimedOut(Exception):
    """A drive did not answer in time."""


class IoTimeout:
    """Runs calls to one drive on threads. Calls that hang cannot be cancelled and are abandoned."""

    def __init__(
        self, seconds: float = DEFAULT_LIMITS.index_io_seconds, path: Path | None = None
    ) -> None:
        """Seconds is how long a call may take without any progress; the path is on the drive."""
        self._seconds = seconds
        self._probe = DriveProbe(path) if path else None
        self._pool = DaemonThreadPool("drive")
        self._lock = threading.Lock()
        self._hanging: set[Future[Any]] = set()

    @property
    def is_exhausted(self) -> bool:
        """Whether the drive does not answer at all."""
        return self._is_silent() or self._hangs_too_often()

    def call(
        self,
        work: Callable[[], T],
        cancel: CancelToken | None = None,
        *,
        progress: Callable[[], object] = lambda: None,
        seconds: float | None = None,
    ) -> T:
        """The result of work. Raises IoTimedOut, Cancelled, or the error of work.

        While the value of progress changes, the call may take as long as it needs. Seconds is for
        this call only.
        """
        # More threads that hang would help nobody.
        if self._hangs_too_often():
            raise IoTimedOut
        limit = self._seconds
        if seconds is not None:
            limit = min(seconds, limit)
        if self._is_silent():
            limit = min(limit, _AGAIN_SECONDS)
        ended = threading.Event()
        given_up = threading.Event()
        # On another thread, which is left behind if it hangs.
        call = self._pool.submit(self._probed, work, given_up)
        call.add_done_callback(lambda _: ended.set())
        # A call that makes progress is waited for again, however long it takes in all.
        with (cancel or CancelToken()).calling(ended.set):
            before = progress()
            while not ended.wait(limit):
                now = progress()
                if now == before:
                    break
                before = now
        if call.done():
            return call.result()
        # It continues in its thread; where it has not begun, it never will.
        given_up.set()
        with self._lock:
            self._hanging.add(call)
        if cancel and cancel.cancelled:
            raise Cancelled
        raise IoTimedOut

    def _is_silent(self) -> bool:
        """Whether a look at the drive hangs for longer than a call may."""
        return self._probe is not None and self._probe.is_silent(self._seconds)

    def _hangs_too_often(self) -> bool:
        """Whether so many calls hang that no other one is tried."""
        with self._lock:
            self._hanging = {call for call in self._hanging if not call.done()}
            return len(self._hanging) >= _MAX_HANGING

    def _probed(self, work: Callable[[], T], given_up: threading.Event) -> T:
        """The result of work, begun when the drive answers in time. On a thread of the pool."""
        if self._probe:
            self._probe.wait()
        if given_up.is_set():
            raise IoTimedOut
        return work()


class IoBudget:
    """The remaining seconds that several calls may take together."""

    def __init__(self, seconds: float, *, is_patient: bool = True) -> None:
        """Patient means that what is being opened is waited for, too."""
        self.seconds = seconds
        self.is_patient = is_patient

    @contextlib.contextmanager
    def spending(self) -> Iterator[float]:
        """The seconds that are left; those that pass meanwhile are subtracted."""
        began = time.monotonic()
        try:
            yield self.seconds
        finally:
            self.seconds = max(0.0, self.seconds - (time.monotonic() - began))


class IoTimeouts(dict[Path, IoTimeout]):
    """An IoTimeout for each folder, so that a drive that hangs does not block the others."""

    def __init__(self, seconds: float = DEFAULT_LIMITS.index_io_seconds) -> None:
        super().__init__()
        self._seconds = seconds

    def __missing__(self, folder: Path) -> IoTimeout:
        """The timeout of a folder that was not asked before."""
        # Two threads may come at once, and get the same one.
        return self.setdefault(folder, IoTimeout(self._seconds, folder))

    def ask(
        self,
        folder: Path,
        work: Callable[[], T],
        cancel: CancelToken | None = None,
        *,
        progress: Callable[[], object] = lambda: None,
    ) -> T:
        """The result of work on a folder. Raises DriveSilent, and as `IoTimeout.call`."""
        # People are told which drive it is.
        try:
            return self[folder].call(work, cancel, progress=progress)
        except IoTimedOut as error:
            raise DriveSilent(folder) from error

    def check(self, folder: Path) -> None:
        """Raise DriveSilent unless the drive of a folder answers, before work that may take long.

        A drive that stops answering in the middle of such work is not noticed.
        """
        self.ask(folder, partial(os.path.exists, folder))

    def answers(self, folder: Path) -> bool:
        """Whether the drive of a folder answers, also where the folder is not there."""
        with contextlib.suppress(DriveSilent):
            self.check(folder)
            return True
        return False


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
