"""The key on Wayland, from a real bus and a portal in a process of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence

from scrubjay_desktop.platform.hotkey.hotkey import HotkeyRefused
from scrubjay_desktop.platform.hotkey.hotkey_mac import carbon_key_codes as mac_codes
from scrubjay_desktop.platform.hotkey.hotkey_windows import WindowsHotkey
from scrubjay_desktop.platform.hotkey.hotkey_windows import windows_key_codes as windows_codes
from support import platforms

if sys.platform == "linux":
    from scrubjay_desktop.platform.hotkey.hotkey_portal import PortalHotkey, portal_trigger
    from support.portal import bus, portal

KEYS = QKeySequence("Ctrl+Alt+Space")


class Heard:
    """What a key did."""

    def __init__(self) -> None:
        self.presses = 0
        self.refusals: list[str] = []

    def press(self) -> None:
        self.presses += 1

    def refuse(self, refusal: HotkeyRefused) -> None:
        self.refusals.append(str(refusal))


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    platforms.require("D-Bus")
    with bus() as found:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", found)
        yield found


@pytest.fixture
def hotkey(qtbot, address: str) -> Iterator[PortalHotkey]:
    made = PortalHotkey.connected()
    assert made is not None
    yield made
    made.close()
    made.deleteLater()


def test_the_portal_grants_a_key_and_passes_presses_on(qtbot, address, hotkey, heard) -> None:
    with portal(address) as desktop:
        hotkey.bind(KEYS, heard.press, heard.refuse)
        qtbot.waitUntil(lambda: hotkey.session != "")
        assert desktop.line() == "asked for quick-search at CTRL+ALT+space"
        desktop.press()
        desktop.press()
        qtbot.waitUntil(lambda: heard.presses == 2)
    assert heard.refusals == []


def test_another_key_is_asked_for_in_a_session_of_its_own(qtbot, address, hotkey, heard) -> None:
    with portal(address) as desktop:
        hotkey.bind(KEYS, heard.press, heard.refuse)
        qtbot.waitUntil(lambda: hotkey.session != "")
        first = hotkey.session
        assert desktop.line().endswith("CTRL+ALT+space")
        hotkey.bind(QKeySequence("Meta+J"), heard.press, heard.refuse)
        qtbot.waitUntil(lambda: hotkey.session not in ("", first))
        assert desktop.line().endswith("LOGO+j")


def test_a_no_of_the_desktop_is_told(qtbot, address, hotkey, heard) -> None:
    with portal(address, is_willing=False):
        hotkey.bind(KEYS, heard.press, heard.refuse)
        qtbot.waitUntil(lambda: bool(heard.refusals))
    assert heard.refusals == [
        "Your desktop environment did not assign a shortcut to Scrubjay. In the keyboard settings "
        "of your computer, assign a shortcut to the command “scrubjay-desktop --quick-search”."
    ]


def test_a_desktop_without_a_portal_is_a_no(qtbot, address, hotkey, heard) -> None:
    hotkey.bind(KEYS, heard.press, heard.refuse)
    qtbot.waitUntil(lambda: bool(heard.refusals))


@pytest.mark.needs("D-Bus")
def test_without_a_bus_there_is_no_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/at/all")
    assert PortalHotkey.connected() is None


@pytest.mark.needs("D-Bus")
@pytest.mark.parametrize(
    ("keys", "trigger", "windows", "mac"),
    [
        ("Ctrl+Alt+Space", "CTRL+ALT+space", (0x3, 0x20), (0x0900, 49)),
        ("Meta+J", "LOGO+j", (0x8, 0x4A), (0x1000, 38)),
        ("Ctrl+Shift+F9", "CTRL+SHIFT+F9", (0x6, 0x78), (0x0300, 101)),
        ("Alt+1", "ALT+1", (0x1, 0x31), (0x0800, 18)),
    ],
)
def test_each_platform_has_its_own_numbers(keys, trigger, windows, mac) -> None:
    sequence = QKeySequence(keys)
    assert portal_trigger(sequence) == trigger
    assert (windows_codes(sequence), mac_codes(sequence)) == (windows, mac)


class User32:
    """What Windows would do, with some keys taken."""

    def __init__(self, *, is_free: bool = True) -> None:
        self.is_free = is_free
        self.registered: list[tuple[int, int]] = []

    def RegisterHotKey(self, _window: object, _id: int, modifiers: int, code: int) -> int:
        if self.is_free:
            self.registered.append((modifiers, code))
        return int(self.is_free)

    def UnregisterHotKey(self, _window: object, _id: int) -> int:
        self.registered.pop()
        return 1


def test_windows_keys_are_taken_and_given_back(qtbot, heard: Heard) -> None:
    user32 = User32()
    hotkey = WindowsHotkey(user32)
    hotkey.bind(KEYS, heard.press, heard.refuse)
    hotkey.bind(QKeySequence("Ctrl+Alt+J"), heard.press, heard.refuse)
    assert user32.registered == [(0x4003, 0x4A)]
    hotkey.release()
    assert user32.registered == []


def test_a_key_that_windows_has_given_away_is_refused(qtbot, heard: Heard) -> None:
    with pytest.raises(HotkeyRefused, match="used by another program"):
        WindowsHotkey(User32(is_free=False)).bind(KEYS, heard.press, heard.refuse)


@pytest.mark.parametrize("key", [Qt.Key.Key_MediaPlay, Qt.Key.Key_LaunchMail])
def test_keys_that_have_no_number_are_refused(key: Qt.Key) -> None:
    keys = QKeySequence(Qt.KeyboardModifier.ControlModifier | key)
    for codes in (windows_codes, mac_codes):
        with pytest.raises(HotkeyRefused, match="not available on this keyboard"):
            codes(keys)
