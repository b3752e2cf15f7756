"""The panes below the heat-map: a list of notes or changes, and beside it the chosen one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from PySide6.QtCore import QModelIndex, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QComboBox, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import ScrubjayError
from scrubjay.records.journal_records import NoteChanges, NotesOfDays
from scrubjay.records.note_records import DocumentInfo, Workspace
from scrubjay.text.age import local_midnight
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.preview.preview import Preview
from scrubjay_desktop.results.result_rows import row_of_recent
from scrubjay_desktop.text.formatting import days_name, translated
from scrubjay_desktop.text.workspace_names import badge_names
from scrubjay_desktop.timeline.diff_view import DiffView
from scrubjay_desktop.timeline.timeline_rows import (
    TimelineRow,
    TimelineView,
    timeline_row,
    timeline_row_data,
)
from scrubjay_desktop.widgets.banner import EmptyState, announce
from scrubjay_desktop.widgets.buttons import Button, Chip
from scrubjay_desktop.widgets.flow_layout import FlowLayout
from scrubjay_desktop.widgets.layouts import NONE, side_by_side, stacked_widget, vbox
from scrubjay_desktop.widgets.list_models import PagedList, RowPage
from scrubjay_desktop.widgets.theme import GRID

_WAITING_MS = 400
"""Milliseconds until the message that an answer is on its way; it would flicker before."""


class TimelinePanes(QWidget):
    """A list of notes or of changes, and a view of the chosen row."""

    def __init__(
        self, engine: Engine, tasks: Tasks, opener: Opener, today: Callable[[], dt.date]
    ) -> None:
        super().__init__()
        self._engine = engine
        self._tasks = tasks
        self._opener = opener
        self._today = today
        self._workspace: Workspace | None = None
        self._has_history = True
        self._days = (today(), today())
        self._life = CancelToken()
        self._current: TimelineRow | None = None
        self.list = PagedList(tasks, timeline_row_data, self)
        self._build(Preview(engine, tasks, opener))
        # The list loads, and the view shows what is chosen in it.
        self.list.settled.connect(self._late.stop)
        self.list.loaded.connect(self._show_list)
        self.list.failed.connect(self._show_failure)
        self.list.modelReset.connect(self._select_again)
        self.view.selectionModel().currentChanged.connect(self._current_changed)
        self.view.activated.connect(lambda _: self.open_current())
        self.changes_chip.clicked.connect(self.show_changes)
        self.notes_chip.clicked.connect(lambda: self.show_days(*self._days))
        self.since.activated.connect(lambda _: self.show_changes())
        self.diff.open_button.clicked.connect(self.open_current)

    @property
    def nothing_text(self) -> str:
        """The message in place of rows; empty while there are some."""
        if not self._lists.currentIndex():
            return ""
        return self._nothing.accessibleName()

    def show_days(self, first: dt.date, last: dt.date) -> None:
        """List the notes of some days."""
        self._days = (first, last)
        self.notes_chip.setText(days_name(first, last))
        # The chip is as wide as its text.
        self.notes_chip.updateGeometry()
        self.notes_chip.setChecked(True)
        self.since.setEnabled(False)
        self._late.start()
        # Days and folder are bound now: they may be others when a further page is asked for.
        workspace = self._workspace
        self.list.open(
            lambda after: self._engine.journal.notes(first, last, workspace, after=after),
            self._rows,
        )

    def show_changes(self) -> None:
        """List the changes since the chosen moment."""
        self.changes_chip.setChecked(True)
        self.since.setEnabled(True)
        # The message that an answer is on its way comes only if it takes long.
        self._late.start()
        moment = self._moment()
        workspace = self._workspace
        self.list.open(
            lambda after: self._engine.journal.changes(moment, workspace, after=after), self._rows
        )

    def show_workspace(self, workspace: Workspace | None) -> None:
        """List the notes of one workspace, or of all."""
        self._workspace = workspace
        self._reopen()

    def close_ties(self) -> None:
        """Stop asking and showing anything."""
        self._life.cancel()
        self._late.stop()
        self.list.close()

    def current(self) -> TimelineRow | None:
        """The chosen note."""
        index = self.view.currentIndex()
        row: TimelineRow | None = self.list.row(index.row())
        return row

    def open_current(self) -> None:
        """Open the chosen note in the user's editor."""
        row = self.current()
        if row is not None and row.file is not None:
            self._opener.open(row.file, 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: D102
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.view.hasFocus():
            self.open_current()
            return
        super().keyPressEvent(event)

    def _build(self, preview: Preview) -> None:
        self.preview = preview
        self.diff = DiffView()
        self.view = TimelineView(self.tr("Notes"))
        self.view.setModel(self.list)
        # A message stands in for the rows while there are none.
        self._nothing = EmptyState("clock", "", "")
        self.again = Button(self.tr("&Try again"))
        self.again.clicked.connect(self._reopen)
        self._nothing.add_button(self.again)
        self._lists = stacked_widget(self.view, self._nothing)
        self._late = QTimer(self, singleShot=True, interval=_WAITING_MS)
        looking = (
            self.tr("Looking for notes…"),
            self.tr("Scrubjay is looking through your notes."),
        )
        self._late.timeout.connect(lambda: self._show_message(*looking))
        # Beside the rows is the note, or how it changed.
        self._reader = stacked_widget(self.preview, self.diff)
        left = QWidget()
        left.setMinimumWidth(32 * GRID)
        vbox(self._lists, on=left, margins=(2, 0, 0, 0))
        split = side_by_side(left, self._reader, widths=(46, 60))
        vbox(self._bar(), (split, 1), on=self, margins=NONE, spacing=1)

    def _bar(self) -> FlowLayout:
        self.changes_chip = Chip(self.tr("Changed since"), self.tr("Show what changed"))
        self.notes_chip = Chip(days_name(*self._days), self.tr("Show the notes from these days"))
        self._modes = QButtonGroup(self)
        self.since = QComboBox()
        self.since.setAccessibleName(self.tr("Show changes since"))
        # Changes are listed since the beginning of a day.
        for days, name in (
            (0, self.tr("today")),
            (1, self.tr("yesterday")),
            (7, self.tr("a week ago")),
            (14, self.tr("two weeks ago")),
        ):
            self.since.addItem(name, days)
        self.since.setCurrentIndex(1)
        self.search = Button(self.tr("&Search these days"))
        self.search.setMinimumWidth(self.search.sizeHint().width() + 3 * GRID)
        for chip in (self.changes_chip, self.notes_chip):
            self._modes.addButton(chip)
        parts = (self.changes_chip, self.since, self.notes_chip, self.search)
        row = FlowLayout(*parts, is_last_apart=True)
        row.setContentsMargins(3 * GRID, 0, 3 * GRID, 0)
        return row

    def _moment(self) -> dt.datetime:
        # People count days from midnight, and not by hours.
        day = self._today() - dt.timedelta(days=self.since.currentData())
        return local_midnight(day)

    def _reopen(self) -> None:
        if self.changes_chip.isChecked():
            self.show_changes()
        else:
            self.show_days(*self._days)

    def _rows(self, page: NotesOfDays | NoteChanges) -> RowPage:
        names = badge_names(self._engine.workspaces())
        now = dt.datetime.now().astimezone()
        if isinstance(page, NotesOfDays):
            return [timeline_row(note, names, now) for note in page.notes], page.next
        self._has_history = page.kept_days > 0 or not self._engine.workspaces()
        return [timeline_row(change, names, now) for change in page.changes], page.next

    def _show_list(self) -> None:
        self._reader.setVisible(self.list.rowCount() > 0)
        if self.list.rowCount():
            self._lists.setCurrentIndex(0)
            return
        # The message says why there is nothing.
        if not self.changes_chip.isChecked():
            title = self.tr("No notes")
            text = self.tr("Scrubjay found no notes from {days}.").format(
                days=days_name(*self._days)
            )
        elif self._has_history:
            title = self.tr("No changes")
            text = self.tr("Changes to notes will appear here once Scrubjay notices them.")
        else:
            title = self.tr("Changes are not recorded")
            text = self.tr(
                "To record changes, set “Days to keep earlier versions of notes” in the "
                "settings to at least 1."
            )
        self._show_message(title, text)

    def _show_failure(self, error: ScrubjayError) -> None:
        self._show_message(
            translated(error.title),
            f"{translated(error.message)} {translated(error.hint)}".strip(),
            can_retry=True,
        )

    def _show_message(self, title: str, text: str, *, can_retry: bool = False) -> None:
        self._reader.hide()
        self._nothing.show_message(title, text)
        self.again.setVisible(can_retry)
        self._lists.setCurrentIndex(1)
        announce(self._nothing, title)
        self._show(None)

    def _select_again(self) -> None:
        """Choose the same row after the list was loaded again, otherwise the first row."""
        current = self._current
        # The same note may have another row by now.
        for number, row in enumerate(self.list.rows):
            if current and (row.workspace, row.path) == (current.workspace, current.path):
                self.view.setCurrentIndex(self.list.index(number))
                return
        if self.list.rowCount():
            self.view.setCurrentIndex(self.list.index(0))

    def _current_changed(self, index: QModelIndex) -> None:
        if index.isValid():
            self._show(self.list.row(index.row()))

    def _preview_document(self, document: DocumentInfo | None) -> None:
        if document is None:
            self.preview.show_row(None)
            return
        names = badge_names(self._engine.workspaces())
        now = dt.datetime.now().astimezone()
        self.preview.show_row(row_of_recent(document, names, now))

    def _show(self, row: TimelineRow | None) -> None:
        self._current = row
        self._life.cancel()
        self._life = CancelToken()
        if row is None or row.document is not None:
            self._reader.setCurrentWidget(self.preview)
            self._preview_document(row.document if row else None)
            return
        # How a note changed is computed when it is asked for.
        self._reader.setCurrentWidget(self.diff)
        if row.moved:
            self.diff.show_moved(row.title, row.origin, [note.path for note in row.moved])
            return
        self.diff.show_waiting(row.title, exists=row.file is not None)
        self._tasks.watch(
            self._engine.journal.difference(row.address, self._moment()),
            self._life,
            done=self.diff.show_difference,
            failed=lambda error: self.diff.show_sentence(translated(str(error))),
        )
