"""A click on the icon in the Dock of a Mac, as Qt announces it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from scrubjay_desktop.platform.dock import STAY_BEHIND, DockIcon, stay_behind

ACTIVE = Qt.ApplicationState.ApplicationActive


@pytest.fixture
def clicks(qapp: QApplication, bare_window: QWidget) -> list[bool]:
    """One entry for each click."""
    announced: list[bool] = []
    DockIcon(qapp, bare_window).clicked.connect(lambda: announced.append(True))
    return announced


def test_a_click_without_a_window_is_announced_each_time(
    qapp: QApplication, bare_window: QWidget, clicks: list[bool]
) -> None:
    bare_window.hide()
    qapp.applicationStateChanged.emit(ACTIVE)
    # The app is active already, and its icon is clicked again.
    qapp.applicationStateChanged.emit(ACTIVE)
    assert clicks == [True, True]


def test_with_a_window_or_in_the_background_there_is_nothing_to_show(
    qapp: QApplication, bare_window: QWidget, clicks: list[bool]
) -> None:
    bare_window.show()
    qapp.applicationStateChanged.emit(ACTIVE)
    bare_window.showMinimized()
    qapp.applicationStateChanged.emit(ACTIVE)
    bare_window.hide()
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationInactive)
    assert clicks == []


@pytest.mark.parametrize(
    ("system", "is_bundle", "expected"),
    [("darwin", True, {STAY_BEHIND: "1"}), ("darwin", False, {}), ("linux", True, {})],
)
def test_only_an_app_of_a_mac_can_stay_behind(
    system: str, is_bundle: bool, expected: dict[str, str]
) -> None:
    environ: dict[str, str] = {}
    stay_behind(environ, system=system, is_bundle=is_bundle)
    assert environ == expected
