"""A person asks, narrows the question, and works with the note that was found."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from scrubjay_desktop.windows.main_window import MainWindow
from support.notes import DIARY

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)
CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


def test_a_question_is_narrowed_by_operators_until_one_note_is_left(
    qtbot, notes_window: MainWindow, ask
) -> None:
    assert ask("router") == ["router.md", "network.md"]
    assert ask("router -office") == ["router.md"]
    assert ask('"router label"')[0] == "network.md"
    assert ask("path:work router") == ["network.md"]
    assert ask("after:2026-03-01 router") == ["router.md"]
    qtbot.keyClick(notes_window.search.box, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: notes_window.search.heading.isVisible())
    assert [row.path for row in notes_window.search.search.model.rows] == [
        "router.md",
        DIARY,
        "network.md",
    ]


def test_days_without_an_answer_say_so_and_offer_all_days(
    qtbot, notes_window: MainWindow, ask
) -> None:
    notes_window.search.set_text("after:2026-03-12 before:2026-03-12 ")
    qtbot.waitUntil(lambda: [row.path for row in notes_window.search.search.model.rows] == [DIARY])
    notes_window.focus_search()
    qtbot.keyClicks(notes_window.search.box, "teeth")  # means what the diary says
    qtbot.waitUntil(
        lambda: notes_window.search.nothing_text.startswith("No notes found for these days.")
    )
    assert "12 Mar 2026" in notes_window.search.nothing_text
    notes_window.search.all_days.click()
    qtbot.waitUntil(lambda: [row.path for row in notes_window.search.search.model.rows] == [DIARY])
    assert notes_window.search.search.text == "teeth"
    notes_window.search.set_text("after:2026-03-12 before:2026-01-01 router")
    qtbot.waitUntil(lambda: "start date is after the end date" in notes_window.search.nothing_text)
    notes_window.search.set_text("after:2026-03-12 before:2026-01-01 ")
    qtbot.waitUntil(lambda: "start date is after the end date" in notes_window.search.nothing_text)
    assert notes_window.search.all_days.isVisible()


def test_a_folder_without_an_answer_says_so_and_offers_all_folders(
    qtbot, notes_window: MainWindow, ask
) -> None:
    assert ask("orthodontist") == [DIARY]
    notes_window.search.set_scope(notes_window.workspaces.model.status(2).workspace)
    qtbot.waitUntil(
        lambda: "Only the chosen folder was searched" in notes_window.search.nothing_text
    )
    notes_window.search.all_folders.click()
    qtbot.waitUntil(lambda: [row.path for row in notes_window.search.search.model.rows] == [DIARY])
    assert not notes_window.search.all_folders.isVisible()


def test_a_folder_alone_lists_its_notes(qtbot, notes_window: MainWindow) -> None:
    notes_window.search.set_text("path:Diary")
    qtbot.waitUntil(lambda: [row.path for row in notes_window.search.search.model.rows] == [DIARY])
    notes_window.search.set_text("path:Diary fridge")
    qtbot.waitUntil(
        lambda: "Only the chosen folder was searched" in notes_window.search.nothing_text
    )
    notes_window.search.all_folders.click()
    qtbot.waitUntil(
        lambda: "router.md" in [row.path for row in notes_window.search.search.model.rows]
    )
    assert notes_window.search.search.text == "fridge"


def test_the_second_note_goes_to_the_editor_and_to_its_folder_by_keys_alone(
    qtbot, notes_window: MainWindow, ask, opened, notes: Path
) -> None:
    ask("router")
    qtbot.keyClick(notes_window.search.box, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: "office" in notes_window.preview.view.toPlainText())
    qtbot.keyClick(notes_window.search.box, Qt.Key.Key_Return, CONTROL)
    qtbot.keyClick(notes_window.search.box, Qt.Key.Key_Return, ALT)
    network = notes / "work" / "network.md"
    assert opened == [("line", network, 3), ("folder", network, 0)]


def test_the_reasons_follow_the_choice_in_the_list(qtbot, notes_window: MainWindow, ask) -> None:
    ask("password router")
    qtbot.keyClick(notes_window, Qt.Key.Key_I, CONTROL)
    contains = "This result contains “router” and “password”."
    qtbot.waitUntil(lambda: contains in notes_window.preview.why.text())
    assert "Score" not in notes_window.preview.why.text()
    notes_window.preview.why.linkActivated.emit("details")
    assert "“password” in the text" in notes_window.preview.why.text()
    qtbot.waitUntil(notes_window.preview.why.isVisible)
    assert "Words not found" not in notes_window.preview.why.text()
    qtbot.keyClick(notes_window.search.box, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: "office" in notes_window.preview.view.toPlainText())
    missing = "<b>Words not found</b></td><td>“password”</td>"
    assert "“router” in the text" in notes_window.preview.why.text()
    assert missing in notes_window.preview.why.text()
    qtbot.keyClick(notes_window, Qt.Key.Key_I, CONTROL)
    assert not notes_window.preview.why.isVisible()


def test_a_folder_that_is_forgotten_while_it_is_searched_gives_way_to_all_notes(
    qtbot, notes_window: MainWindow, ask
) -> None:
    ask("router")
    notes_window.search.set_scope(notes_window.workspaces.model.status(2).workspace)
    qtbot.waitUntil(
        lambda: [row.path for row in notes_window.search.search.model.rows] == ["network.md"]
    )
    menu = notes_window.workspaces.menu_for(notes_window.workspaces.model.status(2))
    menu.actions()[-1].trigger()
    box = notes_window.findChild(QMessageBox)
    next(button for button in box.buttons() if button.objectName() == "forget").click()
    qtbot.waitUntil(
        lambda: [row.path for row in notes_window.search.search.model.rows] == ["router.md"]
    )
    assert notes_window.search.search.scope.workspace is None
    assert notes_window.search.box.text() == "router"
