"""The timeline as a person uses it, on a small engine and on a real one."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from scrubjay import Engine, Paths
from scrubjay.errors import IndexUnavailable
from scrubjay.events import IndexChanged
from scrubjay.records.journal_records import (
    ChangeKind,
    DiffLine,
    LineKind,
    NoteChange,
    NoteDifference,
)
from scrubjay_desktop.app.application import Desktop, Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.timeline import timeline_page
from scrubjay_desktop.timeline.diff_view import line_text
from scrubjay_desktop.timeline.timeline_page import TimelinePage, question_in_days
from scrubjay_desktop.timeline.timeline_rows import describe_row
from scrubjay_desktop.widgets.list_models import PagedList
from scrubjay_desktop.widgets.theme import LIGHT
from support.fake_engine import NOW, FakeEngine
from support.vault import TIMEOUT, write_notes

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)

TODAY = NOW.date()
WORDS = Qt.ItemDataRole.AccessibleTextRole


def change(path: str, kind: ChangeKind, title: str = "") -> NoteChange:
    file = None if kind is ChangeKind.REMOVED else Path("/notes/home") / path
    return NoteChange("home", path, kind, title or path, file, NOW)


def difference(path: str, *lines: DiffLine) -> NoteDifference:
    added = sum(line.kind is LineKind.ADDED for line in lines)
    removed = sum(line.kind is LineKind.REMOVED for line in lines)
    kind = ChangeKind.CHANGED
    return NoteDifference("home", path, kind, lines, added, removed, is_known=True, is_cut=False)


@pytest.fixture
def changed(engine: FakeEngine) -> FakeEngine:
    """Three notes that changed, one of each kind."""
    engine.journal.changed = [
        change("router.md", ChangeKind.CHANGED, "Router"),
        change("new.md", ChangeKind.ADDED, "New"),
        change("old.md", ChangeKind.REMOVED, "Old"),
    ]
    engine.journal.differences["router.md"] = difference(
        "router.md",
        DiffLine(LineKind.GAP, "", 4),
        DiffLine(LineKind.SAME, "# Router", 5),
        DiffLine(LineKind.REMOVED, "It is in the hall.", 6),
        DiffLine(LineKind.ADDED, "It is in the kitchen.", 6),
    )
    return engine


@pytest.fixture
def page(
    qtbot, changed: FakeEngine, tasks: Tasks, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TimelinePage]:
    monkeypatch.setattr(timeline_page, "_QUIET_MS", 20)
    made = TimelinePage(changed, tasks, Opener(""), lambda: TODAY)
    qtbot.addWidget(made)
    made.resize(1000, 700)
    made.show()
    qtbot.waitUntil(lambda: made.panes.list.rowCount() == 3)
    yield made
    made.close_ties()


def spoken(page: TimelinePage) -> list[str]:
    model = page.panes.list
    return [model.index(n).data(WORDS) for n in range(model.rowCount())]


def test_it_begins_with_what_changed_since_yesterday(page: TimelinePage, changed) -> None:
    assert [one.split(",")[:2] for one in spoken(page)] == [
        ["Changed", " Router"],
        ["Added", " New"],
        ["Removed", " Old"],
    ]
    since = next(one[1] for one in changed.journal.asked if one[0] == "changes")
    assert (since.date(), since.time()) == (TODAY - dt.timedelta(days=1), dt.time.min)


def test_what_changed_in_a_note_is_marked_by_sign_and_colour(qtbot, page: TimelinePage) -> None:
    diff = page.panes.diff
    qtbot.waitUntil(lambda: diff.summary == "router.md · 1 line added, 1 line removed")
    assert diff.text.toPlainText().splitlines() == [
        "⋯ 4 unchanged lines",
        "  # Router",
        "− It is in the hall.",
        "+ It is in the kitchen.",
    ]
    blocks = [diff.text.document().findBlockByNumber(n) for n in range(4)]
    painted = [block.blockFormat().background().color() for block in blocks[2:]]
    assert painted == [QColor(LIGHT.danger_soft), QColor(LIGHT.good_soft)]


def test_older_text_that_is_not_kept_is_said(qtbot, page: TimelinePage) -> None:
    page.panes.view.setCurrentIndex(page.panes.list.index(2))
    diff = page.panes.diff
    qtbot.waitUntil(lambda: diff.sentence == "It changed, but its older text is not kept any more.")
    assert not diff.open_button.isVisible()
    assert diff.text.toPlainText() == ""


def test_another_moment_asks_again(qtbot, page: TimelinePage, changed: FakeEngine) -> None:
    page.panes.since.setCurrentIndex(2)
    page.panes.since.activated.emit(2)
    asked = [one for one in changed.journal.asked if one[0] == "changes"]
    assert asked[-1][1].date() == TODAY - dt.timedelta(days=7)


def test_a_day_shows_its_notes_and_the_note(qtbot, page: TimelinePage) -> None:
    page.map.view.setFocus()
    qtbot.keyClick(page.map.view, Qt.Key.Key_Up)
    qtbot.keyClick(page.map.view, Qt.Key.Key_Up)
    wanted = "Thursday, memory/2026-03-12.md, Home notes"
    qtbot.waitUntil(lambda: [one.startswith(wanted) for one in spoken(page)] == [True])
    assert page.panes.notes_chip.text() == "Thursday, March 12, 2026"
    assert not page.panes.since.isEnabled()
    qtbot.waitUntil(lambda: "orthodontist" in page.panes.preview.view.toPlainText())
    page.panes.changes_chip.click()
    qtbot.waitUntil(lambda: page.panes.list.rowCount() == 3)
    assert page.panes.since.isEnabled()


def test_a_day_without_notes_says_so(qtbot, page: TimelinePage) -> None:
    qtbot.keyClick(page.map.view, Qt.Key.Key_Up)
    qtbot.waitUntil(
        lambda: (
            page.panes.nothing_text == "No notes. Nothing was written here: Friday, March 13, 2026."
        )
    )
    assert not page.panes.again.isVisible()


def test_the_year_is_told_in_words(qtbot, page: TimelinePage) -> None:
    qtbot.waitUntil(lambda: page.summary.text() == "3 notes, 300 bytes on 3 days")
    assert page.days.index_of(TODAY).data(WORDS) == "Saturday, March 14, 2026: 1 note, 100 bytes"
    assert not page.earlier.isEnabled()
    assert not page.later.isEnabled()


def test_earlier_years_can_be_reached_and_left_again(
    qtbot, page: TimelinePage, changed: FakeEngine
) -> None:
    old = changed.notes["home"]["router.md"]
    changed.notes["home"]["old.md"] = type(old)("Old", "Old.", NOW - dt.timedelta(days=600))
    page.on_event(IndexChanged("home", 1, 0))
    qtbot.waitUntil(page.earlier.isEnabled)
    page.earlier.click()
    qtbot.waitUntil(lambda: page.summary.text() == "1 note, 100 bytes on 1 day")
    assert page.later.isEnabled()
    page.later.click()
    qtbot.waitUntil(lambda: page.summary.text() == "3 notes, 300 bytes on 3 days")


def test_one_workspace_can_be_looked_at(qtbot, page: TimelinePage, changed: FakeEngine) -> None:
    assert [page.place.itemText(n) for n in range(3)] == ["All notes", "Home notes", "Work"]
    page.place.setCurrentIndex(2)
    page.place.activated.emit(2)
    qtbot.waitUntil(lambda: page.summary.text() == "1 note, 100 bytes on 1 day")
    qtbot.waitUntil(lambda: page.panes.nothing_text.startswith("Nothing changed."))


def test_a_failure_is_said_and_can_be_tried_again(
    qtbot, page: TimelinePage, changed: FakeEngine
) -> None:
    changed.journal.error = IndexUnavailable(
        "The index cannot be used", "No space.", hint="Free some."
    )
    page.panes.changes_chip.click()
    qtbot.waitUntil(
        lambda: page.panes.nothing_text == "The index cannot be used. No space. Free some."
    )
    changed.journal.error = None
    page.panes.again.click()
    qtbot.waitUntil(lambda: page.panes.list.rowCount() == 3)
    assert page.panes.nothing_text == ""


def test_history_that_is_switched_off_is_said(
    qtbot, page: TimelinePage, changed: FakeEngine
) -> None:
    changed.journal.changed, changed.journal.kept_days = [], 0
    page.panes.changes_chip.click()
    qtbot.waitUntil(lambda: page.panes.nothing_text.startswith("Not recorded. In the settings"))


def test_an_answer_that_takes_long_is_said_to_be_on_its_way(
    qtbot, page: TimelinePage, changed: FakeEngine
) -> None:
    held = threading.Event()
    changed._worker.submit(held.wait)
    page.panes.changes_chip.click()
    qtbot.waitUntil(lambda: page.panes.nothing_text.startswith("Looking…"))
    assert not page.panes.diff.isVisible()
    held.set()
    qtbot.waitUntil(lambda: page.panes.nothing_text == "")
    assert page.panes.diff.isVisible()


def test_changed_notes_are_taken_in_and_the_choice_stays(
    qtbot, page: TimelinePage, changed: FakeEngine
) -> None:
    page.panes.view.setCurrentIndex(page.panes.list.index(1))
    changed.journal.changed.insert(0, change("late.md", ChangeKind.ADDED, "Late"))
    page.on_event(IndexChanged("home", 1, 0))
    qtbot.waitUntil(lambda: page.panes.list.rowCount() == 4)
    current = page.panes.current()
    assert current is not None
    assert current.path == "new.md"


def test_a_note_that_changes_again_is_compared_again(
    qtbot, page: TimelinePage, changed: FakeEngine
) -> None:
    qtbot.waitUntil(lambda: "kitchen" in page.panes.diff.text.toPlainText())
    again = NOW + dt.timedelta(seconds=1)
    changed.journal.changed[0] = replace(changed.journal.changed[0], moment=again)
    changed.journal.differences["router.md"] = difference(
        "router.md", DiffLine(LineKind.ADDED, "It is in the attic.", 6)
    )
    page.on_event(IndexChanged("home", 1, 0))
    qtbot.waitUntil(lambda: page.panes.diff.text.toPlainText() == "+ It is in the attic.")


def test_a_hundred_thousand_rows_are_loaded_as_they_are_scrolled_to(
    qtbot, page: TimelinePage, changed: FakeEngine
) -> None:
    changed.journal.changed = [change(f"{n}.md", ChangeKind.ADDED) for n in range(100_000)]
    model, view = page.panes.list, page.panes.view
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    page.panes.changes_chip.click()
    qtbot.waitUntil(lambda: model.rowCount() >= 200)
    before = model.rowCount()
    view.scrollToBottom()
    qtbot.waitUntil(lambda: model.rowCount() > before)
    assert model.rowCount() < 2000
    assert [row.path for row in model.rows] == [f"{n}.md" for n in range(model.rowCount())]
    assert tester.model() is model


def test_rows_that_come_too_late_are_not_shown(qtbot, tasks: Tasks, changed: FakeEngine) -> None:
    model = PagedList(tasks, describe_row)
    names: list[str] = []
    for name in ("first", "second"):
        model.open(
            lambda _place, name=name: changed._worker.submit(lambda: name),
            lambda found: (names.append(found) or [], None),
        )
    qtbot.waitUntil(lambda: names == ["second"])


@pytest.mark.parametrize(
    ("asked", "question"),
    [
        ("", "after:2026-03-02 before:2026-03-08 "),
        ("router", "after:2026-03-02 before:2026-03-08 router"),
        (
            "after:2020-01-01 path:memory router",
            "after:2026-03-02 before:2026-03-08 path:memory router",
        ),
    ],
)
def test_a_question_keeps_its_words_in_other_days(asked: str, question: str) -> None:
    first, last = dt.date(2026, 3, 2), dt.date(2026, 3, 8)
    assert question_in_days(asked, first, last) == question


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
    assert search.box.edit.text() == f"after:{first} before:{last} "
    qtbot.waitUntil(lambda: search.search.model.rowCount() == 7)
    assert search.heading_text.startswith("Notes of these days")
    qtbot.keyClicks(search.box.edit, "clarinet")
    qtbot.waitUntil(lambda: "clarinet" in search.search.text and search.heading_text == "")
    found = {row.path for row in search.search.model.rows}
    inside = {f"memory/{first + dt.timedelta(days=n)}.md" for n in range(7)}
    assert found
    assert found <= inside


def test_the_timeline_is_in_the_navigation(qtbot, desktop: Desktop) -> None:
    desktop.begin(StartRequest.WINDOW)
    assert "timeline" in desktop.window.pages.keys
