"""Questions to try under the empty box."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.search.suggested_questions_box import SuggestedQuestionsBox
from scrubjay_desktop.settings.preferences import Preferences
from support.app import QUICK, running_app
from support.providers import WordProvider
from support.vault import write_notes

pytestmark = pytest.mark.qt_log_ignore(
    "systemTrayWindowChanged", "grabbing the keyboard", extend=True
)
NOTES = {
    "house.md": "# House\n\n## Boiler service\n\nMr Lowe comes in May.\n",
    "choir.md": "# Choir\n\n## Summer concert\n\nIn the barn.\n",
    "plain.md": "No heading here.\n",
}


@pytest.fixture
def new_user(qtbot, qapp: QApplication, paths: Paths, tmp_path: Path) -> Iterator[Desktop]:
    """The app of a user who just added the first folder."""
    folder = write_notes(tmp_path / "notes", NOTES)
    with running_app(qapp, paths, WordProvider(), QUICK) as made:
        made.window.present()
        made.late.actions.add_folder(folder, "My notes")
        first = made.window.search.first_questions
        qtbot.waitUntil(lambda: offered(first) == {"Boiler service", "Summer concert"})
        yield made


def offered(first: SuggestedQuestionsBox) -> set[str]:
    return {chip.text() for chip in first.chips if chip.isVisible()}


def test_a_question_to_try_is_asked_by_a_click(qtbot, new_user: Desktop) -> None:
    panel = new_user.window.search
    [chip] = [each for each in panel.first_questions.chips if each.text() == "Boiler service"]
    assert chip.accessibleName() == "Search for Boiler service"
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: [row.path for row in panel.search.model.rows][:1] == ["house.md"])
    assert panel.box.text() == "Boiler service"
    assert not panel.first_questions.isVisible()
    qtbot.keyClick(panel.box, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: len(offered(panel.first_questions)) == 2)


def test_questions_to_try_end_when_they_are_closed(qtbot, new_user: Desktop, paths: Paths) -> None:
    panel = new_user.window.search
    panel.first_questions.closed.emit()
    assert not panel.first_questions.isVisible()
    assert Preferences(paths).questions_to_try == 0
    panel.set_text("barn")
    qtbot.waitUntil(lambda: [row.path for row in panel.search.model.rows] == ["choir.md"])
    panel.set_text("")
    qtbot.waitUntil(lambda: len(panel.search.model.rows) == len(NOTES))
    assert not panel.first_questions.isVisible()


def test_questions_to_try_end_after_some_own_ones(new_user: Desktop, paths: Paths) -> None:
    panel = new_user.window.search
    for number in range(5):
        assert panel.is_new
        panel.asked.emit(f"question {number}")
    assert not panel.is_new


def test_the_key_of_the_popup_is_told(qapp: QApplication) -> None:
    first = SuggestedQuestionsBox()
    first.show_quick_keys(QKeySequence("Ctrl+Alt+Space"))
    assert first.keys.text() == "Press Ctrl+Alt+Space to search from any other program."
    assert not first.keys.isHidden()
    first.show_quick_keys(QKeySequence(""))
    assert first.keys.isHidden()
