"""A year of squares: where days stand, how dark they are, and how one moves among them."""

from __future__ import annotations

import datetime as dt
from itertools import dropwhile, takewhile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QColor
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from scrubjay_desktop.timeline.heatmap import Heatmap, day_color
from scrubjay_desktop.timeline.heatmap_model import (
    LEVELS,
    DayAmount,
    HeatmapModel,
    first_shown,
    shade_levels,
)
from scrubjay_desktop.widgets.theme import DARK, LIGHT, Colors

TODAY = dt.date(2026, 3, 12)
MONDAY, SUNDAY = 0, 6


def days_ago(count: int) -> dt.date:
    return TODAY - dt.timedelta(days=count)


@pytest.fixture
def heat(qtbot) -> Heatmap:
    """A year that begins its weeks on Monday, with three days of notes."""
    days = HeatmapModel(TODAY, MONDAY)
    days.show_amounts(
        {TODAY: DayAmount(1, 500), days_ago(1): DayAmount(3, 4000), days_ago(9): DayAmount(1, 100)}
    )
    made = Heatmap(days)
    qtbot.addWidget(made)
    made.resize(900, made.sizeHint().height())
    made.resize(900, made.sizeHint().height())
    made.show()
    return made


def at(heat: Heatmap, day: dt.date) -> QPoint:
    """The middle of a day's square."""
    return heat.view.visualRect(heat.days.index_of(day)).center()


@given(st.dates(dt.date(1971, 1, 1), dt.date(2200, 1, 1)), st.integers(0, 6))
def test_a_year_ends_with_its_day_and_begins_with_a_whole_week(last: dt.date, first: int) -> None:
    start = first_shown(last, first)
    assert start.weekday() == first
    assert 52 * 7 <= (last - start).days < 53 * 7


def test_the_model_keeps_the_rules_of_qt(qapp: QApplication) -> None:
    days = HeatmapModel(TODAY, SUNDAY)
    tester = QAbstractItemModelTester(days, QAbstractItemModelTester.FailureReportingMode.Fatal)
    days.show_amounts({TODAY: DayAmount(1, 10)})
    days.show_year(days_ago(400))
    assert tester.model() is days


def test_a_cell_and_its_day_find_each_other(heat: Heatmap) -> None:
    assert heat.days.day(heat.days.index_of(TODAY)) == TODAY
    assert heat.days.day(heat.days.index(0, 0)) == heat.days.first
    assert heat.days.index_of(TODAY).row() == 3  # Thursday
    assert not heat.days.index_of(days_ago(-1)).isValid()
    tomorrow = heat.days.index(4, 52)
    assert heat.days.day(tomorrow) is None
    assert heat.days.flags(tomorrow) == Qt.ItemFlag.NoItemFlags


@pytest.mark.parametrize(
    ("written", "shades"),
    [
        ([], []),
        ([7], [4]),
        ([5, 5, 5], [4, 4, 4]),
        ([1, 2, 3, 4], [1, 2, 3, 4]),
        ([1, 2, 3, 1_000_000], [1, 2, 3, 4]),
    ],
)
def test_a_quarter_of_the_days_has_each_shade(written: list[int], shades: list[int]) -> None:
    amounts = {days_ago(n): DayAmount(1, size) for n, size in enumerate(written)}
    assert list(shade_levels(amounts).values()) == shades
    assert shade_levels({TODAY: DayAmount(0, 0)}) == {}


@pytest.mark.parametrize("colors", [LIGHT, DARK])
def test_shades_can_be_told_apart_and_lead_to_the_accent(colors: Colors) -> None:
    shown = [day_color(colors, level) for level in range(LEVELS + 1)]
    distances = [abs(one.lightness() - colors.surface.lightness()) for one in shown]
    assert distances == sorted(set(distances))
    assert shown[-1] == QColor(colors.accent)


def test_a_day_says_in_words_what_its_square_says(heat: Heatmap) -> None:
    said = heat.days.index_of(days_ago(1)).data(Qt.ItemDataRole.ToolTipRole)
    assert said == "Wednesday 11 March 2026: 3 notes, 4.0 kB"
    empty = heat.days.index_of(days_ago(2)).data(Qt.ItemDataRole.AccessibleTextRole)
    assert empty == "Tuesday 10 March 2026: no notes"
    assert heat.days.level(days_ago(1)) == LEVELS


def test_names_of_weekdays_are_whole_beside_small_squares(heat: Heatmap) -> None:
    def height_of_first_name(width: int) -> int:
        heat.resize(width, heat.sizeHint().height())
        heat.resize(width, heat.sizeHint().height())
        image = heat.grab().toImage()
        paper = image.pixel(0, image.height() - 1)
        left = range(heat.view.x() - 4)
        inked = (any(image.pixel(x, y) != paper for x in left) for y in range(image.height()))
        return len(list(takewhile(bool, dropwhile(lambda has_ink: not has_ink, inked))))

    assert height_of_first_name(520) == height_of_first_name(1100) > 4


