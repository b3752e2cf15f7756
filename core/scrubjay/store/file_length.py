"""Whether the file of an index has all of its pages, which SQLite does not check.

What the file lacks of its last page it takes for zeros, without a look at the checksum, and while
the log holds anything it asks only the log how many pages there are.
"""

from __future__ import annotations

import os
from pathlib import Path

import apsw

_LOG_HEADER = 32
"""Bytes before the first frame of a log (https://www.sqlite.org/fileformat2.html)."""
_FRAME_HEADER = 24
"""Bytes before the page of each frame, from the same source."""


def check_length(db: apsw.Connection, path: Path) -> int:
    """Bytes that the pages of an index take in its file.

    Raises apsw.CorruptError when a page is neither there nor in the log. The file is not opened:
    closing it would take away the locks of all connections of this process
    (https://www.sqlite.org/howtocorrupt.html).
    """
    with db:  # one moment, in which no process moves a page from the log to the file
        pages = int(db.pragma("page_count"))
        page_bytes = int(db.pragma("page_size"))
        size = file_size(path)
        # Pages that the file is too short for must all be in the log.
        lacking = range(size // page_bytes + 1, pages + 1)
        if lacking and not _logged_pages(path, page_bytes).issuperset(lacking):
            raise apsw.CorruptError
    return min(size, pages * page_bytes)


def file_size(path: Path) -> int:
    """Bytes of a file. Raises apsw.CantOpenError when it is not there."""
    try:
        return path.stat().st_size
    except OSError as error:
        raise apsw.CantOpenError(str(error)) from error


def file_id(path: Path) -> tuple[int, int] | None:
    """(device, inode) of a file; None when it is not there."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _logged_pages(path: Path, page_bytes: int) -> set[int]:
    """Numbers of the pages in the log beside an index."""
    numbers: set[int] = set()
    log = Path(f"{path}-wal")
    if not log.exists():
        return numbers
    with log.open("rb") as file:
        salts = file.read(_LOG_HEADER)[16:24]
        # Each frame is a header and a page; only the numbers in the headers are of use.
        while len(frame := file.read(_FRAME_HEADER)) == _FRAME_HEADER:
            if frame[8:16] != salts:  # left over from before the log began anew
                break
            numbers.add(int.from_bytes(frame[:4], "big"))
            file.seek(page_bytes, os.SEEK_CUR)
    return numbers
