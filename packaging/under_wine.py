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
from wine_standins import ENCODINGS, MATH, OWN_MATH, QT, RANDOM, rename_math  # noqa: E402

PYTHON = wine.FOLDER / "python" / "python.exe"
LIBRARIES = {ENCODINGS: QT, RANDOM: ".", OWN_MATH.decode(): "."}
"""Names of the files, and where they lie in a bundle."""
RUNTIME = ("VCRUNTIME140.dll", "VCRUNTIME140_1.dll", "MSVCP140.dll", "MSVCP140_1.dll")
"""Libraries of Visual C++ that packages other than Qt need, such as onnxruntime."""


def is_wine() -> bool:
    """Whether this Python runs under Wine."""
    return sys.platform == "win32" and hasattr(ctypes.windll.ntdll, "wine_get_version")


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
    rename_math(inside / "numpy", OWN_MATH, MATH)
    # Wine has its own, and a computer without Visual C++ has none. Those of Qt are the same.
    for name in RUNTIME:
        if (inside / QT / name).exists():
            shutil.copy(inside / QT / name, inside)
    for name in LIBRARIES:
        for file in inside.rglob(name):
            file.unlink()


def add_stand_ins(inside: Path, python: Path = Path(sys.base_prefix)) -> None:
    """Make a bundle run under Wine, with the libraries beside a Windows Python, or this one."""
    rename_math(inside / "numpy", MATH, OWN_MATH)
    for name, folder in LIBRARIES.items():
        shutil.copy(python / name, inside / folder / name)
