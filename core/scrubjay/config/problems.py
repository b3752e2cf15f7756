"""Problems of a settings file, in plain words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from scrubjay.messages import msg

Place: TypeAlias = tuple[str | int, ...]
"""Keys and list positions from the top of the file."""

SECRET_KEYS = frozenset({"apiKey", "headers"})
_MAX_CHARS = 40

_EXPECTED = {
    "int_type": msg("a whole number"),
    "float_type": msg("a number"),
    "finite_number": msg("a finite number"),
    "bool_type": msg("true or false"),
    "string_type": msg("text"),
    "tuple_type": msg("a list"),
    "model_type": msg("an object"),
    "mapping_type": msg("an object"),
    "dict_type": msg("an object"),
}


@dataclass(frozen=True, slots=True)
class Problem:
    """A setting that cannot be used as written."""

    key: str
    """Place in the file, such as `agents.list[0].memorySearch.query.maxResults`."""
    reason: str
    """One sentence that also names the value used instead."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A refused value, before the one used instead is known."""

    place: Place
    complaint: str
    is_left_out: bool = False
    """The value was an entry of a list or map; the others stay."""


def key_text(place: Sequence[str | int]) -> str:
    """The place as people write it."""
    text = ""
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return text.removeprefix(".")


def short_text(value: Any) -> str:
    """The value in one short piece of ASCII."""
    match value:
        case Mapping():
            return msg("an object")
        case list() | tuple() if len(value) > 3 or any(isinstance(v, list | dict) for v in value):
            return msg("a list")
        case float() if value.is_integer():
            return str(int(value))
        case tuple():
            return short_text(list(value))
    try:
        text = json.dumps(value)
    except ValueError:  # an integer of thousands of digits
        return msg("a huge number")
    return text if len(text) <= _MAX_CHARS else f"{text[:_MAX_CHARS]}..."


def complaint(kind: str, value: Any, context: Mapping[str, Any], place: Place) -> str:
    """Reason why pydantic refused a value, as the beginning of a sentence."""
    found = short_text(value)
    match kind:
        case "greater_than_equal":
            return msg("{found} is too small", found=found)
        case "less_than_equal":
            return msg("{found} is too large", found=found)
        case "literal_error":
            wanted = str(context["expected"]).replace("'", '"')
            return msg("Must be {wanted}, not {found}", wanted=wanted, found=found)
        case "string_unicode":
            return msg("Has letters that Scrubjay cannot read")
    wanted = _EXPECTED.get(kind, msg("something else"))
    if SECRET_KEYS.intersection(place):  # problems are printed and logged
        return msg("Must be {wanted}", wanted=wanted)
    return msg("Must be {wanted}, not {found}", wanted=wanted, found=found)
