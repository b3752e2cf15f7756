"""Words that people use for a date, so that a dated note is found by them."""

from __future__ import annotations

import datetime as dt

_MONTHS = (
    ("january", "enero"), ("february", "febrero"), ("march", "marzo"), ("april", "abril"),
    ("may", "mayo"), ("june", "junio"), ("july", "julio"), ("august", "agosto"),
    ("september", "septiembre"), ("october", "octubre"), ("november", "noviembre"),
    ("december", "diciembre"),
)  # fmt: skip
_DAYS = (
    ("monday", "lunes"), ("tuesday", "martes"), ("wednesday", "miércoles"),
    ("thursday", "jueves"), ("friday", "viernes"), ("saturday", "sábado"),
    ("sunday", "domingo"),
)  # fmt: skip


def date_words(date: dt.date | None) -> str:
    """Day, month and weekday in English and Spanish; empty without a date."""
    if date is None:
        return ""
    months = " ".join(_MONTHS[date.month - 1])
    return f"{date.day} {months} {date.year} {' '.join(_DAYS[date.weekday()])}"
