from __future__ import annotations

import datetime as dt

import pytest

from scrubjay.search.query.query_parser import parse
from scrubjay_desktop.search.filter_chips import FilterChips
from scrubjay_desktop.search.query_operators import (
    days_of,
    operator_value,
    with_operator,
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
    parsed = parse(text)
    assert (parsed.after, parsed.path_parts) == (dt.date(2026, 3, 8), ("my notes",))
    assert operator_value(text, "after") == "2026-03-08"
    assert operator_value(text, "path") == "my notes"
    assert without_operators(text) == parsed.text


@pytest.fixture
def chips(qtbot) -> FilterChips:
    made = FilterChips(lambda: TODAY)
    qtbot.addWidget(made)
    return made


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("router", ("Any date", "All kinds")),
        ("after:2026-03-08 router", ("Last 7 days", "All kinds")),
        ("after:2019-05-05 path:recipes soup", ("after: 2019-05-05", "path: recipes")),
        ("path:sessions/ what", ("Any date", "Conversations")),
        ("after:2026-03-02 before:2026-03-08 soup", ("2 Mar 2026 – 8 Mar 2026", "All kinds")),
        ("after:2026-03-02 before:2026-03-02", ("Monday, March 2, 2026", "All kinds")),
        ("before:2026-03-02 soup", ("Until 2 Mar 2026", "All kinds")),
        ("before:soon soup", ("Any date", "All kinds")),
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
    assert days_of(text) == days


def test_a_choice_writes_its_operator(qtbot, chips: FilterChips) -> None:
    chips.show_text("router")
    with qtbot.waitSignal(chips.edited) as edited:
        chips.menu_of(chips.date).actions()[2].trigger()
    assert edited.args == ["after:2026-03-08 router"]
    chips.show_text(edited.args[0])
    checked = [action.isChecked() for action in chips.menu_of(chips.date).actions()]
    assert checked == [False, False, True, False, False]
