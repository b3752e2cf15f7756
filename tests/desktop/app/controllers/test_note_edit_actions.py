"""Ticking tasks and adding lines in the window, and the way back."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QKeySequence, QTextCursor
from PySide6.QtWidgets import QApplication

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.timeline.timeline_page import TimelinePage
from support.vault import TIMEOUT, write_notes

pytestmark = pytest.mark.qt_log_ignore("systemTrayWindowChanged", extend=True)

FILLER = "\r\nfiller\r\n" * 40
TEXT = (
    f"\ufeff---\r\ntags: [a]\r\n---\r\n# To do\r\n{FILLER}\r\n- [ ] ring Emma\r\n- [x] boiler\r\n"
)
CODE = "- [ ] a task\n\n```\n- [ ] no task\n```\n\n![[Start]]\n"


@pytest.fixture
def note(tmp_path: Path) -> Path:
    root = write_notes(tmp_path / "home", {"To do.md": TEXT.encode(), "Code.md": CODE})
    write_notes(root, {"Start.md": "- [ ] in another note\n"})
    return root / "To do.md"


@pytest.fixture
def app(qtbot, qapp: QApplication, paths: Paths, note: Path) -> Iterator[Desktop]:
    """The app on a real engine with one folder, which does not follow its notes."""
    engine = Engine(paths)
    engine.add_workspace(note.parent, "Home").result(TIMEOUT)
    engine.refresh(words_only=True).result(TIMEOUT)
    made = Desktop(qapp, engine, paths, Start(theme="light"))
    made.late.make_all()
    made.feed.refresh()
    made.window.present()
    show(qtbot, made, "Emma")
    yield made
    made.dispose()
    engine.close()


def show(qtbot, app: Desktop, text: str) -> None:
    with qtbot.waitSignal(app.window.preview.matches_changed):
        app.window.search.set_text(text)


def shown(app: Desktop) -> str:
    return app.window.preview.view.toPlainText()


def click_box(qtbot, app: Desktop, text: str) -> None:
    view = app.window.preview.view
    cursor = view.document().find(text)
    assert not cursor.isNull()
    cursor.setPosition(cursor.selectionStart(), QTextCursor.MoveMode.MoveAnchor)
    place = view.cursorRect(cursor).center() + QPoint(3, 0)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)


def press(app: Desktop, keys: str) -> None:
    [action] = [each for each in app.window.actions() if QKeySequence(keys) in each.shortcuts()]
    action.trigger()


def test_a_click_ticks_a_task_where_it_is_read_and_undo_opens_it(
    qtbot, app: Desktop, note: Path
) -> None:
    bar = app.window.preview.view.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.value() > 0)
    place = bar.value()
    with qtbot.waitSignal(app.window.preview.matches_changed):
        click_box(qtbot, app, "☐ ring")
    assert note.read_bytes() == TEXT.replace("[ ] ring", "[x] ring").encode()
    assert "☑ ring Emma" in shown(app)
    assert bar.value() == place
    banner = app.window.banner
    assert banner.words == "Task marked as done: ring Emma"
    with qtbot.waitSignal(app.window.preview.matches_changed):
        banner.offer.click()
    assert note.read_bytes() == TEXT.encode()
    assert "☐ ring Emma" in shown(app)
    assert banner.words == "The change to To do.md was undone."


def test_keys_tick_the_task_that_was_found(qtbot, app: Desktop, note: Path) -> None:
    for words, sentence in (
        ("x", "Task marked as done: ring Emma"),
        (" ", "Task marked as not done: ring Emma"),
    ):
        with qtbot.waitSignal(app.window.preview.matches_changed):
            press(app, "Ctrl+T")
        assert note.read_bytes() == TEXT.replace("[ ] ring", f"[{words}] ring").encode()
        assert app.window.banner.words == sentence


def test_tab_and_enter_tick_one_task_after_the_other(qtbot, app: Desktop, note: Path) -> None:
    view, preview = app.window.preview.view, app.window.preview
    view.setFocus()
    view.moveCursor(QTextCursor.MoveOperation.Start)
    qtbot.keyClick(view, Qt.Key.Key_Tab)  # to the tag of the note
    for _ in range(2):
        qtbot.keyClick(view, Qt.Key.Key_Tab)
        with qtbot.waitSignal(preview.matches_changed):
            qtbot.keyClick(view, Qt.Key.Key_Return)
    after = TEXT.replace("[ ] ring", "[x] ring").replace("[x] boiler", "[ ] boiler")
    assert note.read_bytes() == after.encode()


def test_a_note_that_was_saved_meanwhile_is_shown_and_left_alone(
    qtbot, app: Desktop, note: Path
) -> None:
    saved = TEXT.replace("# To do", "# Saved").encode()
    note.write_bytes(saved)
    with qtbot.waitSignal(app.window.preview.matches_changed):
        click_box(qtbot, app, "☐ ring")
    assert note.read_bytes() == saved
    assert "Saved" in shown(app)
    assert "To do.md has changed since Scrubjay read it" in app.window.banner.words
    with qtbot.waitSignal(app.window.preview.matches_changed):
        click_box(qtbot, app, "☐ ring")
    assert note.read_bytes() == saved.replace(b"[ ] ring", b"[x] ring")


def test_only_tasks_of_the_note_itself_are_ticked(qtbot, app: Desktop, note: Path) -> None:
    show(qtbot, app, "a task")
    click_box(qtbot, app, "☐ in another")
    press(app, "Ctrl+T")
    qtbot.waitUntil(lambda: app.window.banner.words == "Task marked as done: a task")
    assert (note.parent / "Code.md").read_text() == CODE.replace("[ ] a", "[x] a")
    assert (note.parent / "Start.md").read_text() == "- [ ] in another note\n"


def test_a_line_is_added_to_the_shown_note_and_taken_back(qtbot, app: Desktop, note: Path) -> None:
    press(app, "Ctrl+Shift+R")
    bar = app.window.preview.line_bar
    qtbot.waitUntil(bar.box.hasFocus)
    qtbot.keyClicks(bar.box, "buy reeds")
    with qtbot.waitSignal(app.window.preview.matches_changed):
        qtbot.keyClick(bar.box, Qt.Key.Key_Return)
    assert note.read_bytes() == f"{TEXT}- [ ] buy reeds\r\n".encode()
    assert "☐ buy reeds" in shown(app)
    assert bar.isHidden()
    assert bar.box.text() == ""
    banner = app.window.banner
    assert banner.words == "The line was added to To do.md."
    with qtbot.waitSignal(app.window.preview.matches_changed):
        banner.offer.click()
    assert note.read_bytes() == TEXT.encode()
    assert banner.words == "The change to To do.md was undone."


def test_a_line_that_cannot_be_written_stays_in_its_box(qtbot, app: Desktop, note: Path) -> None:
    note.chmod(0o444)
    press(app, "Ctrl+Shift+R")
    bar = app.window.preview.line_bar
    qtbot.keyClicks(bar.box, "buy reeds")
    bar.add.click()
    qtbot.waitUntil(lambda: "not allowed to write" in app.window.banner.words)
    assert bar.box.text() == "buy reeds"
    assert bar.add.isEnabled()
    assert note.read_bytes() == TEXT.encode()
    qtbot.keyClick(bar.box, Qt.Key.Key_Escape)
    assert bar.isHidden()
    assert app.window.preview.view.hasFocus()


def test_the_note_stays_in_its_place_when_the_change_is_read(
    qtbot, app: Desktop, note: Path
) -> None:
    preview = app.window.preview
    with qtbot.waitSignal(preview.matches_changed):
        click_box(qtbot, app, "☐ ring")
    bar = preview.view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    place = bar.value()
    app.engine.refresh(words_only=True).result(TIMEOUT)
    with qtbot.waitSignal(preview.matches_changed):
        app.window.search.search.repeat()
    assert "☑ ring Emma" in shown(app)
    assert bar.value() == place


def test_a_task_is_ticked_in_the_popup_and_undone(qtbot, app: Desktop, note: Path) -> None:
    popup = app.late.popup
    popup.present()
    popup.box.setText("Emma")
    popup.search.type("Emma")
    popup.pane.turn()
    preview = popup.pane.preview
    assert preview is not None
    qtbot.waitUntil(lambda: preview.is_note and preview.view.task_line() > 0)

    def is_ticked() -> bool:
        # The answer by meaning shows the note anew, and until it is read nothing can be ticked.
        if b"[x] ring" not in note.read_bytes():
            popup.actions_of_popup.note.by_name["task"].trigger()
        return b"[x] ring" in note.read_bytes()

    qtbot.waitUntil(is_ticked)
    qtbot.waitUntil(lambda: popup.pane.banner.words == "Task marked as done: ring Emma")
    popup.pane.banner.offer.click()
    qtbot.waitUntil(lambda: b"[ ] ring" in note.read_bytes())


def test_a_task_is_ticked_in_the_timeline_and_undone(qtbot, app: Desktop, note: Path) -> None:
    page = app.window.pages.show_page("timeline")
    assert isinstance(page, TimelinePage)
    panes, today = page.panes, dt.date.today()
    panes.show_days(today, today)

    def choose() -> bool:
        rows = [panes.list.index(at) for at in range(panes.list.rowCount())]
        of_note = [index for index in rows if "To do" in str(index.data())]
        panes.view.setCurrentIndex(of_note[0]) if of_note else None
        return bool(of_note)

    qtbot.waitUntil(choose)
    qtbot.waitUntil(lambda: "ring Emma" in panes.preview.view.toPlainText())
    line = 1 + TEXT.splitlines().index("- [ ] ring Emma")
    with qtbot.waitSignal(panes.preview.matches_changed):
        panes.preview.turn_task(line)
    assert b"[x] ring" in note.read_bytes()
    with qtbot.waitSignal(panes.preview.matches_changed):
        app.window.banner.offer.click()
    assert b"[ ] ring" in note.read_bytes()
