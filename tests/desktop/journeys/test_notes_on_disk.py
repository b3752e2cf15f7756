"""Notes change on disk while a person looks at them."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay_desktop.windows.main_window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)


def paths(window: MainWindow) -> list[str]:
    return [row.path for row in window.search.search.model.rows]


def test_a_note_that_is_saved_in_an_editor_is_shown_anew(
    qtbot, notes_window: MainWindow, ask, notes: Path
) -> None:
    ask("orthodontist")
    qtbot.waitUntil(lambda: "Emma" in notes_window.preview.view.toPlainText())
    row = notes_window.preview.row
    assert row is not None
    row.file.write_text("# Thursday\n\nThe orthodontist moved the visit to Friday.\n")
    qtbot.waitUntil(lambda: "to Friday" in notes_window.preview.view.toPlainText())
    assert "Emma" not in notes_window.preview.view.toPlainText()


def test_a_note_that_is_renamed_stays_found_and_shown_under_its_new_name(
    qtbot, notes_window: MainWindow, ask, opened, notes: Path
) -> None:
    ask("office")
    qtbot.waitUntil(lambda: "office" in notes_window.preview.view.toPlainText())
    renamed = (notes / "work" / "network.md").rename(notes / "work" / "cables.md")
    qtbot.waitUntil(lambda: paths(notes_window) == ["cables.md"])
    qtbot.waitUntil(lambda: getattr(notes_window.preview.row, "path", "") == "cables.md")
    qtbot.waitUntil(lambda: "office" in notes_window.preview.view.toPlainText())
    notes_window.preview.open()
    assert [(way, file) for way, file, _ in opened] == [("open", renamed)]


def test_a_note_that_is_deleted_leaves_the_answer_and_the_recent_notes(
    qtbot, notes_window: MainWindow, ask, notes: Path
) -> None:
    ask("router")
    (notes / "home" / "router.md").unlink()
    qtbot.waitUntil(lambda: paths(notes_window) == ["network.md"])
    qtbot.waitUntil(lambda: "office" in notes_window.preview.view.toPlainText())
    notes_window.search.box.empty()
    qtbot.waitUntil(lambda: notes_window.search.heading.isVisible())
    assert "router.md" not in paths(notes_window)
    qtbot.waitUntil(lambda: notes_window.status_line.sentence == "2 notes are up to date")
