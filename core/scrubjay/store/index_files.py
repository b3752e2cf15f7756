"""The files of one index: who may write them, how large they are, and how they go away."""

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
_PATIENCE_S = 3.0
"""A search in another process takes in a few words in milliseconds; a server of agents that
computes vectors lets go within a second when the app comes."""


@contextlib.contextmanager
def lease(file: Path, cancel: CancelToken | None = None) -> Iterator[None]:
    """Hold the right to write an index. With a token, others get a little time to let go of it.

    Raises IndexLocked when another process keeps it, or Cancelled.
    """
    make_folder(file)
    lock = FileLock(f"{file}.lock", timeout=0)
    try:
        _acquire(lock, cancel)
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


def _acquire(lock: FileLock, cancel: CancelToken | None) -> None:
    until = time.monotonic() + _PATIENCE_S
    while True:
        try:
            lock.acquire()
        except Timeout:
            if cancel is None or time.monotonic() >= until:
                raise
            cancel.check()
            time.sleep(_RETRY_S)
        else:
            return


def index_bytes(file: Path) -> int:
    """Size of an index on disk, with its log."""
    total = 0
    for part in _PARTS:
        with contextlib.suppress(OSError):
            total += Path(f"{file}{part}").stat().st_size
    return total


def delete_index(file: Path) -> None:
    """Delete an index with everything that belongs to it."""
    for part in (*_PARTS, ".lock"):
        Path(f"{file}{part}").unlink(missing_ok=True)
    _delete_damaged(file)


def _delete_damaged(file: Path) -> None:
    for old in file.parent.glob(f"{glob.escape(file.name)}.damaged-*"):
        old.unlink(missing_ok=True)


def move_aside(file: Path) -> Path:
    """Keep a damaged index beside the new one; only the last such file is kept."""
    _delete_damaged(file)
    stamp = dt.datetime.now().strftime("%Y%m%d-%H%M%S")
    kept = Path(f"{file}.damaged-{stamp}")
    file.replace(kept)
    for part in _PARTS[1:]:
        Path(f"{file}{part}").unlink(missing_ok=True)
    return kept
