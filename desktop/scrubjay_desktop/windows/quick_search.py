"""The popup: one box over everything else, for one look at the notes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QMargins, QObject, QPoint, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QCursor,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPainterPath,
    QPaintEvent,
    QPalette,
    QRegion,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QWidget

from scrubjay.engine.engine import Engine
from scrubjay.records.search_records import QueryReading, SearchAnswer
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.results.result_rows import Row
from scrubjay_desktop.search.live_search import LiveSearch
from scrubjay_desktop.search.pinned_searches import PinnedSearches
from scrubjay_desktop.search.query_operators import with_operator
from scrubjay_desktop.search.reading_line import ReadingLine
from scrubjay_desktop.search.result_view import STEPS, ResultView
from scrubjay_desktop.search.tag_completer import TagCompleter
from scrubjay_desktop.settings.preferences import Preferences
from scrubjay_desktop.text.formatting import translate
from scrubjay_desktop.text.shortcuts import native_keys, with_keys
from scrubjay_desktop.text.status_sentences import (
    named_only_sentence,
    nothing_found,
    reading_sentence,
    short_answer_sentence,
)
from scrubjay_desktop.text.workspace_names import display_names
from scrubjay_desktop.widgets.banner import EmptyState, announce
from scrubjay_desktop.widgets.buttons import IconButton, SearchBox
from scrubjay_desktop.widgets.labels import ElidedLabel, muted_label
from scrubjay_desktop.widgets.layouts import NONE, hbox, stacked_widget, vbox
from scrubjay_desktop.widgets.painting import (
    fill_unpainted,
    inset,
    paint_box,
    paint_shadow,
    smooth_painter,
)
from scrubjay_desktop.widgets.theme import GRID, palette_colors
from scrubjay_desktop.windows.action_list import ActionList
from scrubjay_desktop.windows.note_actions import Entry, NoteActions, add_actions
from scrubjay_desktop.windows.quick_search_preview import QuickSearchPreview
from scrubjay_desktop.windows.row_actions import RowActions

KEPT_S = 90.0
"""Seconds that the last question waits for the person to come back to it."""
_MOST_RESULTS = 12
"""Rows of the popup at most."""
_TRIES = 10
"""Number of times that the popup asks for the keys."""
_TRY_MS = 200
"""Milliseconds between two of these times."""
_SETTLED_S = 0.5
"""Seconds after which a popup that loses the keys was left by the person. Before, a window manager
under load gives them back to the window that had them before an earlier popup (seen after 50 ms).
"""
_RADIUS = 12.0
"""Pixels of its corners."""
_SIZE = QSize(84 * GRID, 58 * GRID)
_PANE = QSize(66 * GRID, 10 * GRID)
"""Size that the pane adds to it."""


class PopupAnswer(QWidget):
    """The rows of the popup, or a message in place of them, and a sentence below."""

    def __init__(self, search: LiveSearch) -> None:
        super().__init__()
        self._search = search
        # The paper of the popup, to which the last row fades.
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.list = ResultView(search, snippet_lines=2)
        self.list.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._heading = muted_label(
            translate("SearchPanel", "Recently changed notes, newest first"), -1
        )
        self._heading.setContentsMargins(GRID * 2, 0, GRID * 2, 0)
        # A message stands in for the rows, and a sentence below them says what else there is to
        # know.
        self._nothing = EmptyState("search", "", "")
        self._pages = stacked_widget(self.list, self._nothing)
        self.line = ElidedLabel(-1)
        self.line.hide()
        # The keys stay in the box, so that its buttons are for the mouse and for Ctrl+K.
        self.reading = ReadingLine()
        for button in (self.reading.include, self.reading.tips):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        reading = hbox((self.reading, 1), margins=(2, 0, 2, 0))
        below = hbox((self.line, 1), margins=(2, 0, 2, 0))
        vbox(self._heading, (self._pages, 1), reading, below, on=self, margins=NONE, spacing=1)
        search.answered.connect(self._show_answer)
        search.recents_shown.connect(self._show_recents)
        search.waiting.connect(lambda sentence: self._say_nothing(sentence, ""))
        search.failed.connect(self._show_failure)

    @property
    def nothing_text(self) -> str:
        """The sentence in place of results; empty while there are some."""
        if not self._pages.currentIndex():
            return ""
        return self._nothing.accessibleName()

    def say(self, sentence: str) -> None:
        """Show a sentence below the rows."""
        self.line.setText(sentence)
        self.line.setVisible(bool(sentence))

    def _show_answer(self, answer: SearchAnswer) -> None:
        self._heading.hide()
        self.list.choose_after_answer()
        # What follows the last letter at once is not said aloud.
        read = ""
        if not answer.request.is_typing:
            named = named_only_sentence(answer, self._search.names)
            self.say(" ".join(filter(None, (short_answer_sentence(answer), named))))
            self.reading.show_reading(answer.reading)
            read = reading_sentence(answer.reading)
        self._say_nothing(*nothing_found(answer))
        if not answer.hits or read:
            announce(self, " ".join(filter(None, (self.nothing_text, read))))

    def _show_recents(self) -> None:
        self._heading.setVisible(self._search.model.rowCount() > 0)
        self.list.choose_after_answer()
        self.say("")
        self.reading.show_reading(QueryReading())
        # A shared memory tells nothing about when its notes changed.
        title = ""
        if not self._search.shared_name:
            title = self.tr("No notes yet")
        self._say_nothing(title, self.tr("Type to search your notes."))

    def _show_failure(self, sentence: str) -> None:
        self._heading.hide()
        self.say("")
        self.reading.show_reading(QueryReading())
        self._say_nothing(translate("SearchPanel", "Search is not available right now"), sentence)

    def _say_nothing(self, title: str, text: str) -> None:
        self._nothing.show_message(title, text)
        page = 0 if self._search.model.rowCount() else 1
        self._pages.setCurrentIndex(page)


class QuickSearch(QWidget):
    """Built once and hidden; shows itself within a frame."""

    row_chosen = Signal(object)
    """Signal with a Row to show in the main window."""
    _shown_at = -math.inf
    """Time when it was shown; long ago once it is hidden."""
    _had_keys = False
    """Whether it has had the keys since it was shown."""

    def __init__(
        self,
        engine: Engine,
        tasks: Tasks,
        opener: Opener,
        preferences: Preferences,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        flags = Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint
        super().__init__(None, flags | Qt.WindowType.WindowStaysOnTopHint)
        self._engine = engine
        self._opener = opener
        self._clock = clock
        self._hidden_at = clock()
        self.setWindowTitle(self.tr("Quick search"))
        self.search = LiveSearch(engine, tasks, max_results=_MOST_RESULTS, parent=self)
        # Without a compositor, as X11 may be, a translucent window has black corners.
        self._is_composited = QGuiApplication.platformName() != "xcb"
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground, self._is_composited)
        self._shadow = 0
        if self._is_composited:
            self._shadow = 2 * GRID
        self.pane = QuickSearchPreview(engine, tasks, opener=opener, preferences=preferences)
        self.pane.turned.connect(self._fit_pane)
        self._build()
        rows = RowActions(
            self.list, self.pane.reader, opener=opener, tasks=tasks, preferences=preferences
        )
        self.actions_of_popup = PopupActions(self, rows)
        self.action_list = ActionList(self, self.actions_of_popup)
        # The pane follows the chosen row, and the search follows the box.
        self.list.customContextMenuRequested.connect(self._show_menu)
        self.list.selectionModel().currentChanged.connect(self._read)
        self.box.textEdited.connect(self.search.type)
        TagCompleter(self.box, self.search)
        self.list.opened.connect(self._open)
        self.list.tag_clicked.connect(self.narrow_to_tag)
        self.pane.built.connect(lambda preview: preview.tag_clicked.connect(self.narrow_to_tag))
        self.search.answered.connect(self._read)
        self.search.recents_shown.connect(self._read)
        # Keys are taken from box and list by the popup, and from the box by the list.
        self.box.installEventFilter(self)
        self.list.installEventFilter(self)
        self.box.installEventFilter(self.list)
        # Unplugged with the popup on it: the popup comes to where the person looks now.
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        app.screenRemoved.connect(self._move_to_a_screen)

    def present(self) -> None:
        """Show the popup where the person looks, with the last question selected."""
        if self._clock() - self._hidden_at > KEPT_S:
            self.box.clear()
        # The answer to the last question is shown at once, and asked for again.
        self.search.type(self.box.text())
        self.pane.restore()
        fill_unpainted(self, palette_colors(self.palette()).surface)
        self._shown_at = self._clock()
        self._had_keys = False
        self.show()
        self.box.setFocus()
        self.box.selectAll()
        self._retry_activate(_TRIES)

    def _retry_activate(self, tries: int) -> None:
        """Ask for the keys until they come: a window manager may still be busy with another.

        A popup that lost them and does not get them back is hidden.
        """
        if not self.isVisible() or self.isActiveWindow() or self._has_lent_keys():
            return
        if not tries:
            if self._had_keys:
                self.dismiss()
            return
        self.raise_()
        self.activateWindow()
        QTimer.singleShot(_TRY_MS, self, lambda: self._retry_activate(tries - 1))

    def _move_to_a_screen(self) -> None:
        """Take the room that is needed, a little above the middle of the pointer's screen."""
        screen = QGuiApplication.screenAt(QCursor.pos()) or QGuiApplication.primaryScreen()
        area = screen.availableGeometry()
        # The pane makes the popup wider, the shadow makes it larger on all sides.
        size = _SIZE
        if not self.pane.isHidden():
            size = _SIZE + _PANE
        shadow = QMargins() + self._shadow
        self.resize(size.grownBy(shadow).boundedTo(area.size()))
        left = area.left() + max(0, (area.width() - self.width()) // 2)
        self.move(left, area.top() + max(0, (area.height() - self.height()) // 4))

    def toggle(self) -> None:
        """Show the popup, or hide it when it is there."""
        if self.isVisible():
            self.dismiss()
        else:
            self.present()

    def dismiss(self) -> None:
        """Hide the popup; its question is kept for a while."""
        self._hidden_at = self._clock()
        self._shown_at = -math.inf
        self.hide()

    def leave(self) -> None:
        """Hide the popup once a program is open; the window shows a note that none can open."""
        row = self.list.row()
        if row is not None and row.is_elsewhere:
            self.show_in_window()
        else:
            self.dismiss()

    def repeat(self) -> None:
        """Search again, since the index has changed."""
        if self.isVisible():
            self.search.repeat()

    def event(self, event: QEvent) -> bool:  # noqa: D102
        if event.type() == QEvent.Type.WindowActivate:
            self._had_keys = True
        is_lost = event.type() == QEvent.Type.WindowDeactivate and self.isVisible()
        if is_lost and not self._has_lent_keys():
            self._leave_or_stay()
        return super().event(event)

    def _has_lent_keys(self) -> bool:
        """Whether a dialog of the popup has the keys for a while."""
        dialog = QApplication.activeModalWidget()
        return dialog is not None and dialog.parentWidget() is self

    def _leave_or_stay(self) -> None:
        """Hide the popup that lost the keys, unless nobody can have left it yet."""
        if self._clock() - self._shown_at >= _SETTLED_S:
            self.dismiss()
        else:
            # The window manager is asked again once it has settled.
            QTimer.singleShot(_TRY_MS, self, lambda: self._retry_activate(_TRIES))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys that are the same in the box and in the list."""
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        is_list = watched is self.list
        # Space turns the pane where it is not typed, and other letters continue in the box.
        if event.key() == Qt.Key.Key_Space and (is_list or not self.box.text()):
            self.pane.turn()
        elif is_list and event.key() == Qt.Key.Key_Up and self.list.currentIndex().row() <= 0:
            self.box.setFocus()
        elif not self._take_key(event):
            if not is_list or not (_is_typing(event)):
                return super().eventFilter(watched, event)
            self.box.setFocus()
            QApplication.sendEvent(self.box, event)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: D102
        # Pressed in the pane.
        if event.key() == Qt.Key.Key_Escape:
            self._escape()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: D102
        if not self._is_composited:
            path = QPainterPath()
            path.addRoundedRect(QRectF(self.rect()), _RADIUS, _RADIUS)
            self.setMask(QRegion(path.toFillPolygon().toPolygon()))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = palette_colors(self.palette())
        painter = smooth_painter(self)
        edge = self._shadow + 1
        area = inset(QRectF(self.rect()), across=edge, down=edge)
        paint_shadow(painter, area, radius=_RADIUS, width=self._shadow)
        paint_box(
            painter, area, fill=colors.surface, border=colors.muted, radius=_RADIUS, width=1.5
        )

    def _build(self) -> None:
        self.box = SearchBox(
            self.tr("Search your notes"), self.tr("Quick search"), self.tr("Clear"), height=48
        )
        # The rows, and below them the folder that is searched and the keys to know.
        self.answer = PopupAnswer(self.search)
        self.list = self.answer.list
        self.answer.reading.included.connect(self._ask)
        self.answer.reading.tips_requested.connect(self.show_search_tips)
        self._scope_line = ElidedLabel(-1)
        sentence = self.tr("{preview}: preview   ·   {actions}: all actions").format(
            preview=native_keys("Ctrl+Space"), actions=native_keys("Ctrl+K")
        )
        keys = muted_label(sentence, -1)
        keys.setWordWrap(False)
        # Buttons for the mouse never take the keys from the box.
        preview = IconButton(
            "preview", with_keys(self.tr("Show or hide the preview"), "Ctrl+Space")
        )
        preview.clicked.connect(self.pane.turn)
        tips = IconButton("help", with_keys(self.tr("Search tips"), "Shift+F1"))
        tips.clicked.connect(self.show_search_tips)
        every = IconButton("menu", with_keys(self.tr("All actions"), "Ctrl+K"))
        every.clicked.connect(lambda: self.action_list.toggle())
        for button in (preview, tips, every):
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        buttons = hbox(preview, tips, every, spacing=0)
        foot = hbox((self._scope_line, 1), keys, buttons, margins=(2, 0, 0, 0), spacing=2)
        # The popup has a margin in which its shadow is painted.
        margin = 1.5 + self._shadow / GRID
        margins = (margin, margin, margin, margin)
        left = vbox(self.box, (self.answer, 1), foot, spacing=1)
        columns = ((left, _SIZE.width()), (self.pane, _PANE.width()))
        hbox(*columns, on=self, margins=margins, spacing=1)
        self._name_scope()

    def _take_key(self, event: QKeyEvent) -> bool:
        key = event.key()
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        control = modifiers == Qt.KeyboardModifier.ControlModifier
        # What the popup has no use for is passed to the box or the list.
        match key:
            case _ if key in STEPS:
                self.list.step(STEPS[Qt.Key(key)])
                if self.list.row() is not None:
                    self.list.setFocus()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if not modifiers:
                self._enter()
            case Qt.Key.Key_Escape:
                self._escape()
            case Qt.Key.Key_Tab | Qt.Key.Key_Backtab:
                self._next_scope(-1 if key == Qt.Key.Key_Backtab else 1)
            case _ if control and Qt.Key.Key_1 <= key <= Qt.Key.Key_9:
                row = self.search.model.row(key - Qt.Key.Key_1)
                if row is not None:
                    self._open(row)
            case _:
                return False
        return True

    def _enter(self) -> None:
        row = self.list.row()
        if row is not None:
            self._open(row)
        else:
            self.search.search_now()

    def _escape(self) -> None:
        if not self.pane.isHidden():
            self.pane.turn()
        elif self.box.text():
            self.box.empty()
        else:
            self.dismiss()

    def narrow_to_tag(self, tag: str) -> None:
        """Look only in notes with a tag."""
        self._ask(with_operator(self.search.text, "tag", tag))

    def show_search_tips(self) -> None:
        """Show what a question may hold besides words."""
        # Imported late, as all dialogs of the help.
        from scrubjay_desktop.health.help_dialogs import SearchTipsDialog

        SearchTipsDialog(self).open()

    def _ask(self, text: str) -> None:
        """Search for a text as if it had been typed."""
        self.box.setText(text)
        self.search.type(text)
        self.box.setFocus()

    def _show_menu(self, point: QPoint) -> None:
        if self.list.row() is not None:
            menu = self.actions_of_popup.note.menu()
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(self.list.viewport().mapToGlobal(point))

    def _fit_pane(self) -> None:
        if self.pane.has_keys:
            self.box.setFocus()
        self._move_to_a_screen()
        self._read()

    def _read(self, *_: object) -> None:
        """Let the pane follow the chosen row."""
        preview = self.pane.reader()
        if preview is not None:
            preview.show_row(self.list.row())

    def turn_focus(self) -> None:
        """Give the keys to the text of the note, or back to the box."""
        if self.pane.has_keys:
            self.box.setFocus()
            return
        if self.pane.isHidden():
            self.pane.turn()
        if self.pane.preview is not None:
            self.pane.preview.take_keys()

    def show_in_window(self) -> None:
        """Show the chosen note in the main window."""
        row = self.list.row()
        if row is not None:
            self.row_chosen.emit(row)
            self.dismiss()

    @property
    def question(self) -> tuple[str, str]:
        """The question without blanks around it, and the id of its folder; empty for all."""
        return self.box.text().strip(), self.search.scope.workspace or ""

    def _open(self, row: Row) -> None:
        # The window shows all that there is of it here.
        if row.is_elsewhere:
            self.row_chosen.emit(row)
        else:
            self._opener.open_row(row)
        self.dismiss()

    def _next_scope(self, by: int) -> None:
        # None stands for all folders, and comes before the first one.
        ids = [None, *(workspace.id for workspace in self._engine.searchable_workspaces())]
        now = self.search.scope.workspace
        at = ids.index(now) if now in ids else 0
        self.search.set_scope(replace(self.search.scope, workspace=ids[(at + by) % len(ids)]))
        self._name_scope()

    def _name_scope(self) -> None:
        workspaces = self._engine.searchable_workspaces()
        names = display_names(workspaces)
        scope = self.search.scope.workspace
        name = self.tr("All notes")
        if scope:
            name = names.get(scope, "")
        self._scope_line.setText(self.tr("{name}   ·   Tab: next folder").format(name=name))


class PopupActions(QObject):
    """What can be done in the popup: with the chosen note, and with the popup itself."""

    def __init__(self, popup: QuickSearch, rows: RowActions) -> None:
        super().__init__(popup)
        self._popup = popup
        self.pinned: PinnedSearches | None = None
        """The pinned searches of the main window."""
        self.note = NoteActions(popup, rows)
        self.note.tag_chosen.connect(popup.narrow_to_tag)
        self._own = add_actions(popup, self._entries())
        # A program comes to the front, and the popup is over everything else.
        for name in ("open", "obsidian", "editor", "reveal"):
            self.note.by_name[name].triggered.connect(popup.leave)

    def offered(self, parent: QObject) -> list[QAction]:
        """All that can be done now."""
        names: list[str] = []
        if self._popup.list.row() is not None:
            names += ["preview", "pane", "window"]
        if self._popup.question[0]:
            names.append("pin")
        if self._popup.answer.reading.has_excluded:
            names.append("include")
        names.append("tips")
        return [*self.note.offered(parent), *(self._own[name] for name in names)]

    def _entries(self) -> tuple[Entry, ...]:
        popup = self._popup
        return (
            ("preview", self.tr("Show or hide the preview"), ["Ctrl+Space"], popup.pane.turn),
            (
                "pane",
                self.tr("Switch between the search box and the note"),
                ["F6"],
                popup.turn_focus,
            ),
            ("window", self.tr("Show in the main window"), ["Shift+Return"], popup.show_in_window),
            ("pin", self.tr("Pin or unpin this search"), ["Ctrl+D"], self._turn_pin),
            (
                "include",
                translate("WindowActions", "Search without exclusions"),
                [],
                popup.answer.reading.include_excluded,
            ),
            (
                "tips",
                translate("WindowActions", "Search tips"),
                ["Shift+F1"],
                popup.show_search_tips,
            ),
            ("actions", self.tr("All actions…"), ["Ctrl+K"], lambda: popup.action_list.toggle()),
        )

    def _turn_pin(self) -> None:
        question = self._popup.question
        if self.pinned is not None and question[0]:
            self.pinned.turn(*question)
            sentence = self.tr("This search is no longer pinned.")
            if self.pinned.holds(*question):
                sentence = self.tr("This search is now pinned in the sidebar of the main window.")
            self._popup.answer.say(sentence)
            announce(self._popup.box, sentence)


def _is_typing(event: QKeyEvent) -> bool:
    """Whether a key changes the text of the box."""
    if event.key() == Qt.Key.Key_Backspace:
        return True
    # With Ctrl or Alt a letter is a command.
    held = event.modifiers() & ~(
        Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
    )
    return event.matches(QKeySequence.StandardKey.Paste) or (
        event.text().isprintable() and bool(event.text()) and not held
    )
