"""The icon of the system's own tray; tests/e2e has one in a real panel."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from scrubjay_desktop.platform.tray import LinuxTray, SystemTray
from scrubjay_desktop.windows.app_state import AppState, tray_icon

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)

KINDS = QSystemTrayIcon.ActivationReason
TRAYS: dict[str, Callable[[QObject], SystemTray]] = {
    "linux": LinuxTray,
    "windows": lambda parent: SystemTray(parent, opens_menu=False),
    "macos": lambda parent: SystemTray(parent, opens_menu=True),
}


@pytest.fixture(params=TRAYS)
def platform(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_clicks_mean_what_they_mean_on_the_platform(qapp, platform: str) -> None:
    parent, menu, clicks = QObject(), QMenu(), list[str]()
    tray = TRAYS[platform](parent)
    tray.draw(tray_icon("tray-ready", QColor("black")), "Scrubjay: ready")
    tray.show(menu, lambda: clicks.append("left"), lambda: clicks.append("middle"))
    [icon] = parent.findChildren(QSystemTrayIcon)
    for kind in (KINDS.Trigger, KINDS.MiddleClick, KINDS.Context):
        icon.activated.emit(kind)
    assert clicks == (["middle"] if platform == "macos" else ["left", "middle"])
    assert icon.contextMenu() is menu
    tray.close()
    assert not icon.isVisible()


def test_what_was_drawn_before_there_was_a_tray_is_shown(qapp, platform: str) -> None:
    parent, menu = QObject(), QMenu()
    tray = TRAYS[platform](parent)
    tray.notify("Nobody", "sees this")
    tray.draw(tray_icon("tray-ready", QColor("black")), "Scrubjay: ready")
    assert not tray.is_visible
    tray.show(menu, lambda: None, lambda: None)
    [icon] = parent.findChildren(QSystemTrayIcon)
    assert icon.toolTip() == "Scrubjay: ready"
    assert not icon.icon().isNull()
    tray.close()


@pytest.mark.parametrize("panel", ["white", "#dcdad5", "#202020", "black"])
@pytest.mark.parametrize("ink", ["#1a2229", "#e8eef4"])
@pytest.mark.parametrize("size", [16, 24])
def test_the_icon_can_be_seen_on_every_panel(panel: str, ink: str, size: int) -> None:
    """A panel may be light where the app is dark, and the other way round."""
    shown = QImage(size, size, QImage.Format.Format_RGB32)
    shown.fill(QColor(panel))
    painter = QPainter(shown)
    tray_icon("tray-ready", QColor(ink)).paint(painter, shown.rect())
    painter.end()
    paper = QColor(panel).lightness()
    differing = [
        abs(shown.pixelColor(x, y).lightness() - paper) > 90
        for x in range(size)
        for y in range(size)
    ]
    assert sum(differing) > size * size / 12


@pytest.mark.parametrize("state", AppState)
@pytest.mark.parametrize("size", [16, 22, 32])
def test_the_edge_of_the_icon_goes_all_around(state: AppState, size: int) -> None:
    ink = QColor("#e8eef4")
    shown = tray_icon(str(state), ink).pixmap(size).toImage()
    ends = [(x, y) for x in range(size) for y in (0, size - 1)]
    ends += [(x, y) for y in range(size) for x in (0, size - 1)]
    colors = [shown.pixelColor(x, y) for x, y in ends]
    assert not [color for color in colors if color.alpha() > 40 and color.lightness() > 128]
