"""The popup, the tray and the box to remember something lead to the same notes as the window."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.windows.main_window import HOME, MainWindow
from support.fake_tray import FakeTray
from support.vault import write_notes

pytestmark = pytest.mark.qt_log_ignore(
    "systemTrayWindowChanged", "grabbing the keyboard", extend=True
)
SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def tray() -> FakeTray:
    return FakeTray()


@pytest.fixture
def desktop(qapp: QApplication, engine: Engine, paths: Paths, tray: FakeTray) -> Iterator[Desktop]:
    """The whole app with a tray, not shown yet."""
    made = Desktop(qapp, engine, paths, Start(theme="light", tray=tray))
    yield made
    made.dispose()


def entry(tray: FakeTray, *names: str) -> None:
    """Choose an entry of the tray's menu by the names that lead to it."""
    menu = tray.menu
    for name in names[:-1]:
        assert menu is not None
        menu = next(action.menu() for action in menu.actions() if action.text() == name)
    assert menu is not None
    next(action for action in menu.actions() if action.text().startswith(names[-1])).trigger()


def test_a_look_in_the_popup_goes_on_in_the_window(
    qtbot, desktop: Desktop, notes_window: MainWindow
) -> None:
    notes_window.pages.show_page("folders")
    notes_window.hide()
    desktop.late.popup.present()
    qtbot.keyClicks(desktop.late.popup.box, "router")
    rows = desktop.late.popup.search.model
    qtbot.waitUntil(lambda: [row.path for row in rows.rows] == ["router.md", "network.md"])
    qtbot.keyClick(desktop.late.popup.box, Qt.Key.Key_Down)
    qtbot.keyClick(desktop.late.popup.box, Qt.Key.Key_Return, SHIFT)
    assert (desktop.late.popup.isVisible(), notes_window.isVisible()) == (False, True)
    assert notes_window.pages.key == HOME
    assert notes_window.search.box.text() == "router"
    qtbot.waitUntil(lambda: notes_window.search.search.model.rowCount() == 2)


def test_a_pause_chosen_in_the_tray_holds_until_it_is_ended_there(
    qtbot, desktop: Desktop, notes_window: MainWindow, tray: FakeTray, ask, notes: Path
) -> None:
    entry(tray, "&Pause", "Until I &resume")
    qtbot.waitUntil(lambda: notes_window.status_line.sentence == "Paused until you resume reading")
    assert tray.tooltip == "Scrubjay: Paused until you resume reading"
    write_notes(notes / "home", {"late.md": "# Late\n\nA clarinet was bought.\n"})
    assert "late.md" not in ask("clarinet")
    entry(tray, "&Resume")
    rows = notes_window.search.search.model
    qtbot.waitUntil(lambda: [row.path for row in rows.rows][:1] == ["late.md"])
    qtbot.waitUntil(lambda: tray.tooltip == "Scrubjay: 4 notes are up to date")


def test_a_recent_note_opens_from_the_tray_while_the_window_is_hidden(
    qtbot, desktop: Desktop, notes_window: MainWindow, tray: FakeTray, opened, notes: Path
) -> None:
    notes_window.hide()
    qtbot.waitUntil(lambda: len(desktop.late.tray.recents) == 3)
    entry(tray, "Re&cent", "Network")
    assert opened == [("open", notes / "work" / "network.md", 1)]
    assert not notes_window.isVisible()


def test_a_thought_is_found_as_soon_as_it_is_remembered_and_gone_when_taken_back(
    qtbot, desktop: Desktop, notes_window: MainWindow, ask
) -> None:
    near = ask("trombone")
    notes_window.requests.remember.emit()
    box = desktop.late.quick_note.box
    assert box is not None
    qtbot.keyClicks(box.text, "The trombone is at the repair shop")
    box.keep.click()
    rows = notes_window.search.search.model
    today = dt.date.today()
    days = {str(today), str(today - dt.timedelta(days=1))}
    qtbot.waitUntil(lambda: Path(rows.rows[0].path).stem in days)
    qtbot.waitUntil(lambda: "repair shop" in notes_window.preview.view.toPlainText())
    qtbot.waitUntil(lambda: notes_window.banner.offer.text() == "Undo")
    notes_window.banner.offer.click()
    qtbot.waitUntil(lambda: [row.path for row in rows.rows] == near)
