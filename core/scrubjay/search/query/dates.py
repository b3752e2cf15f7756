"""Dates: those that a query names, in English and Spanish, and that of a document."""

from __future__ import annotations

import contextlib
import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass

from scrubjay.notes.markdown import find_date
from scrubjay.text.tokenizer import fold
from scrubjay.text.word_lists import MONTHS, WEEKDAYS

_MONTH = {fold(name): number for number, names in enumerate(MONTHS, 1) for name in names}
_WEEKDAY = {fold(name): number for number, names in enumerate(WEEKDAYS) for name in names}
_MONTH_NAME = "|".join(_MONTH)
_DAY_NAME = "|".join(_WEEKDAY)

_ISO = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b")
_DAY_FIRST = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th)?,? (?:of |de )?({_MONTH_NAME})\b(?:,? (?:de |del )?(\d{{4}}))?"
)
_MONTH_FIRST = re.compile(rf"\b({_MONTH_NAME}) (\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (\d{{4}}))?")
_LAST_DAY = re.compile(rf"\b(?:last ({_DAY_NAME})|({_DAY_NAME}) pasado)\b")
_DAYS_AGO = re.compile(r"\b(?:(\d{1,3}) days ago|hace (\d{1,3}) dias)\b")
_RELATIVE = (
    (re.compile(r"\b(?:today|hoy)\b"), (0, 0)),
    (re.compile(r"\b(?:the day before yesterday|anteayer|antier|antes de ayer)\b"), (2, 2)),
    (re.compile(r"\b(?<!before )(?<!antes de )(?:yesterday|ayer)\b"), (1, 1)),
    (re.compile(r"\b(?:this week|esta semana)\b"), (0, 6)),
    (re.compile(r"\b(?:last week|la semana pasada)\b"), (1, 13)),
)
"""Pattern -> first and last age in days."""


@dataclass(frozen=True, slots=True)
class NamedDate:
    """A day that a query names; without a year it is meant in every year."""

    month: int
    day: int
    year: int | None = None

    def matches(self, date: dt.date | None) -> bool:
        """True when date is that day."""
        if date is None:
            return False
        return (date.month, date.day) == (self.month, self.day) and self.year in (None, date.year)

    @property
    def iso(self) -> str:
        """The date as file names spell it; for one with a year."""
        return f"{self.year}-{self.month:02}-{self.day:02}"

    @property
    def words(self) -> str:
        """The date as the index spells it, see `word_lists.date_words`."""
        year = "" if self.year is None else f" {self.year}"
        return f"{self.day} {MONTHS[self.month - 1][0]}{year}"


def named_dates(text: str, today: dt.date) -> tuple[NamedDate, ...]:
    """All days that text names, at most a fortnight for a week."""
    plain = fold(text)
    return tuple(dict.fromkeys((*_absolute(plain), *_relative(plain, today))))


def document_date(path: str, front_matter: dt.date | None) -> dt.date | None:
    """Date in the file name anywhere under `memory/`, else of the front matter."""
    folder, _, name = path.rpartition("/")
    if "memory" in folder.split("/") and (date := find_date(name[:10])):
        return date
    return front_matter


def _absolute(text: str) -> Iterator[NamedDate]:
    dates = [(match[3], match[2], match[1]) for match in _ISO.finditer(text)]
    dates += [(match[1], str(_MONTH[match[2]]), match[3]) for match in _DAY_FIRST.finditer(text)]
    dates += [(match[2], str(_MONTH[match[1]]), match[3]) for match in _MONTH_FIRST.finditer(text)]
    for day, month, year in dates:
        with contextlib.suppress(ValueError):  # there is no such day
            # Leap years hold every day that any year has.
            date = dt.date(int(year or 2000), int(month), int(day))
            yield NamedDate(date.month, date.day, date.year if year else None)


def _relative(text: str, today: dt.date) -> Iterator[NamedDate]:
    ages: list[int] = []
    for pattern, (newest, oldest) in _RELATIVE:
        if pattern.search(text):
            ages += range(newest, oldest + 1)
    ages += [int(match[1] or match[2]) for match in _DAYS_AGO.finditer(text)]
    for match in _LAST_DAY.finditer(text):
        ages.append((today.weekday() - _WEEKDAY[match[1] or match[2]] - 1) % 7 + 1)
    for age in ages:
        date = today - dt.timedelta(days=age)
        yield NamedDate(date.month, date.day, date.year)
