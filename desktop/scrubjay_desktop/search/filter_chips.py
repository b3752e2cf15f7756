"""Chips that narrow a search by date, folder, tag and kind, and one for how the rows are found."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, TypeVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QWidget

from scrubjay.records.search_modes import Mode, Order
from scrubjay.text.file_kinds import CONVERSATION, DOCUMENT, MAIL, NOTE, PDF, PICTURE
from scrubjay_desktop.search.query_operators import operator_days, operator_value, with_operator
from scrubjay_desktop.text.formatting import days_name, format_number, short_day
from scrubjay_desktop.widgets.buttons import Chip
from scrubjay_desktop.widgets.flow_layout import FlowLayout
from scrubjay_desktop.widgets.theme import set_style_property

E = TypeVar("E", Mode, Order)
Counts = Sequence[tuple[str, int]]
"""Pairs of a tag or folder and the number of its notes."""
_MOST_CHOICES = 30
"""Tags or folders in a menu at most."""
Choices = tuple[tuple[str, str], ...]
"""Options of a menu: operator value and name; the empty value removes the operator."""


class SearchedNotes(Protocol):
    """What there is to choose from in the notes that are searched."""

    @property
    def has_conversations(self) -> bool: ...  # noqa: D102
    @property
    def has_documents(self) -> bool: ...  # noqa: D102
    @property
    def has_pictures(self) -> bool: ...  # noqa: D102
    @property
    def has_meaning(self) -> bool: ...  # noqa: D102

    def count(self, kind: str, show: Callable[[Counts], None]) -> None:
        """Give the "tags" or "folders" with the numbers of their notes to a function, later."""
        ...


class FilterChips(QWidget):
    """Chips for date, folder, tag, order and mode, and for the kind where there are several."""

    edited = Signal(str)
    """Signal with the question with another operator in it."""
    ordered = Signal(str)
    """Signal with the order that was chosen, as `Order` names it."""
    mode_chosen = Signal(str)
    """Signal with words, meaning or both, as `Mode` names it."""

    def __init__(self, notes: SearchedNotes, today: Callable[[], dt.date] = dt.date.today) -> None:
        super().__init__()
        self._notes = notes
        self._today = today
        self._order = Order.RELEVANCE
        self._mode = Mode.HYBRID
        self._text = ""
        # The chip for the order stands apart, since it narrows nothing.
        self.date = Chip("", self.tr("Filter by date"), has_menu=True)
        self.kind = Chip("", self.tr("Filter by kind of note"), has_menu=True)
        self.folder = Chip("", self.tr("Folder to search"), has_menu=True)
        self.tag = Chip("", self.tr("Filter by tag"), has_menu=True)
        self.order = Chip("", self.tr("Sort order and kind of search"), has_menu=True)
        chips = (self.date, self.folder, self.tag, self.kind, self.order)
        self.setLayout(FlowLayout(*chips, is_last_apart=True))
        # Tags and folders are counted when their menu is asked for.
        for name, chip in (("folders", self.folder), ("tags", self.tag)):
            chip.clicked.connect(lambda _=False, name=name, chip=chip: self._ask_counts(name, chip))
        self.order.clicked.connect(lambda: _popup(self.order, self.order_menu()))
        self.show_order(Order.RELEVANCE)
        self.date.clicked.connect(lambda: _popup(self.date, self.menu_of(self.date)))
        self.kind.clicked.connect(lambda: _popup(self.kind, self.menu_of(self.kind)))
        self.show_text("")

    def _ask_counts(self, name: str, chip: Chip) -> None:
        self._notes.count(name, lambda counts: _popup(chip, self.menu_of(chip, counts)))

    def show_text(self, text: str) -> None:
        """Show the operators of a question."""
        self._text = text
        # A chip shows the name of its choice, or what was typed in its place.
        for chip, name, choices in self._all():
            value = operator_value(text, name)
            label = dict(choices[1:]).get(value, "")
            if chip is self.date and (not label or operator_value(text, "before")):
                label = self._days()
            elif chip is self.folder and value:
                label = self.tr("Folder: {name}").format(name=value.strip("/"))
            elif chip is self.tag and value:
                label = f"#{value.removeprefix('#')}"
            _label(chip, label, self._subject(chip))
        # With one kind of notes there is no choice.
        notes = self._notes
        has_kinds = notes.has_conversations or notes.has_documents or notes.has_pictures
        self.kind.setVisible(has_kinds or bool(operator_value(text, "kind")))

    def show_order(self, order: Order) -> None:
        """Show in which order the rows are."""
        self._order = order
        self._label_order()

    def show_mode(self, mode: Mode) -> None:
        """Show whether words, meaning or both are looked for."""
        self._mode = mode
        self._label_order()

    def _label_order(self) -> None:
        # The chip names what is not the default, and nothing else.
        others = []
        if self._order is not Order.RELEVANCE:
            others.append(dict(self._orders())[self._order])
        if self._mode is not Mode.HYBRID and self._notes.has_meaning:
            others.append(dict(self._modes())[self._mode])
        _label(self.order, " · ".join(others), self._orders()[0][1])

    def _subject(self, chip: Chip) -> str:
        """The text of a chip that does not narrow the search."""
        texts = {
            self.date: self.tr("Date"),
            self.folder: self.tr("Folder"),
            self.tag: self.tr("Tag"),
            self.kind: self.tr("Kind"),
        }
        return texts[chip]

    def menu_of(self, chip: Chip, counts: Counts = ()) -> QMenu:
        """The menu of a chip, with folders or tags and the numbers of their notes."""
        menu = QMenu(chip)
        group = QActionGroup(menu)
        [(name, choices)] = [(n, options) for owner, n, options in self._all() if owner is chip]
        # Between slashes it is this folder and no other that ends or begins alike.
        around = ""
        if chip is self.folder:
            around = "/"
        choices += tuple(
            (f"{around}{each}{around}", f"{each.replace('&', '&&')}\t{format_number(count)}")
            for each, count in counts[:_MOST_CHOICES]
        )
        current = operator_value(self._text, name)
        # When the beginning of the days is chosen again, their end goes.
        rest = self._text
        if name == "after":
            rest = with_operator(rest, "before", "")
        for value, text in choices:
            action = QAction(text, menu, checkable=True, checked=value == current)
            action.triggered.connect(
                lambda _=False, value=value: self.edited.emit(with_operator(rest, name, value))
            )
            menu.addAction(group.addAction(action))
        # Days without a name of their own are chosen in a dialog.
        if chip is self.date:
            days = menu.addAction(self.tr("Choose days…"), self._choose_days)
            days.setCheckable(True)
            days.setChecked(group.checkedAction() is None)
            group.addAction(days)
        return menu

    def _choose_days(self) -> None:
        week = (self._today() - dt.timedelta(days=6), self._today())
        first, last = operator_days(self._text) or week
        if first == dt.date.min:
            first = last
        # Imported late: Qt's calendar is large.
        from scrubjay_desktop.search.days_dialog import DaysDialog

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
        # Kinds are offered where there are notes of them, or where one is typed.
        kinds: Choices = (("", self.tr("All kinds")), (NOTE, self.tr("Notes")))
        typed = operator_value(self._text, "kind")
        if self._notes.has_documents or typed in (PDF, DOCUMENT, MAIL):
            kinds += (
                (PDF, self.tr("PDFs")),
                (DOCUMENT, self.tr("Other documents")),
                (MAIL, self.tr("Mail")),
            )
        if self._notes.has_pictures or typed == PICTURE:
            kinds += ((PICTURE, self.tr("Pictures")),)
        if self._notes.has_conversations or typed == CONVERSATION:
            kinds += ((CONVERSATION, self.tr("Conversations")),)
        return (
            (self.date, "after", dates),
            (self.folder, "path", (("", self.tr("All folders")),)),
            (self.tag, "tag", (("", self.tr("Any tag")),)),
            (self.kind, "kind", kinds),
        )

    def _orders(self) -> tuple[tuple[Order, str], ...]:
        return (
            (Order.RELEVANCE, self.tr("Best first")),
            (Order.NEWEST, self.tr("Newest first")),
            (Order.OLDEST, self.tr("Oldest first")),
        )

    def _modes(self) -> tuple[tuple[Mode, str], ...]:
        return (
            (Mode.HYBRID, self.tr("Words and meaning")),
            (Mode.LEXICAL, self.tr("Words only")),
            (Mode.VECTOR, self.tr("Meaning only")),
        )

    def order_menu(self) -> QMenu:
        """The menu of the chip for the order, and for the mode where meaning is compared."""
        menu = QMenu(self.order)
        self._add_choices(menu, self._orders(), current=self._order, choose=self._choose_order)
        if self._notes.has_meaning:
            menu.addSeparator()
            self._add_choices(menu, self._modes(), current=self._mode, choose=self._choose_mode)
        return menu

    @staticmethod
    def _add_choices(
        menu: QMenu, choices: Sequence[tuple[E, str]], current: E, choose: Callable[[E], None]
    ) -> None:
        group = QActionGroup(menu)
        # One of them is always chosen, as with radio buttons.
        for choice, name in choices:
            action = QAction(name, menu, checkable=True, checked=choice == current)
            action.triggered.connect(partial(lambda one, _=False: choose(one), choice))
            menu.addAction(group.addAction(action))

    def _choose_order(self, order: Order) -> None:
        self.show_order(order)
        self.ordered.emit(order.value)

    def _choose_mode(self, mode: Mode) -> None:
        self.show_mode(mode)
        self.mode_chosen.emit(mode.value)

    def _days(self) -> str:
        """The name of a range of days; empty for those in the menu."""
        days = operator_days(self._text)
        if days is None:
            return ""
        # A range without a beginning or an end is named by the other one.
        first, last = days
        if first == dt.date.min:
            return self.tr("Until {day}").format(day=short_day(last))
        if last == dt.date.max:
            return self.tr("Since {day}").format(day=short_day(first))
        return days_name(first, last)


def _label(chip: Chip, value: str, subject: str) -> None:
    """Write on a chip its value, by which it narrows the search, or otherwise its subject."""
    if chip.text() != (value or subject):
        chip.setText(value or subject)
        set_style_property(chip, "narrows", bool(value))
        chip.updateGeometry()


def _popup(chip: Chip, menu: QMenu) -> None:
    menu.aboutToHide.connect(menu.deleteLater)
    menu.popup(chip.mapToGlobal(chip.rect().bottomLeft()))
