from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from scrubjay.engine.engine import Engine
from scrubjay.onboarding.discovery import Discovery, NotesFolder
from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.workspaces.first_run import absent_line, folder_title, found_line

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)

NOW = dt.datetime(2026, 3, 14, 12, 0, tzinfo=dt.UTC)


def found(count: int = 214, days: int = 0, **changes: object) -> NotesFolder:
    values = {"app": "OpenClaw", "name": "OpenClaw", "root": Path("/w"), "is_more": False}
    written = NOW - dt.timedelta(days=days)
    return NotesFolder(**{**values, **changes}, notes=count, newest=written)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (found(), "214 notes, last changed today"),
        (found(1, 1), "1 note, last changed yesterday"),
        (found(3, 3), "3 notes, last changed 3 days ago"),
        (found(3, 40), "3 notes, last changed on 2 Feb 2026"),
        (found(9000, is_more=True), "more than 9,000 notes, last changed today"),
    ],
)
def test_what_was_found_is_said_in_words(given: NotesFolder, line: str) -> None:
    assert found_line(given, NOW) == line


def test_a_folder_with_a_name_of_its_own_says_both() -> None:
    assert folder_title(found(app="Obsidian", name="Garden")) == "Obsidian · Garden"
    assert folder_title(found()) == "OpenClaw"
    assert folder_title(found(app="Documents", name="Mis notas")) == "Documents · Mis notas"


def test_what_was_not_found_is_one_line() -> None:
    line = absent_line(Discovery((), ("Codex", "Gemini", "Zettlr")))
    assert line == "No notes from Codex, Gemini and Zettlr were found."
    assert absent_line(Discovery((found(),), ())) == ""


@pytest.fixture
def agents(person: Path) -> Path:
    """Memory of two agents."""
    for folder in (".openclaw/workspace", ".codex/memories"):
        (person / folder).mkdir(parents=True)
        (person / folder / "MEMORY.md").write_text(f"# Memory\n\njay of {folder}\n")
    return person


@pytest.fixture
def empty(qtbot, qapp: QApplication, empty_engine: Engine, paths: Paths) -> Iterator[Desktop]:
    """The app without any notes, seen for the first time."""
    made = Desktop(qapp, empty_engine, paths, Start(theme="light"))
    made.begin(StartRequest.WINDOW)
    page = made.window.first_run
    qtbot.waitUntil(lambda: bool(page.looked.toolTip()))
    yield made
    made.dispose()


@pytest.mark.needs("home in the environment")
def test_a_first_start_offers_what_is_there(qtbot, agents: Path, empty: Desktop) -> None:
    page = empty.window.first_run
    assert [row.accessibleName() for row in page.rows] == [
        "OpenClaw, 1 note, last changed today",
        "Codex, 1 note, last changed today",
    ]
    assert page.looked.text() == "No other notes were found."
    assert page.looked.toolTip() == (
        "No notes from Claude Code, Gemini CLI, Cursor, Obsidian, Logseq and Zettlr were found."
    )


def test_ticked_folders_are_added_together(
    qtbot, agents: Path, empty: Desktop, empty_engine: Engine
) -> None:
    page = empty.window.first_run
    qtbot.keyClick(page.rows[1], Qt.Key.Key_Space)
    qtbot.mouseClick(page.search, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not page.isVisible())
    assert [workspace.name for workspace in empty_engine.workspaces()] == ["OpenClaw"]


@pytest.mark.needs("home in the environment")
def test_every_page_about_notes_is_the_first_step_until_there_is_a_folder(
    qtbot, empty: Desktop, tmp_path: Path
) -> None:
    (tmp_path / "own").mkdir()
    window = empty.window
    for key in ("timeline", "folders", "health"):
        page = window.pages.show_page(key)
        assert window.first_run.isVisible()
        assert not page.isVisible()
    window.show_page("health")
    assert window.focusWidget() is window.first_run.add
    window.folder_added.emit(tmp_path / "own")
    qtbot.waitUntil(page.isVisible)
    assert not window.first_run.isVisible()
    window.pages.show_page("settings")
    assert window.pages.currentWidget() is window.pages.show_page("settings")


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_a_button_that_has_the_focus_answers_to_every_usual_key(
    qtbot, empty: Desktop, key: Qt.Key
) -> None:
    page = empty.window.first_run
    with qtbot.waitSignal(page.sample_requested):
        qtbot.keyClick(page.sample, key)


def test_a_folder_of_ones_own_comes_beside_what_is_ticked(
    qtbot, agents: Path, empty: Desktop, tmp_path: Path, empty_engine: Engine
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    qtbot.keyClick(empty.window.first_run.rows[1], Qt.Key.Key_Space)
    empty.window.workspaces.folder_added.emit(own)
    qtbot.waitUntil(lambda: len(empty_engine.workspaces()) == 2)
    assert {workspace.name for workspace in empty_engine.workspaces()} == {"own", "OpenClaw"}
    empty.window.workspaces.folder_added.emit(agents / ".codex/memories")
    qtbot.waitUntil(lambda: len(empty_engine.workspaces()) == 3)


def test_a_click_anywhere_on_a_row_ticks_it(qtbot, agents: Path, empty: Desktop) -> None:
    page = empty.window.first_run
    for row in page.rows:
        qtbot.mouseClick(row, Qt.MouseButton.LeftButton, pos=row.rect().center())
    assert page.ticked == ()
    assert not page.search.isEnabled()


@pytest.mark.needs("home in the environment")
def test_where_nothing_is_a_folder_is_the_first_choice(empty: Desktop) -> None:
    page = empty.window.first_run
    assert page.rows == []
    assert not page.search.isVisible()
    assert page.add.isDefault()


@pytest.mark.needs("home in the environment")
def test_it_looks_again_after_the_last_folder_was_forgotten(
    qtbot, agents: Path, empty: Desktop, empty_engine: Engine
) -> None:
    page = empty.window.first_run
    page.search.click()
    qtbot.waitUntil(lambda: len(empty_engine.workspaces()) == 2)
    qtbot.waitUntil(lambda: not page.isVisible())
    (agents / ".codex/memories/MEMORY.md").unlink()
    for workspace in empty_engine.workspaces():
        empty.late.actions.forget(workspace)
    qtbot.waitUntil(lambda: page.isVisible() and len(page.rows) == 1)
