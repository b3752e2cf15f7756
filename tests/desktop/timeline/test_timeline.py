"""The timeline as a person uses it."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from scrubjay.engine.engine import Engine
from scrubjay.errors import IndexUnavailable
from scrubjay.events import IndexChanged
from scrubjay.platform.paths import Paths
from scrubjay.records.journal_records import (
    ChangeKind,
    DiffLine,
    JournalPosition,
    LineKind,
    NoteChange,
    NoteChanges,
)
from scrubjay.records.note_records import DocumentInfo, Source
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.text.formatting import both_days, days_name, long_day
from scrubjay_desktop.timeline.diff_view import line_text
from scrubjay_desktop.timeline.timeline_page import TimelinePage
from scrubjay_desktop.timeline.timeline_rows import TimelineRow, timeline_row, timeline_row_data
from scrubjay_desktop.widgets.list_models import PagedList
from scrubjay_desktop.widgets.theme import LIGHT
from support.notes import DIARY, NOW
from support.vault import TIMEOUT, add, write_notes

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)

T = TypeVar("T")

TODAY = NOW.date()
WORDS = Qt.ItemDataRole.AccessibleTextRole


ROUTER = "# Router\nFor all rooms.\nAlways on.\nVery loud.\nBlue.\nFlat.\nIt is in the {}.\n"


def write(engine: Engine, file: Path, text: str, written: dt.datetime = NOW) -> None:
    """Write a note, as if at a moment, and read it."""
    file.write_text(text, newline="\n")
    os.utime(file, (written.timestamp(), written.timestamp()))
    engine.refresh().result(TIMEOUT)


@pytest.fixture
def notes(notes: Path) -> Path:
    """Two folders as they were some time ago."""
    write_notes(notes / "home", {"router.md": ROUTER.format("hall"), "old.md": "# Old\n\nOld.\n"})
    return notes


@pytest.fixture
def changed(engine: Engine, notes: Path) -> Engine:
    """Three notes that changed, one of each kind."""
    (notes / "home" / "old.md").unlink()
    engine.refresh().result(TIMEOUT)
    write(engine, notes / "home" / "new.md", "# New\n\nNew.\n")
    write(engine, notes / "home" / "router.md", ROUTER.format("kitchen"))
    return engine


@pytest.fixture
def amount(changed: Engine, notes: Path) -> str:
    """How much all notes are, in words."""
    files = list(notes.rglob("*.md"))
    return f"{len(files)} notes, {sum(file.stat().st_size for file in files)} bytes"


@pytest.fixture
def page(qtbot, changed: Engine, tasks: Tasks) -> Iterator[TimelinePage]:
    made = TimelinePage(changed, tasks, Opener(""), lambda: TODAY, refresh_ms=20)
    qtbot.addWidget(made)
    made.resize(1000, 700)
    made.show()
    qtbot.waitUntil(lambda: made.panes.list.rowCount() == 3)
    yield made
    made.close_ties()


def spoken(page: TimelinePage) -> list[str]:
    model = page.panes.list
    return [model.index(n).data(WORDS) for n in range(model.rowCount())]


def test_it_begins_with_what_changed_since_yesterday(page: TimelinePage) -> None:
    assert [text.split(",")[:2] for text in spoken(page)] == [
        ["Changed", " Router"],
        ["Added", " New"],
        ["Removed", " Old"],
    ]
    assert page.panes.since.currentText() == "yesterday"


def test_what_changed_in_a_note_is_marked_by_sign_and_colour(qtbot, page: TimelinePage) -> None:
    diff = page.panes.diff
    qtbot.waitUntil(lambda: diff.summary == "router.md · 1 line added, 1 line removed")
    assert diff.text.toPlainText().splitlines() == [
        "⋯ 3 unchanged lines",
        "  Very loud.",
        "  Blue.",
        "  Flat.",
        "− It is in the hall.",
        "+ It is in the kitchen.",
    ]
    blocks = [diff.text.document().findBlockByNumber(n) for n in (4, 5)]
    painted = [block.blockFormat().background().color() for block in blocks]
    assert painted == [QColor(LIGHT.danger_soft), QColor(LIGHT.good_soft)]


def test_a_removed_note_can_still_be_read(qtbot, page: TimelinePage) -> None:
    page.panes.view.setCurrentIndex(page.panes.list.index(2))
    diff = page.panes.diff
    qtbot.waitUntil(
        lambda: diff.sentence.text() == "This note was removed. Its last version is shown here."
    )
    assert "− Old." in diff.text.toPlainText().splitlines()
    assert not diff.open_button.isVisible()


def test_what_changed_before_the_chosen_moment_is_left_out(
    qtbot, page: TimelinePage, tasks: Tasks, changed: Engine
) -> None:
    tomorrow = dt.date.today() + dt.timedelta(days=1)
    later = TimelinePage(changed, tasks, Opener(""), lambda: tomorrow)
    qtbot.addWidget(later)
    later.show()
    later.panes.since.setCurrentIndex(0)
    later.panes.since.activated.emit(0)
    qtbot.waitUntil(lambda: later.panes.nothing_text.startswith("No changes."))
    later.panes.since.setCurrentIndex(2)
    later.panes.since.activated.emit(2)
    qtbot.waitUntil(lambda: later.panes.list.rowCount() == 3)
    later.close_ties()


def test_a_day_shows_its_notes_and_the_note(qtbot, page: TimelinePage) -> None:
    page.map.view.setFocus()
    qtbot.keyClick(page.map.view, Qt.Key.Key_Up)
    qtbot.keyClick(page.map.view, Qt.Key.Key_Up)
    wanted = f"Thursday, {DIARY}, Home notes"
    qtbot.waitUntil(lambda: [one.startswith(wanted) for one in spoken(page)] == [True])
    assert page.panes.notes_chip.text() == "Thu 12 Mar 2026"
    assert not page.panes.since.isEnabled()
    qtbot.waitUntil(lambda: "orthodontist" in page.panes.preview.view.toPlainText())
    page.panes.changes_chip.click()
    qtbot.waitUntil(lambda: page.panes.list.rowCount() == 3)
    assert page.panes.since.isEnabled()


def test_a_day_without_notes_says_so(qtbot, page: TimelinePage) -> None:
    qtbot.keyClick(page.map.view, Qt.Key.Key_Up)
    qtbot.waitUntil(
        lambda: page.panes.nothing_text == "No notes. Scrubjay found no notes from Fri 13 Mar 2026."
    )
    assert not page.panes.again.isVisible()


def test_the_year_is_told_in_words(qtbot, page: TimelinePage, amount: str) -> None:
    qtbot.waitUntil(lambda: page.summary.text() == f"{amount} in this period, on 3 days")
    today = page.days.index_of(TODAY).data(WORDS)
    assert today.startswith("Saturday 14 March 2026: 2 notes, ")
    assert not page.earlier.isEnabled()
    assert not page.later.isEnabled()


def test_earlier_years_can_be_reached_and_left_again(
    qtbot, page: TimelinePage, changed: Engine, notes: Path, amount: str
) -> None:
    write(changed, notes / "home" / "ancient.md", "# Ancient\n", NOW - dt.timedelta(days=600))
    page.on_event(IndexChanged("home", 1, 0))
    qtbot.waitUntil(page.earlier.isEnabled)
    page.earlier.click()
    qtbot.waitUntil(lambda: page.summary.text() == "1 note, 10 bytes in this period, on 1 day")
    assert page.later.isEnabled()
    page.later.click()
    qtbot.waitUntil(lambda: page.summary.text() == f"{amount} in this period, on 3 days")


def test_one_workspace_can_be_looked_at(qtbot, page: TimelinePage) -> None:
    assert [page.workspace.itemText(n) for n in range(3)] == ["All notes", "Home notes", "Work"]
    page.workspace.setCurrentIndex(2)
    page.workspace.activated.emit(2)
    qtbot.waitUntil(lambda: page.summary.text().endswith(" bytes in this period, on 1 day"))
    qtbot.waitUntil(lambda: page.panes.nothing_text.startswith("No changes."))


def test_a_failure_is_said_and_can_be_tried_again(
    qtbot, page: TimelinePage, changed: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed: Future[NoteChanges] = Future()
    failed.set_exception(
        IndexUnavailable("The search index cannot be used", "No space.", hint="Free some.")
    )
    with monkeypatch.context() as patch:
        patch.setattr(changed.journal, "changes", lambda *_, **__: failed)
        page.panes.changes_chip.click()
        words = "The search index cannot be used. No space. Free some."
        qtbot.waitUntil(lambda: page.panes.nothing_text == words)
    page.panes.again.click()
    qtbot.waitUntil(lambda: page.panes.list.rowCount() == 3)
    assert page.panes.nothing_text == ""


def test_history_that_is_switched_off_is_said(qtbot, page: TimelinePage, changed: Engine) -> None:
    changed.settings_editor.set("memorySearch.history.days", 0).result(TIMEOUT)
    changed.refresh(force=True).result(TIMEOUT)
    page.panes.changes_chip.click()
    qtbot.waitUntil(
        lambda: page.panes.nothing_text.startswith("Changes are not recorded. To record changes")
    )


def test_an_answer_that_takes_long_is_said_to_be_on_its_way(
    qtbot, page: TimelinePage, changed: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting: Future[NoteChanges] = Future()
    really = changed.journal.changes
    with monkeypatch.context() as patch:
        patch.setattr(changed.journal, "changes", lambda *_, **__: waiting)
        page.panes.changes_chip.click()
    qtbot.waitUntil(lambda: page.panes.nothing_text.startswith("Looking for notes…"))
    assert not page.panes.diff.isVisible()
    waiting.set_result(really(NOW).result(TIMEOUT))
    qtbot.waitUntil(lambda: page.panes.nothing_text == "")
    assert page.panes.diff.isVisible()


def test_changed_notes_are_taken_in_and_the_choice_stays(
    qtbot, page: TimelinePage, changed: Engine, notes: Path
) -> None:
    page.panes.view.setCurrentIndex(page.panes.list.index(1))
    write(changed, notes / "work" / "late.md", "# Late\n\nLate.\n")
    page.on_event(IndexChanged("work", 1, 0))
    qtbot.waitUntil(lambda: page.panes.list.rowCount() == 4)
    current = page.panes.current()
    assert current is not None
    assert current.path == "new.md"


def test_a_note_that_changes_again_is_compared_again(
    qtbot, page: TimelinePage, changed: Engine, notes: Path
) -> None:
    qtbot.waitUntil(lambda: "kitchen" in page.panes.diff.text.toPlainText())
    again = dt.datetime.now().astimezone()
    write(changed, notes / "home" / "router.md", ROUTER.format("attic"), again)
    page.on_event(IndexChanged("home", 1, 0))
    qtbot.waitUntil(lambda: "+ It is in the attic." in page.panes.diff.text.toPlainText())


def test_a_renamed_folder_is_one_row_with_its_notes_beside_it(
    qtbot, engine: Engine, tasks: Tasks, tmp_path: Path
) -> None:
    paths = ("Recipes/Pie.md", "Recipes/Tart.md", "home.md")
    vault = write_notes(tmp_path / "vault", {path: f"# {path}\n" for path in paths})
    add(engine, vault)
    engine.refresh().result(TIMEOUT)
    (vault / "Recipes").rename(vault / "Cooking")
    (vault / "home.md").rename(vault / "house.md")
    engine.refresh().result(TIMEOUT)
    made = TimelinePage(engine, tasks, Opener(""))
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: made.panes.list.rowCount() == 2)
    assert sorted(text.rpartition(", vault")[0] for text in spoken(made)) == [
        "Moved, 2 notes moved to Cooking, Recipes → Cooking",
        "Moved, home.md, home.md → house.md",
    ]
    view, diff = made.panes.view, made.panes.diff
    for number, row in enumerate(made.panes.list.rows):
        view.setCurrentIndex(made.panes.list.index(number))
        if row.moved:
            assert diff.text.toPlainText().split() == ["Cooking/Pie.md", "Cooking/Tart.md"]
        else:
            qtbot.waitUntil(lambda: diff.summary == "home.md → house.md")
            assert diff.sentence.text() == "This note was moved. Its text did not change."
    made.close_ties()


def settled(value: T) -> Future[T]:
    """A future that has its result."""
    future: Future[T] = Future()
    future.set_result(value)
    return future


def test_a_hundred_thousand_rows_are_loaded_as_they_are_scrolled_to(
    qtbot, page: TimelinePage
) -> None:
    changes = [
        NoteChange("home", f"{n}.md", ChangeKind.ADDED, str(n), None, NOW) for n in range(100_000)
    ]

    def load(after: JournalPosition | None) -> Future[int]:
        return settled(after.row if after else 0)

    def rows(start: int) -> tuple[list[TimelineRow], JournalPosition]:
        part = [timeline_row(item, {}, NOW) for item in changes[start : start + 200]]
        return part, JournalPosition(0, "", start + 200)

    model, view = page.panes.list, page.panes.view
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.open(load, rows)
    qtbot.waitUntil(lambda: model.rowCount() >= 200)
    before = model.rowCount()
    view.scrollToBottom()
    qtbot.waitUntil(lambda: model.rowCount() > before)
    assert model.rowCount() < 2000
    assert [row.path for row in model.rows] == [f"{n}.md" for n in range(model.rowCount())]
    assert tester.model() is model


def test_rows_that_come_too_late_are_not_shown(qtbot, tasks: Tasks) -> None:
    model = PagedList(tasks, timeline_row_data)
    names: list[str] = []
    for name in ("first", "second"):
        model.open(
            lambda _place, name=name: settled(name),
            lambda loaded: (names.append(loaded) or [], None),
        )
    qtbot.waitUntil(lambda: names == ["second"])


def test_both_days_of_a_note_are_in_its_tooltip() -> None:
    note = DocumentInfo("home", "d.md", Path("d.md"), Source.NOTES, "Day", NOW, dt.date(2026, 3, 2))
    tip = timeline_row_data(timeline_row(note, {}, NOW), Qt.ItemDataRole.ToolTipRole)
    assert tip == f"d.md\n{both_days(note.date, NOW, NOW)}"


def test_the_moment_of_a_change_is_in_its_tooltip() -> None:
    change = NoteChange("home", "a.md", ChangeKind.REMOVED, "A", None, NOW)
    tip = timeline_row_data(timeline_row(change, {}, NOW), Qt.ItemDataRole.ToolTipRole)
    assert tip == f"a.md\n{long_day(NOW.date())}, {NOW:%H:%M}"


def test_a_line_without_change_has_no_sign() -> None:
    assert line_text(DiffLine(LineKind.SAME, "text", 3)) == "  text"


@pytest.fixture
def app(qtbot, qapp: QApplication, paths: Paths, tmp_path: Path) -> Iterator[Desktop]:
    """The app on a real engine over a diary of two weeks."""
    today = dt.date.today()
    notes = {
        f"memory/{today - dt.timedelta(days=n)}.md": f"Day {n}: talked about the clarinet.\n"
        for n in range(14)
    }
    root = write_notes(tmp_path / "diary", {**notes, "MEMORY.md": "Emma plays the clarinet.\n"})
    engine = Engine(paths)
    engine.add_workspace(root, "Diary").result(TIMEOUT)
    engine.refresh(words_only=True).result(TIMEOUT)
    (root / "MEMORY.md").write_text("Emma plays the clarinet.\nShe needs new reeds.\n")
    engine.refresh(words_only=True).result(TIMEOUT)
    made = Desktop(qapp, engine, paths, Start(theme="light"))
    made.feed.refresh()
    made.window.present()
    yield made
    made.dispose()
    engine.close()


def test_from_a_week_on_the_heat_map_to_a_search_in_it(qtbot, app: Desktop) -> None:
    page = app.window.pages.show_page("timeline")
    assert isinstance(page, TimelinePage)
    qtbot.waitUntil(lambda: "on 14 days" in page.summary.text())
    qtbot.waitUntil(lambda: "+ She needs new reeds." in page.panes.diff.text.toPlainText())
    today = dt.date.today()
    first, last = today - dt.timedelta(days=9), today - dt.timedelta(days=3)
    port, button = page.map.view.viewport(), Qt.MouseButton.LeftButton
    place = {
        day: page.map.view.visualRect(page.days.index_of(day)).center() for day in (first, last)
    }
    qtbot.mousePress(port, button, pos=place[first])
    qtbot.mouseMove(port, place[last])
    qtbot.mouseRelease(port, button, pos=place[last])
    search = app.window.search
    assert app.window.pages.key == "search"
    assert search.box.text() == ""
    assert search.filters.date.text() == days_name(first, last)
    qtbot.waitUntil(lambda: search.search.model.rowCount() == 7)
    assert search.heading.text().startswith("Notes that match the filters")
    qtbot.keyClicks(search.box, "something")
    qtbot.keyClick(search.box, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(search.box, "clarinet")
    assert search.filters.date.text() == days_name(first, last)
    qtbot.waitUntil(lambda: "clarinet" in search.search.text and search.heading.isHidden())
    found = {row.path for row in search.search.model.rows}
    inside = {f"memory/{first + dt.timedelta(days=n)}.md" for n in range(7)}
    assert found
    assert found <= inside


def test_the_timeline_is_in_the_navigation(qtbot, desktop: Desktop) -> None:
    desktop.begin(StartRequest.WINDOW)
    assert "timeline" in desktop.window.navigation.entries
