"""What closing the window means: asked once, then remembered."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from PySide6.QtWidgets import QMessageBox, QWidget

from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.controllers.window_closing import CloseController, close_question
from scrubjay_desktop.settings.preferences import OnClose, Preferences, default_on_close


@pytest.fixture
def preferences(paths: Paths) -> Preferences:
    return Preferences(paths)


@pytest.fixture
def quits() -> list[bool]:
    """One entry for each request to quit."""
    return []


@pytest.fixture
def close(bare_window: QWidget, preferences: Preferences, quits: list[bool]) -> Callable[[], None]:
    """Closes the window."""
    policy = CloseController(bare_window, preferences)
    policy.quit_requested.connect(lambda: quits.append(True))
    return partial(policy.close_window, has_tray=True)


def answer(window: QWidget, name: str) -> None:
    box = window.findChildren(QMessageBox)[-1]
    next(button for button in box.buttons() if button.objectName() == name).click()


def test_whoever_keeps_it_running_is_not_asked_again(
    bare_window, preferences, close, quits
) -> None:
    close()
    assert bare_window.isVisible()
    answer(bare_window, "keep")
    assert not bare_window.isVisible()
    bare_window.show()
    close()
    assert not bare_window.isVisible()
    assert (preferences.on_close, quits) == (OnClose.KEEP_RUNNING, [])


def test_whoever_quits_is_not_asked_again(bare_window, preferences, close, quits) -> None:
    close()
    answer(bare_window, "quit")
    close()
    assert (preferences.on_close, quits) == (OnClose.QUIT, [True, True])


def test_whoever_cancels_is_asked_again(bare_window, preferences, close, quits) -> None:
    close()
    bare_window.findChild(QMessageBox).reject()
    assert bare_window.isVisible()
    assert (preferences.on_close, quits) == (OnClose.ASK, [])
    close()
    answer(bare_window, "keep")
    assert preferences.on_close is OnClose.KEEP_RUNNING


@pytest.mark.parametrize(
    ("system", "expected"),
    [("darwin", OnClose.KEEP_RUNNING), ("win32", OnClose.ASK), ("linux", OnClose.ASK)],
)
def test_on_a_mac_an_app_goes_on_without_its_window(system: str, expected: OnClose) -> None:
    assert default_on_close(system) is expected


def test_on_a_mac_the_window_comes_back_from_the_dock(bare_window) -> None:
    question = close_question(bare_window, has_tray=True, system="darwin")
    assert "click Scrubjay in the Dock" in question.informativeText()
    assert "tray" not in question.informativeText()
