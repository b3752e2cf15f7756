"""Keyboard shortcuts, as each system leaves them free and writes them.

Qt reads `Ctrl` as the Command key of a Mac and `Meta` as its Control key. Keys that macOS takes are
listed in https://support.apple.com/102650.
"""

from __future__ import annotations

import sys

from PySide6.QtGui import QKeySequence

_ON_A_MAC = {
    # Command and the space bar open Spotlight; in the Finder, Command-Y looks into a file.
    "Ctrl+Space": "Ctrl+Y",
    # Command-Option and the space bar search in the Finder.
    "Ctrl+Alt+Space": "Meta+Shift+Space",
    # Command-M minimises a window.
    "Ctrl+M": "Ctrl+Shift+M",
    # Function keys need the Fn key there, and Command-G goes to the next match everywhere.
    "F3": "Ctrl+G",
    "Shift+F3": "Ctrl+Shift+G",
    # Enter is the key of the number pad there.
    "Enter": "Return",
    "Shift+Enter": "Shift+Return",
}
"""Keys of macOS in place of those of other systems."""


def platform_keys(keys: str, system: str = sys.platform) -> str:
    """The keys that a system has in place of these."""
    if system == "darwin":
        return _ON_A_MAC.get(keys, keys)
    return keys


def native_keys(keys: str) -> str:
    """Keys as people of this system write them."""
    sequence = QKeySequence(platform_keys(keys))
    return sequence.toString(QKeySequence.SequenceFormat.NativeText)


def with_keys(text: str, keys: str) -> str:
    """The name of a button with its keys, for its tooltip."""
    return f"{text} ({native_keys(keys)})"
