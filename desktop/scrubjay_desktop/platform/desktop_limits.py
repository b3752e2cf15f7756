"""What the desktop of this session does not let an app do, in sentences for the settings."""

from __future__ import annotations

from scrubjay_desktop.text.formatting import translate

_WITHOUT_DESKTOP = ("offscreen", "minimal")
"""Platforms of Qt for tests, which have no desktop to tell about."""


def tray_limit(platform: str, *, has_tray: bool) -> str:
    """The way back to a hidden window where no tray shows an icon; empty where one does."""
    if has_tray or platform in _WITHOUT_DESKTOP:
        return ""
    return translate(
        "DesktopLimits",
        "This desktop does not show tray icons. To reopen the window, start Scrubjay again.",
    )


def popup_limit(platform: str) -> str:
    """A sentence for desktops that place windows themselves, as those with Wayland do."""
    if not platform.startswith("wayland"):
        return ""
    return translate("DesktopLimits", "This desktop decides where quick search opens.")
