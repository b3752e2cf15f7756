"""The popup: one box over everything else, for one look at the notes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, QMargins, QObject, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCursor,
    QGuiApplication,
    QKeyEvent,
    QPainterPath,
    QPaintEvent,
    QRegion,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from scrubjay.engine.engine import Engine
from scrubjay.records.search_records import SearchAnswer
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.results.result_rows import Row
from scrubjay_desktop.search.live_search import LiveSearch
from scrubjay_desktop.search.result_view import STEPS, ResultView
from scrubjay_desktop.search.tag_completer import TagCompleter
from scrubjay_desktop.text.formatting import translate
from scrubjay_desktop.text.status_sentences import nothing_found, short_answer_sentence
from scrubjay_desktop.widgets.banner import EmptyState, announce
from scrubjay_desktop.widgets.buttons import SearchBox
from scrubjay_desktop.widgets.labels import ElidedLabel, muted_label
from scrubjay_desktop.widgets.layouts import hbox, stacked, vbox
from scrubjay_desktop.widgets.painting import (
    fill_unpainted,
    paint_box,
    paint_shadow,
    smooth_painter,
)
from scrubjay_desktop.widgets.theme import GRID, colors_of

KEPT_S = 90.0
"""How long the last question waits for the person to come back to it."""
_MOST_RESULTS = 12
_TRIES, _TRY_MS = 10, 200
_RADIUS = 12.0
_SIZE = QSize(84 * GRID, 58 * GRID)


class QuickSearch(QWidget):
    """Built once and hidden; shows itself within a frame."""

    row_chosen = Signal(object)
    """A Row to show in the main window."""

    def __init__(
        self,
        engine: Engine,
        tasks: Tasks,
        opener: Opener,
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
        self._shadow = 2 * GRID if self._is_composited else 0
        self._build()
        self.box.textEdited.connect(self.search.type)
        TagCompleter(self.box, self.search)
        self.list.opened.connect(self._open)
        self.search.answered.connect(self._show_answer)
        self.search.recents_shown.connect(self._show_recents)
        self.search.failed.connect(self._scope_line.setText)
        self.search.waiting.connect(lambda sentence: self._say_nothing(sentence, ""))
        self.box.installEventFilter(self)
        self.box.installEventFilter(self.list)
        self.resize(_SIZE.grownBy(QMargins(*[self._shadow] * 4)))
        # Unplugged with the popup on it: the popup comes to where the person looks now.
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        app.screenRemoved.connect(self._move_to_a_screen)

    @property
    def nothing_text(self) -> str:
        """The sentence in place of results; empty while there are some."""
        return self._nothing.accessibleName() if self._pages.currentIndex() else ""

    def present(self) -> None:
        """Show the popup where the person looks, with the last question selected."""
        if self._clock() - self._hidden_at > KEPT_S:
            self.box.clear()
        self.search.type(self.box.text())
        self._move_to_a_screen()
        fill_unpainted(self, colors_of(self.palette()).surface)
        self.show()
        self.box.setFocus()
        self.box.selectAll()
        self._retry_activate(_TRIES)

    def _retry_activate(self, tries: int) -> None:
        """Ask for the keys until they come: a window manager may still be busy with another."""
        if not self.isVisible() or self.isActiveWindow() or not tries:
            return
        self.raise_()
        self.activateWindow()
        QTimer.singleShot(_TRY_MS, self, lambda: self._retry_activate(tries - 1))

    def _move_to_a_screen(self) -> None:
        """Move a little above the middle of the screen that the pointer is on."""
        screen = QGuiApplication.screenAt(QCursor.pos()) or QGuiApplication.primaryScreen()
        area = screen.availableGeometry()
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
        self.hide()

    def repeat(self) -> None:
        """The index changed."""
        if self.isVisible():
            self.search.repeat()

    def event(self, event: QEvent) -> bool:  # noqa: D102
        if event.type() == QEvent.Type.WindowDeactivate and self.isVisible():
            self.dismiss()
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys that move through the list while the cursor stays in the box."""
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        return self._take_key(event) or super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: D102
        if not self._is_composited:
            path = QPainterPath()
            path.addRoundedRect(QRectF(self.rect()), _RADIUS, _RADIUS)
            self.setMask(QRegion(path.toFillPolygon().toPolygon()))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors, painter = colors_of(self.palette()), smooth_painter(self)
        edge = self._shadow + 1
        area = QRectF(self.rect()).adjusted(edge, edge, -edge, -edge)
        paint_shadow(painter, area, _RADIUS, self._shadow)
        paint_box(painter, area, colors.surface, colors.muted, _RADIUS, 1.5)

    def _build(self) -> None:
        self.box = SearchBox(
            self.tr("Search your notes"), self.tr("Quick search"), self.tr("Clear"), height=48
        )
        self.list = ResultView(self.search, snippet_lines=2)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._heading = muted_label(
            translate("SearchPanel", "Changed lately, the last change first"), -1
        )
        self._heading.setContentsMargins(GRID * 2, 0, GRID * 2, 0)
        self._nothing = EmptyState("search", "", "")
        self._pages = stacked(self.list, self._nothing)
        self._scope_line = ElidedLabel(-1)
        sentence = self.tr("Enter opens   ·   Ctrl+Enter at the line   ·   Alt+Enter folder")
        keys = muted_label(sentence, -1)
        keys.setWordWrap(False)
        self.line = ElidedLabel(-1)
        self.line.hide()
        foot = hbox((self._scope_line, 1), keys, margins=(1, 0, 1, 0), spacing=2)
        answer = hbox((self.line, 1), margins=(1, 0, 1, 0))
        margin = 1.5 + self._shadow / GRID
        margins = (margin, margin, margin, margin)
        vbox(
            self.box,
            self._heading,
            (self._pages, 1),
            answer,
            foot,
            on=self,
            margins=margins,
            spacing=1,
        )
        self._name_scope()

    def _take_key(self, event: QKeyEvent) -> bool:
        key, modifiers = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        control = modifiers == Qt.KeyboardModifier.ControlModifier
        match key:
            case _ if key in STEPS:
                self.list.step(STEPS[Qt.Key(key)])
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._enter(modifiers)
            case Qt.Key.Key_Escape:
                self.box.empty() if self.box.text() else self.dismiss()
            case Qt.Key.Key_Tab | Qt.Key.Key_Backtab:
                self._next_scope(-1 if key == Qt.Key.Key_Backtab else 1)
            case _ if control and Qt.Key.Key_1 <= key <= Qt.Key.Key_9:
                if (row := self.search.model.row(key - Qt.Key.Key_1)) is not None:
                    self._open(row)
            case _:
                return False
        return True

    def _enter(self, modifiers: Qt.KeyboardModifier) -> None:
        row = self.list.row()
        if row is None:
            self.search.search_now()
            return
        if modifiers == Qt.KeyboardModifier.ControlModifier:
            self._opener.open_at_line(row.file, row.line)
        elif modifiers == Qt.KeyboardModifier.AltModifier:
            self._opener.reveal(row.file)
        elif modifiers == Qt.KeyboardModifier.ShiftModifier:
            self.row_chosen.emit(row)
        else:
            self._opener.open(row.file, row.line)
        self.dismiss()

    def _open(self, row: Row) -> None:
        self._opener.open(row.file, row.line)
        self.dismiss()

    def _next_scope(self, by: int) -> None:
        ids = [None, *(workspace.id for workspace in self._engine.workspaces())]
        now = self.search.scope.workspace
        at = ids.index(now) if now in ids else 0
        self.search.set_scope(replace(self.search.scope, workspace=ids[(at + by) % len(ids)]))
        self._name_scope()

    def _name_scope(self) -> None:
        names = {workspace.id: workspace.name for workspace in self._engine.workspaces()}
        scope = self.search.scope.workspace
        name = names.get(scope, "") if scope else self.tr("All notes")
        self._scope_line.setText(self.tr("{name}   ·   Tab for the next folder").format(name=name))

    def _say(self, sentence: str) -> None:
        self.line.setText(sentence)
        self.line.setVisible(bool(sentence))

    def _show_answer(self, answer: SearchAnswer) -> None:
        self._heading.hide()
        self.list.choose_after_answer()
        if not answer.request.is_typing:
            self._say(short_answer_sentence(answer))
        self._say_nothing(*nothing_found(answer))
        if not answer.hits:
            announce(self, self.nothing_text)

    def _show_recents(self) -> None:
        self._heading.setVisible(self.search.model.rowCount() > 0)
        self.list.choose_after_answer()
        self._say("")
        self._say_nothing(self.tr("Nothing here yet"), self.tr("Type to search your notes."))

    def _say_nothing(self, title: str, text: str) -> None:
        self._nothing.show_message(title, text)
        self._pages.setCurrentIndex(0 if self.search.model.rowCount() else 1)
