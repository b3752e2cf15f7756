from __future__ import annotations

import datetime as dt
import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QMimeData, QObject, QPoint, QPointF, QRect, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox, QToolTip, QWidget

from scrubjay.engine.engine import Engine
from scrubjay.events import IndexFailed, Notice
from scrubjay.records.search_modes import Mode
from scrubjay.records.status_records import IndexState, Progress
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.settings.preferences import OnClose
from scrubjay_desktop.windows.status_line import pause_menu
from scrubjay_desktop.workspaces.note_import_dialog import NoteImportDialog
from scrubjay_desktop.workspaces.skipped_files import SkippedFilesDialog
from support.exports import evernote
from support.notes import DIARY, skipped, with_workspace
from support.vault import TIMEOUT, write_notes

pytestmark = pytest.mark.qt_log_ignore(
    "systemTrayWindowChanged", "grabbing the keyboard", extend=True
)


def write(engine: Engine, folder: Path, name: str, text: str) -> None:
    """Write a note and read it."""
    write_notes(folder, {name: text})
    engine.refresh().result(TIMEOUT)


def ask(qtbot, window, text: str) -> None:
    window.search.focus_box()
    qtbot.keyClicks(window.search.box, text)
    qtbot.waitUntil(lambda: window.search.line.text() != "")


def test_the_first_letters_of_a_word_choose_no_note(qtbot, notes_window) -> None:
    assert notes_window.search.list.row().path == "router.md"
    opened: list[object] = []
    notes_window.search.list.opened.connect(opened.append)
    notes_window.search.focus_box()
    with qtbot.waitSignal(notes_window.search.search.recents_shown):
        qtbot.keyClicks(notes_window.search.box, "zz")
    qtbot.waitUntil(lambda: notes_window.search.search.model.rowCount() == 3)
    assert (notes_window.search.list.row(), notes_window.preview.row) == (None, None)
    with qtbot.waitSignal(notes_window.search.search.recents_shown):
        qtbot.keyClick(notes_window.search.box, Qt.Key.Key_Return)
    assert (notes_window.search.list.row(), opened) == (None, [])


def test_typing_finds_and_shows_the_best_note(qtbot, notes_window) -> None:
    ask(qtbot, notes_window, "orthodontist")
    qtbot.waitUntil(lambda: "Emma" in notes_window.preview.view.toPlainText())
    assert notes_window.search.list.row().path == DIARY
    assert "by words and by meaning" in notes_window.search.line.text()


def test_nothing_relevant_is_said_in_words(qtbot, notes_window) -> None:
    notes_window.search.filters.mode_chosen.emit(Mode.LEXICAL)
    ask(qtbot, notes_window, "xylophone")
    assert notes_window.search.line.text().startswith("Searched 3 notes")
    assert notes_window.search.nothing_text == (
        "Nothing relevant found. Try other words, or ask a question."
    )


def test_a_first_letter_narrows_nothing(qtbot, notes_window) -> None:
    qtbot.keyClicks(notes_window.search.box, "z")
    qtbot.waitUntil(lambda: notes_window.search.heading.isVisible())
    assert notes_window.search.heading.text() == "Recently changed notes, newest first"


def test_the_nearest_notes_are_shown_where_none_is_sure(qtbot, notes_window) -> None:
    ask(qtbot, notes_window, "xylophone")
    qtbot.waitUntil(lambda: notes_window.search.search.model.rowCount() == 3)
    assert notes_window.search.line.text().startswith("No clear match was found.")
    described = notes_window.search.search.model.index(0).data(
        Qt.ItemDataRole.AccessibleDescriptionRole
    )
    assert described.startswith("Possible results (no certain matches)")
    assert notes_window.search.list.row() is None, "Enter opens no guess"
    qtbot.keyClick(notes_window.search.box, Qt.Key.Key_Down)
    assert notes_window.search.list.row() == notes_window.search.search.model.row(0)


def test_an_index_that_changes_before_the_first_answer_chooses_no_guess(
    qtbot, notes_window
) -> None:
    assert notes_window.search.list.row().path == "router.md"  # the latest
    qtbot.keyClicks(notes_window.search.box, "xylophone")
    notes_window.search.search.search_now()
    notes_window.search.search.repeat()
    qtbot.waitUntil(lambda: notes_window.search.line.text() != "")
    assert notes_window.search.search.model.rowCount() == 3
    assert notes_window.search.list.row() is None


