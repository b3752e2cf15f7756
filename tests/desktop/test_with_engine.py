"""The app on the real engine: real SQLite, real files, a small real embedding provider."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from support.app import QUICK, WORDS_ONLY, running_app
from support.providers import WordProvider

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)


@pytest.fixture
def dentist_notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "router.md").write_text("# Router\n\nThe password is on the fridge.\n")
    (folder / "dentist.md").write_text("# Dentist\n\nBooked the orthodontist for Emma.\n")
    (folder / "broken.md").write_bytes(b"\x00\x01\x02")
    return folder


@pytest.fixture
def running(qtbot, qapp: QApplication, paths: Paths, dentist_notes: Path) -> Iterator[Desktop]:
    with running_app(qapp, paths, WordProvider(), QUICK) as made:
        made.late.actions.add_folder(dentist_notes, "My notes")
        qtbot.waitUntil(lambda: made.window.status_line.sentence == "2 notes, 1 could not be read")
        yield made


def ask(qtbot, running: Desktop, text: str) -> str:
    running.window.search.focus_box()
    running.window.search.box.clear()
    qtbot.keyClicks(running.window.search.box, text)
    panel = running.window.search
    qtbot.waitUntil(lambda: panel.list.row() is not None and panel.list.row().hit is not None)
    return panel.list.row().path


def test_a_typed_word_finds_its_note(qtbot, running: Desktop) -> None:
    assert ask(qtbot, running, "orthodontist") == "dentist.md"
    qtbot.waitUntil(lambda: "Emma" in running.window.preview.view.toPlainText())


def test_recent_notes_are_there_before_anything_is_typed(qtbot, running: Desktop) -> None:
    model = running.window.search.search.model
    qtbot.waitUntil(lambda: {row.path for row in model.rows} == {"router.md", "dentist.md"})
    assert {(row.title, row.breadcrumb, row.snippet.text) for row in model.rows} == {
        ("Router", "", "The password is on the fridge."),
        ("Dentist", "", "Booked the orthodontist for Emma."),
    }


def test_a_saved_note_appears_in_an_open_search(
    qtbot, running: Desktop, dentist_notes: Path
) -> None:
    ask(qtbot, running, "fridge")
    (dentist_notes / "kitchen.md").write_text(
        "# Kitchen\n\nThe fridge hums. A new fridge is ordered.\n"
    )
    model = running.window.search.search.model
    qtbot.waitUntil(lambda: {row.path for row in model.rows} >= {"kitchen.md", "router.md"})


def test_what_could_not_be_read_is_said(qtbot, running: Desktop) -> None:
    ask(qtbot, running, "fridge")
    panel = running.window.search
    qtbot.waitUntil(lambda: "1 note could not be read." in panel.line.text())
    assert panel.line.text().startswith("Searched 2 of 3 notes")
    assert running.window.workspaces.problems.text() == "1 file could not be read"


def test_pausing_and_resuming(qtbot, running: Desktop, dentist_notes: Path) -> None:
    running.window.status_line.toggle_pause()
    qtbot.waitUntil(
        lambda: running.window.status_line.sentence == "Paused until you resume reading"
    )
    (dentist_notes / "late.md").write_text("# Late\n\nwritten in the pause\n")
    running.window.status_line.toggle_pause()
    qtbot.waitUntil(lambda: running.window.status_line.sentence == "3 notes, 1 could not be read")


def test_a_forgotten_folder_leaves_nothing_but_the_notes(
    qtbot, running: Desktop, dentist_notes: Path, paths: Paths
) -> None:
    [workspace] = running.engine.workspaces()
    running.late.actions.forget(workspace)
    qtbot.waitUntil(running.window.first_run.isVisible)
    assert sorted(path.name for path in dentist_notes.iterdir()) == [
        "broken.md",
        "dentist.md",
        "router.md",
    ]
    qtbot.waitUntil(lambda: not list(paths.indexes.glob("*.sqlite")))


def test_a_folder_that_disappears_leaves_the_search_working(
    qtbot, running: Desktop, dentist_notes: Path
) -> None:
    shutil.move(dentist_notes, dentist_notes.with_name("elsewhere"))
    [workspace] = running.engine.workspaces()
    running.window.requests.refresh.emit(workspace)
    reason = f"The folder {dentist_notes} does not exist."
    qtbot.waitUntil(lambda: running.window.status_line.sentence == f"My notes: {reason}")
    assert ask(qtbot, running, "orthodontist") == "dentist.md"


def test_the_nearest_notes_are_found_where_nothing_is_relevant(qtbot, running: Desktop) -> None:
    panel = running.window.search
    panel.set_text("xylophone")
    qtbot.waitUntil(lambda: panel.line.text().startswith("No clear match was found."))
    assert {row.path for row in panel.search.model.rows} == {"router.md", "dentist.md"}


def test_the_date_chip_narrows_the_search(qtbot, running: Desktop, dentist_notes: Path) -> None:
    old = time.time() - 40 * 24 * 3600
    (dentist_notes / "old.md").write_text("# Old\n\nThe old fridge was loud.\n")
    os.utime(dentist_notes / "old.md", (old, old))
    panel = running.window.search
    panel.set_text("fridge")
    qtbot.waitUntil(lambda: {row.path for row in panel.search.model.rows} >= {"old.md"})
    panel.filters.menu_of(panel.filters.date).actions()[3].trigger()
    qtbot.waitUntil(lambda: [row.path for row in panel.search.model.rows] == ["router.md"])
    assert panel.filters.date.text() == "Last 30 days"
    panel.filters.menu_of(panel.filters.date).actions()[0].trigger()
    assert panel.box.text() == "fridge"
    qtbot.waitUntil(lambda: {row.path for row in panel.search.model.rows} >= {"old.md"})


def test_a_filter_without_words_lists_what_it_lets_through(qtbot, running: Desktop) -> None:
    panel = running.window.search
    assert not panel.filters.kind.isVisible()
    actions = panel.filters.menu_of(panel.filters.kind).actions()
    assert [action.text() for action in actions] == ["All kinds", "Notes"]
    actions[1].trigger()
    assert (panel.box.text(), panel.filters.kind.text()) == ("", "Notes")
    qtbot.waitUntil(lambda: panel.heading.text().startswith("Notes that match the filters"))
    qtbot.waitUntil(lambda: panel.search.model.rowCount() == 2)


def test_where_words_alone_are_wanted_nothing_speaks_of_meaning(
    qtbot, qapp: QApplication, paths: Paths, dentist_notes: Path
) -> None:
    with running_app(qapp, paths, settings=WORDS_ONLY) as made:
        made.late.actions.add_folder(dentist_notes, "My notes")
        qtbot.waitUntil(lambda: made.window.status_line.sentence == "2 notes, 1 could not be read")
        assert ask(qtbot, made, "orthodontist") == "dentist.md"
        panel = made.window.search
        qtbot.waitUntil(lambda: "by words only." in panel.line.text())
        texts = [action.text() for action in panel.filters.order_menu().actions()]
        assert texts == ["Best first", "Newest first", "Oldest first"]
        panel.set_text("3 March 2011")
        qtbot.waitUntil(lambda: panel.nothing_text.startswith("No notes from Thu 3 Mar 2011"))
        assert "words" not in f"{panel.line.text()} {panel.nothing_text}"
        assert "meaning" not in f"{panel.line.text()} {panel.nothing_text}"
