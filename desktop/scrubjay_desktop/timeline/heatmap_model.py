"""The days of a heat-map as a Qt table: a column for each week, a row for each weekday."""

from __future__ import annotations

import bisect
import datetime as dt
import math
from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from scrubjay_desktop.text.formatting import format_note_count, format_size, long_day, translate
from scrubjay_desktop.widgets.list_models import TOP, Index

WEEKS = 53
"""Columns: a year and the days up to its last week."""
DAYS_OF_WEEK = 7
"""Rows."""
LEVELS = 4
"""Shades beyond that of a day without notes."""

_DAY = dt.timedelta(days=1)


class DayAmount(Struct, frozen=True):
    """Number and size of the notes of a day."""

    notes: int = 0
    bytes: int = 0

    def __add__(self, other: DayAmount) -> DayAmount:
        return DayAmount(self.notes + other.notes, self.bytes + other.bytes)


def first_shown(last: dt.date, first_weekday: int) -> dt.date:
    """The first day of the weeks up to a day's; first_weekday is 0 for Monday, as in Python."""
    into_week = (last.weekday() - first_weekday) % DAYS_OF_WEEK
    return last - dt.timedelta(days=into_week + (WEEKS - 1) * DAYS_OF_WEEK)


def shade_levels(amounts: Mapping[dt.date, DayAmount]) -> dict[dt.date, int]:
    """Shade of each day, 1 to LEVELS: a quarter of the days with notes has each.

    Quarters, not shares of the greatest: one day on which a large file was brought in would make
    all others look empty.
    """
    # The shade follows from the rank of a day among all days with notes.
    sizes = sorted(amount.bytes for amount in amounts.values() if amount.notes)
    return {
        day: math.ceil(LEVELS * bisect.bisect_right(sizes, amount.bytes) / len(sizes))
        for day, amount in amounts.items()
        if amount.notes
    }


class HeatmapModel(QAbstractTableModel):
    """WEEKS columns of seven days each; days after the last one are empty."""

    def __init__(self, last: dt.date, first_weekday: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._first_weekday = first_weekday
        self._amounts: Mapping[dt.date, DayAmount] = {}
        self._levels: dict[dt.date, int] = {}
        self.last = last
        self.first = first_shown(last, first_weekday)

    def show_year(self, last: dt.date) -> None:
        """Show the weeks that end with a day, still without amounts."""
        # The amounts of other days would be shown on these until the new ones come.
        self.beginResetModel()
        self.last = last
        self.first = first_shown(last, self._first_weekday)
        self._amounts = {}
        self._levels = {}
        self.endResetModel()

    def show_amounts(self, amounts: Mapping[dt.date, DayAmount]) -> None:
        """Show the amounts of these days."""
        self._amounts = amounts
        self._levels = shade_levels(amounts)
        self.dataChanged.emit(self.index(0, 0), self.index(DAYS_OF_WEEK - 1, WEEKS - 1))

    def amount(self, first: dt.date, last: dt.date) -> DayAmount:
        """The sum of the amounts of a range of days."""
        amounts = (amount for day, amount in self._amounts.items() if first <= day <= last)
        return sum(amounts, DayAmount())

    def level(self, day: dt.date) -> int:
        """The shade of a day: 0 without notes, up to LEVELS."""
        return self._levels.get(day, 0)

    @property
    def written_days(self) -> int:
        """Days with notes."""
        return len(self._levels)

    def day(self, index: Index) -> dt.date | None:
        """The day of a cell; None after the last one."""
        if not index.isValid():
            return None
        # Weeks are columns, so the days go down before they go on to the right.
        day = self.first + (index.column() * DAYS_OF_WEEK + index.row()) * _DAY
        if day > self.last:
            return None
        return day

    def index_of(self, day: dt.date) -> QModelIndex:
        """The cell of a day; an invalid one outside."""
        if not self.first <= day <= self.last:
            return QModelIndex()
        week, row = divmod((day - self.first).days, DAYS_OF_WEEK)
        return self.index(row, week)

    def rowCount(self, parent: Index = TOP) -> int:  # noqa: D102
        if parent.isValid():
            return 0
        return DAYS_OF_WEEK

    def columnCount(self, parent: Index = TOP) -> int:  # noqa: D102
        if parent.isValid():
            return 0
        return WEEKS

    def flags(self, index: Index) -> Qt.ItemFlag:  # noqa: D102
        if self.day(index) is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: D102
        day = self.day(index)
        if day is None:
            return None
        # Eyes and screen readers get the same sentence.
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return day_sentence(day, self._amounts.get(day, DayAmount()))
        if role == Qt.ItemDataRole.UserRole:
            return day
        return None


def day_sentence(day: dt.date, amount: DayAmount) -> str:
    """`Thursday, 12 March 2026: 3 notes, 4.2 kB`."""
    return translate("HeatMap", "{day}: {amount}").format(
        day=long_day(day), amount=amount_words(amount)
    )


def amount_words(amount: DayAmount) -> str:
    """`3 notes, 4.2 kB`, or `no notes`."""
    if not amount.notes:
        return translate("HeatMap", "no notes")
    return f"{format_note_count(amount.notes)}, {format_size(amount.bytes)}"
