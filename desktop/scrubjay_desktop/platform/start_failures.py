"""Where a person reads why the app did not start, before there is a window."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable

_WARNING = 0x30
"""MB_ICONWARNING of `winuser.h`."""
_TO_FRONT = 0x10000
"""MB_SETFOREGROUND, since the program has no window that could be in front."""


def show_box(sentence: str) -> None:
    """Show a box of Windows with a sentence until it is closed; nothing on other systems."""
    if sys.platform == "win32":
        ctypes.windll.user32.MessageBoxW(None, sentence, "Scrubjay", _WARNING | _TO_FRONT)


def tell_start_failure(
    sentence: str, *, is_for_person: bool, show: Callable[[str], None] = show_box
) -> None:
    """Print a sentence, or show it to the person where a program without a terminal has no output.

    A start that nobody waits for, such as that of an uninstaller, shows nothing.
    """
    if sys.stderr:
        print(sentence, file=sys.stderr)  # noqa: T201
    elif is_for_person:
        show(sentence)
