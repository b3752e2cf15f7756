"""The line that says what a question excluded, and which operators do not exist."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from scrubjay.platform.paths import Paths
from scrubjay.records.search_records import QueryReading
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.health.help_dialogs import SearchTipsDialog
from scrubjay_desktop.search.reading_line import ReadingLine
from scrubjay_desktop.text.status_sentences import reading_sentence
from support.app import QUICK, running_app
from support.providers import WordProvider
from support.vault import write_notes

pytestmark = pytest.mark.qt_log_ignore(
    "systemTrayWindowChanged", "grabbing the keyboard", extend=True
)
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
NOTES = {
    "beds.md": "# Beds\n\nCarrots in rows. #garden\n",
    "pond.md": "# Pond\n\nCarrots and water. #garden\n",
}


@pytest.fixture
def garden(qtbot, qapp: QApplication, paths: Paths, tmp_path: Path) -> Iterator[Desktop]:
    """The app with two notes, of which one speaks of water."""
    folder = write_notes(tmp_path / "notes", NOTES)
    with running_app(qapp, paths, WordProvider(), QUICK) as made:
        made.late.actions.add_folder(folder, "My notes")
        qtbot.waitUntil(lambda: made.window.status_line.sentence == "2 notes are up to date")
        made.window.present()
        yield made


def paths_of(search: object) -> set[str]:
    return {row.path for row in search.model.rows}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("reading", "sentence"),
    [
        (QueryReading(), ""),
        (QueryReading(("pond",), "a pond"), "Excluded: “pond”."),
        (QueryReading(("a pond", "lake"), "x"), "Excluded: “a pond”, “lake”."),
        (QueryReading(unknown=("section:",)), "Searched as words, not as operators: “section:”."),
        (
            QueryReading(("pond",), "x", ("after:lunch",)),
            "Excluded: “pond”. Searched as words, not as operators: “after:lunch”.",
        ),
        (
            QueryReading(unmatched=("folder:School",), similar_folder='folder:"School notes"'),
            'No note matches “folder:School”. Did you mean “folder:"School notes"”?',
        ),
        (
            QueryReading(searched_alternatives=64),
            "Only the first 64 OR alternatives were searched.",
        ),
    ],
)
def test_a_question_is_said_to_be_read_in_a_way(reading: QueryReading, sentence: str) -> None:
    assert reading_sentence(reading) == sentence


def test_a_click_searches_for_the_excluded_words_too(qtbot, garden: Desktop) -> None:
    panel = garden.window.search
    panel.set_text("tag:garden carrots -water")
    qtbot.waitUntil(panel.reading.isVisible)
    assert panel.reading.sentence.text() == "Excluded: “water”."
    assert panel.reading.include.accessibleName() == "Include: water"
    assert (paths_of(panel.search), panel.reading.tips.isVisible()) == ({"beds.md"}, False)
    qtbot.mouseClick(panel.reading.include, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "pond.md" in paths_of(panel.search))
    assert (panel.box.text(), panel.filters.tag.text()) == ("carrots water", "#garden")
    qtbot.waitUntil(panel.reading.isHidden)


def test_a_click_searches_without_an_excluding_operator(qtbot, garden: Desktop) -> None:
    panel = garden.window.search
    panel.set_text("carrots -file:pond")
    qtbot.waitUntil(panel.reading.isVisible)
    assert panel.reading.sentence.text() == "Excluded: “file:pond”."
    assert "pond.md" not in paths_of(panel.search)
    qtbot.mouseClick(panel.reading.include, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "pond.md" in paths_of(panel.search))
    assert panel.box.text() == "carrots"


def test_an_exclusion_alone_is_named_without_a_button(qtbot, garden: Desktop) -> None:
    panel = garden.window.search
    panel.set_text("-file:pond")
    qtbot.waitUntil(panel.reading.isVisible)
    assert panel.reading.include.isHidden()


def test_an_operator_of_another_program_is_named(qtbot, garden: Desktop) -> None:
    panel = garden.window.search
    with qtbot.waitSignal(panel.announced, check_params_cb=lambda text: "section:" in text):
        panel.set_text("section:carrots")
    assert panel.reading.sentence.text().endswith("“section:”.")
    assert panel.reading.include.isHidden()
    qtbot.mouseClick(panel.reading.tips, Qt.MouseButton.LeftButton)
    dialog = garden.window.findChild(SearchTipsDialog)
    assert dialog.isVisible()
    dialog.close()
    panel.set_text("carrots")
    qtbot.waitUntil(panel.reading.isHidden)


def test_emptying_the_box_takes_the_line_away(qtbot, garden: Desktop) -> None:
    panel = garden.window.search
    panel.set_text("carrots -water")
    qtbot.waitUntil(panel.reading.isVisible)
    panel.set_text("")
    qtbot.waitUntil(panel.reading.isHidden)


def test_the_tips_are_reached_by_keys_from_the_box(qtbot, garden: Desktop) -> None:
    window = garden.window
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window.search.box, Qt.Key.Key_F1, SHIFT)
    dialog = window.findChild(SearchTipsDialog)
    qtbot.waitUntil(dialog.isVisible)
    assert dialog.text.accessibleName() == "Search tips"
    assert "silver leaf" in dialog.text.toPlainText()
    with qtbot.waitSignal(dialog.destroyed):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert window.focusWidget() is window.search.box


def test_quick_search_has_the_line_and_the_tips(
    qtbot, garden: Desktop, monkeypatch: pytest.MonkeyPatch
) -> None:
    popup = garden.late.popup
    popup.present()
    # When a dialog closes, the screen of the tests gives the keys to nobody for a moment. Only a
    # popup that was just shown asks for them again, and a busy machine takes longer than that.
    shown_at = popup._shown_at  # noqa: SLF001
    monkeypatch.setattr(popup, "_clock", lambda: shown_at)
    qtbot.waitUntil(popup.isActiveWindow)
    qtbot.keyClicks(popup.box, "carrots -water")
    qtbot.waitUntil(popup.answer.reading.isVisible)
    assert popup.answer.reading.sentence.text() == "Excluded: “water”."
    qtbot.keyClick(popup.box, Qt.Key.Key_K, CONTROL)
    qtbot.keyClicks(popup.action_list.box, "search without excl")
    qtbot.keyClick(popup.action_list.box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "pond.md" in paths_of(popup.search))
    assert popup.box.text() == "carrots water"
    qtbot.keyClick(popup.box, Qt.Key.Key_F1, SHIFT)
    dialog = popup.findChild(QDialog)
    qtbot.waitUntil(dialog.isVisible)
    assert popup.isVisible()
    with qtbot.waitSignal(dialog.destroyed):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert popup.isVisible()


@pytest.mark.wine_fault("its letters are wider than those of the fonts of Windows")
def test_no_button_of_the_line_is_cut_in_a_narrow_window(qtbot, spanish) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    line = ReadingLine()
    line.setParent(window)
    line.show_reading(QueryReading(("templates",), "kyoto", ("section:",)))
    window.show()
    line.setGeometry(0, 0, 252, 120)
    line.layout().activate()
    for button in (line.include, line.tips):
        assert button.width() >= button.sizeHint().width()
