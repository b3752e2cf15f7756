"""Dates that a query names."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.search.query.dates import named_periods, period_asked_for

TUESDAY = dt.date(2026, 3, 10)


def periods(text: str) -> list[str]:
    """As first and last day, or one; with a star where no year was named."""
    return [
        (str(period.first) if period.first == period.last else f"{period.first}/{period.last}")
        + "*" * period.is_yearly
        for period in named_periods(text, TUESDAY)
    ]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("what did I do on 2026-02-01", ["2026-02-01"]),
        ("on 17/11/2026", ["2026-11-17"]),
        ("on 17-11-2026", ["2026-11-17"]),
        ("on 11/17/2026", ["2026-11-17"]),
        ("on 3 May", ["2026-05-03*"]),
        ("November", ["2025-11-01/2025-11-30*"]),
        ("¿marzo?", ["2026-03-01/2026-03-31*"]),
        ("last March", ["2025-03-01/2025-03-31"]),
        ("el noviembre pasado", ["2025-11-01/2025-11-30"]),
        ("Aunt May", []),
        ("last night", ["2026-03-09"]),
        ("17 nov 2026", ["2026-11-17"]),
        ("mar 17 nov", ["2025-11-17*"]),
        ("Tue 17 Nov", ["2025-11-17*"]),
        ("3 sept 2025", ["2025-09-03"]),
        ("last December", ["2025-12-01/2025-12-31"]),
        ("el pasado martes", ["2026-03-03"]),
        ("la pasada semana", ["2026-03-02/2026-03-08"]),
        ("ayer por la tarde", ["2026-03-09"]),
        ("yesterday morning", ["2026-03-09"]),
        ("on the 17th", ["2026-02-17"]),
        ("el día 9", ["2026-03-09"]),
        ("since Tuesday", ["2026-03-10"]),
        ("desde el lunes", ["2026-03-09/2026-03-10"]),
        ("since last week", ["2026-03-02/2026-03-10"]),
        ("since 1 March 2026", ["2026-03-01/2026-03-10"]),
        ("since we moved", []),
        ("between 10 and 14 November", ["2025-11-10/2025-11-14*"]),
        ("from 10 to 14 November 2024", ["2024-11-10/2024-11-14"]),
        ("del 10 al 14 de noviembre", ["2025-11-10/2025-11-14*"]),
        ("10-14 November 2024", ["2024-11-10/2024-11-14"]),
        ("tomorrow", ["2026-03-11"]),
        ("next week", ["2026-03-16/2026-03-22"]),
        ("la semana que viene", ["2026-03-16/2026-03-22"]),
        ("last month", ["2026-02-01/2026-02-28"]),
        ("next month", ["2026-04-01/2026-04-30"]),
        ("qué soñé anoche", ["2026-03-09"]),
        ("3 November", ["2025-11-03*"]),
        ("Tuesday 17 November", ["2025-11-17*"]),
        ("on the 3rd of May 2025", ["2025-05-03"]),
        ("May 3", ["2026-05-03*"]),
        ("March 14th, 2026", ["2026-03-14"]),
        ("el 3 de mayo", ["2026-05-03*"]),
        ("el 3 de mayo de 2025", ["2025-05-03"]),
        ("29 February", ["2028-02-29*"]),
        ("today", ["2026-03-10"]),
        ("hoy", ["2026-03-10"]),
        ("yesterday", ["2026-03-09"]),
        ("¿qué hice ayer?", ["2026-03-09"]),
        ("the day before yesterday", ["2026-03-08"]),
        ("anteayer", ["2026-03-08"]),
        ("antier", ["2026-03-08"]),
        ("3 days ago", ["2026-03-07"]),
        ("three days ago", ["2026-03-07"]),
        ("hace 3 días", ["2026-03-07"]),
        ("hace tres días", ["2026-03-07"]),
        ("two weeks ago", ["2026-02-23/2026-03-01"]),
        ("hace un mes", ["2026-02-01/2026-02-28"]),
        ("the last 3 days", ["2026-03-08/2026-03-10"]),
        ("los últimos dos días", ["2026-03-09/2026-03-10"]),
        ("last Monday", ["2026-03-09"]),
        ("last Tuesday", ["2026-03-03"]),
        ("on Tuesday", ["2026-03-10"]),
        ("what did I do on Friday", ["2026-03-06"]),
        ("Friday", ["2026-03-06"]),
        ("el lunes pasado", ["2026-03-09"]),
        ("qué hice el viernes", ["2026-03-06"]),
        ("this week", ["2026-03-09/2026-03-15"]),
        ("last week", ["2026-03-02/2026-03-08"]),
        ("la semana pasada", ["2026-03-02/2026-03-08"]),
        ("esta semana", ["2026-03-09/2026-03-15"]),
        ("last weekend", ["2026-03-07/2026-03-08"]),
        ("el fin de semana pasado", ["2026-03-07/2026-03-08"]),
        ("this month", ["2026-03-01/2026-03-31"]),
        ("el mes pasado", ["2026-02-01/2026-02-28"]),
        ("last year", ["2025-01-01/2025-12-31"]),
        ("in November", ["2025-11-01/2025-11-30*"]),
        ("en marzo", ["2026-03-01/2026-03-31*"]),
        ("November 2024", ["2024-11-01/2024-11-30"]),
        ("noviembre de 2024", ["2024-11-01/2024-11-30"]),
        ("2024-11", ["2024-11-01/2024-11-30"]),
        ("in 2024", ["2024-01-01/2024-12-31"]),
        ("in spring", ["2026-03-01/2026-05-31"]),
        ("last spring", ["2025-03-01/2025-05-31"]),
        ("in summer 2024", ["2024-06-01/2024-08-31"]),
        ("el verano pasado", ["2025-06-01/2025-08-31"]),
        ("in winter", ["2025-12-01/2026-02-28"]),
        ("30 February", []),
        ("2026-13-01", []),
        ("may I ask", []),
        ("spring cleaning", []),
        ("Friday at last", ["2026-03-06"]),
        ("nothing", []),
        ("the weekend", ["2026-03-07/2026-03-08"]),
        ("qué hicimos el fin de semana", ["2026-03-07/2026-03-08"]),
        ("el 11", ["2026-02-11"]),
        ("next Friday", ["2026-03-13"]),
        ("next Tuesday", ["2026-03-17"]),
        ("el viernes que viene", ["2026-03-13"]),
        ("el próximo viernes", ["2026-03-13"]),
        ("el viernes próximo", ["2026-03-13"]),
        ("of November", ["2025-11-01/2025-11-30*"]),
        ("de noviembre", ["2025-11-01/2025-11-30*"]),
        ("reunión de noviembre", []),
        ("the week of the storm", []),
        ("el 17/11", ["2025-11-17*"]),
        ("17/11", ["2025-11-17*"]),
        ("11/17", ["2025-11-17*"]),
        ("17/11/26", ["2026-11-17"]),
        ("on 3/4", ["2026-04-03*"]),
        ("31/31", []),
        ("1/2 cup of milk", []),
        ("support 24/7", []),
        ("docs/2026/11/17", []),
        ("last Christmas Eve", ["2025-12-24"]),
        ("la Nochebuena pasada", ["2025-12-24"]),
        ("la última Nochevieja", ["2025-12-31"]),
        ("Navidad 2025", ["2025-12-24/2025-12-26"]),
        ("las Navidades de 2024", ["2024-12-24/2024-12-26"]),
        ("next Christmas", ["2026-12-24/2026-12-26"]),
        ("la Navidad que viene", ["2026-12-24/2026-12-26"]),
        ("this Christmas", ["2025-12-24/2025-12-26"]),
        ("what did we eat at Christmas", ["2025-12-24/2025-12-26*"]),
        ("New Year’s Eve 2023", ["2023-12-31"]),
        ("last Halloween", ["2025-10-31"]),
        ("Christmas dinner", []),
        ("the week before last", ["2026-02-23/2026-03-01"]),
        ("la semana antepasada", ["2026-02-23/2026-03-01"]),
        ("the weekend before last", ["2026-02-28/2026-03-01"]),
        ("the month before last", ["2026-01-01/2026-01-31"]),
        ("the week after next", ["2026-03-23/2026-03-29"]),
        ("the night before last", ["2026-03-08"]),
        ("the Friday before last", ["2026-02-27"]),
        ("the Tuesday before last", ["2026-02-24"]),
    ],
)
def test_times_in_english_and_spanish(text: str, named: list[str]) -> None:
    assert periods(text) == named


@pytest.mark.parametrize(
    "text",
    [
        "yesterday",
        "what did I do last Tuesday",
        "What did I write yesterday?",
        "¿qué hice ayer?",
        "summary of what happened in my journal this week",
        "Tuesday 17 November",
        "notes of last month",
        "qué pasó la semana pasada",
        "2026-03-01",
    ],
)
def test_a_question_may_be_about_a_time_alone(text: str) -> None:
    assert period_asked_for(text, TUESDAY) is not None


@pytest.mark.parametrize(
    "text", ["the plumber last Tuesday", "garden in spring", "what is a day", "boiler", ""]
)
def test_other_questions_are_about_more(text: str) -> None:
    assert period_asked_for(text, TUESDAY) is None


def test_a_day_without_a_year_is_of_any_year() -> None:
    [period] = named_periods("3 May", TUESDAY)
    assert period.matches(dt.date(2020, 5, 3))
    assert not period.matches(dt.date(2020, 5, 4))
    assert not period.matches(None)
    assert period.words == ("3 may",)
    [period] = named_periods("3 May 2021", TUESDAY)
    assert not period.matches(dt.date(2020, 5, 3))
    assert period.words == ("3 may 2021",)


def test_a_long_period_is_looked_for_by_its_months() -> None:
    [winter] = named_periods("in winter", TUESDAY)
    assert winter.words == ("december 2025", "january 2026", "february 2026")
    assert winter.days == ()


@given(st.text() | st.from_regex(r"[0-9]{1,4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,3} years ago"))
def test_any_text_names_possible_times_or_none(text: str) -> None:
    for period in named_periods(text, TUESDAY):
        assert period.first <= period.last
        assert period.words
