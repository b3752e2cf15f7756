from __future__ import annotations

import datetime as dt

import pytest

from scrubjay.search.query import parse
from scrubjay_desktop.filter_chips import FilterChips
from scrubjay_desktop.operators import operator_value, with_operator, without_operators

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
    ],
)
def test_chips_show_what_the_question_says(chips: FilterChips, text: str, labels) -> None:
    chips.show_text(text)
    assert (chips.date.text(), chips.kind.text()) == labels


def test_a_choice_writes_its_operator(qtbot, chips: FilterChips) -> None:
    chips.show_text("router")
    with qtbot.waitSignal(chips.edited) as edited:
        chips.menu_of(chips.date).actions()[2].trigger()
    assert edited.args == ["after:2026-03-08 router"]
    chips.show_text(edited.args[0])
    checked = [action.isChecked() for action in chips.menu_of(chips.date).actions()]
    assert checked == [False, False, True, False, False]
