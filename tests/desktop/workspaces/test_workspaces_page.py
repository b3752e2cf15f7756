from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMessageBox

from scrubjay.engine.engine import Engine
from scrubjay.events import IndexFinished, IndexProgressed, WorkspacesChanged
from scrubjay.records.status_records import EngineStatus, IndexState, Progress
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.workspaces.workspaces_page import WorkspacesPage
from support.notes import with_workspace
from support.vault import TIMEOUT, Announcements, write_notes

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)


@pytest.fixture
def page(qtbot, desktop: Desktop) -> WorkspacesPage:
    with qtbot.waitSignal(desktop.started):
        desktop.begin(StartRequest.WINDOW)
    page = desktop.window.pages.show_page("folders")
    assert isinstance(page, WorkspacesPage)
    return page


def test_each_folder_has_a_card_with_what_is_known(qtbot, page: WorkspacesPage) -> None:
    assert list(page.cards) == ["home", "work"]
    card = page.cards["home"]
    qtbot.waitUntil(lambda: card.facts.text() == "2 notes · all ready for search by meaning")
    assert card.more.accessibleName() == "More actions for Home notes"
    assert card.facts.toolTip().startswith(
        "100% of the text ready for search by meaning · search index:"
    )
    assert not card.locate.isVisible()


def test_tab_goes_from_left_to_right_to_controls_that_show_it(
    qtbot, page: WorkspacesPage, desktop: Desktop
) -> None:
    desktop.window.activateWindow()
    page.bring.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(page.bring.hasFocus)
    home, work = page.cards["home"], page.cards["work"]
    expected = [page.bring, page.memory, page.add, home.check, home.more, work.check, work.more]
    for control in expected:
        assert control.hasFocus()
        with_focus = control.grab().toImage()
        qtbot.keyClick(control, Qt.Key.Key_Tab)
        assert control.grab().toImage() != with_focus
    # In the order of reading: with a wide font they take two lines.
    places = [button.mapTo(page, QPoint()) for button in expected[:3]]
    assert places == sorted(places, key=lambda place: (place.y(), place.x()))


def test_the_menu_of_a_card_does_not_repeat_its_buttons(page: WorkspacesPage) -> None:
    menu = page.menu_of(page.cards["home"])
    shown = {action.objectName() for action in menu.actions() if action.isVisible()}
    assert {"choose", "forget"} <= shown
    assert shown.isdisjoint({"refresh", "locate"})


