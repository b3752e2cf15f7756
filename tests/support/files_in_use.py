"""Files that another program has open, so that the system lets nobody replace or delete them."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

InUse = Callable[[Path], AbstractContextManager[Callable[[], None]]]


@pytest.fixture
def in_use() -> InUse:
    """Holds a file while a block runs, which can release it before its end."""
    return _open_elsewhere if sys.platform == "win32" else _mounted


@contextlib.contextmanager
def _open_elsewhere(file: Path) -> Iterator[Callable[[], None]]:
    with file.open("rb") as stream:
        yield stream.close


# Linux lets nobody replace or delete a file that something is mounted on.
@contextlib.contextmanager
def _mounted(file: Path) -> Iterator[Callable[[], None]]:
    command = ["mount", "--bind", file, file]
    try:
        mount = subprocess.run(command, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("nothing can be mounted here")
    if mount.returncode:
        pytest.skip("only an administrator can mount a file")

    def release() -> None:
        subprocess.run(["umount", "--lazy", file], capture_output=True, check=False)

    try:
        yield release
    finally:
        release()
