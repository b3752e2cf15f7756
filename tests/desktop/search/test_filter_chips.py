from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from PySide6.QtCore import QDate, QLocale
from PySide6.QtWidgets import QLabel

from scrubjay.search.query.query_parser import parse_query
from scrubjay_desktop.search.days_dialog import DaysDialog
from scrubjay_desktop.search.filter_chips import Counts, FilterChips
from scrubjay_desktop.search.query_operators import (
    only_operators,
    operator_days,
    operator_value,
    with_operator,
    without_days,
    without_operators,
)

TODAY = dt.date(2026, 3, 14)


@pytest.mark.parametrize(
    ("text", "name", "value", "written"),
    [
        ("router", "after", "2026-03-08", "after:2026-03-08 router"),
        ("after:2026-01-01 router", "after", "2026-03-08", "after:2026-03-08 router"),
        ("router AFTER:2026-01-01", "after", "", "router "),
        ("path:memory router", "after", "2026-03-08", "after:2026-03-08 path:memory router"),
        ('path:"my notes" router ', "path", "", "router "),
        ("", "path", "memory", "path:memory "),
        ("the path:", "path", "", "the path:"),
    ],
)
def test_an_operator_is_written_once_in_front(
    text: str, name: str, value: str, written: str
) -> None:
    assert with_operator(text, name, value) == written


def test_operators_are_read_as_the_search_reads_them() -> None:
    text = 'after:2026-03-08 path:"my notes" red door'
    parsed = parse_query(text)
    assert (parsed.filters.after, parsed.filters.path_parts) == (dt.date(2026, 3, 8), ("my notes",))
    assert operator_value(text, "after") == "2026-03-08"
    assert operator_value(text, "path") == "my notes"
    assert without_operators(text) == parsed.text


@pytest.mark.parametrize(
    ("text", "operators", "words"),
    [
        ("-tag:garden soup", "", "-tag:garden soup"),
        ("soup OR tag:garden", "", "soup OR tag:garden"),
        ("(tag:garden OR path:a) soup", "", "(tag:garden OR path:a) soup"),
        ("NOT kind:pdf soup", "", "NOT kind:pdf soup"),
        ("path:'my notes' soup", "path:'my notes' ", "soup"),
        ("tags:💡/casa soup", "tags:💡/casa ", "soup"),
        ("title:stew folder:a ext:md soup", "", "title:stew folder:a ext:md soup"),
        ("after:lunch soup", "", "after:lunch soup"),
        ('"path:a" soup', "", '"path:a" soup'),
    ],
)
def test_chips_take_only_what_they_can_show(text: str, operators: str, words: str) -> None:
    assert (only_operators(text), without_operators(text)) == (operators, words)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("after:2026-01-02 before:2026-02-03 soup", "soup"),
        ("on:2026-01-02 soup", "soup"),
        ("in:2026-01 soup", "soup"),
        ("in:Recipes soup", "in:Recipes soup"),
        ("path:a soup", "path:a soup"),
    ],
)
def test_all_operators_with_days_are_given_up(text: str, rest: str) -> None:
    assert without_days(text) == rest
    assert (operator_days(text) is None) == (rest == text)


@dataclass
class SomeNotes:
    """Notes by their kinds, without tags or folders."""

    has_conversations: bool = True
    has_documents: bool = False
    has_pictures: bool = False
    has_meaning: bool = True

    def count(self, kind: str, show: Callable[[Counts], None]) -> None:
        show(())


@pytest.fixture
def chips(qtbot) -> FilterChips:
    made = FilterChips(SomeNotes(), lambda: TODAY)
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("router", ("Date", "Kind")),
        ("after:2026-03-08 router", ("Last 7 days", "Kind")),
        ("after:2019-05-05 path:recipes soup", ("Since 5 May 2019", "Kind")),
        ("kind:conversation what", ("Date", "Conversations")),
        ("kind:pdf what", ("Date", "PDFs")),
        ("after:2026-03-02 before:2026-03-08 soup", ("2 Mar – 8 Mar 2026", "Kind")),
        ("after:2026-03-02 before:2026-03-02", ("Mon 2 Mar 2026", "Kind")),
        ("before:2026-03-02 soup", ("Until 2 Mar 2026", "Kind")),
        ("before:soon soup", ("Date", "Kind")),
    ],
)
def test_chips_show_what_the_question_says(chips: FilterChips, text: str, labels) -> None:
    chips.show_text(text)
    assert (chips.date.text(), chips.kind.text()) == labels


