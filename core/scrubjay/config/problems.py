"""What is wrong in a settings file, in plain words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Place: TypeAlias = tuple[str | int, ...]
"""Keys and list positions from the top of the file."""

SECRET_KEYS = frozenset({"apiKey", "headers"})
_SHOWN = 40

_WANTED = {
    "int_type": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "string_type": "text",
    "tuple_type": "a list",
    "model_type": "an object",
    "mapping_type": "an object",
    "dict_type": "an object",
}


@dataclass(frozen=True, slots=True)
class Problem:
    """One setting that could not be taken as it stands."""

    key: str
    """Where it is in the file, such as `agents.list[0].memorySearch.query.maxResults`."""
    reason: str
    """One sentence that also says what is used instead."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A value that does not fit, before it is known what is used instead."""

    place: Place
    complaint: str
    is_left_out: bool = False
    """The value was one of many; the others stay."""

    def problem(self, used: str) -> Problem:
        """The whole sentence; used is the value that took effect, empty if there is none."""
        if self.is_left_out:
            return Problem(key_text(self.place), f"{self.complaint}; it is left out.")
        what = f"{used} is used" if used else "the default is used"
        return Problem(key_text(self.place), f"{self.complaint}; {what}.")


def key_text(place: Sequence[str | int]) -> str:
    """The place as a person writes it."""
    text = ""
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else f".{step}"
    return text.removeprefix(".")


def shown(value: Any) -> str:
    """The value in one short piece of ASCII."""
    match value:
        case Mapping():
            return "an object"
        case list() | tuple() if len(value) > 3 or any(isinstance(v, list | dict) for v in value):
            return "a list"
        case float() if value.is_integer():
            return str(int(value))
        case tuple():
            return shown(list(value))
    try:
        text = json.dumps(value)
    except ValueError:  # an integer of thousands of digits
        return "a huge number"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def complaint(kind: str, value: Any, context: Mapping[str, Any], place: Place) -> str:
    """Why pydantic refused the value, as the beginning of a sentence."""
    found = shown(value)
    match kind:
        case "greater_than_equal":
            return f"{found} is too small"
        case "less_than_equal":
            return f"{found} is too large"
        case "literal_error":
            wanted = str(context["expected"]).replace("'", '"')
            return f"Must be {wanted}, not {found}"
        case "string_unicode":
            return "Holds characters that are none"
    wanted = _WANTED.get(kind, "something else")
    # Problems are printed and logged.
    return f"Must be {wanted}" + ("" if SECRET_KEYS.intersection(place) else f", not {found}")
