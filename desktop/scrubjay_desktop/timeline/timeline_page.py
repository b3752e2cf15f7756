"""The timeline: a year as a heat-map, the notes of a day, and recent changes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from PySide6.QtCore import QLocale, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QLabel, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.event_bus import Event
from scrubjay.events import IndexChanged, IndexFinished, WorkspacesChanged
from scrubjay.records.journal_records import JournalDays
from scrubjay.records.note_records import Workspace
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.text.formatting import format_number, short_day, translated
from scrubjay_desktop.timeline.heatmap import Heatmap, Legend
from scrubjay_desktop.timeline.heatmap_model import DayAmount, HeatmapModel, amount_words
from scrubjay_desktop.timeline.timeline_panes import TimelinePanes
from scrubjay_desktop.widgets.buttons import IconButton
from scrubjay_desktop.widgets.labels import muted_label, page_title
from scrubjay_desktop.widgets.layouts import NONE, hbox, vbox

_YEAR = dt.timedelta(weeks=52)
_REFRESH_MS = 1000
"""Milliseconds between two looks while notes are indexed, after which the page is brought up to
date."""


class TimelinePage(QWidget):
    """Heat-map above, lists below."""

    search_requested = Signal(object, object)
    """Signal with the first and the last day to search in."""

    def __init__(
        self,
        engine: Engine,
        tasks: Tasks,
        opener: Opener,
        today: Callable[[], dt.date] = dt.date.today,
        *,
        refresh_ms: int = _REFRESH_MS,
    ) -> None:
        super().__init__()
        self._engine = engine
        self._tasks = tasks
        self._today = today
        self._cancel = CancelToken()
        self._is_stale = True
        self.days = HeatmapModel(today(), QLocale().firstDayOfWeek().value - 1, self)
        self.map = Heatmap(self.days)
        self.panes = TimelinePanes(engine, tasks, opener=opener, today=today)
        self._refresh_due = QTimer(self, singleShot=True, interval=refresh_ms)
        self._refresh_due.timeout.connect(self._refresh)
        self._build()
        # Days that are chosen above are listed below.
        self.map.view.chosen.connect(self.panes.show_days)
        self.map.view.search_requested.connect(self.search_requested)
        self.panes.search.clicked.connect(
            lambda: self.search_requested.emit(self.map.view.first, self.map.view.last)
        )
        self.earlier.clicked.connect(lambda: self._show_year(self.days.last - _YEAR))
        self.later.clicked.connect(lambda: self._show_year(self.days.last + _YEAR))
        self.workspace.activated.connect(lambda _: self._choose_workspace())
        self._show_workspaces()
        self.panes.show_changes()

    def on_event(self, event: Event) -> None:
        """Load the page again when notes or folders changed."""
        match event:
            # Changes of notes make the page stale, those of folders its list of choices too.
            case IndexChanged() | IndexFinished():
                self._mark_stale()
            case WorkspacesChanged():
                self._show_workspaces()
                self._mark_stale()
            case _:
                pass

    def showEvent(self, event: QShowEvent) -> None:  # noqa: D102
        super().showEvent(event)
        if self._is_stale:
            self._refresh()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: D102
        super().hideEvent(event)
        self._refresh_due.stop()

    def close_ties(self) -> None:
        """Stop asking and showing anything."""
        self._cancel.cancel()
        self._refresh_due.stop()
        self.panes.close_ties()

    def _build(self) -> None:
        # Whose notes and which year are chosen beside the title.
        title = page_title(self.tr("Timeline"))
        self.workspace = QComboBox()
        self.workspace.setAccessibleName(self.tr("Folder to show"))
        self.earlier = IconButton("earlier", self.tr("Previous year"))
        self.earlier.setEnabled(False)
        self.later = IconButton("later", self.tr("Next year"))
        self._range = QLabel(textFormat=Qt.TextFormat.PlainText)
        parts = (title, 1, self.workspace, self.earlier, self._range, self.later)
        head = hbox(*parts, spacing=1)
        self.summary = muted_label("", -0.5)
        foot = hbox((self.summary, 1), Legend())
        top = vbox(head, self.map, foot, margins=(3, 3, 3, 0), spacing=1)
        vbox(top, (self.panes, 1), on=self, margins=NONE, spacing=1)
        self.setFocusProxy(self.map)

    def _show_year(self, last: dt.date) -> None:
        self.days.show_year(min(last, self._today()))
        self._load()

    def _show_workspaces(self) -> None:
        # The chosen folder stays chosen, if it is still there.
        chosen = self.workspace.currentData()
        self.workspace.clear()
        self.workspace.addItem(self.tr("All notes"), None)
        for workspace in self._engine.workspaces():
            self.workspace.addItem(workspace.name, workspace.id)
        self.workspace.setCurrentIndex(max(0, self.workspace.findData(chosen)))
        self.workspace.setVisible(self.workspace.count() > 2)
        if self.workspace.currentData() != chosen:
            self._choose_workspace()

    @property
    def _chosen(self) -> Workspace | None:
        """The workspace whose notes are shown; None for all."""
        chosen = self.workspace.currentData()
        return next((each for each in self._engine.workspaces() if each.id == chosen), None)

    def _choose_workspace(self) -> None:
        self.panes.show_workspace(self._chosen)
        self._load()

    def _mark_stale(self) -> None:
        self._is_stale = True
        if self.isVisible() and not self._refresh_due.isActive():
            self._refresh_due.start()

    def _refresh(self) -> None:
        """Bring everything up to date; at midnight the year moves on by a day."""
        self._is_stale = False
        # An earlier year that was chosen stays.
        if self.days.last < self._today() and not self.later.isEnabled():
            self.days.show_year(self._today())
        self._load()
        self.panes.list.refresh()

    def _load(self) -> None:
        # An answer for other days must not come in after this one.
        self._cancel.cancel()
        self._cancel = CancelToken()
        self._range.setText(f"{short_day(self.days.first)} – {short_day(self.days.last)}")
        self.later.setEnabled(self.days.last < self._today())
        self._tasks.watch(
            self._engine.journal.days(self.days.first, self.days.last, self._chosen),
            self._cancel,
            done=self._show_days,
            failed=lambda error: self.summary.setText(translated(str(error))),
        )

    def _show_days(self, journal: JournalDays) -> None:
        # A day has an entry for each folder.
        amounts: dict[dt.date, DayAmount] = {}
        for entry in journal.days:
            amount = DayAmount(entry.notes, entry.bytes)
            amounts[entry.day] = amounts.get(entry.day, DayAmount()) + amount
        self.days.show_amounts(amounts)
        earliest = journal.earliest
        self.earlier.setEnabled(earliest is not None and earliest < self.days.first)
        # The sentence below the squares is about the year that is shown.
        year = self.days.amount(self.days.first, self.days.last)
        days = self.days.written_days
        if not year.notes:
            sentence = self.tr("No notes found in this period.")
        else:
            sentence = self.tr("{amount} in this period, on {n} {n:day|days}")
        self.summary.setText(sentence.format(amount=amount_words(year), n=format_number(days)))
