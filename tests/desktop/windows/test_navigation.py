from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit

from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.windows.main_window import HOME
from scrubjay_desktop.windows.navigation import Navigation, NavigationEntry, Page, Pages


@pytest.fixture
def made() -> list[str]:
    """Keys of the pages that were built."""
    return []


@pytest.fixture
def pages(qtbot, made: list[str]) -> Pages:
    pages = Pages()
    qtbot.addWidget(pages)
    for key in ("first", "second"):
        pages.add(Page(key, "search", key, lambda key=key: made.append(key) or QLabel(key)))
    return pages


def test_a_page_is_made_when_it_is_first_shown(pages: Pages, made: list[str]) -> None:
    assert (pages.key, made) == ("first", ["first"])
    shown = pages.show_page("second")
    assert pages.show_page("second") is shown
    assert made == ["first", "second"]


def test_a_change_of_page_is_announced_once(qtbot, pages: Pages) -> None:
    heard: list[str] = []
    pages.changed.connect(heard.append)
    for key in ("second", "second", "first"):
        pages.show_page(key)
    assert heard == ["second", "first"]


def test_keys_go_to_the_page_that_is_shown_instead(qtbot) -> None:
    pages = Pages()
    qtbot.addWidget(pages)
    fields = {key: QLineEdit() for key in ("first", "second")}
    for key, field in fields.items():
        pages.add(Page(key, "search", key, lambda field=field: field))
    pages.show()
    pages.activateWindow()
    qtbot.waitUntil(pages.isActiveWindow)
    fields["first"].setFocus()
    pages.show_page("second")
    assert fields["second"].hasFocus()


@pytest.fixture
def navigation(qtbot) -> Navigation:
    navigation = Navigation()
    qtbot.addWidget(navigation)
    for key in ("first", "second"):
        navigation.add(Page(key, "search", key.title(), QLabel))
    navigation.show()
    return navigation


def test_an_entry_is_chosen_by_click_and_by_its_number(qtbot, navigation: Navigation) -> None:
    heard: list[str] = []
    navigation.chosen.connect(heard.append)
    first, second = navigation.findChildren(NavigationEntry)
    qtbot.mouseClick(second, Qt.MouseButton.LeftButton)
    navigation.activateWindow()
    qtbot.waitUntil(navigation.isActiveWindow)
    qtbot.keyClick(navigation, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert heard == ["second", "first"]  # at once: the next key is for the page
    assert first.isChecked()


def test_a_number_is_said_to_those_who_cannot_see_it(navigation: Navigation) -> None:
    entry = navigation.findChildren(NavigationEntry)[1]
    bare = entry.grab().toImage()
    entry.show_count(3, "3 things need you")
    assert entry.accessibleDescription() == "3 things need you"
    assert entry.grab().toImage() != bare
    entry.show_count(0, "0 things need you")
    assert entry.accessibleDescription() == ""


def test_the_numbers_follow_what_is_visible(navigation: Navigation) -> None:
    second = navigation.entries["second"]
    navigation.set_shown("first", False)
    assert (second.shortcut().toString(), second.toolTip()) == ("Ctrl+1", "Second (Ctrl+1)")
    navigation.set_shown("first", True)
    assert (second.shortcut().toString(), second.toolTip()) == ("Ctrl+2", "Second (Ctrl+2)")


@pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)
def test_searching_comes_back_to_the_search_page(qtbot, desktop: Desktop) -> None:
    desktop.begin(StartRequest.WINDOW)
    desktop.window.add_page(Page("other", "calendar", "Other", QLabel))
    desktop.window.pages.show_page("other")
    desktop.window.search_for("acorn")
    assert desktop.window.pages.key == HOME
    assert desktop.window.search.box.text() == "acorn"
