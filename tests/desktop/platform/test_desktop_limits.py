"""What a desktop does not let an app do is said where people choose it."""

from __future__ import annotations

import pytest

from scrubjay_desktop.platform.desktop_limits import popup_limit, tray_limit


@pytest.mark.parametrize(
    ("platform", "has_tray", "is_told"),
    [
        ("xcb", True, False),
        ("xcb", False, True),
        ("wayland", False, True),
        ("wayland", True, False),
        ("offscreen", False, False),
    ],
)
def test_a_missing_tray_is_told(platform: str, *, has_tray: bool, is_told: bool) -> None:
    assert bool(tray_limit(platform, has_tray=has_tray)) is is_told


@pytest.mark.parametrize(
    ("platform", "is_told"), [("wayland", True), ("wayland-egl", True), ("xcb", False)]
)
def test_who_places_the_popup_is_told(platform: str, *, is_told: bool) -> None:
    assert bool(popup_limit(platform)) is is_told
