"""Keys and menus of the main window lead to what they name."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.windows.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)


@pytest.fixture
def deaf_window(desktop: Desktop) -> MainWindow:
    """The window by itself: the app does nothing when it asks."""
    for name in ("help", "settings", "models", "quit", "quick_search", "remember"):
        getattr(desktop.window.requests, name).disconnect()
    return desktop.window


def action_of(window: MainWindow, keys: str) -> QAction:
    [action] = [one for one in window.actions() if QKeySequence(keys) in one.shortcuts()]
    return action


@pytest.mark.parametrize(
    ("keys", "signal"),
    [
        ("Ctrl+N", "remember"),
        ("Ctrl+R", "remember"),
        ("Ctrl+M", "models"),
        ("Ctrl+,", "settings"),
        ("F1", "help"),
        ("Ctrl+Q", "quit"),
    ],
)
def test_keys_ask_the_app(qtbot, deaf_window: MainWindow, keys: str, signal: str) -> None:
    with qtbot.waitSignal(getattr(deaf_window.requests, signal)):
        action_of(deaf_window, keys).trigger()


def test_checking_for_changes_means_all_folders(qtbot, deaf_window: MainWindow) -> None:
    with qtbot.waitSignal(deaf_window.requests.refresh) as refreshed:
        action_of(deaf_window, "F5").trigger()
    assert refreshed.args == [None]


def test_no_two_actions_have_the_same_key(deaf_window: MainWindow) -> None:
    keys = [key.toString() for action in deaf_window.actions() for key in action.shortcuts()]
    assert len(keys) == len(set(keys))


def entries(menu: QMenu) -> list[str]:
    return [one.text().replace("&", "") for one in menu.actions() if one.isVisible() and one.text()]


def test_the_menu_of_the_window_offers_all_of_it(deaf_window: MainWindow) -> None:
    assert entries(deaf_window.window_actions.app_menu()) == [
        "All actions…",
        "Remember this…",
        "Quick search",
        "Add a folder…",
        "Pin or unpin this search",
        "Tick or untick the task",
        "Add a line to this note…",
        "Print this note…",
        "Why this result?",
        "Find in this note",
        "Next match",
        "Previous match",
        "Copy the file's path",
        "Pause",
        "Language helpers…",
        "For AI agents",
        "Add a shared memory…",
        "Import notes…",
        "Settings",
        "Help",
        "Uninstall Scrubjay…",
        "Close the window",
        "Quit Scrubjay",
    ]


def test_the_search_key_leads_back_from_another_page(qtbot, desktop: Desktop) -> None:
    window = desktop.window
    window.present()
    qtbot.waitUntil(window.isActiveWindow)
    window.pages.show_page("folders")
    qtbot.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.pages.key == "search"
    qtbot.waitUntil(lambda: window.search.box.hasFocus())
