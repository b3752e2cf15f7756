"""Libraries that Wine 8 lacks, and that Windows has: the Python of `make windows` brings its own.

A bundle that is made under Wine is meant for Windows, so it must not contain them. To run there
under Wine, it borrows them for the time of a test.
"""

from __future__ import annotations

import ctypes
import shutil
import sys
from pathlib import Path

import versions

ROOT = Path(__file__).resolve().parents[1]
# The module that starts Wine is shared with `make windows`.
sys.path.append(str(ROOT / "scripts"))

import wine as wine  # noqa: E402

PYTHON = wine.FOLDER / "python" / "python.exe"
LIBRARIES = {
    "icuuc.dll": "PySide6",
    "bcryptprimitives.dll": ".",
    "scj-ms-win-crt-math-l1-1-0.dll": ".",
}
"""Names of the files, and where they lie in a bundle."""
MATHS = b"api-ms-win-crt-math-l1-1-0.dll"
"""Library whose complex functions are empty in Wine. numpy calls them when it is imported."""
WINE_MATHS = b"scj-ms-win-crt-math-l1-1-0.dll"
"""Name by which numpy asks for the stand-in."""


def is_wine() -> bool:
    """Whether this Python runs under Wine."""
    return sys.platform == "win32" and hasattr(ctypes.windll.ntdll, "wine_get_version")


def missing_tool(python: Path = PYTHON) -> str:
    """What is not there to build for Windows, as the end of a sentence; empty for nothing."""
    if not wine.is_installed():
        return "Wine is not installed"
    if not python.exists():
        return "there is no Windows Python; `make windows` makes it"
    # Only Linux builds one.
    import windows_python

    if not windows_python.is_complete(python.parent):
        return "the Windows Python is incomplete or out of date; `make windows` completes it"
    return ""


def run_python(script: Path, *arguments: Path, timeout_s: float) -> int:
    """Exit code of a script that the Windows Python runs on a virtual screen; prints its output."""
    words = [wine.windows_path(place) for place in (script, *arguments)]
    with wine.display() as display:
        return wine.run(
            [PYTHON, *words],
            timeout_s=timeout_s,
            output=sys.stdout.buffer,
            DISPLAY=display,
            # Git is not there under Wine.
            SOURCE_DATE_EPOCH=str(versions.source_date()),
        )


def remove_stand_ins(inside: Path) -> None:
    """Make a bundle that was built under Wine the one that Windows would have built."""
    _rename(inside, WINE_MATHS, MATHS)
    # Wine has its own, and a computer without Visual C++ has none. That of Qt is the same.
    library = inside / "PySide6" / "VCRUNTIME140_1.dll"
    if library.exists():
        shutil.copy(library, inside)
    for name in LIBRARIES:
        for file in inside.rglob(name):
            file.unlink()


def add_stand_ins(inside: Path, python: Path = Path(sys.base_prefix)) -> None:
    """Make a bundle run under Wine, with the libraries beside a Windows Python, or this one."""
    _rename(inside, MATHS, WINE_MATHS)
    for name, folder in LIBRARIES.items():
        shutil.copy(python / name, inside / folder / name)


def _rename(inside: Path, name: bytes, other: bytes) -> None:
    """Let numpy's libraries ask for a library by another name of the same length."""
    for library in (inside / "numpy").rglob("*.pyd"):
        data = library.read_bytes()
        if name in data:
            library.write_bytes(data.replace(name, other))
