"""The way to a global key on this platform."""

from __future__ import annotations

import ctypes

from PySide6.QtGui import QGuiApplication

from scrubjay_desktop.platform.hotkey.hotkey import Hotkey, NoHotkey


def create_hotkey() -> Hotkey:
    """The hotkey of this platform; its module is only imported here."""
    # Each module talks to a library of its platform, which others do not have.
    platform = QGuiApplication.platformName()
    if platform == "xcb":
        from scrubjay_desktop.platform.hotkey.hotkey_x11 import X11Hotkey

        return X11Hotkey.connected() or NoHotkey()
    if platform.startswith("wayland"):
        from scrubjay_desktop.platform.hotkey.hotkey_portal import PortalHotkey

        return PortalHotkey.connected() or NoHotkey()
    if platform == "windows":
        from scrubjay_desktop.platform.hotkey.hotkey_windows import WindowsHotkey

        return WindowsHotkey(ctypes.CDLL("user32.dll"))
    if platform == "cocoa":
        from scrubjay_desktop.platform.hotkey.hotkey_mac import MacHotkey

        return MacHotkey.connected() or NoHotkey()
    return NoHotkey()
