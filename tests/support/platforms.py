"""What a system can lack, in one place: each test names what it needs, and is skipped without it.

`@pytest.mark.needs("links")` says it for a test or, as `pytestmark`, for a module; `require` says
it for a module that cannot even be imported, or inside a fixture. `@pytest.mark.wine_fault("…")`
is for a test that Windows passes and Wine does not, with what Wine does otherwise.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import socket
import stat
import sys
from pathlib import Path

import pytest

IS_WINDOWS = sys.platform == "win32"
IS_WINE = IS_WINDOWS and hasattr(ctypes.windll.ntdll, "wine_get_version")

LACKING = {
    "POSIX modes": (IS_WINDOWS, "Windows has no modes of files"),
    "POSIX paths": (IS_WINDOWS, "paths of Windows are written otherwise"),
    "POSIX shells": (IS_WINDOWS, "Windows has no shell of POSIX"),
    "POSIX signals": (IS_WINDOWS, "Windows has no signals of POSIX"),
    "POSIX terminals": (IS_WINDOWS, "Windows has no terminals of POSIX"),
    "Secret Service": (sys.platform != "linux", "the Secret Service is a part of Linux desktops"),
    "D-Bus": (sys.platform != "linux", "D-Bus is a part of Linux desktops"),
    "Linux": (sys.platform != "linux", "looks at a part of Linux"),
    "home in the environment": (IS_WINDOWS, "Windows tells the folders of the account itself"),
    "git": (shutil.which("git") is None, "git is not installed"),
    "letter case": (IS_WINDOWS, "Windows takes names that differ in case for one"),
    "links": (IS_WINDOWS, "links need rights on Windows"),
    "long paths": (IS_WINDOWS, "Windows opens no paths above 260 letters unless told to"),
    "named pipes": (not hasattr(os, "mkfifo"), "Windows has no named pipes in folders"),
    "odd names": (IS_WINDOWS, "Windows does not allow such a name"),
    "open files that move": (IS_WINDOWS, "Windows moves no file that a program has open"),
    "openssl": (shutil.which("openssl") is None, "openssl is not installed"),
    "OpenAPI validator": (
        importlib.util.find_spec("openapi_spec_validator") is None,
        "the packages for shared memories are not installed",
    ),
    "tools of Qt": (IS_WINE, "the Python for Wine has no programs that start them"),
    "sockets in folders": (
        not hasattr(socket, "AF_UNIX"),
        "Windows has pipes with names of their own instead",
    ),
    "times of entries": (IS_WINDOWS, "Python tells no time on Windows at which an entry changed"),
    "dialog of Qt for printing": (sys.platform != "linux", "the system shows its own dialog"),
    "shared memories": (
        importlib.util.find_spec("lancedb") is None,
        "the packages for shared memories are not installed",
    ),
}
"""Name of each need: whether it is lacking here, and the reason that is printed."""


def make_pipe(path: Path) -> None:
    """Make a pipe with a name among other things, where the system has such pipes."""
    if hasattr(os, "mkfifo"):
        os.mkfifo(path)


def make_link(path: Path, target: Path) -> None:
    """Make a link among other things, where the system lets everybody make links."""
    if not IS_WINDOWS:
        path.symlink_to(target)


def has_mode(path: Path, mode: int) -> bool:
    """Whether a file has a mode; always true where the system has no modes."""
    return IS_WINDOWS or stat.S_IMODE(path.stat().st_mode) == mode


def reason_without(need: str) -> str:
    """Why a test that has this need is skipped here; empty where the need is met."""
    is_lacking, reason = LACKING[need]
    if is_lacking:
        return reason
    return ""


def require(*needs: str) -> None:
    """Skip the test or the whole module unless all needs are met."""
    for need in needs:
        if reason := reason_without(need):
            pytest.skip(reason, allow_module_level=True)


def skip_without_needs(item: pytest.Item) -> None:
    """Skip a test that is marked with a need that is not met here, or with a fault of Wine."""
    for mark in item.iter_markers("needs"):
        require(*mark.args)
    for mark in item.iter_markers("wine_fault"):
        if IS_WINE:
            pytest.skip(f"Wine: {mark.args[0]}")