def test_a_measured_status_does_not_bring_back_an_older_state(
    qtbot, page: WorkspacesPage, engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    older: Future[EngineStatus] = Future()
    older.set_result(with_workspace(engine.status(), "home", state=IndexState.ERROR, error="Old."))
    monkeypatch.setattr(engine, "current_status", lambda: older)
    shown: list[str] = []
    monkeypatch.setattr(
        page, "show_status", lambda status: shown.append(status.workspaces[0].error)
    )
    page.on_event(WorkspacesChanged())
    qtbot.waitUntil(lambda: shown != [])
    assert set(shown) == {""}


def test_files_that_are_no_notes_are_counted_on_the_card(
    qtbot, page: WorkspacesPage, engine: Engine, notes: Path
) -> None:
    files = {"a.pdf": b"%PDF", "b.pdf": b"%PDF", "old.doc": "# Old\n"}
    write_notes(notes / "home", files)
    engine.refresh().result(TIMEOUT)
    page.show_status(engine.status())
    said = "3 files are not searched: 2 .pdf, 1 .doc."
    assert page.cards["home"].read.text() == said
    assert not page.cards["work"].read.isVisible()


def test_a_folder_without_notes_says_so(
    qtbot, page: WorkspacesPage, desktop: Desktop, tmp_path: Path
) -> None:
    folder = write_notes(tmp_path / "Pics", {"sea.png": b"\x89PNG", "old.doc": "Old.\n"})
    desktop.window.folder_added.emit(folder)
    banner = desktop.window.banner
    sentence = "Scrubjay found no notes in Pics."
    qtbot.waitUntil(lambda: banner.words == sentence)
    qtbot.waitUntil(lambda: "pics" in page.cards)
    card = page.cards["pics"]
    qtbot.waitUntil(lambda: card.facts.text() == "No notes found")
    assert card.read.text().endswith("2 files are not searched: 1 .doc, 1 .png.")


def test_a_folder_that_was_added_is_confirmed_with_its_notes(
    qtbot, page: WorkspacesPage, desktop: Desktop, tmp_path: Path
) -> None:
    desktop.window.folder_added.emit(write_notes(tmp_path / "Garden", {"oak.md": "An oak.\n"}))
    banner = desktop.window.banner
    qtbot.waitUntil(lambda: banner.words == "Scrubjay now searches Garden (1 note).")


def test_what_is_counted_at_the_end_of_a_pass_is_not_said_before(
    page: WorkspacesPage, engine: Engine
) -> None:
    reading = {"state": IndexState.INDEXING, "progress": Progress("meaning", learned=4, passages=9)}
    ready = {"state": IndexState.READY, "progress": Progress(learned=9, passages=9)}
    for state, is_said in ((ready, True), (reading, False)):
        page.show_status(with_workspace(engine.status(), "home", chunks=9, **state))
        assert ("all ready for search by meaning" in page.cards["home"].facts.text()) is is_said


@pytest.mark.parametrize(
    ("action", "phases"), [("refresh", ["scanning"]), ("rebuild", ["scanning", "words"])]
)
def test_a_folder_is_read_again_when_asked(
    qtbot, page: WorkspacesPage, engine: Engine, action: str, phases: list[str]
) -> None:
    engine.refresh().result(TIMEOUT)
    announced = Announcements(engine)
    page.requested.emit(action, page.cards["home"].status)
    announced.wait(lambda: announced.of(IndexFinished))
    assert [event.report.workspace for event in announced.of(IndexFinished)] == ["home"]
    progressed = announced.of(IndexProgressed)
    assert list(dict.fromkeys(event.progress.phase for event in progressed)) == phases


def test_a_forgotten_folder_loses_its_card(qtbot, page: WorkspacesPage, desktop: Desktop) -> None:
    page.requested.emit("forget", page.cards["work"].status)
    box = desktop.window.findChild(QMessageBox)
    next(one for one in box.buttons() if one.objectName() == "forget").click()
    qtbot.waitUntil(lambda: list(page.cards) == ["home"])


def test_trouble_is_told_on_the_card(page: WorkspacesPage, engine: Engine) -> None:
    trouble = {"state": IndexState.ERROR, "error": "The disk is full."}
    page.show_status(with_workspace(engine.status(), "home", **trouble))
    assert page.cards["home"].trouble.text() == "The disk is full."


@pytest.mark.parametrize(
    ("changes", "read"),
    [
        ({}, "Notes in this folder, except in hidden folders"),
        ({"documents": True}, "Notes and documents in this folder, except in hidden folders"),
        ({"hidden_folders": True}, "Notes in this folder"),
        ({"left_out": ("a",)}, "Notes in this folder, except in a and hidden folders"),
        ({"left_out": ("a",), "hidden_folders": True}, "Notes in this folder, except in a"),
        (
            {"left_out": ("a", "**/b.md", "!c.md"), "hidden_folders": True},
            "Notes in this folder, except in a\nExclusion patterns: b.md, !c.md",
        ),
        (
            {"left_out": ("a", "!/a/"), "hidden_folders": True},
            "Notes in this folder\nExclusion patterns: !/a/",
        ),
    ],
)
def test_the_card_says_which_notes_are_read(
    page: WorkspacesPage, engine: Engine, changes: dict[str, object], read: str
) -> None:
    [status, *_] = engine.status().workspaces
    record = replace(status.workspace, layout="notes", **changes)
    card = page.cards["home"]
    card.show_status(replace(status, workspace=record))
    assert card.read.text() == read
