from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QMenu, QWidget

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Mode
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.search.live_search import Scope
from scrubjay_desktop.settings.preferences import Preferences
from scrubjay_desktop.windows.quick_search import KEPT_S, QuickSearch
from support.clocks import Clock

CONTROL, ALT, SHIFT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


class RecordingOpener(Opener):
    """Writes down what it was asked to open."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[tuple[str, Path, int]] = []

    def open(self, file: Path, line: int, page: int = 0) -> None:
        self.opened.append(("open", file, line))

    def open_at_line(self, file: Path, line: int, page: int = 0) -> None:
        self.opened.append(("line", file, line))

    def reveal(self, file: Path) -> None:
        self.opened.append(("reveal", file, 0))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def opener() -> RecordingOpener:
    return RecordingOpener()


@pytest.fixture
def preferences(paths: Paths) -> Preferences:
    return Preferences(paths)


@pytest.fixture
def popup(
    qtbot,
    engine: Engine,
    tasks: Tasks,
    clock: Clock,
    opener: RecordingOpener,
    preferences: Preferences,
) -> Iterator[QuickSearch]:
    made = QuickSearch(engine, tasks, opener, preferences, clock=clock)
    qtbot.addWidget(made)
    made.present()
    qtbot.waitUntil(lambda: made.search.model.rowCount() == 3)
    yield made
    made.search.close()


def ask(qtbot, popup: QuickSearch, text: str) -> None:
    qtbot.keyClicks(popup.box, text)
    with qtbot.waitSignal(
        popup.search.answered, check_params_cb=lambda answer: not answer.request.is_typing
    ):
        pass


def test_an_empty_box_shows_recent_notes(popup: QuickSearch) -> None:
    assert popup.search.model.rows[0].path == "router.md"
    assert popup.list.currentIndex().row() == 0
    assert heading(popup).isVisible()


def heading(popup: QuickSearch) -> QLabel:
    texts = {label.text(): label for label in popup.findChildren(QLabel)}
    return texts["Recently changed notes, newest first"]


def test_the_first_letters_of_a_word_choose_no_note(qtbot, popup, opener) -> None:
    with qtbot.waitSignal(popup.search.recents_shown):
        qtbot.keyClicks(popup.box, "zz")
    qtbot.waitUntil(lambda: popup.search.model.rowCount() == 3)
    assert heading(popup).isVisible()
    assert popup.list.row() is None
    with qtbot.waitSignal(popup.search.recents_shown):
        qtbot.keyClick(popup.box, Qt.Key.Key_Return)
    assert popup.list.row() is None
    assert (opener.opened, popup.isVisible()) == ([], True)
    popup.box.clear()
    ask(qtbot, popup, "router")
    assert not heading(popup).isVisible()
    assert popup.list.currentIndex().row() == 0


@pytest.mark.parametrize(
    ("modifiers", "way"),
    [(Qt.KeyboardModifier.NoModifier, "open"), (CONTROL, "line"), (ALT, "reveal")],
)
def test_enter_opens_in_three_ways_and_hides(
    qtbot, popup, opener, notes: Path, modifiers, way: str
) -> None:
    ask(qtbot, popup, "router")
    qtbot.keyClick(popup.box, Qt.Key.Key_Down)
    qtbot.keyClick(popup.box, Qt.Key.Key_Return, modifiers)
    line = 0 if way == "reveal" else 3
    assert opener.opened == [(way, notes / "work" / "network.md", line)]
    assert not popup.isVisible()


def test_shift_enter_shows_the_note_in_the_window(qtbot, popup) -> None:
    with qtbot.waitSignal(popup.row_chosen) as chosen:
        qtbot.keyClick(popup.box, Qt.Key.Key_Return, SHIFT)
    assert chosen.args[0].path == "router.md"


def test_control_and_a_digit_opens_that_row(qtbot, popup, opener, notes: Path) -> None:
    qtbot.keyClick(popup.box, Qt.Key.Key_3, CONTROL)
    assert opener.opened == [("open", notes / "work" / "network.md", 1)]


def test_escape_clears_and_then_hides(qtbot, popup) -> None:
    ask(qtbot, popup, "router")
    qtbot.keyClick(popup.box, Qt.Key.Key_Escape)
    assert (popup.box.text(), popup.isVisible()) == ("", True)
    qtbot.keyClick(popup.box, Qt.Key.Key_Escape)
    assert not popup.isVisible()


def test_losing_the_focus_hides(qtbot, popup, clock: Clock) -> None:
    clock.now += 1
    QApplication.sendEvent(popup, QEvent(QEvent.Type.WindowDeactivate))
    assert not popup.isVisible()


def test_a_window_manager_that_takes_the_focus_back_at_once_does_not_hide(
    qtbot, popup, clock: Clock
) -> None:
    popup.dismiss()
    popup.present()
    clock.now += 0.05
    QApplication.sendEvent(popup, QEvent(QEvent.Type.WindowDeactivate))
    assert popup.isVisible()
    # Whoever closes it that soon has it closed.
    popup.dismiss()
    QApplication.sendEvent(popup, QEvent(QEvent.Type.WindowDeactivate))
    assert not popup.isVisible()


class Keeper(QWidget):
    """A window that takes the keys back whenever it loses them."""

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowDeactivate:
            QTimer.singleShot(0, self, self.activateWindow)
        return super().event(event)


def test_a_popup_that_does_not_get_the_keys_back_hides(qtbot, popup, clock: Clock) -> None:
    qtbot.waitUntil(popup.isActiveWindow)
    other = Keeper()
    qtbot.addWidget(other)
    other.show()
    clock.now += 0.05
    other.activateWindow()
    qtbot.waitUntil(lambda: not popup.isVisible())
    other.hide()


def test_control_c_copies_the_text_of_the_hit(qtbot, popup) -> None:
    ask(qtbot, popup, "orthodontist")
    qtbot.keyClick(popup.box, Qt.Key.Key_C, CONTROL)
    assert QApplication.clipboard().text() == "Thursday\nBooked the orthodontist for Emma."


@pytest.mark.parametrize(("later", "kept"), [(KEPT_S - 1, "router"), (KEPT_S + 1, "")])
def test_a_question_is_kept_for_a_while(qtbot, popup, clock: Clock, later, kept: str) -> None:
    ask(qtbot, popup, "router")
    popup.dismiss()
    clock.now += later
    popup.present()
    assert (popup.box.text(), popup.box.selectedText()) == (kept, kept)


def test_tab_goes_to_the_next_folder(qtbot, popup) -> None:
    ask(qtbot, popup, "router")
    scopes = []
    for _ in range(3):
        qtbot.keyClick(popup.box, Qt.Key.Key_Tab)
        scopes.append(popup.search.scope.workspace)
    assert scopes == ["home", "work", None]


def test_the_command_opens_and_closes(popup) -> None:
    popup.toggle()
    assert not popup.isVisible()
    popup.toggle()
    assert popup.isVisible()


def test_nothing_found_is_said_only_when_all_was_searched(qtbot, popup) -> None:
    said: list[tuple[bool, str]] = []
    popup.search.answered.connect(
        lambda answer: said.append((answer.request.is_typing, popup.answer.nothing_text))
    )
    popup.search.set_scope(Scope(mode=Mode.LEXICAL))
    ask(qtbot, popup, "xylophone")
    assert [text for _, text in takewhile(lambda one: one[0], said) if text] == []
    assert popup.answer.nothing_text.startswith("Nothing relevant found")
    assert popup.answer.line.text() == ""


def test_the_nearest_notes_are_shown_where_none_is_sure(qtbot, popup) -> None:
    ask(qtbot, popup, "xylophone")
    qtbot.waitUntil(lambda: popup.search.model.rowCount() == 3)
    assert {row.is_uncertain for row in popup.search.model.rows} == {True}
    qtbot.waitUntil(lambda: popup.answer.line.text().startswith("No clear match was found."))


def test_a_screen_that_is_unplugged_leaves_the_popup_where_it_can_be_seen(
    qtbot, popup: QuickSearch, qapp: QApplication
) -> None:
    popup.move(-5000, -5000)
    qapp.screenRemoved.emit(qapp.primaryScreen())
    assert qapp.primaryScreen().availableGeometry().contains(popup.geometry().center())
    assert popup.isVisible()


def shown(popup: QuickSearch) -> str:
    """The path of the note in the pane; empty while there is none."""
    preview = popup.pane.reader()
    return preview.row.path if preview is not None and preview.row and preview.is_note else ""


def test_the_pane_is_built_when_it_is_first_asked_for(qtbot, popup) -> None:
    assert popup.pane.preview is None
    width = popup.width()
    qtbot.keyClick(popup.box, Qt.Key.Key_Space, CONTROL)
    qtbot.waitUntil(lambda: shown(popup) == "router.md")
    assert popup.width() > width or popup.width() == popup.screen().availableGeometry().width()


def test_the_pane_shows_the_passage_and_follows_the_choice(qtbot, popup) -> None:
    ask(qtbot, popup, "router")
    qtbot.keyClick(popup.box, Qt.Key.Key_Space, CONTROL)
    qtbot.waitUntil(lambda: shown(popup) == "router.md")
    qtbot.waitUntil(lambda: popup.pane.preview.view.match_count > 0)
    qtbot.keyClick(popup.box, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: shown(popup) == "network.md")


def test_space_turns_the_pane_in_the_list_and_in_the_empty_box(qtbot, popup) -> None:
    qtbot.keyClick(popup.box, Qt.Key.Key_Space)
    assert not popup.pane.isHidden()
    assert popup.box.text() == ""
    ask(qtbot, popup, "router")
    qtbot.keyClick(popup.box, Qt.Key.Key_Space)
    assert (popup.box.text(), popup.pane.isHidden()) == ("router ", False)
    qtbot.keyClick(popup.box, Qt.Key.Key_Down)
    assert popup.focusWidget() is popup.list
    qtbot.keyClick(popup.list, Qt.Key.Key_Space)
    assert popup.pane.isHidden()


def test_letters_and_the_first_row_lead_from_the_list_to_the_box(qtbot, popup) -> None:
    qtbot.keyClick(popup.box, Qt.Key.Key_Down)
    qtbot.keyClick(popup.list, Qt.Key.Key_R)
    assert (popup.focusWidget(), popup.box.text()) == (popup.box, "r")
    qtbot.keyClick(popup.box, Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: popup.list.currentIndex().row() == 0)
    popup.list.setFocus()
    qtbot.keyClick(popup.list, Qt.Key.Key_Up)
    assert popup.focusWidget() is popup.box


def test_escape_closes_the_pane_first(qtbot, popup) -> None:
    qtbot.keyClick(popup.box, Qt.Key.Key_Space, CONTROL)
    qtbot.keyClick(popup.box, Qt.Key.Key_Escape)
    assert (popup.pane.isHidden(), popup.isVisible()) == (True, True)


def test_an_open_pane_is_open_the_next_time(qtbot, popup, preferences: Preferences) -> None:
    qtbot.keyClick(popup.box, Qt.Key.Key_Space, CONTROL)
    popup.dismiss()
    assert preferences.shows_quick_preview
    popup.present()
    qtbot.waitUntil(lambda: shown(popup) == "router.md")
    qtbot.keyClick(popup.box, Qt.Key.Key_Space, CONTROL)
    assert not preferences.shows_quick_preview


def test_f6_leads_into_the_text_and_back(qtbot, popup) -> None:
    qtbot.keyClick(popup.box, Qt.Key.Key_F6)
    assert popup.focusWidget() is popup.pane.preview.view
    qtbot.keyClick(popup.pane.preview.view, Qt.Key.Key_F6)
    assert popup.focusWidget() is popup.box


def offered(qtbot, popup: QuickSearch) -> list[str]:
    qtbot.keyClick(popup.box, Qt.Key.Key_K, CONTROL)
    model = popup.action_list.model
    return [model.index(row).data() for row in range(model.rowCount())]


def test_the_list_of_actions_has_those_of_the_note_and_of_the_popup(qtbot, popup, opener) -> None:
    ask(qtbot, popup, "router")
    assert offered(qtbot, popup) == [
        "Open", "Choose a program…", "Open at this line", "Show in folder", "Copy the passage",
        "Copy as quotation", "Copy as link", "Copy the file's path", "Show or hide the preview",
        "Switch between the search box and the note", "Show in the main window",
        "Pin or unpin this search", "Search tips",
    ]  # fmt: skip
    qtbot.keyClicks(popup.action_list.box, "fold")
    qtbot.keyClick(popup.action_list.box, Qt.Key.Key_Return)
    assert [way for way, *_ in opener.opened] == ["reveal"]
    assert not popup.isVisible()


def test_with_the_text_in_sight_there_is_more_to_do(qtbot, popup) -> None:
    qtbot.keyClick(popup.box, Qt.Key.Key_Space, CONTROL)
    qtbot.waitUntil(lambda: shown(popup) == "router.md")
    assert {"Add a line to this note…", "Print this note…"} <= {*offered(qtbot, popup)}


def test_a_tag_narrows_the_question(qtbot, popup) -> None:
    ask(qtbot, popup, "router")
    popup.list.tag_clicked.emit("house")
    assert popup.box.text() == "tag:house router"
    qtbot.waitUntil(lambda: not popup.search.model.rows)


def test_a_popup_that_hides_takes_its_list_along(qtbot, popup) -> None:
    offered(qtbot, popup)
    popup.dismiss()
    popup.present()
    assert not popup.action_list.isVisible()


@pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)
def test_the_menu_of_a_row_has_the_same_actions(qtbot, popup, opener) -> None:
    popup.list.customContextMenuRequested.emit(QPoint(5, 5))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    [copy] = [each for each in menu.actions() if each.text().replace("&", "") == "Copy as link"]
    copy.trigger()
    menu.close()
    assert QApplication.clipboard().text().startswith("file:")
    assert popup.isVisible()


def test_its_own_dialog_does_not_hide_the_popup(qtbot, popup) -> None:
    dialog = QDialog(popup)
    dialog.open()
    QApplication.sendEvent(popup, QEvent(QEvent.Type.WindowDeactivate))
    assert popup.isVisible()
    dialog.reject()


def test_a_question_is_pinned_in_the_window(qtbot, desktop: Desktop) -> None:
    popup = desktop.late.popup
    popup.present()
    ask(qtbot, popup, "router")
    popup.action_list.toggle()
    qtbot.keyClicks(popup.action_list.box, "pin")
    qtbot.keyClick(popup.action_list.box, Qt.Key.Key_Return)
    assert [each.text for each in desktop.window.pinned.searches] == ["router"]
    assert popup.answer.line.text().startswith("This search is now pinned")
