"""The files of one index: who may write them, how large they are, and how they go away."""

from __future__ import annotations

import contextlib
import datetime as dt
import glob
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from scrubjay.errors import IndexLocked
from scrubjay.store.connection import make_folder, unusable_folder

_PARTS = ("", "-wal", "-shm")


@contextlib.contextmanager
def lease(file: Path) -> Iterator[None]:
    """Hold the right to write an index. Raises IndexLocked when another process has it."""
    make_folder(file)
    lock = FileLock(f"{file}.lock", timeout=0)
    try:
        lock.acquire()
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
