"""Which hotkey a platform gets, and what is said where it gets none."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication, QKeySequence

from scrubjay_desktop.platform.hotkey.factory import create_hotkey
from scrubjay_desktop.platform.hotkey.hotkey import COMMAND, HotkeyRefused, NoHotkey, keysym_name


@pytest.mark.parametrize("platform", ["offscreen", "minimal", "vnc"])
def test_a_platform_without_global_keys_says_what_to_do(
    qapp, monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    monkeypatch.setattr(QGuiApplication, "platformName", lambda: platform)
    hotkey = create_hotkey()
    assert isinstance(hotkey, NoHotkey)
    assert hotkey.unavailable.endswith(f"to this command: {COMMAND}")
    with pytest.raises(
        HotkeyRefused, match="Scrubjay cannot set a keyboard shortcut on this computer"
    ):
        hotkey.bind(QKeySequence("F9"), lambda: None, lambda _: None)
    hotkey.release()


@pytest.mark.qt_log_ignore("No session bus", extend=True)
@pytest.mark.needs("D-Bus")
def test_wayland_without_a_session_bus_has_no_key(qapp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QGuiApplication, "platformName", lambda: "wayland-egl")
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/no/such/bus")
    assert isinstance(create_hotkey(), NoHotkey)


@pytest.mark.parametrize(
    ("keys", "name"),
    [
        ("Space", "space"),
        ("PgUp", "Prior"),
        ("F12", "F12"),
        ("A", "a"),
        ("7", "7"),
        ("ñ", "U00F1"),
        ("Print", "Print"),
    ],
)
def test_keys_have_the_names_of_x(keys: str, name: str) -> None:
    assert keysym_name(QKeySequence(keys)[0].key()) == name
