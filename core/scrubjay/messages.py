"""Sentences of the core that the app shows in the user's language."""

from __future__ import annotations

import contextlib
import datetime as dt
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

_MARK = '{"say": '
"""Beginning of a stored sentence; no value is called `say`."""
_DAY = "day"
"""Key of a stored day."""

ACTING = "\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
"""Control characters except tabs and ends of lines, and turns of direction, for a pattern."""
_UNWANTED = re.compile(f"[\t\n{ACTING}]")
"""What no name in a sentence has."""
_MOST_LETTERS = 20_000
"""Letters of a sentence that was stored, and of its template: values in values multiply."""

Value: TypeAlias = str | int | dt.date
"""A value in a sentence."""


class Number(str):
    """A number in digits that chooses between words: `{n} {n:note|notes}`."""

    is_one: bool

    def __new__(cls, text: str, value: int) -> Number:
        """The text has the digits and separators of a language."""
        self = super().__new__(cls, text)
        self.is_one = value == 1
        return self

    def __format__(self, words: str) -> str:
        if not words:
            return str(self)
        one, _, several = words.partition("|")
        return one if self.is_one else several


class Sentence(str):
    """English text with its template and values, so that the app can translate it.

    All operations of `str` give plain English again, except `str()` and copying.
    """

    template: str
    """English text with `{name}` where a value belongs; translators see it."""
    values: Mapping[str, Value]
    """Numbers, days, names that no language changes, and other Sentences."""

    def __new__(
        cls, text: str, template: str = "", values: Mapping[str, Value] | None = None
    ) -> Sentence:
        """Without a template the text is its own; a missing translation leaves it English."""
        self = super().__new__(cls, text)
        self.template = template or text
        self.values = values or {}
        return self

    def __str__(self) -> str:
        """Itself, so that `str(error)` can still be translated."""
        return self


def msg(template: str, **values: object) -> Sentence:
    """A sentence with values put in; the template must be a literal, for translators to find.

    Numbers get separators; pass a number that is not an amount, such as a year, as text.
    """
    return fill_template(Sentence(template), values)


def fill_template(template: Sentence, values: Mapping[str, object]) -> Sentence:
    """A sentence of a template from elsewhere, which may leave some values out."""
    if not values:
        return template
    simple = {name: _simple(value) for name, value in values.items()}
    # Numbers choose between words, as in `{n} {n:note|notes}`.
    texts = dict(simple)
    for name, value in simple.items():
        if isinstance(value, int):
            texts[name] = Number(f"{value:,}", value)
    return Sentence(template.format_map(texts), template.template, simple)


def _simple(value: object) -> Value:
    # Of their own types alone: `True` is not a number here, and a moment is not a day.
    if type(value) is int or type(value) is dt.date:
        return value
    text = str(value)
    if isinstance(text, Sentence):
        return text
    return safe_line(text)


def safe_line(text: str) -> str:
    """The text with "?" for what would begin a line, act on a terminal or turn its direction.

    Names in sentences may be untrusted, and must not look like a separate sentence. Letters of all
    languages stay, with the signs that join them; `printable_label` replaces some of those.
    """
    return _UNWANTED.sub("?", text)


def join_sentences(between: str, parts: Iterable[str]) -> Sentence:
    """Several sentences in a row, each of which is translated by itself."""
    values = {f"part{number}": part for number, part in enumerate(parts)}
    return fill_template(Sentence(between.join(f"{{{name}}}" for name in values)), values)


def as_sentence(text: str) -> Sentence:
    """The text as a sentence, which it may be already."""
    if isinstance(text, Sentence):
        return text
    return Sentence(text)


def serialize_sentence(text: str) -> str:
    """Form of a text in files, databases and pipes, for `deserialize_sentence`."""
    if not isinstance(text, Sentence) or not text.values:
        return text
    import json  # late: all commands have messages, and few of them are stored

    return json.dumps(_parts(text))


def deserialize_sentence(text: str) -> Sentence:
    """The sentence that was stored, or the text itself; never raises."""
    if text.startswith(_MARK):
        import json

        # What another version stored, or damaged, is shown as it is.
        with contextlib.suppress(
            *(ValueError, LookupError, AttributeError, TypeError, RecursionError)
        ):
            return as_sentence(_joined(json.loads(text)))
    return Sentence(text)


def _parts(value: Value) -> Any:
    if isinstance(value, dt.date):
        return {_DAY: value.isoformat()}
    if not isinstance(value, Sentence):
        return value
    return {"say": value.template, **{name: _parts(part) for name, part in value.values.items()}}


def _joined(parts: Any) -> Any:
    if not isinstance(parts, dict):
        return parts
    if parts.keys() == {_DAY}:
        return dt.date.fromisoformat(parts[_DAY])
    # Values may be sentences themselves.
    template = parts.pop("say")
    values = {name: _joined(part) for name, part in parts.items()}
    _check(template, values)
    joined = fill_template(Sentence(template), values)
    if len(joined) > _MOST_LETTERS:
        raise ValueError("a sentence without end")
    return joined


def _check(template: str, values: Mapping[str, Any]) -> None:
    """Raise ValueError where a template does more than put values in.

    Another program may have stored it: a format can ask for a gigabyte of spaces, or for what
    hangs on a value, up to the variables of this process.
    """
    # Late: most processes restore nothing.
    import string

    if len(template) > _MOST_LETTERS:
        raise ValueError("a template without end")
    for _, name, words, conversion in string.Formatter().parse(template):
        if name is None:
            continue
        has_choice = type(values.get(name)) is int and "{" not in (words or "")
        if not name.isidentifier() or conversion or (words and not has_choice):
            raise ValueError(f"no template: {template}")