def test_the_nearest_notes_stay_when_the_index_changes(
    qtbot, notes_window, engine: Engine, notes: Path
) -> None:
    ask(qtbot, notes_window, "xylophone")
    qtbot.waitUntil(lambda: notes_window.search.search.model.rowCount() == 3)
    write(engine, notes / "home", "third.md", "# Third\n\nA piano.\n")
    qtbot.waitUntil(lambda: notes_window.search.search.model.rowCount() == 4)


def test_a_note_can_be_clicked_for_what_can_be_done_with_it(
    qtbot, notes_window, desktop: Desktop, monkeypatch
) -> None:
    shown: list[Path] = []
    monkeypatch.setattr(desktop.opener, "reveal", shown.append)
    ask(qtbot, notes_window, "orthodontist")
    notes_window.search.list.customContextMenuRequested.emit(QPoint(5, 5))
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    entries = {one.text().replace("&", ""): one for one in menu.actions()}
    assert [name for name, one in entries.items() if name and one.isVisible()] == [
        "Open", "Choose a program…", "Open at this line", "Show in folder", "Copy the passage",
        "Copy as quotation", "Copy as link", "Copy the file's path", "Tick or untick the task",
        "Add a line to this note…", "Print this note…", "Why this result?",
    ]  # fmt: skip
    entries["Show in folder"].trigger()
    menu.close()
    assert [file.name for file in shown] == ["2026-03-12.md"]


def test_where_nothing_is_found_there_is_no_menu(qtbot, notes_window) -> None:
    notes_window.search.filters.mode_chosen.emit(Mode.LEXICAL)
    ask(qtbot, notes_window, "xylophone")
    notes_window.search.list.customContextMenuRequested.emit(QPoint(5, 5))
    assert QApplication.activePopupWidget() is None


def test_enter_opens_the_chosen_note(
    qtbot, notes_window, desktop: Desktop, notes: Path, monkeypatch
) -> None:
    opened: list[tuple[Path, int]] = []
    monkeypatch.setattr(
        desktop.opener, "open", lambda file, line, page=0: opened.append((file, line))
    )
    ask(qtbot, notes_window, "router")
    qtbot.keyClick(notes_window.search.box, Qt.Key.Key_Return)
    assert opened == [(notes / "home" / "router.md", 1)]


def test_arrows_in_the_box_move_through_the_list(qtbot, notes_window) -> None:
    ask(qtbot, notes_window, "router")
    chosen = []
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up):
        qtbot.keyClick(notes_window.search.box, key)
        chosen.append(notes_window.search.list.currentIndex().row())
    assert chosen == [1, 1, 0]


def test_escape_empties_the_box(qtbot, notes_window) -> None:
    ask(qtbot, notes_window, "router")
    qtbot.keyClick(notes_window.search.box, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: notes_window.search.search.model.rowCount() == 3)
    assert notes_window.search.box.text() == ""


def test_a_folder_in_the_sidebar_narrows_the_search(qtbot, notes_window) -> None:
    ask(qtbot, notes_window, "router")
    work = notes_window.workspaces.model.index(2)
    place = notes_window.workspaces.list.visualRect(work).center()
    qtbot.mouseClick(notes_window.workspaces.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: notes_window.search.search.model.rowCount() == 1)
    assert notes_window.search.list.row().path == "network.md"


def test_the_folder_that_is_searched_is_marked_in_the_sidebar(qtbot, notes_window) -> None:
    notes_window.search.set_scope(notes_window.workspaces.model.status(1).workspace)
    assert notes_window.workspaces.list.currentIndex().data() == "Home notes"


def test_the_mode_can_be_chosen(qtbot, notes_window) -> None:
    filters = notes_window.search.filters
    [action] = [one for one in filters.order_menu().actions() if one.text() == "Words only"]
    action.trigger()
    assert filters.order.text() == "Words only"
    ask(qtbot, notes_window, "teeth")
    assert notes_window.search.nothing_text.startswith("Nothing relevant found.")
    assert "by words only" in notes_window.search.line.text()


def test_an_index_change_repeats_the_search_and_keeps_the_choice(
    qtbot, notes_window, engine: Engine, notes: Path
) -> None:
    ask(qtbot, notes_window, "router")
    qtbot.keyClick(notes_window.search.box, Qt.Key.Key_Down)
    write(engine, notes / "home", "third.md", "# Third\n\nRouter router router.\n")
    rows = notes_window.search.search.model
    qtbot.waitUntil(lambda: rows.rowCount() > 2)
    assert notes_window.search.list.row().path == "network.md"
    assert [row.path for row in rows.rows[:3]] == ["router.md", "network.md", "third.md"]
    assert [row.is_late for row in rows.rows[:3]] == [False, False, True]


