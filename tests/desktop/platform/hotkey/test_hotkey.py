from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QApplication, QKeySequenceEdit

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.platform.hotkey.factory import create_hotkey
from scrubjay_desktop.platform.hotkey.hotkey import (
    HotkeyRefused,
    NoHotkey,
    refused_as_taken,
    single_combination,
)
from scrubjay_desktop.settings.preferences import Preferences

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)


class Keyboard:
    """Keys of a desktop on which some are taken."""

    unavailable = ""

    def __init__(self, *others: str) -> None:
        self.others = others
        self.bound: dict[str, Callable[[], None]] = {}

    def bind(
        self,
        keys: QKeySequence,
        pressed: Callable[[], None],
        refused: Callable[[HotkeyRefused], None],
    ) -> None:
        self.bound.clear()
        single_combination(keys)
        if keys.toString() in self.others:
            raise refused_as_taken(keys)
        self.bound[keys.toString()] = pressed

    def release(self) -> None:
        self.bound.clear()


@pytest.fixture
def keyboard(request: pytest.FixtureRequest) -> Keyboard:
    return Keyboard(*getattr(request, "param", ()))


@pytest.fixture
def running(
    qtbot, qapp: QApplication, engine: Engine, paths: Paths, keyboard: Keyboard
) -> Iterator[Desktop]:
    made = Desktop(qapp, engine, paths, Start(theme="light", hotkey=keyboard))
    with qtbot.waitSignal(made.late.quick_key.changed):
        made.begin(StartRequest.WINDOW)
    yield made
    made.dispose()


@pytest.mark.parametrize(
    ("keys", "sentence"),
    [
        ("Ctrl+K, Ctrl+L", "Choose a single key combination"),
        ("", "Choose a single key combination"),
        ("A", "A is needed for typing. Add Ctrl, Alt or Super to the shortcut."),
        (
            "Shift+Space",
            "Shift+Space is needed for typing. Add Ctrl, Alt or Super to the shortcut.",
        ),
    ],
)
def test_keys_that_would_disturb_typing_are_refused(keys: str, sentence: str) -> None:
    with pytest.raises(HotkeyRefused) as refused:
        single_combination(QKeySequence(keys))
    assert str(refused.value) == sentence


@pytest.mark.parametrize("keys", ["Ctrl+Alt+Space", "Meta+S", "F9", "Alt+F1"])
def test_other_keys_are_fine(keys: str) -> None:
    assert single_combination(QKeySequence(keys)).key() != Qt.Key.Key_unknown


def test_the_key_opens_and_closes_the_popup(running: Desktop, keyboard: Keyboard) -> None:
    assert list(keyboard.bound) == ["Ctrl+Alt+Space"]
    keyboard.bound["Ctrl+Alt+Space"]()
    assert running.late.popup.isVisible()
    keyboard.bound["Ctrl+Alt+Space"]()
    assert not running.late.popup.isVisible()


def test_another_key_applies_at_once_and_outlives_the_app(
    running: Desktop, keyboard: Keyboard, paths: Paths
) -> None:
    chosen = running.show_settings().window_settings
    chosen.key_edit.setKeySequence(QKeySequence("Meta+J"))
    chosen.key_edit.editingFinished.emit()
    assert list(keyboard.bound) == ["Meta+J"]
    assert chosen.key_line.text() == "Press Meta+J to open quick search from any program."
    running.preferences.save()
    assert Preferences(paths).quick_keys == "Meta+J"


def shown_keys(running: Desktop) -> list[str]:
    """The key beside Quick search in the menus of the window and of the tray."""
    menus = (running.window.window_actions.app_menu(), running.late.tray.menu)
    actions = (action for menu in menus for action in menu.actions())
    return [one.shortcut().toString() for one in actions if "Quick" in one.text()]


def test_both_menus_show_the_key_that_works(running: Desktop) -> None:
    assert shown_keys(running) == ["Ctrl+Alt+Space", "Ctrl+Alt+Space"]
    running.late.quick_key.choose(QKeySequence("Meta+J"))
    assert shown_keys(running) == ["Meta+J", "Meta+J"]


def test_no_key_is_a_choice_too(running: Desktop, keyboard: Keyboard) -> None:
    chosen = running.show_settings().window_settings
    chosen.key_edit.clear()
    chosen.key_edit.editingFinished.emit()
    assert keyboard.bound == {}
    assert chosen.key_line.text() == "Quick search has no keyboard shortcut."


@pytest.mark.parametrize("keyboard", [("Ctrl+Alt+Space",)], indirect=True)
def test_a_key_of_another_program_is_said_once(
    qtbot, qapp, engine, paths: Paths, running: Desktop, keyboard: Keyboard
) -> None:
    sentence = "Ctrl+Alt+Space is used by another program. Choose another shortcut in the settings."
    assert running.window.banner.words == sentence
    assert running.late.quick_key.working_keys.isEmpty()
    assert shown_keys(running) == ["", ""]
    second = Desktop(qapp, engine, paths, Start(theme="light", hotkey=keyboard))
    with qtbot.waitSignal(second.late.quick_key.changed):
        second.begin(StartRequest.WINDOW)
    assert second.window.banner.words == ""
    assert second.late.quick_key.sentence == sentence
    second.dispose()


def test_the_key_is_given_back_at_the_end(running: Desktop, keyboard: Keyboard) -> None:
    running.quit()
    assert keyboard.bound == {}


def test_where_no_key_can_be_had_the_settings_say_what_to_do(desktop: Desktop) -> None:
    assert isinstance(create_hotkey(), NoHotkey)
    chosen = desktop.show_settings().window_settings
    chosen.copy_command.click()
    assert QGuiApplication.clipboard().text() == "scrubjay-desktop --quick-search"
    assert chosen.findChildren(QKeySequenceEdit) == []
    assert chosen.key_line.text().endswith("to this command: scrubjay-desktop --quick-search")
    with pytest.raises(HotkeyRefused):
        NoHotkey().bind(QKeySequence("F9"), lambda: None, lambda _: None)
