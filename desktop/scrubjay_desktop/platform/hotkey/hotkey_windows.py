"""A global key on Windows: RegisterHotKey, which posts a message to the thread of the windows."""

from __future__ import annotations

import ctypes
from typing import Any

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QKeySequence

from scrubjay_desktop.platform.hotkey.hotkey import (
    refused_as_taken,
    refused_as_unknown,
    single_combination,
)
from scrubjay_desktop.platform.hotkey.native_hotkey import NativeHotkey

# Numbers of winuser.h, and an own one between 0 and 0xBFFF.

_ID = 0x5C1B
_MESSAGE = 0x0312
"""WM_HOTKEY."""
_NO_REPEAT = 0x4000
_MODIFIERS = {
    Qt.KeyboardModifier.AltModifier: 0x1,
    Qt.KeyboardModifier.ControlModifier: 0x2,
    Qt.KeyboardModifier.ShiftModifier: 0x4,
    Qt.KeyboardModifier.MetaModifier: 0x8,
}
_CODES = {
    Qt.Key.Key_Space: 0x20, Qt.Key.Key_Insert: 0x2D, Qt.Key.Key_Delete: 0x2E,
    Qt.Key.Key_Home: 0x24, Qt.Key.Key_End: 0x23, Qt.Key.Key_PageUp: 0x21,
    Qt.Key.Key_PageDown: 0x22, Qt.Key.Key_Left: 0x25, Qt.Key.Key_Up: 0x26,
    Qt.Key.Key_Right: 0x27, Qt.Key.Key_Down: 0x28, Qt.Key.Key_Return: 0x0D,
    Qt.Key.Key_Tab: 0x09, Qt.Key.Key_Backspace: 0x08, Qt.Key.Key_Pause: 0x13,
}  # fmt: skip


class _Message(ctypes.Structure):
    """The first fields of MSG."""

    _fields_ = (
        ("window", ctypes.c_void_p),
        ("message", ctypes.c_uint),
        ("wparam", ctypes.c_size_t),
    )


class WindowsHotkey(NativeHotkey):
    """A key registered with user32."""

    def __init__(self, user32: Any) -> None:
        super().__init__()
        self._user32 = user32

    def _grab(self, keys: QKeySequence) -> None:
        modifiers, code = windows_key_codes(keys)
        if not self._user32.RegisterHotKey(None, _ID, modifiers | _NO_REPEAT, code):
            raise refused_as_taken(keys)

    def _let_go(self) -> None:
        self._user32.UnregisterHotKey(None, _ID)

    def nativeEventFilter(  # noqa: D102
        self, kind: QByteArray | bytes | bytearray | memoryview, message: Any
    ) -> tuple[bool, int]:
        if QByteArray(kind) != b"windows_generic_MSG":
            return False, 0
        # Messages of other hotkeys are for others.
        event = _Message.from_address(int(message))
        if event.message != _MESSAGE or event.wparam != _ID:
            return False, 0
        self._press()
        return True, 0


def windows_key_codes(keys: QKeySequence) -> tuple[int, int]:
    """Modifiers and virtual key code. Raises HotkeyRefused."""
    combination = single_combination(keys)
    key = combination.key()
    code = _CODES.get(key, 0)
    # Function keys, digits and letters have codes in rows.
    if Qt.Key.Key_F1 <= key <= Qt.Key.Key_F24:
        code = 0x70 + key - Qt.Key.Key_F1
    elif Qt.Key.Key_0 <= key <= Qt.Key.Key_9 or Qt.Key.Key_A <= key <= Qt.Key.Key_Z:
        code = int(key)
    if not code:
        raise refused_as_unknown(keys)
    modifiers = combination.keyboardModifiers()
    return sum(bit for modifier, bit in _MODIFIERS.items() if modifiers & modifier), code