def test_a_screen_reader_sees_a_table_of_days(heat: Heatmap) -> None:
    table = QAccessible.queryAccessibleInterface(heat.view)
    assert table.text(QAccessible.Text.Name) == "Notes by day"
    assert table.role() == QAccessible.Role.Table
    names = {table.child(n).text(QAccessible.Text.Name) for n in range(table.childCount())}
    assert "Thursday 12 March 2026: 1 note, 500 bytes" in names


@pytest.mark.parametrize(
    ("key", "day"),
    [
        (Qt.Key.Key_Up, days_ago(1)),
        (Qt.Key.Key_Left, days_ago(7)),
        (Qt.Key.Key_PageUp, days_ago(28)),
        (Qt.Key.Key_Down, TODAY),  # there is no later day
        (Qt.Key.Key_Home, dt.date(2025, 3, 10)),
    ],
)
def test_keys_move_by_day_and_by_week(qtbot, heat: Heatmap, key: Qt.Key, day: dt.date) -> None:
    with qtbot.waitSignal(heat.view.chosen) as chosen:
        qtbot.keyClick(heat.view, key)
    assert chosen.args == [day, day]


def test_shift_chooses_several_days_and_enter_takes_them(qtbot, heat: Heatmap) -> None:
    qtbot.keyClick(heat.view, Qt.Key.Key_Left)
    for _ in range(3):
        qtbot.keyClick(heat.view, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    with qtbot.waitSignal(heat.view.search_requested) as taken:
        qtbot.keyClick(heat.view, Qt.Key.Key_Return)
    assert taken.args == [days_ago(7), days_ago(4)]


def test_a_click_chooses_a_day_and_takes_nothing(qtbot, heat: Heatmap) -> None:
    with (
        qtbot.assertNotEmitted(heat.view.search_requested),
        qtbot.waitSignal(heat.view.chosen) as chosen,
    ):
        qtbot.mouseClick(heat.view.viewport(), Qt.MouseButton.LeftButton, pos=at(heat, days_ago(9)))
    assert chosen.args == [days_ago(9), days_ago(9)]


def test_days_that_are_dragged_over_are_taken_in_order(qtbot, heat: Heatmap) -> None:
    port, button = heat.view.viewport(), Qt.MouseButton.LeftButton
    qtbot.mousePress(port, button, pos=at(heat, days_ago(3)))
    qtbot.mouseMove(port, at(heat, days_ago(8)))
    with qtbot.waitSignal(heat.view.search_requested) as taken:
        qtbot.mouseRelease(port, button, pos=at(heat, days_ago(8)))
    assert taken.args == [days_ago(8), days_ago(3)]


def test_all_squares_are_inside_at_any_width(qtbot, heat: Heatmap) -> None:
    for width in (520, 700, 900, 1400):
        heat.resize(width, heat.height())
        heat.resize(width, heat.sizeHint().height())
        corner = heat.view.visualRect(heat.days.index(6, 52)).bottomRight()
        assert heat.view.viewport().rect().contains(corner)
        assert heat.rect().contains(heat.view.geometry())


def test_another_year_keeps_the_chosen_day_inside(heat: Heatmap) -> None:
    heat.days.show_year(days_ago(364))
    assert heat.view.current == days_ago(364)
    assert heat.days.written_days == 0


def test_what_is_painted_stands_where_a_click_finds_it(heat: Heatmap) -> None:
    picture = heat.view.grab().toImage()
    painted = {day: picture.pixelColor(at(heat, day)) for day in (TODAY, days_ago(1), days_ago(2))}
    assert painted[days_ago(1)] == day_color(LIGHT, LEVELS)
    assert painted[days_ago(2)] == day_color(LIGHT, 0)
    assert painted[TODAY] == day_color(LIGHT, heat.days.level(TODAY))
    tomorrow = picture.pixelColor(at(heat, TODAY) + QPoint(0, 16))
    assert tomorrow == heat.palette().color(heat.backgroundRole())


def test_a_month_of_one_week_makes_room_for_the_name_of_the_next(qtbot) -> None:
    days = HeatmapModel(dt.date(2026, 11, 27), SUNDAY)
    made = Heatmap(days)
    qtbot.addWidget(made)
    made.resize(620, made.sizeHint().height())
    assert days.first == dt.date(2025, 11, 23)
    names = [name for _, name in made.months()]
    assert names[:3] == ["Dec", "Jan", "Feb"]
    made.resize(1100, made.sizeHint().height())
    assert [name for _, name in made.months()][:3] == ["Nov", "Dec", "Jan"]
