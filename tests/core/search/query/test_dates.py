"""Dates that a query names."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.search.query.dates import NamedDate, document_date, named_dates

TUESDAY = dt.date(2026, 3, 10)


def days(text: str) -> list[str]:
    """As month-day, with the year when it is meant."""
    dates = named_dates(text, TUESDAY)
    return [f"{date.year or ''}/{date.month}/{date.day}".lstrip("/") for date in dates]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("what did I do on 2026-02-01", ["2026/2/1"]),
        ("on 3 May", ["5/3"]),
        ("on the 3rd of May 2025", ["2025/5/3"]),
        ("May 3", ["5/3"]),
        ("March 14th, 2026", ["2026/3/14"]),
        ("el 3 de mayo", ["5/3"]),
        ("el 3 de mayo de 2025", ["2025/5/3"]),
        ("today", ["2026/3/10"]),
        ("hoy", ["2026/3/10"]),
        ("yesterday", ["2026/3/9"]),
        ("¿qué hice ayer?", ["2026/3/9"]),
        ("the day before yesterday", ["2026/3/8"]),
        ("anteayer", ["2026/3/8"]),
        ("antier", ["2026/3/8"]),
        ("3 days ago", ["2026/3/7"]),
        ("hace 3 días", ["2026/3/7"]),
        ("last Monday", ["2026/3/9"]),
        ("last Tuesday", ["2026/3/3"]),
        ("el lunes pasado", ["2026/3/9"]),
        ("30 February", []),
        ("2026-13-01", []),
        ("may I ask", []),
        ("nothing", []),
    ],
)
def test_days_in_english_and_spanish(text: str, named: list[str]) -> None:
    assert days(text) == named


@pytest.mark.parametrize("text", ["last week", "la semana pasada"])
def test_last_week_is_in_the_last_fortnight(text: str) -> None:
    dates = named_dates(text, TUESDAY)
    assert NamedDate(3, 4, 2026) in dates
    assert NamedDate(3, 10, 2026) not in dates
    assert len(dates) <= 14


def test_a_day_without_a_year_is_of_any_year() -> None:
    assert NamedDate(5, 3).matches(dt.date(2020, 5, 3))
    assert not NamedDate(5, 3, 2021).matches(dt.date(2020, 5, 3))
    assert not NamedDate(5, 3).matches(None)


@given(st.text() | st.from_regex(r"[0-9]{1,4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,3} days ago"))
def test_any_text_names_possible_days_or_none(text: str) -> None:
    for date in named_dates(text, TUESDAY):
        assert dt.date(date.year or 2000, date.month, date.day)


@pytest.mark.parametrize(
    ("path", "date"),
    [
        ("memory/2026-02-01.md", dt.date(2026, 2, 1)),
        ("memory/2026-02-01-topic.md", dt.date(2026, 2, 1)),
        ("memory/2026-02-01-1530.md", dt.date(2026, 2, 1)),
        ("memory/deep/er/2026-02-01.md", dt.date(2026, 2, 1)),
        ("extra/memory/2026-02-01.md", dt.date(2026, 2, 1)),
        ("memory/2026-02-30.md", None),
        ("memory/projects.md", None),
        ("MEMORY.md", None),
        ("2026-02-01.md", None),
        ("notes/2026-02-01.md", None),
    ],
)
def test_the_date_of_a_document(path: str, date: dt.date | None) -> None:
    assert document_date(path, None) == date


def test_front_matter_dates_a_note_that_its_name_does_not() -> None:
    assert document_date("memory/trip.md", TUESDAY) == TUESDAY
    assert document_date("memory/2026-01-01.md", TUESDAY) == dt.date(2026, 1, 1)
