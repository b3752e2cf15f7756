"""The list of all actions: found by typing, run by Enter or a click."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.windows.action_list import ActionList
from scrubjay_desktop.windows.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def note_window(qtbot, desktop: Desktop) -> MainWindow:
    """The window with the latest notes, the first of which is chosen and shown."""
    desktop.feed.refresh()
    window = desktop.window
    window.show_workspaces()
    window.present()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.waitUntil(lambda: window.preview.row is not None and window.preview.is_note)
    return window


@pytest.fixture
def actions(qtbot, note_window: MainWindow) -> ActionList:
    qtbot.keyClick(note_window.search.box, Qt.Key.Key_K, CONTROL)
    assert note_window.action_list.isVisible()
    return note_window.action_list


def names(actions: ActionList) -> list[str]:
    rows = range(actions.model.rowCount())
    return [actions.model.index(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in rows]


def test_it_offers_what_is_done_with_the_note_then_pages_and_commands(actions) -> None:
    offered = names(actions)
    assert [name.partition(", ")[0] for name in offered[:3]] == [
        "Open", "Choose a program…", "Open at this line"
    ]  # fmt: skip
    assert offered.index("Timeline, Ctrl+2") < offered.index("Search, Ctrl+L, Ctrl+E")
    assert "All actions…, Ctrl+K" not in offered
    assert len(set(offered)) == len(offered) > 25


def test_every_entry_of_the_menus_is_in_it(note_window: MainWindow, actions) -> None:
    listed = {name.partition(", ")[0] for name in names(actions)}
    menus = note_window.window_actions.app_menu(), note_window.window_actions.note_menu()
    entries = [each for menu in menus for each in menu.actions() if each.isVisible()]
    texts = {each.text().replace("&", "") for each in entries if not each.menu()} - {""}
    # No task is at this place, there is no question to pin, and it does not list itself.
    absent = {"Tick or untick the task", "Pin or unpin this search", "All actions…"}
    assert texts - listed - absent <= {"Why this result?", "Settings"}


@pytest.mark.parametrize("typed", ["copy path", "path file", "ile's pa", "COPY  PÁTH"])
def test_words_and_half_words_find_an_action(qtbot, actions, typed: str) -> None:
    qtbot.keyClicks(actions.box, typed)
    assert names(actions) == ["Copy the file's path, Ctrl+Shift+C"]


def test_names_with_words_that_begin_so_come_first(qtbot, actions) -> None:
    qtbot.keyClicks(actions.box, "in")
    beginning = [" in" in f" {name.casefold()}" for name in names(actions)]
    assert beginning == sorted(beginning, reverse=True)
    assert {True, False} == set(beginning)


def test_enter_runs_the_chosen_one_and_gives_the_keys_back(
    qtbot, note_window: MainWindow, actions
) -> None:
    qtbot.keyClicks(actions.box, "timeline")
    qtbot.keyClick(actions.box, Qt.Key.Key_Return)
    assert not actions.isVisible()
    assert note_window.pages.key == "timeline"


def test_up_and_down_go_round(qtbot, actions) -> None:
    qtbot.keyClick(actions.box, Qt.Key.Key_Up)
    assert actions.list.currentIndex().row() == actions.model.rowCount() - 1
    qtbot.keyClick(actions.box, Qt.Key.Key_Down)
    assert actions.list.currentIndex().row() == 0


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_K])
def test_escape_or_the_key_again_closes_it(qtbot, note_window: MainWindow, actions, key) -> None:
    modifiers = CONTROL if key == Qt.Key.Key_K else Qt.KeyboardModifier.NoModifier
    qtbot.keyClick(actions.box, key, modifiers)
    assert not actions.isVisible()
    assert note_window.focusWidget() is note_window.search.box


def test_a_click_runs_an_action(qtbot, note_window: MainWindow, actions) -> None:
    qtbot.keyClicks(actions.box, "copy file's path")
    place = actions.list.visualRect(actions.model.index(0)).center()
    qtbot.mouseClick(actions.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert QApplication.clipboard().text().endswith("router.md")
    assert not actions.isVisible()


def test_a_click_beside_it_closes_it(qtbot, actions) -> None:
    qtbot.mouseClick(actions, Qt.MouseButton.LeftButton, pos=QPoint(3, actions.height() - 3))
    assert not actions.isVisible()


def test_words_of_no_action_get_a_sentence(qtbot, actions) -> None:
    qtbot.keyClicks(actions.box, "xylophone")
    assert actions.nothing.isVisible()
    qtbot.keyClick(actions.box, Qt.Key.Key_Return)
    assert actions.isVisible()


def test_another_page_has_no_actions_on_a_note(qtbot, note_window: MainWindow) -> None:
    note_window.show_page("folders")
    note_window.show_actions()
    offered = names(note_window.action_list)
    assert not any(name.startswith("Open at this line") for name in offered)
    assert not any(name.startswith("Find in this note") for name in offered)
    assert "Help, F1" in offered


def test_it_goes_with_the_size_of_the_window(note_window: MainWindow, actions) -> None:
    note_window.resize(note_window.width() + 40, note_window.height() + 30)
    assert actions.size() == note_window.size()
