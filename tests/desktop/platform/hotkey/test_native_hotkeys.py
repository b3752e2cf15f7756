"""Global keys of Windows and macOS, with libraries that write down what is asked of them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtGui import QKeySequence

from scrubjay_desktop.platform.hotkey import hotkey_mac, hotkey_windows
from scrubjay_desktop.platform.hotkey.hotkey import HotkeyRefused
from scrubjay_desktop.platform.hotkey.hotkey_mac import MacHotkey
from scrubjay_desktop.platform.hotkey.hotkey_windows import WindowsHotkey

KEYS = QKeySequence("Ctrl+Alt+Space")
WM_HOTKEY, WM_KEYDOWN = 0x0312, 0x0100
CONTROL, ALT, NO_REPEAT = 0x2, 0x1, 0x4000


class User32:
    """Registers one key, unless another program has it."""

    def __init__(self, *, is_free: bool = True) -> None:
        self.is_free = is_free
        self.registered: tuple[int, int] | None = None
        self.id = 0

    def RegisterHotKey(self, _window: None, number: int, modifiers: int, code: int) -> bool:
        self.id = number
        if self.is_free:
            self.registered = (modifiers, code)
        return self.is_free

    def UnregisterHotKey(self, _window: None, _number: int) -> None:
        self.registered = None


class Message(ctypes.Structure):
    _fields_ = (
        ("window", ctypes.c_void_p),
        ("message", ctypes.c_uint),
        ("wparam", ctypes.c_size_t),
    )


class Carbon:
    """Registers one key, unless another program has it, and keeps the handler."""

    def __init__(self, *, status: int = 0) -> None:
        self.status = status
        self.registered: tuple[int, int] | None = None
        self.handler: Callable[[Any, Any, Any], int] = lambda *_: 0

    def GetApplicationEventTarget(self) -> int:
        return 1

    def InstallEventHandler(self, _target: Any, handler: Any, *_rest: Any) -> None:
        self.handler = handler

    def RegisterEventHotKey(self, code: Any, modifiers: Any, *rest: Any) -> int:
        if not self.status:
            self.registered = (modifiers.value, code.value)
            ctypes.cast(rest[-1], ctypes.POINTER(ctypes.c_void_p))[0] = 7
        return self.status

    def UnregisterEventHotKey(self, reference: ctypes.c_void_p) -> None:
        assert reference.value == 7
        self.registered = None


class CarbonLibrary:
    """Carbon with functions that have attributes, as those of ctypes."""

    def __init__(self, carbon: Carbon) -> None:
        self.carbon = carbon
        self.GetApplicationEventTarget = lambda: carbon.GetApplicationEventTarget()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.carbon, name)


@pytest.fixture
def presses() -> list[str]:
    return []


@pytest.fixture
def user32() -> User32:
    return User32()


@pytest.fixture
def carbon() -> Carbon:
    return Carbon()


def send(hotkey: WindowsHotkey, user32: User32, message: int) -> bool:
    """Whether the hotkey takes a message of Windows."""
    data = Message(None, message, user32.id)
    return hotkey.nativeEventFilter(b"windows_generic_MSG", ctypes.addressof(data))[0]


def test_a_key_of_windows_is_registered_pressed_and_given_back(qtbot, user32, presses) -> None:
    hotkey = WindowsHotkey(user32)
    assert hotkey.unavailable == ""
    hotkey.bind(KEYS, lambda: presses.append("pressed"), lambda _: None)
    assert user32.registered == (CONTROL | ALT | NO_REPEAT, 0x20)
    assert send(hotkey, user32, WM_HOTKEY)
    qtbot.waitUntil(lambda: presses == ["pressed"])
    assert not send(hotkey, user32, WM_KEYDOWN)
    assert hotkey.nativeEventFilter(b"xcb_generic_event_t", 0) == (False, 0)
    hotkey.release()
    assert user32.registered is None


def test_another_key_takes_the_place_of_the_first(user32, presses) -> None:
    hotkey = WindowsHotkey(user32)
    hotkey.bind(KEYS, lambda: None, lambda _: None)
    hotkey.bind(QKeySequence("Ctrl+F9"), lambda: None, lambda _: None)
    assert user32.registered == (CONTROL | NO_REPEAT, 0x78)
    hotkey.release()


def test_a_key_of_another_program_is_refused_at_once() -> None:
    for hotkey in (
        WindowsHotkey(User32(is_free=False)),
        MacHotkey(CarbonLibrary(Carbon(status=-9878))),
    ):
        with pytest.raises(HotkeyRefused, match="is used by another program"):
            hotkey.bind(KEYS, lambda: None, lambda _: None)
        hotkey.release()


def test_a_key_of_macos_is_registered_pressed_and_given_back(qtbot, carbon, presses) -> None:
    hotkey = MacHotkey(CarbonLibrary(carbon))
    hotkey.bind(KEYS, lambda: presses.append("pressed"), lambda _: None)
    assert carbon.registered == (0x0900, 49)
    carbon.handler(None, None, None)
    qtbot.waitUntil(lambda: presses == ["pressed"])
    hotkey.release()
    assert carbon.registered is None
    carbon.handler(None, None, None)
    assert presses == ["pressed"]


@pytest.mark.parametrize(
    ("keys", "codes"),
    [
        ("Ctrl+Alt+Space", (CONTROL | ALT, 0x20)),
        ("Meta+J", (0x8, ord("J"))),
        ("Shift+F24", (0x4, 0x87)),
        ("Ctrl+5", (CONTROL, ord("5"))),
    ],
)
def test_keys_have_the_codes_of_windows(keys: str, codes: tuple[int, int]) -> None:
    assert hotkey_windows.windows_key_codes(QKeySequence(keys)) == codes


@pytest.mark.parametrize(
    ("keys", "codes"),
    [
        ("Ctrl+Alt+Space", (0x0900, 49)),
        ("Meta+A", (0x1000, 0)),
        ("Ctrl+Shift+M", (0x0300, 46)),
        ("F12", (0, 111)),
        # A large keyboard has these too, and people take them for such keys.
        ("F13", (0, 105)),
        ("F19", (0, 80)),
        ("Ctrl+Del", (0x0100, 117)),
        ("Alt+Esc", (0x0800, 53)),
        ("Alt+`", (0x0800, 50)),
    ],
)
def test_keys_have_the_codes_of_macos(keys: str, codes: tuple[int, int]) -> None:
    assert hotkey_mac.carbon_key_codes(QKeySequence(keys)) == codes


@pytest.mark.parametrize(
    "codes_of", [hotkey_windows.windows_key_codes, hotkey_mac.carbon_key_codes]
)
def test_a_key_that_no_keyboard_has_is_refused(
    codes_of: Callable[[QKeySequence], tuple[int, int]],
) -> None:
    with pytest.raises(HotkeyRefused, match="is not available on this keyboard"):
        codes_of(QKeySequence("Ctrl+ñ"))
