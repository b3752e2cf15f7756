"""Atomic replacement of a file: readers see the old or the new content, never a part."""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
from collections.abc import Callable
from pathlib import Path

TEMPORARY_PREFIX = ".scrubjay-"
"""Begins the names of new contents until they replace the old ones."""
PRIVATE_FILE = 0o600
"""Mode of a file that only its owner may read."""


def replace_bytes(
    path: Path,
    data: bytes,
    mode: int,
    check: Callable[[], object] = lambda: None,
    folder: int | None = None,
) -> None:
    """Write all of the bytes or none, also when the power fails. May raise OSError.

    Check runs at the last moment, because another program may save the file meanwhile; an error
    that it raises leaves the file as it was. With a descriptor of its folder, nothing else of the
    path counts.
    """
    place = path if folder is None else Path(path.name)
    # Not named after the file: with more letters a long name would be too long.
    temporary = place.with_name(f"{TEMPORARY_PREFIX}{secrets.token_hex(8)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(temporary, flags, PRIVATE_FILE, dir_fd=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(handle)
            if sys.platform != "win32":
                os.fchmod(handle, mode)
        check()
        os.replace(temporary, place, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=folder)
        raise
