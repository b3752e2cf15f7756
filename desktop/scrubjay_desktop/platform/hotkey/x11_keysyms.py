"""What X and xkbcommon call the keys that Qt knows by number."""

from __future__ import annotations

from PySide6.QtCore import Qt

_NAMES = {
    Qt.Key.Key_Insert: "Insert", Qt.Key.Key_Delete: "Delete", Qt.Key.Key_Home: "Home",
    Qt.Key.Key_End: "End", Qt.Key.Key_PageUp: "Prior", Qt.Key.Key_PageDown: "Next",
    Qt.Key.Key_Left: "Left", Qt.Key.Key_Right: "Right", Qt.Key.Key_Up: "Up",
    Qt.Key.Key_Down: "Down", Qt.Key.Key_Return: "Return", Qt.Key.Key_Tab: "Tab",
    Qt.Key.Key_Backspace: "BackSpace", Qt.Key.Key_Escape: "Escape", Qt.Key.Key_Pause: "Pause",
    Qt.Key.Key_Print: "Print", Qt.Key.Key_Menu: "Menu", Qt.Key.Key_Space: "space",
}  # fmt: skip


def keysym_name(key: int) -> str:
    """The name of a key; empty for one that no keyboard has."""
    if name := _NAMES.get(Qt.Key(key)):
        return name
    if Qt.Key.Key_F1 <= key <= Qt.Key.Key_F35:
        return f"F{key - Qt.Key.Key_F1 + 1}"
    if 0x20 < key < 0x7F and chr(key).isalnum():
        return chr(key).lower()
    return f"U{ord(chr(key).lower()):04X}" if 0x20 < key < 0x10FFFF else ""
