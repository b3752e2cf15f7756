"""Buttons by their keys, names and looks."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QWidget

from scrubjay_desktop.widgets.buttons import (
    Button,
    IconButton,
    LineButton,
    SmallButton,
    dialog_buttons,
)
from scrubjay_desktop.widgets.layouts import vbox
from scrubjay_desktop.widgets.theme import DARK, LIGHT, Theme, make_palette


def shown(qtbot, widget: QWidget) -> QWidget:
    qtbot.addWidget(widget)
    widget.show()
    return widget


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_a_button_answers_to_enter_and_space(qtbot, key: Qt.Key) -> None:
    button = shown(qtbot, Button("&Search"))
    with qtbot.waitSignal(button.clicked):
        qtbot.keyClick(button, key)


def test_the_first_choice_of_a_place_looks_like_one(qtbot) -> None:
    button = shown(qtbot, Button("&Search"))
    plain = button.grab().toImage()
    button.set_primary(True)
    assert button.isDefault()
    assert button.grab().toImage() != plain


def test_a_small_button_names_the_thing_it_is_about(qtbot) -> None:
    button = shown(qtbot, SmallButton("Forget…", "Home notes"))
    assert button.accessibleName() == "Forget: Home notes"
    assert not button.autoDefault()
    button.set_text("Check", "Work")
    assert (button.text(), button.accessibleName()) == ("Check", "Check: Work")


def test_an_icon_has_its_meaning_in_words(qtbot) -> None:
    button = shown(qtbot, IconButton("pause", "Pause indexing"))
    assert (button.toolTip(), button.accessibleName()) == ("Pause indexing", "Pause indexing")
    button.set_icon("play", "Resume indexing")
    assert button.accessibleName() == "Resume indexing"


def test_an_icon_is_drawn_anew_for_another_palette(qtbot) -> None:
    button = shown(qtbot, IconButton("pause", "Pause"))
    images = []
    for colors in (LIGHT, DARK):
        button.setPalette(make_palette(colors))
        button.grab()
        images.append(button.icon().pixmap(18, 18).toImage())
    assert images[0] != images[1]


def test_a_sentence_that_leads_somewhere_says_where(qtbot) -> None:
    button = shown(qtbot, LineButton())
    assert not button.isEnabled()
    assert button.focusPolicy() is Qt.FocusPolicy.NoFocus
    button.show_sentence("Searched 3 notes.", "Click to see more.")
    assert button.isEnabled()
    assert button.toolTip() == "Searched 3 notes.\nClick to see more."
    assert button.accessibleDescription() == "Click to see more."
    assert button.heightForWidth(40) > button.heightForWidth(400)


def test_a_theme_is_light_or_dark_as_chosen(qapp: QApplication) -> None:
    theme = Theme(qapp, "dark")
    try:
        assert theme.colors == DARK
        assert qapp.palette().window().color().lightness() < 100
    finally:
        theme.choose("light")
    assert theme.colors == LIGHT
    assert qapp.palette().window().color().lightness() > 200


def test_keys_go_on_to_the_same_button_when_the_theme_changes(qtbot, qapp: QApplication) -> None:
    theme = Theme(qapp, "light")
    dialog = QDialog()
    buttons = dialog_buttons(dialog, QDialogButtonBox.StandardButton.Close)
    vbox(Button("&Search"), buttons, on=dialog)
    shown(qtbot, dialog)
    close = buttons.button(QDialogButtonBox.StandardButton.Close)
    dialog.activateWindow()
    close.setFocus()
    qtbot.waitUntil(close.hasFocus)
    theme.choose("dark")
    assert close.hasFocus()
    theme.choose("light")