def test_progress_is_shown_and_can_be_paused(qtbot, notes_window, engine: Engine) -> None:
    progress = Progress("meaning", learned=30, passages=120, seconds_left=200)
    reading = {"state": IndexState.INDEXING, "progress": progress}
    notes_window.show_status(with_workspace(engine.status(), "home", **reading))
    assert notes_window.status_line.bar.percent == 25
    assert notes_window.status_line.sentence == (
        "Home notes: preparing notes for search by meaning, 25%, about 3 minutes left"
    )
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(notes_window, Qt.Key.Key_P, keys)
    qtbot.waitUntil(lambda: notes_window.status_line.sentence == "Paused until you resume reading")
    qtbot.keyClick(notes_window, Qt.Key.Key_P, keys)
    qtbot.waitUntil(lambda: notes_window.status_line.sentence == "3 notes are up to date")


def test_an_hour_of_pause_is_offered(qtbot, notes_window, engine: Engine) -> None:
    pause_menu(notes_window.status_line.paused, notes_window).actions()[0].trigger()
    until = engine.status().paused_until
    assert until is not None
    assert 59 < (until - dt.datetime.now().astimezone()).total_seconds() / 60 <= 60


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (
            Notice("The index was rebuilt", "It was damaged."),
            "The index was rebuilt: It was damaged.",
        ),
        (IndexFailed("home", "The disk is full. Make room."), "The disk is full. Make room."),
    ],
)
def test_what_people_should_know_stands_over_the_window(
    qtbot, notes_window, engine: Engine, event, words: str
) -> None:
    engine.events.publish(event)
    qtbot.waitUntil(lambda: notes_window.banner.isVisible())
    assert notes_window.banner.words == words


def test_a_folder_itself_is_shown_in_the_file_manager(
    notes_window, notes: Path, monkeypatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url) or True)
    menu = notes_window.workspaces.menu_for(notes_window.workspaces.model.status(1))
    next(entry for entry in menu.actions() if entry.objectName() == "reveal").trigger()
    assert opened == [QUrl.fromLocalFile(str(notes / "home"))]


def test_forgetting_asks_first_and_says_that_notes_stay(
    qtbot, notes_window, engine: Engine, notes: Path
) -> None:
    menu = notes_window.workspaces.menu_for(notes_window.workspaces.model.status(1))
    menu.actions()[-1].trigger()
    box = notes_window.findChild(QMessageBox)
    assert f"Your notes in {notes / 'home'} will not change." in box.informativeText()
    assert len(engine.workspaces()) == 2
    next(button for button in box.buttons() if button.objectName() == "forget").click()
    qtbot.waitUntil(lambda: notes_window.workspaces.model.rowCount() == 2)
    assert [workspace.id for workspace in engine.workspaces()] == ["work"]
    assert (notes / "home" / "router.md").exists()