def test_another_date_takes_the_end_of_the_days_away(qtbot, chips: FilterChips) -> None:
    chips.show_text("after:2026-03-02 before:2026-03-08 soup")
    with qtbot.waitSignal(chips.edited) as edited:
        chips.menu_of(chips.date).actions()[0].trigger()
    assert edited.args == ["soup"]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("soup", None),
        ("after:soon soup", None),
        ("after:2026-03-02", (dt.date(2026, 3, 2), dt.date.max)),
        ("before:2026-03-02", (dt.date.min, dt.date(2026, 3, 2))),
        ("after:2026-03-02 before:2026-02-30", (dt.date(2026, 3, 2), dt.date.max)),
    ],
)
def test_operators_leave_some_days(text: str, days: tuple[dt.date, dt.date] | None) -> None:
    assert operator_days(text) == days


def test_a_choice_writes_its_operator(qtbot, chips: FilterChips) -> None:
    chips.show_text("router")
    with qtbot.waitSignal(chips.edited) as edited:
        chips.menu_of(chips.date).actions()[2].trigger()
    assert edited.args == ["after:2026-03-08 router"]
    chips.show_text(edited.args[0])
    checked = [action.isChecked() for action in chips.menu_of(chips.date).actions()]
    assert checked == [False, False, True, False, False, False]


@pytest.mark.parametrize("name", ["date", "kind"])
def test_a_single_choice_has_radio_marks(chips: FilterChips, name: str) -> None:
    actions = chips.menu_of(getattr(chips, name)).actions()
    assert all(action.actionGroup() is actions[0].actionGroup() for action in actions)
    assert actions[0].actionGroup().isExclusive()


def test_own_days_are_chosen_with_calendars(qtbot, chips: FilterChips) -> None:
    chips.show()
    chips.show_text("soup")
    chips.menu_of(chips.date).actions()[-1].trigger()
    [dialog] = chips.findChildren(DaysDialog)
    assert (dialog.first.date(), dialog.last.date()) == (QDate(2026, 3, 8), QDate(2026, 3, 14))
    assert dialog.first.calendarPopup()
    dialog.first.setDate(QDate(2026, 2, 1))
    dialog.last.setDate(QDate(2026, 2, 5))
    with qtbot.waitSignal(chips.edited) as edited:
        dialog.accept()
    assert edited.args == ["after:2026-02-01 before:2026-02-05 soup"]
    chips.show_text(edited.args[0])
    assert chips.date.text() == "1 Feb – 5 Feb 2026"
    assert chips.menu_of(chips.date).actions()[-1].isChecked()


def test_the_last_day_is_never_before_the_first(qtbot, chips: FilterChips) -> None:
    dialog = DaysDialog(TODAY, TODAY, chips)
    dialog.first.setDate(QDate(2026, 4, 1))
    assert dialog.last.date() == QDate(2026, 4, 1)


@pytest.mark.parametrize("name", ["en_US", "en_GB", "es_ES"])
def test_years_have_four_digits_and_all_words_have_room(
    qtbot, chips: FilterChips, name: str
) -> None:
    former = QLocale()
    QLocale.setDefault(QLocale(name))
    try:
        dialog = DaysDialog(TODAY, TODAY, chips)
    finally:
        QLocale.setDefault(former)
    dialog.show()
    assert str(TODAY.year) in dialog.first.text()
    for label in dialog.findChildren(QLabel):
        assert label.width() >= label.sizeHint().width()
    assert dialog.width() >= 320


def test_kinds_are_offered_only_where_there_are_conversations(qtbot) -> None:
    chips = FilterChips(SomeNotes(has_conversations=False), lambda: TODAY)
    qtbot.addWidget(chips)
    chips.show()
    assert not chips.kind.isVisible()
    chips.show_text("kind:conversation soup")
    assert chips.kind.isVisible()


def test_kinds_of_documents_are_offered_where_they_are_read(qtbot) -> None:
    chips = FilterChips(SomeNotes(has_conversations=False, has_documents=True), lambda: TODAY)
    qtbot.addWidget(chips)
    chips.show()
    assert chips.kind.isVisible()
    names = [action.text() for action in chips.menu_of(chips.kind).actions()]
    assert names == ["All kinds", "Notes", "PDFs", "Other documents", "Mail"]
    with qtbot.waitSignal(chips.edited) as edited:
        chips.menu_of(chips.kind).actions()[2].trigger()
    assert edited.args == ["kind:pdf "]


def test_pictures_are_offered_where_they_are_read(qtbot) -> None:
    chips = FilterChips(SomeNotes(has_conversations=False, has_pictures=True), lambda: TODAY)
    qtbot.addWidget(chips)
    chips.show()
    assert chips.kind.isVisible()
    names = [action.text() for action in chips.menu_of(chips.kind).actions()]
    assert names == ["All kinds", "Notes", "Pictures"]
    with qtbot.waitSignal(chips.edited) as edited:
        chips.menu_of(chips.kind).actions()[2].trigger()
    assert edited.args == ["kind:picture "]
