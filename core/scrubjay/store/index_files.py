"""The files of one index: write lease, size, deletion, quarantine."""

from __future__ import annotations

import contextlib
import datetime as dt
import glob
import time
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import IndexLocked
from scrubjay.store.connection import make_folder, unusable_folder

_PARTS = ("", "-wal", "-shm")
_RETRY_S = 0.02
"""Seconds between two attempts."""
LEASE_WAIT_S = 3.0
"""Seconds to wait for another process: a search that indexes a few words holds the lease for
milliseconds, an MCP server that computes vectors releases it within a second."""


@contextlib.contextmanager
def lease(file: Path, cancel: CancelToken | None = None) -> Iterator[None]:
    """Hold the right to write an index. With a token, other processes get time to release it.

    Raises IndexLocked when another process keeps it, IndexUnavailable, or Cancelled.
    """
    make_folder(file)
    lock = FileLock(f"{file}.lock", timeout=0)
    until = time.monotonic() + (LEASE_WAIT_S if cancel else 0.0)
    try:
        while not lock.is_locked:
            try:
                lock.acquire()
            except Timeout:
                if cancel is None or time.monotonic() >= until:
                    raise
                cancel.check()
                time.sleep(_RETRY_S)
    except Timeout as error:
        raise IndexLocked(
            "Another Scrubjay is indexing these notes",
            "Searching works meanwhile.",
            hint="Wait until it has finished.",
        ) from error
    except OSError as error:
        raise unusable_folder(file, error) from error
    with lock:
        try:
            yield
        finally:
            lock.release()


def index_bytes(file: Path) -> int:
    """Size of an index on disk, with its log."""
    total = 0
    for part in _PARTS:
        with contextlib.suppress(OSError):
            total += Path(f"{file}{part}").stat().st_size
    return total


def delete_index(file: Path) -> None:
    """Delete an index with all its files."""
    for part in (*_PARTS, ".lock"):
        Path(f"{file}{part}").unlink(missing_ok=True)
    _delete_damaged(file)


def _delete_damaged(file: Path) -> None:
    for old in file.parent.glob(f"{glob.escape(file.name)}.damaged-*"):
        old.unlink(missing_ok=True)


def move_aside(file: Path) -> Path:
    """Rename a damaged index and return its new path; only the last such file stays."""
    _delete_damaged(file)
    stamp = dt.datetime.now().strftime("%Y%m%d-%H%M%S")
    damaged = Path(f"{file}.damaged-{stamp}")
    file.replace(damaged)
    for part in _PARTS[1:]:
        Path(f"{file}{part}").unlink(missing_ok=True)
    return damaged
