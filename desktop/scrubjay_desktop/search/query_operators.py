"""The operators inside a question that the chips show, and the tag at its end."""

from __future__ import annotations

import datetime as dt
import re

from msgspec import Struct

from scrubjay.text.tags import SIGN

_SHOWN = ("path", "after", "before", "tag", "kind")
"""Operators that a chip shows; the others stay in the box."""
_BEGUN_TAG = re.compile(rf"(?<!\S)#({SIGN}*)\Z")


class _Operator(Struct, frozen=True):
    """An operator as it was typed."""

    name: str
    value: str
    start: int
    end: int
    has_days: bool
    """Whether it chooses days."""


def operator_value(text: str, name: str) -> str:
    """The value of the last operator of a name; empty when there is none."""
    values = [each.value for each in _operators(text) if each.name == name]
    return values[-1] if values else ""


def operator_days(text: str) -> tuple[dt.date, dt.date] | None:
    """First and last day that the operators allow; None without operators."""
    if ":" not in text:
        return None
    from scrubjay.search.query.query_syntax import clause_filters, operators_in

    today = dt.date.today()
    clause = tuple(placed.literal for placed in operators_in(text, today))
    filters = clause_filters(clause, today)
    if not filters.after and not filters.before:
        return None
    return (filters.after or dt.date.min, filters.before or dt.date.max)


def with_operator(text: str, name: str, value: str) -> str:
    """Text with one operator of a name, in front of the words; with none for an empty value."""
    bare = _without(text, [each for each in _operators(text) if each.name == name]).lstrip()
    if not value:
        return bare
    # A value with blanks needs quotation marks.
    if re.search(r"\s", value):
        value = f'"{value}"'
    return f"{name}:{value} {bare}"


def without_days(text: str) -> str:
    """Text without the operators that choose days."""
    return _without(text, [each for each in _operators(text) if each.has_days]).lstrip()


def only_operators(text: str) -> str:
    """The operators of a question without its words, ready to be put in front of others."""
    return "".join(f"{text[each.start : each.end]} " for each in _shown(text))


def without_operators(text: str) -> str:
    """The question without its operators."""
    return _without(text, _shown(text)).strip()


def unfinished_tag(text: str) -> str | None:
    """The tag at the end of a text without its sign, "" for the sign alone; None without one."""
    match = _BEGUN_TAG.search(text)
    if not match:
        return None
    return match[1]


def with_tag(text: str, tag: str) -> str:
    """Text with another tag in place of the one at its end."""
    return _BEGUN_TAG.sub(lambda _: f"#{tag} ", text)


def _operators(text: str) -> list[_Operator]:
    """The operators in a text, in their order."""
    # The grammar is imported late: the window begins with an empty box.
    if ":" not in text:
        return []
    from scrubjay.search.query.query_syntax import clause_filters, operators_in

    today = dt.date.today()
    operators: list[_Operator] = []
    for placed in operators_in(text, today):
        typed = text[placed.start : placed.end]
        # A tag may be typed with its sign alone, which stays in the box, where its end is typed.
        if not placed.literal.is_excluded and not typed.startswith("#"):
            name = placed.literal.kind
            value = typed.partition(":")[2].strip("\"'").removeprefix("#")
            filters = clause_filters((placed.literal,), today)
            has_days = bool(filters.after or filters.before)
            operators.append(_Operator(name, value, placed.start, placed.end, has_days=has_days))
    return operators


def _shown(text: str) -> list[_Operator]:
    """The operators in a text that chips show."""
    return [each for each in _operators(text) if each.name in _SHOWN]


def _without(text: str, operators: list[_Operator]) -> str:
    """A text without some of its operators, and the space after each."""
    for operator in reversed(operators):
        text = text[: operator.start] + text[operator.end :].lstrip()
    return text
