"""Finding a text in the note that is shown, as a person does it."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication

from scrubjay.engine.engine import Engine
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.results.result_rows import row_of_line
from scrubjay_desktop.windows.main_window import MainWindow
from support.vault import TIMEOUT, write_notes

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)

TEXT = "# Trees\n\nAn acorn.\n" + "\nfiller\n" * 80 + "\nAcorns (many) and one ACORN more.\n"


@pytest.fixture
def trees_window(qtbot, desktop: Desktop, engine: Engine, notes: Path) -> MainWindow:
    write_notes(notes / "home", {"trees.md": TEXT, "bushes.md": "# Bushes\n\nNo such fruit.\n"})
    engine.refresh().result(TIMEOUT)
    made = desktop.window
    made.present()
    with qtbot.waitActive(made):
        made.activateWindow()
    show(qtbot, made, notes, "trees.md")
    return made


def show(qtbot, window: MainWindow, notes: Path, name: str) -> None:
    with qtbot.waitSignal(window.preview.matches_changed):
        window.show_row(row_of_line("home", name, notes / "home" / name, 1, {}))


def press(qtbot, window: MainWindow, keys: str) -> None:
    """Press keys that the window listens to."""
    [action] = [each for each in window.actions() if QKeySequence(keys) in each.shortcuts()]
    assert isinstance(action, QAction)
    action.trigger()


def marked(window: MainWindow) -> list[str]:
    return [mark.cursor.selectedText() for mark in window.preview.view.extraSelections()]


def test_ctrl_f_finds_in_the_note_and_enter_goes_around(qtbot, trees_window: MainWindow) -> None:
    bar, view = trees_window.preview.find_bar, trees_window.preview.view
    assert not bar.isVisible()
    press(qtbot, trees_window, "Ctrl+F")
    assert QApplication.focusWidget() is bar.box
    qtbot.keyClicks(bar.box, "acorn")
    assert bar.count.text() == "1 of 3"
    assert marked(trees_window) == ["acorn", "Acorn", "ACORN"]
    counts = []
    for key, modifier in (
        (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Enter, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier),
    ):
        qtbot.keyClick(bar.box, key, modifier)
        counts.append(bar.count.text())
    assert counts == ["2 of 3", "3 of 3", "1 of 3", "3 of 3"]
    assert view.verticalScrollBar().value() > 0
    press(qtbot, trees_window, "F3")
    assert bar.count.text() == "1 of 3"
    press(qtbot, trees_window, "Shift+F3")
    assert bar.count.text() == "3 of 3"
    qtbot.keyClick(bar.box, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert QApplication.focusWidget() is view
    assert marked(trees_window) == []


WIDER = pytest.mark.wine_fault("its letters are wider than those of the fonts of Windows")


@pytest.mark.parametrize(
    ("width", "lines"), [(1600, 1), pytest.param(900, 2, marks=WIDER, id="900-2")]
)
def test_what_was_not_found_is_said_in_one_line_if_it_fits(
    qtbot, trees_window: MainWindow, width: int, lines: int
) -> None:
    trees_window.resize(width, 700)
    bar = trees_window.preview.find_bar
    press(qtbot, trees_window, "Ctrl+F")
    bar.box.setText("walnut")
    assert bar.count.text() == "Not found in this note"
    assert bar.count.wordWrap() == (lines > 1)
    height = bar.count.fontMetrics().height()
    qtbot.waitUntil(lambda: bar.count.sizeHint().height() // height == lines)


def test_escape_closes_the_box_also_from_the_note(qtbot, trees_window: MainWindow) -> None:
    bar, view = trees_window.preview.find_bar, trees_window.preview.view
    press(qtbot, trees_window, "Ctrl+F")
    qtbot.keyClicks(bar.box, "acorn")
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert (bar.isVisible(), marked(trees_window)) == (False, [])


@pytest.mark.parametrize(
    ("text", "count"),
    [("(many)", "1 of 1"), ("s (m", "1 of 1"), (".*", "Not found in this note"), ("", "")],
)
def test_the_text_is_looked_for_as_it_is(
    qtbot, trees_window: MainWindow, text: str, count: str
) -> None:
    press(qtbot, trees_window, "Ctrl+F")
    qtbot.keyClicks(trees_window.preview.find_bar.box, "x" + text)
    qtbot.keyClick(trees_window.preview.find_bar.box, Qt.Key.Key_Home)
    qtbot.keyClick(trees_window.preview.find_bar.box, Qt.Key.Key_Delete)
    assert trees_window.preview.find_bar.count.text() == count


def test_each_letter_more_stays_at_the_same_place(qtbot, trees_window: MainWindow) -> None:
    bar = trees_window.preview.find_bar
    press(qtbot, trees_window, "Ctrl+F")
    qtbot.keyClicks(bar.box, "acorn")
    qtbot.keyClick(bar.box, Qt.Key.Key_Return)
    qtbot.keyClicks(bar.box, "s")
    assert bar.count.text() == "1 of 1"
    qtbot.keyClick(bar.box, Qt.Key.Key_Backspace)
    assert bar.count.text() == "2 of 3"


def test_the_box_looks_in_the_next_note_too(qtbot, trees_window: MainWindow, notes: Path) -> None:
    bar = trees_window.preview.find_bar
    press(qtbot, trees_window, "Ctrl+F")
    qtbot.keyClicks(bar.box, "acorn")
    show(qtbot, trees_window, notes, "bushes.md")
    assert (bar.isVisible(), bar.count.text()) == (True, "Not found in this note")


LONG = "Words of a long note.\n\n" * 2_000
"""More than is shown at a time."""


@pytest.mark.parametrize("is_early", [True, False])
def test_all_of_a_long_note_is_looked_through(
    qtbot, trees_window: MainWindow, engine: Engine, notes: Path, is_early: bool
) -> None:
    text = f"acorn\n\n{LONG}An acorn, in the middle.\n\n{LONG}acorn\n"
    write_notes(notes / "home", {"long.md": text})
    engine.refresh().result(TIMEOUT)
    with qtbot.waitSignal(trees_window.preview.matches_changed):
        row = row_of_line("home", "long.md", notes / "home" / "long.md", 4_003, {})
        trees_window.show_row(row)
    view, bar = trees_window.preview.view, trees_window.preview.find_bar
    assert view.is_excerpt
    press(qtbot, trees_window, "Ctrl+F")
    if is_early:
        qtbot.keyClicks(bar.box, "acorn")
    qtbot.waitUntil(lambda: not view.is_excerpt)
    if not is_early:
        qtbot.keyClicks(bar.box, "acorn")
    assert bar.count.text() == "2 of 3"
    middle = view.document().find("in the middle").block()
    rect = view.document().documentLayout().blockBoundingRect(middle)
    assert 0 <= rect.top() - view.verticalScrollBar().value() < view.viewport().height()
    qtbot.keyClick(bar.box, Qt.Key.Key_Return)
    assert bar.count.text() == "3 of 3"
    assert view.verticalScrollBar().value() > view.verticalScrollBar().maximum() * 0.9
    for _ in range(2):
        qtbot.keyClick(bar.box, Qt.Key.Key_Return)
    assert bar.count.text() == "2 of 3"
    # The next long note is whole at once.
    write_notes(notes / "home", {"longer.md": f"# Longer\n\n{LONG}acorn\n"})
    engine.refresh().result(TIMEOUT)
    show(qtbot, trees_window, notes, "longer.md")
    assert bar.count.text() == "1 of 1"


@pytest.mark.parametrize(("word", "count"), [("acorn", "Not found"), ("filler", "1 of 1")])
def test_of_a_part_of_a_long_note_the_box_says_no_more_than_it_knows(
    qtbot, trees_window: MainWindow, engine: Engine, notes: Path, word: str, count: str
) -> None:
    write_notes(notes / "home", {"long.md": "filler\n\n" + 14 * LONG + "acorn\n"})
    engine.refresh().result(TIMEOUT)
    show(qtbot, trees_window, notes, "long.md")
    press(qtbot, trees_window, "Ctrl+F")
    qtbot.keyClicks(trees_window.preview.find_bar.box, word)
    sentence = f"{count} in the lines shown"
    qtbot.waitUntil(lambda: trees_window.preview.find_bar.count.text() == sentence)


def test_without_a_note_the_same_key_searches(qtbot, trees_window: MainWindow) -> None:
    trees_window.preview.show_row(None)
    press(qtbot, trees_window, "Ctrl+F")
    assert QApplication.focusWidget() is trees_window.search.box
    assert not trees_window.preview.find_bar.isVisible()


def test_what_was_found_by_the_question_is_marked_again(
    qtbot, trees_window: MainWindow, notes: Path
) -> None:
    trees_window.search_for("acorns")
    qtbot.waitUntil(
        lambda: trees_window.preview.row is not None and trees_window.preview.row.hit is not None
    )
    qtbot.waitUntil(lambda: trees_window.preview.view.match_count > 0)
    before = marked(trees_window)
    press(qtbot, trees_window, "Ctrl+F")
    qtbot.keyClicks(trees_window.preview.find_bar.box, "filler")
    assert "filler" in marked(trees_window)
    qtbot.keyClick(trees_window.preview.find_bar.box, Qt.Key.Key_Escape)
    assert marked(trees_window) == before
