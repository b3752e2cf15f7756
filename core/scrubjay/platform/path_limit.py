"""The longest path that the system opens.

Windows opens longer ones where an administrator allows it and the program says that it understands
them, as Python and PyInstaller's programs do. Otherwise it says that such a file does not exist.
See "Maximum Path Length Limitation" on Microsoft Learn.
"""

from __future__ import annotations

import sys
from pathlib import Path

from scrubjay.platform.windows_registry import Hive, RegistryReader, WindowsRegistry

LIMIT_KEY = r"SYSTEM\CurrentControlSet\Control\FileSystem"
LIMIT_NAME = "LongPathsEnabled"
MAX_PATH = 260
"""Letters of a path and its end, from `minwindef.h`."""
_PATTERN = "\\*.*"
"""Pattern that Python adds to the path of a folder to list it."""


class PathLimit:
    """The number of letters that a path may have, in UTF-16."""

    def __init__(self, longest: int) -> None:
        self._longest = longest

    def refuses(self, path: Path, *, is_folder: bool = False) -> bool:
        """Whether the system does not open a file, or does not list a folder, for its length."""
        text = str(path)
        # Paths with this beginning have no limit.
        if text.startswith("\\\\?\\"):
            return False
        if is_folder:
            text += _PATTERN
        return len(text.encode("utf-16-le", "surrogatepass")) // 2 > self._longest


def read_path_limit(registry: RegistryReader) -> PathLimit | None:
    """The limit of Windows with this registry; None without one."""
    if registry.read(LIMIT_KEY, LIMIT_NAME) == 1:
        return None
    return PathLimit(MAX_PATH - 1)


SYSTEM_PATH_LIMIT: PathLimit | None = None
"""Limit of this system; None without one. A program keeps that with which it was started."""
if sys.platform == "win32":
    SYSTEM_PATH_LIMIT = read_path_limit(WindowsRegistry(Hive.MACHINE))
