"""The timeline: a year at a glance, the notes of a day, and what changed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from PySide6.QtCore import QLocale, QTimer, Signal
from PySide6.QtGui import QFont, QHideEvent, QPalette, QShowEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from scrubjay import CancelToken, Engine
from scrubjay.errors import ScrubjayError
from scrubjay.events import (
    Event,
    IndexChanged,
    IndexFinished,
    WorkspacesChanged,
)
from scrubjay.records.journal_records import JournalDays
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.open_external import Opener
from scrubjay_desktop.search.query_operators import with_operator
from scrubjay_desktop.text.formatting import number, short_day, translated
from scrubjay_desktop.timeline.heatmap import HeatMap, Legend
from scrubjay_desktop.timeline.heatmap_model import Amount, HeatDays, amount_words
from scrubjay_desktop.timeline.timeline_panes import TimelinePanes
from scrubjay_desktop.widgets.buttons import IconButton
from scrubjay_desktop.widgets.theme import GRID, sized

_YEAR = dt.timedelta(weeks=52)
_QUIET_MS = 1000
"""While notes are indexed the page is brought up to date this often."""


class TimelinePage(QWidget):
    """Heat-map above, lists below."""

    search_requested = Signal(object, object)
    """The first and the last day to search in."""

    def __init__(
        self,
        engine: Engine,
        tasks: Tasks,
        opener: Opener,
        today: Callable[[], dt.date] = dt.date.today,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._engine = engine
        self._tasks = tasks
        self._today = today
        self._cancel = CancelToken()
        self._is_stale = True
        self.days = HeatDays(today(), QLocale().firstDayOfWeek().value - 1, self)
        self.map = HeatMap(self.days)
        self.panes = TimelinePanes(engine, tasks, opener, today)
        self._refresh_due = QTimer(self, singleShot=True, interval=_QUIET_MS)
        self._refresh_due.timeout.connect(self._refresh)
        self._build()
        self.map.view.chosen.connect(self.panes.show_days)
        self.map.view.taken.connect(self.search_requested)
        self.panes.search_requested.connect(
            lambda: self.search_requested.emit(self.map.view.first, self.map.view.last)
        )
        self.earlier.clicked.connect(lambda: self._show_year(self.days.last - _YEAR))
        self.later.clicked.connect(lambda: self._show_year(self.days.last + _YEAR))
        self.place.activated.connect(lambda _: self._choose_workspace())
        self._show_workspaces()
        self.panes.show_changes()

    def on_event(self, event: Event) -> None:
        """Follow what the engine announces."""
        match event:
            case IndexChanged() | IndexFinished():
                self._stale()
            case WorkspacesChanged():
                self._show_workspaces()
                self._stale()
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
        """Ask and show nothing any more."""
        self._cancel.cancel()
        self._refresh_due.stop()
        self.panes.close_ties()

    def _build(self) -> None:
        title = QLabel(self.tr("Timeline"))
        title.setFont(sized(self.font(), 5, QFont.Weight.DemiBold))
        self.place = QComboBox()
        self.place.setAccessibleName(self.tr("Whose notes"))
        self.earlier = IconButton("earlier", self.tr("A year earlier"))
        self.earlier.setEnabled(False)
        self.later = IconButton("later", self.tr("A year later"))
        self._range = QLabel()
        head = QHBoxLayout()
        head.setSpacing(GRID)
        head.addWidget(title)
        head.addStretch(1)
        for widget in (self.place, self.earlier, self._range, self.later):
            head.addWidget(widget)
        self.summary = QLabel()
        self.summary.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.summary.setFont(sized(self.font(), -0.5))
        foot = QHBoxLayout()
        foot.addWidget(self.summary, 1)
        foot.addWidget(Legend())
        top = QVBoxLayout()
        top.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 0)
        top.setSpacing(GRID)
        top.addLayout(head)
        top.addWidget(self.map)
        top.addLayout(foot)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addLayout(top)
        column.addWidget(self.panes, 1)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.setFocusProxy(self.map)

    def _show_year(self, last: dt.date) -> None:
        self.days.show_year(min(last, self._today()))
        self._load()

    def _show_workspaces(self) -> None:
        chosen = self.place.currentData()
        self.place.clear()
        self.place.addItem(self.tr("All notes"), None)
        for one in self._engine.workspaces():
            self.place.addItem(one.name, one.id)
        self.place.setCurrentIndex(max(0, self.place.findData(chosen)))
        self.place.setVisible(self.place.count() > 2)
        if self.place.currentData() != chosen:
            self._choose_workspace()

    def _choose_workspace(self) -> None:
        self.panes.show_workspace(self.place.currentData())
        self._load()

    def _stale(self) -> None:
        self._is_stale = True
        if self.isVisible() and not self._refresh_due.isActive():
            self._refresh_due.start()

    def _refresh(self) -> None:
        """Bring everything up to date; at midnight the year moves on by a day."""
        self._is_stale = False
        if self.days.last < self._today() and not self.later.isEnabled():
            self.days.show_year(self._today())
        self._load()
        self.panes.refresh()

    def _load(self) -> None:
        self._cancel.cancel()
        self._cancel = CancelToken()
        self._range.setText(f"{short_day(self.days.first)} – {short_day(self.days.last)}")
        self.later.setEnabled(self.days.last < self._today())
        self._tasks.watch(
            self._engine.journal.days(self.days.first, self.days.last, self.place.currentData()),
            self._cancel,
            done=self._show_days,
            failed=self._fail,
        )

    def _show_days(self, found: JournalDays) -> None:
        amounts: dict[dt.date, Amount] = {}
        for one in found.days:
            amounts[one.day] = amounts.get(one.day, Amount()) + Amount(one.notes, one.bytes)
        self.days.show_amounts(amounts)
        self.earlier.setEnabled(found.earliest is not None and found.earliest < self.days.first)
        self.summary.setText(self._year_sentence())

    def _year_sentence(self) -> str:
        """In words what the squares say."""
        amount = self.days.amount(self.days.first, self.days.last)
        if not amount.notes:
            return self.tr("No notes in this time.")
        if self.days.written_days == 1:
            return self.tr("{amount} on 1 day").format(amount=amount_words(amount))
        return self.tr("{amount} on {n} days").format(
            amount=amount_words(amount), n=number(self.days.written_days)
        )

    def _fail(self, error: ScrubjayError) -> None:
        self.summary.setText(translated(str(error)))


def question_in_days(text: str, first: dt.date, last: dt.date) -> str:
    """A question that is asked of the notes of some days only."""
    return with_operator(with_operator(text, "before", str(last)), "after", str(first))
