"""A global key on macOS: RegisterEventHotKey, which needs no permission of the user.

See "Carbon Event Manager Reference" in Apple's documentation archive, `CarbonEvents.h` and
`Events.h`.
"""

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

_CARBON = "/System/Library/Frameworks/Carbon.framework/Carbon"
_SIGNATURE = int.from_bytes(b"SJay")
# The class and the kind of the event, from CarbonEvents.h.

_KEYBOARD = int.from_bytes(b"keyb")
_HOTKEY_PRESSED = 5
_MODIFIERS = {
    # Qt swaps the two on a Mac: its Control is the Command key.
    Qt.KeyboardModifier.ControlModifier: 0x0100,
    Qt.KeyboardModifier.ShiftModifier: 0x0200,
    Qt.KeyboardModifier.AltModifier: 0x0800,
    Qt.KeyboardModifier.MetaModifier: 0x1000,
}
_LETTERS = "asdfhgzxcv\0bqweryt123465=97-80]ou[ip\0lj'k;\\,/nm.\0\0`"
"""Virtual key codes from 0 on, of the American keyboard, as Events.h has them."""
_CODES = {
    Qt.Key.Key_Space: 49, Qt.Key.Key_Tab: 48, Qt.Key.Key_Return: 36, Qt.Key.Key_Backspace: 51,
    Qt.Key.Key_Left: 123, Qt.Key.Key_Right: 124, Qt.Key.Key_Down: 125, Qt.Key.Key_Up: 126,
    Qt.Key.Key_Home: 115, Qt.Key.Key_End: 119, Qt.Key.Key_PageUp: 116,
    Qt.Key.Key_PageDown: 121, Qt.Key.Key_F1: 122, Qt.Key.Key_F2: 120, Qt.Key.Key_F3: 99,
    Qt.Key.Key_F4: 118, Qt.Key.Key_F5: 96, Qt.Key.Key_F6: 97, Qt.Key.Key_F7: 98,
    Qt.Key.Key_F8: 100, Qt.Key.Key_F9: 101, Qt.Key.Key_F10: 109, Qt.Key.Key_F11: 103,
    Qt.Key.Key_F12: 111, Qt.Key.Key_F13: 105, Qt.Key.Key_F14: 107, Qt.Key.Key_F15: 113,
    Qt.Key.Key_F16: 106, Qt.Key.Key_F17: 64, Qt.Key.Key_F18: 79, Qt.Key.Key_F19: 80,
    Qt.Key.Key_F20: 90, Qt.Key.Key_Delete: 117, Qt.Key.Key_Escape: 53, Qt.Key.Key_Enter: 76,
}  # fmt: skip
_HANDLER = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class _HotKeyId(ctypes.Structure):
    _fields_ = (("signature", ctypes.c_uint32), ("id", ctypes.c_uint32))


class _EventType(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_uint32), ("event", ctypes.c_uint32))


class MacHotkey(NativeHotkey):
    """A key registered with Carbon."""

    def __init__(self, carbon: Any) -> None:
        super().__init__()
        self._carbon = carbon
        self._carbon.GetApplicationEventTarget.restype = ctypes.c_void_p
        self._reference = ctypes.c_void_p()
        # The handler is kept here, since Carbon holds no reference that Python counts.
        self._handler = _HANDLER(self._on_event)
        event_type = _EventType(_KEYBOARD, _HOTKEY_PRESSED)
        self._carbon.InstallEventHandler(
            ctypes.c_void_p(self._carbon.GetApplicationEventTarget()),
            self._handler,
            ctypes.c_ulong(1),
            ctypes.byref(event_type),
            None,
            None,
        )

    @classmethod
    def connected(cls) -> MacHotkey | None:
        """With the system's Carbon; None where it is not."""
        try:
            return cls(ctypes.CDLL(_CARBON))
        except OSError:
            return None

    def _grab(self, keys: QKeySequence) -> None:
        modifiers, code = carbon_key_codes(keys)
        # Types are named, since Carbon's functions say nothing about theirs.
        status = self._carbon.RegisterEventHotKey(
            ctypes.c_uint32(code),
            ctypes.c_uint32(modifiers),
            _HotKeyId(_SIGNATURE, 1),
            ctypes.c_void_p(self._carbon.GetApplicationEventTarget()),
            ctypes.c_uint32(0),
            ctypes.byref(self._reference),
        )
        if status:
            self._reference = ctypes.c_void_p()
            raise refused_as_taken(keys)

    def _let_go(self) -> None:
        self._carbon.UnregisterEventHotKey(self._reference)
        self._reference = ctypes.c_void_p()

    def nativeEventFilter(  # noqa: D102
        self, kind: QByteArray | bytes | bytearray | memoryview, message: Any
    ) -> tuple[bool, int]:
        # Carbon calls the handler itself.
        return False, 0

    def _on_event(self, _next: object, _event: object, _data: object) -> int:
        self._press()
        return 0


def carbon_key_codes(keys: QKeySequence) -> tuple[int, int]:
    """Modifiers and virtual key code. Raises HotkeyRefused."""
    combination = single_combination(keys)
    key = combination.key()
    # Letters have codes by their places on the keyboard.
    code = _CODES.get(key, -1)
    if code < 0 and 0x20 < key < 0x7F:
        code = _LETTERS.find(chr(key).lower())
    if code < 0:
        raise refused_as_unknown(keys)
    modifiers = combination.keyboardModifiers()
    return sum(bit for modifier, bit in _MODIFIERS.items() if modifiers & modifier), code
