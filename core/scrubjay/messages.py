"""Sentences of the core that the app shows in the person's own language."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

_MARK = '{"say": '
"""How a stored sentence begins; no value is called `say`."""
_DAY = "day"
"""What a stored day is, instead of a sentence."""

Value: TypeAlias = str | int | dt.date
"""What may stand in a sentence."""


class Sentence(str):
    """English text that remembers what it was made of, so that the app can say it otherwise.

    It is a `str` like any other. Whatever is done with it gives plain English again, except
    `str()` and copying.
    """

    template: str
    """In English, with `{name}` where a value belongs; what translators see."""
    values: Mapping[str, Value]
    """Numbers, days, names that no language changes, and other Sentences."""

    def __new__(
        cls, text: str, template: str = "", values: Mapping[str, Value] | None = None
    ) -> Sentence:
        """Without a template the text is its own; one that nobody translated stays English."""
        made = super().__new__(cls, text)
        made.template = template or text
        made.values = values or {}
        return made

    def __str__(self) -> str:
        """Itself: `str(error)` in an f-string is English, in front of a person it is theirs."""
        return self


def msg(template: str, **values: object) -> Sentence:
    """A sentence with values put in; the template must be a literal, for translators to find.

    Numbers get separators: say what is no amount, such as a year, as text.
    """
    return filled(Sentence(template), values)


def filled(template: Sentence, values: Mapping[str, object]) -> Sentence:
    """A template that was said elsewhere, with values put in; it may leave some out."""
    if not values:
        return template
    kept = {name: _kept(one) for name, one in values.items()}
    shown = {name: f"{one:,}" if isinstance(one, int) else one for name, one in kept.items()}
    return Sentence(template.format_map(shown), template.template, kept)


def _kept(value: object) -> Value:
    if type(value) is int or type(value) is dt.date:
        return value
    return str(value)


def joined(between: str, parts: Iterable[str]) -> Sentence:
    """Several sentences in a row, each of which is translated by itself."""
    values = {f"part{number}": one for number, one in enumerate(parts)}
    return filled(Sentence(between.join(f"{{{name}}}" for name in values)), values)


def sentence(text: str) -> Sentence:
    """The text as a sentence, which it may be already."""
    return text if isinstance(text, Sentence) else Sentence(text)


def stored(text: str) -> str:
    """As a file, a database or another process keeps it, so that it can be translated later."""
    if not isinstance(text, Sentence) or not text.values:
        return text
    return json.dumps(_parts(text))


def restored(kept: str) -> Sentence:
    """What was stored, or the text itself; never raises, whoever wrote it."""
    if kept.startswith(_MARK):
        with contextlib.suppress(ValueError, LookupError, AttributeError, TypeError):
            return sentence(_joined(json.loads(kept)))
    return Sentence(kept)


def _parts(value: Value) -> Any:
    if isinstance(value, dt.date):
        return {_DAY: value.isoformat()}
    if not isinstance(value, Sentence):
        return value
    return {"say": value.template, **{name: _parts(one) for name, one in value.values.items()}}


def _joined(parts: Any) -> Any:
    if not isinstance(parts, dict):
        return parts
    if parts.keys() == {_DAY}:
        return dt.date.fromisoformat(parts[_DAY])
    template = Sentence(parts.pop("say"))
    return filled(template, {name: _joined(one) for name, one in parts.items()})
