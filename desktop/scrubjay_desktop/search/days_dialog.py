"""The dialog for the days that are searched."""

from __future__ import annotations

import datetime as dt

from PySide6.QtCore import QDate, Qt
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import (
    QCalendarWidget,
    QDateEdit,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QToolButton,
    QWidget,
)

from scrubjay_desktop.widgets.buttons import dialog_buttons
from scrubjay_desktop.widgets.icons import icon
from scrubjay_desktop.widgets.layouts import DIALOG, vbox
from scrubjay_desktop.widgets.theme import GRID, palette_colors

_MIN_WIDTH = 40 * GRID
"""Pixels of the dialog: its title needs them."""


class DaysDialog(QDialog):
    """A first and a last day, each with a calendar."""

    def __init__(self, first: dt.date, last: dt.date, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Choose days"))
        # Days are chosen in a calendar or typed, with a year that is not ambiguous.
        self.first, self.last = (
            QDateEdit(QDate(day.year, day.month, day.day)) for day in (first, last)
        )
        for edit in (self.first, self.last):
            edit.setCalendarPopup(True)
            edit.setDisplayFormat(_with_century(edit.displayFormat()))
            _draw_calendar(edit.calendarWidget())
        # The last day is never before the first.
        self.first.dateChanged.connect(self.last.setMinimumDate)
        self.last.setMinimumDate(self.first.date())
        buttons = QDialogButtonBox.StandardButton
        form = QFormLayout(fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for text, edit in ((self.tr("&From"), self.first), (self.tr("&To"), self.last)):
            label = QLabel(text, textFormat=Qt.TextFormat.PlainText)
            label.setMinimumWidth(label.fontMetrics().horizontalAdvance(text) + GRID)
            label.setBuddy(edit)
            form.addRow(label, edit)
        vbox(
            form,
            dialog_buttons(self, buttons.Ok | buttons.Cancel),
            on=self,
            margins=DIALOG,
            spacing=1.5,
        )
        self.setMinimumWidth(_MIN_WIDTH)


def _with_century(form: str) -> str:
    """A format of dates with four digits for the year."""
    if "yyyy" in form:
        return form
    return form.replace("yy", "yyyy")


def _draw_calendar(calendar: QCalendarWidget) -> None:
    """Arrows and week-ends in the colours of the theme; Qt's own are black and red."""
    color = palette_colors(calendar.palette()).text
    # Qt gives the arrows no names but these; without them they stay black.
    for side, name in (("prev", "earlier"), ("next", "later")):
        button = calendar.findChild(QToolButton, f"qt_calendar_{side}month")
        if button is not None:
            size = button.iconSize().width()
            button.setIcon(icon(name, color, size=size, widget=button))
    for day in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
        calendar.setWeekdayTextFormat(day, QTextCharFormat())
