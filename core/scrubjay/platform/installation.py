"""How this copy of the program was installed, and how it is removed."""

from __future__ import annotations

import sys
from pathlib import Path

from scrubjay.messages import Sentence, msg
from scrubjay.platform.paths import PORTABLE_FLAG

APP_ID = "org.scrubjay.Scrubjay"
"""Name of the app for the desktop: its AppUserModelID on Windows, its bundle on macOS, its files on
Linux."""
_SYSTEM_FOLDER = Path("/usr/lib/scrubjay")
"""Folder of the program in the Debian package (`packaging/deb.py`)."""


def removal_advice(program: Path | None = None, *, platform: str = sys.platform) -> Sentence:
    """A sentence that tells how to remove the program itself, which cannot delete itself.

    The program is that of a bundle; None for Python packages, unless this is a bundle.
    """
    if program is None and getattr(sys, "frozen", False):
        program = Path(sys.executable)
    if program is None:
        return msg(
            "To remove the program, run “uv tool uninstall scrubjay” or “pip uninstall scrubjay”, "
            "or delete the folder that you downloaded it to."
        )
    # A bundle tells by its place how it came here.
    folder = program.parent
    if folder == _SYSTEM_FOLDER:
        return msg(
            "To remove the program, use your software center or run “sudo apt remove scrubjay”."
        )
    for parent in program.parents:
        if parent.suffix == ".app":
            return msg("To remove the program, move {folder} to the Trash.", folder=parent)
    if platform == "win32" and not (folder / PORTABLE_FLAG).exists():
        return msg(
            "To remove the program, open the Windows settings, choose “Installed apps”, "
            "and uninstall Scrubjay."
        )
    return msg("To remove the program, delete the folder {folder}.", folder=folder)


def temporary_place(program: Path) -> Sentence | None:
    """A sentence that tells why the path of a program will not last; None if it will.

    macOS runs a downloaded app that was not moved yet from a folder with a random name, which
    differs for each start ("Gatekeeper path randomization").
    """
    # A whole name of a folder, since a person's own may contain the word.
    if "AppTranslocation" not in program.parts:
        return None
    return msg(
        "macOS runs Scrubjay from a temporary folder until you move the app. In the Finder, move "
        "Scrubjay to the Applications folder, open it there, then try again."
    )
