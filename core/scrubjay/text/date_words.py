"""Words that people use for a date, so that a dated note is found by them."""

from __future__ import annotations

import datetime as dt

MONTHS = (
    ("january", "enero"), ("february", "febrero"), ("march", "marzo"), ("april", "abril"),
    ("may", "mayo"), ("june", "junio"), ("july", "julio"), ("august", "agosto"),
    ("september", "septiembre"), ("october", "octubre"), ("november", "noviembre"),
    ("december", "diciembre"),
)  # fmt: skip
"""English and Spanish, January first."""

WEEKDAYS = (
    ("monday", "lunes"), ("tuesday", "martes"), ("wednesday", "miércoles"),
    ("thursday", "jueves"), ("friday", "viernes"), ("saturday", "sábado"),
    ("sunday", "domingo"),
)  # fmt: skip
"""English and Spanish, Monday first."""


def date_words(date: dt.date | None) -> str:
    """Day, month and weekday in English and Spanish; empty without a date."""
    if date is None:
        return ""
    english, spanish = MONTHS[date.month - 1]
    weekdays = " ".join(WEEKDAYS[date.weekday()])
    return f"{date.day} {english} {date.year} {date.day} {spanish} {date.year} {weekdays}"
