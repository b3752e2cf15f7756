"""A global key on X11: grabbed on Qt's own connection, so that no thread has to poll."""

from __future__ import annotations

import ctypes
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QGuiApplication, QKeySequence

from scrubjay_desktop.platform.hotkey.hotkey import (
    keysym_name,
    refused_as_taken,
    refused_as_unknown,
    single_combination,
)
from scrubjay_desktop.platform.hotkey.native_hotkey import NativeHotkey

log = logging.getLogger("scrubjay.desktop")

# Numbers of X.h. Those of the modifiers are so on practically every keyboard map.

_SHIFT = 1
_LOCK = 2
_CONTROL = 4
_ALT = 8
_NUM = 16
_SUPER = 64
_USED = _SHIFT | _CONTROL | _ALT | _SUPER
"""Bits of the state of a key event that a hotkey asks for."""
_KEY_PRESS = 2
_KEY_RELEASE = 3
_GRAB_ASYNC = 1
_MODIFIERS = {
    Qt.KeyboardModifier.ShiftModifier: _SHIFT,
    Qt.KeyboardModifier.ControlModifier: _CONTROL,
    Qt.KeyboardModifier.AltModifier: _ALT,
    Qt.KeyboardModifier.MetaModifier: _SUPER,
}


class _KeyEvent(ctypes.Structure):
    """xcb_key_press_event_t; a release looks the same."""

    _fields_ = (
        ("type", ctypes.c_uint8),
        ("code", ctypes.c_uint8),
        ("sequence", ctypes.c_uint16),
        ("time", ctypes.c_uint32),
        ("root", ctypes.c_uint32),
        ("event", ctypes.c_uint32),
        ("child", ctypes.c_uint32),
        ("place", ctypes.c_int16 * 4),
        ("state", ctypes.c_uint16),
    )


_Kind = QByteArray | bytes | bytearray | memoryview
_HANDLER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


class X11Hotkey(NativeHotkey):
    """Takes a key away from all other programs of one X server."""

    def __init__(self, x11: ctypes.CDLL, display: int) -> None:
        super().__init__()
        self._x11 = x11
        self._display = display
        self._root: int = x11.XDefaultRootWindow(display)
        self._grabbed = (0, 0)
        """Key code and modifiers that are grabbed."""
        self._released_at = -1

    @classmethod
    def connected(cls) -> X11Hotkey | None:
        """The hotkey on the connection that Qt has; None where there is none that can be used."""
        app = QGuiApplication.instance()
        native: Any = None
        if isinstance(app, QGuiApplication):
            native = app.nativeInterface()
        # The library uses Qt's own connection, which has to be there.
        try:
            x11 = ctypes.CDLL("libX11.so.6")
        except OSError:
            log.info("No libX11: no key can be taken")
            return None
        if native is None:
            return None
        display = int(native.display())
        if not display:
            return None
        _declare(x11)
        return cls(x11, display)

    def _grab(self, keys: QKeySequence) -> None:
        code, state = self._codes_of(keys)
        with self._errors() as errors:
            # The key is grabbed with and without the locks, which X counts as modifiers.
            for locks in (0, _LOCK, _NUM, _LOCK | _NUM):
                self._x11.XGrabKey(
                    self._display, code, state | locks, self._root, 1, _GRAB_ASYNC, _GRAB_ASYNC
                )
        self._grabbed = (code, state)
        if errors:
            self._let_go()
            raise refused_as_taken(keys)

    def _let_go(self) -> None:
        code, state = self._grabbed
        with self._errors():
            for locks in (0, _LOCK, _NUM, _LOCK | _NUM):
                self._x11.XUngrabKey(self._display, code, state | locks, self._root)

    def nativeEventFilter(self, kind: _Kind, message: Any) -> tuple[bool, int]:  # noqa: D102
        if QByteArray(kind) != b"xcb_generic_event_t":
            return False, 0
        event = _KeyEvent.from_address(int(message))
        event_type = event.type & 0x7F
        if event_type not in (_KEY_PRESS, _KEY_RELEASE):
            return False, 0
        # The release of the key is looked at too: it tells repeated presses from new ones.
        code, state = self._grabbed
        if event.code != code:
            return False, 0
        if event_type == _KEY_RELEASE:
            self._released_at = event.time
            return False, 0
        if event.state & _USED != state:
            return False, 0
        # A key that is held down is released and pressed again at the same moment.
        if event.time != self._released_at:
            self._press()
        return True, 0

    def _codes_of(self, keys: QKeySequence) -> tuple[int, int]:
        """Key code and modifiers. Raises HotkeyRefused."""
        combination = single_combination(keys)
        name = keysym_name(combination.key())
        # The keyboard may have no key for the symbol.
        symbol = 0
        if name:
            symbol = self._x11.XStringToKeysym(name.encode())
        code = 0
        if symbol:
            code = self._x11.XKeysymToKeycode(self._display, symbol)
        if not code:
            raise refused_as_unknown(keys)
        modifiers = combination.keyboardModifiers()
        return code, sum(bit for modifier, bit in _MODIFIERS.items() if modifiers & modifier)

    @contextmanager
    def _errors(self) -> Iterator[list[int]]:
        """Collects the X errors of the calls inside, which would end the app otherwise."""
        errors: list[int] = []

        def note(_display: int, event: int) -> int:
            # XErrorEvent: the code stands after type, display, resource and serial number.
            errors.append(ctypes.c_ubyte.from_address(event + 32).value)
            return 0

        # Errors of earlier calls are not for this handler, and those of these calls not for the
        # next.
        self._x11.XSync(self._display, 0)
        handler = _HANDLER(note)
        before = self._x11.XSetErrorHandler(ctypes.cast(handler, ctypes.c_void_p))
        try:
            yield errors
            self._x11.XSync(self._display, 0)
        finally:
            self._x11.XSetErrorHandler(before)


def _declare(x11: ctypes.CDLL) -> None:
    # Without these ctypes would cut pointers to 32 bits.
    display = ctypes.c_void_p
    window = ctypes.c_ulong
    number = ctypes.c_int
    mask = ctypes.c_uint
    x11.XDefaultRootWindow.argtypes = [display]
    x11.XDefaultRootWindow.restype = window
    x11.XStringToKeysym.argtypes = [ctypes.c_char_p]
    x11.XStringToKeysym.restype = ctypes.c_ulong
    x11.XKeysymToKeycode.argtypes = [display, ctypes.c_ulong]
    x11.XKeysymToKeycode.restype = ctypes.c_ubyte
    x11.XGrabKey.argtypes = [display, number, mask, window, number, number, number]
    x11.XUngrabKey.argtypes = [display, number, mask, window]
    x11.XSync.argtypes = [display, number]
    x11.XSetErrorHandler.argtypes = [ctypes.c_void_p]
    x11.XSetErrorHandler.restype = ctypes.c_void_p
