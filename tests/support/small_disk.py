"""A real disk that is full soon."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def small_disk(folder: Path, megabytes: int = 1) -> Iterator[Path]:
    """A file system of that size, mounted there. Raises OSError where nobody may mount."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except subprocess.CalledProcessError as error:
        raise OSError(error.stderr.decode()) from error
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)
