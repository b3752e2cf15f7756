"""Remember this: the box, today's file on disk, and the way back."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.windows.quick_note_box import QuickNoteBox
from support.vault import TIMEOUT

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)


def todays() -> str:
    """The file of the day, which may end while the tests run."""
    return f"{dt.date.today().isoformat()}.md"


@pytest.fixture
def diary(tmp_path: Path) -> Path:
    """An agent's notes, of which today's file is there already."""
    root = tmp_path / "diary"
    (root / "memory").mkdir(parents=True)
    (root / "MEMORY.md").write_text("Emma plays the clarinet.\n")
    (root / "memory" / todays()).write_text("Booked the orthodontist.\n")
    return root


@pytest.fixture
def app(qapp: QApplication, paths: Paths, diary: Path) -> Iterator[Desktop]:
    """The app on a real engine with one folder, which does not follow its notes."""
    engine = Engine(paths)
    engine.add_workspace(diary, "Diary").result(TIMEOUT)
    made = Desktop(qapp, engine, paths, Start(theme="light"))
    made.feed.refresh()
    made.window.present()
    yield made
    made.dispose()
    engine.close()


def opened(desktop: Desktop) -> QuickNoteBox:
    desktop.window.requests.remember.emit()
    box = desktop.late.quick_note.box
    assert box is not None
    QTest.qWaitForWindowActive(box)
    return box


def test_what_is_typed_is_added_to_todays_file_and_can_be_taken_back(
    qtbot, app: Desktop, diary: Path
) -> None:
    before = (diary / "memory" / todays()).read_text()
    box = opened(app)
    qtbot.keyClicks(box.text, "Emma needs new reeds")
    qtbot.keyClick(box.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    banner = app.window.banner
    qtbot.waitUntil(lambda: banner.words == f"The text was added to memory/{todays()}.")
    assert not box.isVisible()
    after = (diary / "memory" / todays()).read_text()
    assert after.startswith(before)
    assert "Emma needs new reeds" in after
    assert banner.offer.text() == "Undo"
    banner.offer.click()
    qtbot.waitUntil(lambda: banner.words == f"The change to memory/{todays()} was undone.")
    assert not banner.offer.isVisible()
    assert (diary / "memory" / todays()).read_text() == before


def test_what_was_edited_since_is_left_alone(qtbot, app: Desktop, diary: Path) -> None:
    box = opened(app)
    box.text.setPlainText("Emma needs new reeds")
    box.keep.click()
    banner = app.window.banner
    qtbot.waitUntil(lambda: bool(banner.offer.text()))
    edited = (diary / "memory" / todays()).read_text().replace("new reeds", "new reeds, size 3")
    (diary / "memory" / todays()).write_text(edited)
    banner.offer.click()
    qtbot.waitUntil(lambda: "has since been edited" in banner.words)
    assert banner.offer.text() == "Open the file"
    assert (diary / "memory" / todays()).read_text() == edited


def test_what_cannot_be_written_stays_in_the_box(qtbot, app: Desktop, diary: Path) -> None:
    (diary / "memory" / todays()).unlink()
    (diary / "memory" / todays()).mkdir()
    box = opened(app)
    box.text.setPlainText("Emma needs new reeds")
    box.keep.click()
    qtbot.waitUntil(box.banner.isVisible)
    assert box.banner.words
    assert box.text.toPlainText() == "Emma needs new reeds"
    assert box.keep.isEnabled()
    assert not box.text.isReadOnly()


def test_from_the_tray_without_a_window_the_box_itself_answers(
    qtbot, app: Desktop, diary: Path
) -> None:
    before = (diary / "memory" / todays()).read_text()
    app.window.hide()
    app.window.requests.remember.emit()
    box = app.late.quick_note.box
    assert box is not None
    box.text.setPlainText("Emma needs new reeds")
    box.keep.click()
    qtbot.waitUntil(lambda: box.banner.words == f"The text was added to memory/{todays()}.")
    assert box.isVisible()
    assert box.text.toPlainText() == ""
    assert not app.window.isVisible()
    box.banner.offer.click()
    qtbot.waitUntil(lambda: box.banner.words.startswith("The change to "))
    assert (diary / "memory" / todays()).read_text() == before


def test_an_unfinished_text_is_still_there_the_next_time(app: Desktop) -> None:
    box = opened(app)
    box.text.setPlainText("half a thou")
    box.reject()
    assert opened(app).text.toPlainText() == "half a thou"


def test_nothing_is_not_remembered(app: Desktop) -> None:
    box = opened(app)
    box.text.setPlainText("  \n ")
    assert not box.keep.isEnabled()


def test_with_two_folders_the_last_one_is_offered_again(
    qtbot, app: Desktop, tmp_path: Path
) -> None:
    other = tmp_path / "work"
    other.mkdir()
    (other / "a.md").write_text("A.\n")
    app.engine.add_workspace(other, "Work").result(TIMEOUT)
    box = opened(app)
    assert box.workspace.isVisible()
    box.workspace.setCurrentText("Work")
    box.text.setPlainText("Ask about the budget")
    box.keep.click()
    qtbot.waitUntil(lambda: f"The text was added to {todays()}." == app.window.banner.words)
    assert opened(app).workspace.currentText() == "Work"


def test_without_a_folder_there_is_nowhere_to_remember(
    qtbot, qapp: QApplication, empty_engine: Engine, paths: Paths
) -> None:
    desktop = Desktop(qapp, empty_engine, paths, Start(theme="light"))
    desktop.begin(StartRequest.WINDOW)
    desktop.window.requests.remember.emit()
    assert desktop.window.banner.words == "To save a note, first add a folder."
    assert desktop.late.quick_note.box is None
    desktop.dispose()