def drop(window, path: Path) -> None:
    """Drop a file or folder of another program on the window."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, buttons, keys)
    window.dragEnterEvent(enter)
    assert enter.isAccepted()
    window.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, buttons, keys))


def test_a_dropped_export_is_brought_over_and_taken_back(
    qtbot, notes_window, tmp_path: Path
) -> None:
    drop(notes_window, evernote(tmp_path))
    qtbot.waitUntil(lambda: bool(notes_window.findChildren(NoteImportDialog)))
    [dialog] = notes_window.findChildren(NoteImportDialog)
    dialog.target_chosen.emit(tmp_path / "kitchen")
    qtbot.waitUntil(lambda: dialog.plan.target == tmp_path / "kitchen")
    dialog.bring.click()
    qtbot.waitUntil(lambda: notes_window.workspaces.model.rowCount() == 4)
    qtbot.waitUntil(lambda: notes_window.banner.words.startswith("Scrubjay imported 2 notes into "))
    ask(qtbot, notes_window, "rye")
    qtbot.waitUntil(lambda: notes_window.search.list.row() is not None)
    assert notes_window.search.list.row().path == "Bread the plan.md"
    notes_window.banner.offer.click()
    qtbot.waitUntil(lambda: notes_window.workspaces.model.rowCount() == 3)
    qtbot.waitUntil(lambda: not (tmp_path / "kitchen").exists())


def test_a_dropped_folder_is_searched(qtbot, notes_window, tmp_path: Path) -> None:
    birds = write_notes(tmp_path / "birds", {"bird.md": "# Bird\n\nA jay.\n"})
    drop(notes_window, birds)
    qtbot.waitUntil(lambda: notes_window.workspaces.model.rowCount() == 4)
    qtbot.waitUntil(lambda: notes_window.search.search.model.rowCount() == 4)
    ask(qtbot, notes_window, "jay")
    assert notes_window.search.list.row().path == "bird.md"


def test_a_folder_that_cannot_be_added_is_told(qtbot, notes_window) -> None:
    folder = Path("/no/such/folder").absolute()
    notes_window.folder_added.emit(folder)
    qtbot.waitUntil(notes_window.banner.isVisible)
    assert notes_window.banner.words == (
        f"The folder does not exist: {folder}. Check the name of the folder, then try again."
    )


def test_unread_files_are_counted_listed_and_read_again(
    qtbot, notes_window, engine: Engine, notes: Path
) -> None:
    write_notes(notes / "home", {"a.md": b"\x00\x01\x02"})
    engine.refresh().result(TIMEOUT)
    qtbot.waitUntil(lambda: notes_window.workspaces.problems.text() == "1 file could not be read")
    dialog = notes_window.show_problems()
    assert [dialog.model.index(n).data() for n in range(dialog.model.rowCount())] == ["a.md"]
    write_notes(notes / "home", {"a.md": "# A\n\nText after all.\n"})
    dialog.check_requested.emit()
    qtbot.waitUntil(lambda: notes_window.workspaces.problems.text() == "")
    dialog.reject()


def test_what_is_left_out_on_purpose_is_listed_behind_the_problems(
    notes_window, engine: Engine
) -> None:
    files = (skipped("b", "A link.", is_problem=False), skipped("a.md", "It is not text."))
    notes_window.show_status(with_workspace(engine.status(), "home", skipped=files))
    dialog = notes_window.show_problems()
    rows = [dialog.model.index(n).data() for n in range(dialog.model.rowCount())]
    assert rows == ["a.md", "b"]
    dialog.reject()


def test_a_search_over_everything_names_the_folders_that_it_left_out(
    qtbot, notes_window, engine: Engine, tmp_path: Path
) -> None:
    old = write_notes(tmp_path / "Old stuff", {"a.md": "# Then\n\nA router.\n"})
    archive = engine.add_workspace(old).result()
    sentence = "Searched only when chosen or named: Old stuff."
    ask(qtbot, notes_window, "router")
    assert sentence not in notes_window.search.line.text()
    engine.folders.change(replace(archive, searched="named")).result()
    notes_window.search.set_text("")
    ask(qtbot, notes_window, "router")
    qtbot.waitUntil(lambda: notes_window.search.line.text().endswith(sentence))
    # In one folder, or with its name, nothing is left out.
    notes_window.search.set_text('router folder:"Old stuff"')
    qtbot.waitUntil(lambda: "Searched" in notes_window.search.line.text())
    qtbot.waitUntil(lambda: sentence not in notes_window.search.line.text())


def test_a_click_on_the_answer_line_shows_what_was_not_searched(qtbot, notes_window) -> None:
    ask(qtbot, notes_window, "router")
    notes_window.search.line.click()
    assert notes_window.findChild(SkippedFilesDialog) is not None
    assert notes_window.search.line.accessibleDescription().startswith("Click to see")
    notes_window.findChild(SkippedFilesDialog).reject()


def test_a_click_on_the_answer_line_reads_what_has_changed(
    qtbot, notes_window, engine: Engine, notes: Path
) -> None:
    engine.pause()
    write_notes(notes / "home", {"new.md": "# New\n\nA router.\n"})
    qtbot.waitUntil(lambda: engine.status().workspaces[0].freshness.pending > 0)
    ask(qtbot, notes_window, "router")
    qtbot.waitUntil(lambda: "changed note has not been read yet" in notes_window.search.line.text())
    engine.resume()
    notes_window.search.line.click()
    qtbot.waitUntil(lambda: "new.md" in {row.path for row in notes_window.search.search.model.rows})


def test_the_first_close_asks_and_remembers(qtbot, notes_window, desktop: Desktop) -> None:
    notes_window.close()
    box = notes_window.findChild(QMessageBox)
    assert notes_window.isVisible()
    next(button for button in box.buttons() if button.objectName() == "keep").click()
    qtbot.waitUntil(lambda: not notes_window.isVisible())
    assert desktop.preferences.on_close is OnClose.KEEP_RUNNING
    desktop.fulfil(StartRequest.WINDOW)
    notes_window.close()
    assert not notes_window.isVisible()


def test_every_control_has_a_name_and_a_place_in_the_tab_order(qtbot, notes_window) -> None:
    widgets = [
        widget
        for widget in notes_window.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible()
    ]
    text = [str(getattr(widget, "text", str)()) for widget in widgets]
    nameless = [
        widget
        for widget, words in zip(widgets, text, strict=True)
        if not (widget.accessibleName() or words)
    ]
    assert len(widgets) >= 8
    assert nameless == []


def test_dark_follows_at_once(qtbot, notes_window, desktop: Desktop) -> None:
    before = notes_window.grab().toImage().pixelColor(5, 5)
    desktop.theme.choose("dark")
    assert before.lightness() > 200
    qtbot.waitUntil(lambda: notes_window.grab().toImage().pixelColor(5, 5).lightness() < 60)
    desktop.theme.choose("light")


def test_passages_are_unfolded_by_keys_in_the_box_and_by_a_click(
    qtbot, notes_window, engine: Engine, notes: Path
) -> None:
    rest = "Rest.\n" * 300
    houses = "".join(f"# Part {n}\n\nThe boiler {n} hums.\n\n{rest}\n\n" for n in range(3))
    write(engine, notes / "home", "houses.md", houses)
    notes_window.search.filters.mode_chosen.emit(Mode.LEXICAL)
    ask(qtbot, notes_window, "boiler")
    box, rows = notes_window.search.box, notes_window.search.search.model
    assert [row.path for row in rows.rows] == ["houses.md"]
    name = rows.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert re.fullmatch(r"Part \d, Home notes, changed today, \d more passages", name)
    qtbot.keyClick(box, Qt.Key.Key_Right)
    qtbot.waitUntil(lambda: rows.rowCount() > 1)
    assert notes_window.search.list.currentIndex().row() == 0
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert notes_window.preview.row.is_passage
    qtbot.keyClick(box, Qt.Key.Key_Left)
    assert (rows.rowCount(), notes_window.search.list.currentIndex().row()) == (1, 0)
    qtbot.keyClick(box, Qt.Key.Key_Left)
    assert box.cursorPosition() == len("boile")
    listed = notes_window.search.list
    place = listed.visualRect(rows.index(0)).bottomLeft() + QPoint(24, -18)
    qtbot.mouseClick(listed.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: rows.rowCount() > 1)


def test_control_c_in_the_box_copies_the_chosen_passage_and_says_so(qtbot, notes_window) -> None:
    ask(qtbot, notes_window, "orthodontist")
    notes_window.activateWindow()
    qtbot.waitUntil(notes_window.isActiveWindow)
    qtbot.keyClick(notes_window.search.box, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    passage = notes_window.search.list.row().hit.snippet.text
    assert passage.startswith("# ")
    copied = QApplication.clipboard().text()
    assert copied.splitlines()[0] == passage.splitlines()[0][2:]
    assert copied == copied.strip()
    qtbot.waitUntil(lambda: QToolTip.text() == "Copied")
    notes_window.preview.copy()
    assert QApplication.clipboard().text() == copied
    notes_window.search.box.selectAll()
    qtbot.keyClick(notes_window.search.box, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "orthodontist"


@pytest.mark.parametrize("way", ["list", "preview"])
def test_that_something_was_copied_is_said_inside_the_window(qtbot, notes_window, way: str) -> None:
    ask(qtbot, notes_window, "orthodontist")
    listed = notes_window.search.list
    qtbot.waitUntil(lambda: listed.visualRect(listed.currentIndex()).height() > 0)
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not tips())
    listed.copy() if way == "list" else notes_window.preview.copy()
    qtbot.waitUntil(lambda: bool(tips()))
    place, [tip] = notes_window.mapToGlobal(notes_window.rect().topLeft()), tips()
    assert notes_window.rect().translated(place).contains(tip)
    row = listed.visualRect(listed.currentIndex())
    row.moveTopLeft(listed.viewport().mapToGlobal(row.topLeft()))
    assert (way == "list") == row.adjusted(0, 0, 0, 40).contains(tip.topLeft())


def tips() -> list[QRect]:
    """Places of the tips on screen."""
    shown = QApplication.topLevelWidgets()
    return [each.geometry() for each in shown if each.inherits("QTipLabel") and each.isVisible()]


def test_escape_takes_the_chosen_days_away_after_the_words(qtbot, notes_window) -> None:
    notes_window.search.set_text("after:2026-01-01 router")
    assert notes_window.search.box.text() == "router"
    assert notes_window.search.filters.date.text() == "Since 1 Jan 2026"
    qtbot.keyClick(notes_window.search.box, Qt.Key.Key_Escape)
    assert notes_window.search.search.text == "after:2026-01-01 "
    qtbot.keyClick(notes_window.search.box, Qt.Key.Key_Escape)
    assert (notes_window.search.search.text, notes_window.search.filters.date.text()) == (
        "",
        "Date",
    )


def test_several_rows_are_chosen_from_the_box_and_copied_opened_and_dragged(
    qtbot, notes_window, desktop: Desktop, monkeypatch
) -> None:
    opened: list[Path] = []
    monkeypatch.setattr(desktop.opener, "open", lambda file, line, page=0: opened.append(file))
    listed, clipboard = notes_window.search.list, QApplication.clipboard()
    notes_window.search.focus_box()
    for _ in range(2):
        qtbot.keyClick(notes_window.search.box, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    rows = list(notes_window.search.search.model.rows)
    assert listed.rows() == rows
    qtbot.keyClick(notes_window.search.box, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard.text() == "\n\n".join(row.title for row in rows)
    notes_window.row_actions.copy_path()
    assert clipboard.text().split("\n") == [str(row.file) for row in rows]
    qtbot.keyClick(notes_window.search.box, Qt.Key.Key_Return)
    notes_window.row_actions.open()
    assert opened == [row.file for row in rows] * 2
    data = notes_window.search.search.model.mimeData(listed.selectedIndexes())
    assert [Path(url.toLocalFile()) for url in data.urls()] == [row.file for row in rows]
    assert rows[0].path in data.text()
    assert listed.model().supportedDragActions() == Qt.DropAction.CopyAction
    qtbot.keyClick(notes_window.search.box, Qt.Key.Key_Up)
    assert listed.rows() == [rows[1]]


def test_too_many_notes_are_not_opened_at_once(
    qtbot, notes_window, desktop: Desktop, engine: Engine, notes: Path, monkeypatch
) -> None:
    opened: list[Path] = []
    monkeypatch.setattr(desktop.opener, "open", lambda file, line, page=0: opened.append(file))
    write_notes(notes / "home", {f"n{number}.md": f"Note {number}\n" for number in range(11)})
    engine.refresh().result(TIMEOUT)
    qtbot.waitUntil(lambda: notes_window.search.search.model.rowCount() > 10)
    notes_window.search.list.setFocus()
    notes_window.search.list.selectAll()
    qtbot.keyClick(notes_window.search.list, Qt.Key.Key_Return)
    assert opened == []
    assert notes_window.banner.words == "You can open at most 10 notes at once. Select fewer notes."


def test_a_note_of_a_vault_is_copied_as_links_of_obsidian(qtbot, notes_window, notes: Path) -> None:
    ask(qtbot, notes_window, "orthodontist")
    row, clipboard = notes_window.search.list.row(), QApplication.clipboard()
    notes_window.row_actions.copy_address()
    assert clipboard.text() == QUrl.fromLocalFile(str(row.file)).toString()
    notes_window.row_actions.copy_quotation()
    quotation = clipboard.text().split("\n")
    assert all(line.startswith(">") for line in quotation)
    assert quotation[-1].startswith(f"> — {row.path}, line")
    (notes / ".obsidian").mkdir()
    name = row.file.relative_to(notes).with_suffix("").as_posix()
    notes_window.row_actions.copy_address()
    file = name.replace("/", "%2F")
    assert clipboard.text() == f"obsidian://open?vault={notes.name}&file={file}"
    notes_window.row_actions.copy_wikilink()
    assert clipboard.text() == f"[[{name}|{row.file.stem}]]"


def test_a_row_dropped_on_its_own_window_adds_no_folder(qtbot, notes_window) -> None:
    data = notes_window.search.search.model.mimeData([notes_window.search.search.model.index(0)])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier

    class OwnDrag(QDragEnterEvent):
        def source(self) -> QObject:
            return notes_window.search.list

    for kind, is_taken in ((OwnDrag, False), (QDragEnterEvent, True)):
        enter = kind(QPoint(9, 9), Qt.DropAction.CopyAction, data, buttons, keys)
        enter.ignore()
        notes_window.dragEnterEvent(enter)
        assert enter.isAccepted() == is_taken
