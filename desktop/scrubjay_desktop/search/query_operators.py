"""The operators inside a question, such as `path:` and `after:`, and the tag at its end."""

from __future__ import annotations

import datetime as dt
import re

from scrubjay.text.tags import SIGN

_OPERATOR = re.compile(r"(?<!\S)(path|after|before|tag|kind):(\"[^\"]*\"|\S+)\s*", re.IGNORECASE)
_BEGUN_TAG = re.compile(rf"(?<!\S)#({SIGN}*)\Z")


def operator_value(text: str, name: str) -> str:
    """The value of the last operator of a name; empty when there is none."""
    values = [value for key, value in _OPERATOR.findall(text) if key.lower() == name]
    if not values:
        return ""
    last: str = values[-1]
    return last.strip('"')


def operator_days(text: str) -> tuple[dt.date, dt.date] | None:
    """First and last day that the operators allow; None without operators."""
    first = _date(operator_value(text, "after"))
    last = _date(operator_value(text, "before"))
    if not first and not last:
        return None
    return (first or dt.date.min, last or dt.date.max)


def with_operator(text: str, name: str, value: str) -> str:
    """Text with one operator of a name, in front of the words; with none for an empty value."""

    def kept(match: re.Match[str]) -> str:
        return "" if match[1].lower() == name else match[0]

    bare = _OPERATOR.sub(kept, text).lstrip()
    if not value:
        return bare
    # A value with blanks needs quotation marks.
    if re.search(r"\s", value):
        value = f'"{value}"'
    return f"{name}:{value} {bare}"


def without_days(text: str) -> str:
    """Text without the operators that choose days."""
    return with_operator(with_operator(text, "after", ""), "before", "")


def only_operators(text: str) -> str:
    """The operators of a question without its words, ready to be put in front of others."""
    return "".join(f"{match[0].strip()} " for match in _OPERATOR.finditer(text))


def without_operators(text: str) -> str:
    """The question without its operators."""
    return _OPERATOR.sub("", text).strip()


def unfinished_tag(text: str) -> str | None:
    """The tag at the end of a text without its sign, "" for the sign alone; None without one."""
    match = _BEGUN_TAG.search(text)
    if not match:
        return None
    return match[1]


def with_tag(text: str, tag: str) -> str:
    """Text with another tag in place of the one at its end."""
    return _BEGUN_TAG.sub(lambda _: f"#{tag} ", text)


def _date(value: str) -> dt.date | None:
    try:
        return dt.date.fromisoformat(value)
    except ValueError:
        return None
