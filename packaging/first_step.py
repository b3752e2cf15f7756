"""First step of each program of a bundle, before any module can be imported (`scrubjay.spec`).

PyInstaller puts an archive of all modules into each program. On Windows and macOS, the app and the
command line are two programs, so there the archive would be in the bundle twice. It is one file
beside the libraries instead, on all systems, and each program is told of it before it starts.
"""

import os
import sys

MODULES = "modules.pyz"
"""File of a bundle with the compiled code of all modules."""
SIZES = "sizes.txt"
"""File of a bundle with the sizes of its libraries and of the modules (`bundle.py`), one a line."""


def main(inside: str) -> None:
    """Check the files of a bundle, and name the archive of modules to PyInstaller's next step."""
    damaged = damaged_file(inside)
    if damaged:
        sys.exit(f"scrubjay: {damaged} is damaged. Install Scrubjay again; your notes stay.")
    vars(sys)["_pyinstaller_pyz"] = os.path.join(inside, MODULES)


def damaged_file(inside: str) -> str:
    """Name of a file in a bundle that has another size than it was made with, or is missing.

    Empty for none. The system ends a program that runs into the missing end of a library, without
    a word.
    """
    if not os.path.isfile(os.path.join(inside, MODULES)):
        return MODULES
    # Only what Python needs for its own start can be imported yet, which leaves out pathlib.
    try:
        with open(os.path.join(inside, SIZES), encoding="utf-8") as file:
            lines = file.read().splitlines()
    except OSError:
        return ""  # another system than Linux
    for line in lines:
        size, _, name = line.partition(" ")
        try:
            is_whole = os.stat(os.path.join(inside, name)).st_size == int(size)
        except FileNotFoundError:
            is_whole = False
        if not is_whole:
            return name
    return ""


if __name__ == "__main__":
    main(vars(sys)["_MEIPASS"])
