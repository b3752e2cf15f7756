"""Chips that narrow a search by date and by kind, by writing operators into the question."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from PySide6.QtCore import QDate, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QTextCharFormat
from PySide6.QtWidgets import (
    QCalendarWidget,
    QDateEdit,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QMenu,
    QToolButton,
    QWidget,
)

from scrubjay_desktop.search.query_operators import days_of, operator_value, with_operator
from scrubjay_desktop.text.formatting import days_name, short_day
from scrubjay_desktop.widgets.buttons import Chip, dialog_buttons
from scrubjay_desktop.widgets.icons import icon
from scrubjay_desktop.widgets.layouts import DIALOG, NONE, hbox, vbox
from scrubjay_desktop.widgets.theme import GRID, colors_of, set_look

Choices = tuple[tuple[str, str], ...]
"""Options of a menu: operator value and name; the empty value removes the operator."""

_MIN_WIDTH = 40 * GRID
"""Pixels of the dialog: its title needs them."""


class DaysDialog(QDialog):
    """A first and a last day, each with a calendar."""

    def __init__(self, first: dt.date, last: dt.date, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Choose days"))
        self.first, self.last = (
            QDateEdit(QDate(day.year, day.month, day.day)) for day in (first, last)
        )
        for edit in (self.first, self.last):
            edit.setCalendarPopup(True)
            edit.setDisplayFormat(_with_century(edit.displayFormat()))
            _draw_calendar(edit.calendarWidget())
        self.first.dateChanged.connect(self.last.setMinimumDate)
        self.last.setMinimumDate(self.first.date())
        buttons = QDialogButtonBox.StandardButton
        form = QFormLayout(fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for text, edit in ((self.tr("&From"), self.first), (self.tr("&To"), self.last)):
            label = QLabel(text)
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
    return form if "yyyy" in form else form.replace("yy", "yyyy")


def _draw_calendar(calendar: QCalendarWidget) -> None:
    """Arrows and week-ends in the colours of the theme; Qt's own are black and red."""
    color = colors_of(calendar.palette()).text
    for side, name in (("prev", "earlier"), ("next", "later")):
        button = calendar.findChild(QToolButton, f"qt_calendar_{side}month")
        assert button is not None
        button.setIcon(icon(name, color))
    for day in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
        calendar.setWeekdayTextFormat(day, QTextCharFormat())


class FilterChips(QWidget):
    """One chip for the date, and one for the kind of note where there are conversations."""

    edited = Signal(str)
    """The question with another operator in it."""

    def __init__(
        self,
        today: Callable[[], dt.date] = dt.date.today,
        has_conversations: Callable[[], bool] = lambda: True,
    ) -> None:
        super().__init__()
        self._today = today
        self._has_conversations = has_conversations
        self._text = ""
        self.date = Chip("", self.tr("Changed when"), has_menu=True)
        self.kind = Chip("", self.tr("Which kind of notes"), has_menu=True)
        hbox(self.date, self.kind, on=self, margins=NONE, spacing=1)
        self.date.clicked.connect(lambda: _popup(self.date, self.menu_of(self.date)))
        self.kind.clicked.connect(lambda: _popup(self.kind, self.menu_of(self.kind)))
        self.show_text("")

    def show_text(self, text: str) -> None:
        """Show the operators of a question."""
        self._text = text
        for chip, name, choices in self._all():
            value = operator_value(text, name)
            label = dict(choices).get(value)
            if chip is self.date and (not label or operator_value(text, "before")):
                label = self._days() or choices[0][1]
            label = label or self.tr("Folder: {name}").format(name=value)
            if chip.text() != label:
                chip.setText(label)
                set_look(chip, "narrows", label != choices[0][1])
                chip.updateGeometry()
        is_narrowed = bool(operator_value(text, "path"))
        self.kind.setVisible(is_narrowed or self._has_conversations())

    def menu_of(self, chip: Chip) -> QMenu:
        """The menu of a chip."""
        menu = QMenu(chip)
        group = QActionGroup(menu)
        [(name, choices)] = [(n, options) for owner, n, options in self._all() if owner is chip]
        current = operator_value(self._text, name)
        # When the beginning of the days is chosen anew, their end goes.
        rest = with_operator(self._text, "before", "") if name == "after" else self._text
        for value, text in choices:
            action = QAction(text, menu, checkable=True, checked=value == current)
            action.triggered.connect(
                lambda _=False, value=value: self.edited.emit(with_operator(rest, name, value))
            )
            menu.addAction(group.addAction(action))
        if chip is self.date:
            days = menu.addAction(self.tr("Choose days…"), self._choose_days)
            days.setCheckable(True)
            days.setChecked(group.checkedAction() is None)
            group.addAction(days)
        return menu

    def _choose_days(self) -> None:
        week = (self._today() - dt.timedelta(days=6), self._today())
        first, last = days_of(self._text) or week
        first = last if first == dt.date.min else first
        dialog = DaysDialog(first, min(last, max(first, self._today())), self)

        def narrow() -> None:
            text = self._text
            for name, edit in (("before", dialog.last), ("after", dialog.first)):
                text = with_operator(text, name, edit.date().toString(Qt.DateFormat.ISODate))
            self.edited.emit(text)

        dialog.accepted.connect(narrow)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _all(self) -> tuple[tuple[Chip, str, Choices], ...]:
        def since(days: int) -> str:
            return (self._today() - dt.timedelta(days=days)).isoformat()

        dates = (
            ("", self.tr("Any date")),
            (since(0), self.tr("Today")),
            (since(6), self.tr("Last 7 days")),
            (since(29), self.tr("Last 30 days")),
            (since(364), self.tr("Last 12 months")),
        )
        kinds = (("", self.tr("All kinds")), ("sessions/", self.tr("Conversations")))
        return (self.date, "after", dates), (self.kind, "path", kinds)

    def _days(self) -> str:
        """The name of a range of days; empty for those in the menu."""
        if (days := days_of(self._text)) is None:
            return ""
        first, last = days
        if first == dt.date.min:
            return self.tr("Until {day}").format(day=short_day(last))
        if last == dt.date.max:
            return self.tr("Since {day}").format(day=short_day(first))
        return days_name(first, last)


def _popup(chip: Chip, menu: QMenu) -> None:
    menu.aboutToHide.connect(menu.deleteLater)
    menu.popup(chip.mapToGlobal(chip.rect().bottomLeft()))
