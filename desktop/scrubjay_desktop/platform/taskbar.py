"""The taskbar of Windows, which puts windows of one AppUserModelID under one button."""

from __future__ import annotations

import contextlib
import ctypes
import sys

from scrubjay.platform.installation import APP_ID


def join_taskbar_button() -> None:
    """Let the windows of this process share the button of the pinned shortcut.

    The installer gives its shortcuts the same id. Without it Windows would go by the program file.
    """
    if sys.platform == "win32":
        # The app starts even if its window gets a button of its own.
        with contextlib.suppress(OSError):
            ctypes.windll.shell32.SetCurrentProcessExplicitAppUserModelID(APP_ID)
