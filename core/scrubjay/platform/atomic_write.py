"""Atomic replacement of a file: readers see the old or the new content, never a part."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

TEMPORARY_PREFIX = ".scrubjay-"
"""Begins the names of new contents until they replace the old ones."""
PRIVATE_FILE = 0o600
"""Mode of a file that only its owner may read."""


def replace_bytes(
    path: Path, data: bytes, mode: int, check: Callable[[], object] = lambda: None
) -> None:
    """Write all of the bytes or none, also when the power fails. May raise OSError.

    Check runs at the last moment, because another program may save the file meanwhile; an error
    that it raises leaves the file as it was.
    """
    # Not named after the file: with more letters a long name would be too long.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=TEMPORARY_PREFIX)
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
