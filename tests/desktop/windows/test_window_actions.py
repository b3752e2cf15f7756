"""Keys and menus of the main window lead to what they name."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, Qt, QTranslator
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.text.language import set_language
from scrubjay_desktop.text.shortcuts import platform_keys
from scrubjay_desktop.windows.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)


@pytest.fixture
def deaf_window(desktop: Desktop) -> MainWindow:
    """The window by itself: the app does nothing when it asks."""
    for name in ("help", "settings", "models", "quit", "quick_search", "remember"):
        getattr(desktop.window.requests, name).disconnect()
    return desktop.window


def action_of(window: MainWindow, keys: str) -> QAction:
    [action] = [action for action in window.actions() if QKeySequence(keys) in action.shortcuts()]
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


MAC_KEYS_OF_THE_SYSTEM = {"Ctrl+Space", "Meta+Space", "Ctrl+Alt+Space", "Ctrl+H", "Ctrl+M"}
"""Keys for Spotlight, input sources, search in the Finder, Hide and Minimise, as Qt names them."""


def test_on_a_mac_no_action_takes_a_key_of_the_system_or_of_another_action(
    deaf_window: MainWindow,
) -> None:
    shortcuts = [key.toString() for action in deaf_window.actions() for key in action.shortcuts()]
    keys = [platform_keys(key, "darwin") for key in shortcuts]
    assert not MAC_KEYS_OF_THE_SYSTEM & set(keys)
    assert len(keys) == len(set(keys))


def test_the_menu_bar_of_a_mac_has_what_macos_moves_into_the_menu_of_the_app(
    qtbot, deaf_window: MainWindow
) -> None:
    bar = deaf_window.window_actions.menu_bar()
    menu = bar.actions()[0].menu()
    by_role = {action.menuRole(): action for action in menu.actions() if not action.isSeparator()}
    for role, signal, keys in (
        (QAction.MenuRole.AboutRole, "help", []),
        (QAction.MenuRole.PreferencesRole, "settings", ["Ctrl+,"]),
        (QAction.MenuRole.QuitRole, "quit", ["Ctrl+Q"]),
    ):
        assert [key.toString() for key in by_role[role].shortcuts()] == keys
        with qtbot.waitSignal(getattr(deaf_window.requests, signal)):
            by_role[role].trigger()


def test_the_menu_bar_of_a_mac_has_a_menu_for_the_window_in_front(
    qtbot, deaf_window: MainWindow
) -> None:
    bar = deaf_window.window_actions.menu_bar()
    menu = bar.actions()[2].menu()
    minimize, zoom = menu.actions()
    assert (bar.actions()[2].text(), minimize.shortcut().toString()) == ("&Window", "Ctrl+M")
    minimize.trigger()
    assert not deaf_window.isMinimized()
    deaf_window.present()
    qtbot.waitUntil(deaf_window.isActiveWindow)
    zoom.trigger()
    qtbot.waitUntil(deaf_window.isMaximized)
    zoom.trigger()
    qtbot.waitUntil(lambda: not deaf_window.isMaximized())
    minimize.trigger()
    qtbot.waitUntil(deaf_window.isMinimized)


def test_the_menu_bar_of_a_mac_edits_where_the_focus_is(qtbot, deaf_window: MainWindow) -> None:
    bar = deaf_window.window_actions.menu_bar()
    actions = bar.actions()[1].menu().actions()
    edits = {action.shortcut().toString(): action for action in actions}
    line = deaf_window.search.box
    deaf_window.present()
    deaf_window.focus_search()
    qtbot.waitUntil(line.hasFocus)
    line.setText("garlic")
    for keys, text in (
        ("Ctrl+A", "garlic"),
        ("Ctrl+C", "garlic"),
        ("Ctrl+V", "garlic"),
        ("Ctrl+V", "garlicgarlic"),
        ("Ctrl+Z", "garlic"),
        ("Ctrl+A", "garlic"),
        ("Ctrl+X", ""),
    ):
        edits[keys].trigger()
        assert line.text() == text


def test_macos_knows_the_entries_for_text_by_the_words_of_qt_in_spanish(
    qapp, deaf_window: MainWindow
) -> None:
    set_language(qapp, "es")
    try:
        bar = deaf_window.window_actions.menu_bar()
        texts = [action.text() for action in bar.actions()[1].menu().actions()]
        known = [QCoreApplication.translate("QCocoaMenuItem", text) for text in ("Cut", "Paste")]
    finally:
        for translator in qapp.findChildren(QTranslator):
            qapp.removeTranslator(translator)
            translator.deleteLater()
        QLocale.setDefault(QLocale("en_US"))
    assert known == ["Cortar", "Pegar"]
    assert {*known, "&Deshacer"} <= {*texts}


def test_no_other_action_is_moved_into_the_menu_of_the_app(deaf_window: MainWindow) -> None:
    assert {action.menuRole() for action in deaf_window.actions()} == {QAction.MenuRole.NoRole}


def entries(menu: QMenu) -> list[str]:
    return [
        action.text().replace("&", "")
        for action in menu.actions()
        if action.isVisible() and action.text()
    ]


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
