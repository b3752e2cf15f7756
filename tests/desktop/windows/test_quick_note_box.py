"""The box for a quick note."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox

from scrubjay.records.note_records import Workspace
from scrubjay_desktop.widgets.banner import Offer
from scrubjay_desktop.windows.quick_note_box import QuickNoteBox

HOME = Workspace("home", "Home notes", Path("/notes/home"))
WORK = Workspace("work", "Work", Path("/notes/work"))
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def box(qtbot) -> QuickNoteBox:
    box = QuickNoteBox()
    qtbot.addWidget(box)
    box.show_workspaces((HOME, WORK), "work")
    box.present()
    return box


@pytest.mark.parametrize(("text", "can_keep"), [("", False), (" \n ", False), ("milk", True)])
def test_only_a_text_can_be_kept(box: QuickNoteBox, text: str, can_keep: bool) -> None:
    box.text.setPlainText(text)
    assert box.keep.isEnabled() is can_keep


def test_with_two_folders_the_last_one_is_chosen_again(box: QuickNoteBox) -> None:
    assert box.workspace.isVisible()
    assert box.workspace.currentText() == "Work"
    box.show_workspaces((HOME, WORK), "gone")
    assert box.workspace.currentText() == "Home notes"


def test_with_one_folder_there_is_no_choice(box: QuickNoteBox) -> None:
    box.show_workspaces((HOME,), "home")
    assert not box.workspace.isVisible()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_control_and_enter_keep_the_text(qtbot, box: QuickNoteBox, key: Qt.Key) -> None:
    qtbot.keyClicks(box.text, "Buy milk")
    with qtbot.waitSignal(box.remembered) as remembered:
        qtbot.keyClick(box, key, CONTROL)
    assert remembered.args == [WORK, "Buy milk"]


def test_nothing_is_kept_twice_while_it_is_written(qtbot, box: QuickNoteBox) -> None:
    box.text.setPlainText("Buy milk")
    box.keep.click()
    assert box.text.isReadOnly()
    assert not box.keep.isEnabled()
    with qtbot.assertNotEmitted(box.remembered):
        qtbot.keyClick(box, Qt.Key.Key_Return, CONTROL)


def test_a_failure_leaves_the_text_to_try_again(box: QuickNoteBox) -> None:
    box.text.setPlainText("Buy milk")
    box.keep.click()
    box.tell("The disk is full. Make room.")
    assert box.banner.words == "The disk is full. Make room."
    assert box.text.toPlainText() == "Buy milk"
    assert box.keep.isEnabled()


def test_what_was_kept_makes_room_for_the_next_note(box: QuickNoteBox) -> None:
    pressed: list[bool] = []
    box.text.setPlainText("Buy milk")
    box.keep.click()
    box.be_empty()
    box.tell("The text was added to 2026-03-14.md.", Offer("Undo", lambda: pressed.append(True)))
    assert box.text.toPlainText() == ""
    box.banner.offer.click()
    assert pressed == [True]


def test_a_closed_box_comes_back_with_its_text_and_without_its_message(box: QuickNoteBox) -> None:
    box.text.setPlainText("Buy")
    box.tell("The disk is full. Make room.")
    buttons = box.findChild(QDialogButtonBox)
    assert buttons.buttonRole(box.keep) is QDialogButtonBox.ButtonRole.AcceptRole
    buttons.button(QDialogButtonBox.StandardButton.Cancel).click()
    assert not box.isVisible()
    box.present()
    assert box.text.toPlainText() == "Buy"
    assert not box.banner.isVisible()
