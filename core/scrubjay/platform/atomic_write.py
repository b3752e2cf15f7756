"""Replaces a file all at once: readers see what was there or what comes, never half of it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def replace_bytes(
    path: Path, data: bytes, mode: int, check: Callable[[], object] = lambda: None
) -> None:
    """All of the bytes or nothing, also when the power fails. May raise OSError.

    Check runs at the last moment, because somebody may save the file while ours is written; what
    it raises leaves the file as it was.
    """
    # Not named after the file: with more letters a long name would be too long.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".scrubjay-")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        check()
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
