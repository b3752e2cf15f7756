"""Problems in a settings file, in plain words."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from scrubjay.config.schema.section import SECRET_KEYS
from scrubjay.messages import msg

KeyPath: TypeAlias = tuple[str | int, ...]
"""Keys and list positions from the top of the file."""

_MAX_CHARS = 40
"""Letters of a value that are shown."""

_WANTED = {
    "int": msg("a whole number"),
    "float": msg("a number"),
    "finite": msg("a finite number"),
    "bool": msg("true or false"),
    "str": msg("text"),
    "list": msg("a list"),
    "object": msg("an object"),
}


class RefusedValue(Struct, frozen=True):
    """A value that does not fit its type."""

    key_path: KeyPath
    kind: str
    """`too small`, `too large`, `choice`, `letters`, `pattern`, or the name of the wanted type."""
    value: Any
    bound: float | None = None
    """Number nearest to it that fits."""
    choices: tuple[Any, ...] = ()


class SettingProblem(Struct, frozen=True):
    """A setting that cannot be used as written."""

    key: str
    """Path in the file, such as `agents.list[0].memorySearch.query.maxResults`."""
    reason: str
    """Sentence that also names the value used instead."""


class Fault(Struct, frozen=True):
    """A refused value, before the one used instead is known."""

    key_path: KeyPath
    complaint: str
    is_left_out: bool = False
    """Whether it was an entry of a list or map, of which the others stay."""


def key_text(key_path: Sequence[str | int]) -> str:
    """The path as people write it."""
    text = ""
    for step in key_path:
        if isinstance(step, int):
            text += f"[{step}]"
        else:
            text += f".{step}"
    return text.removeprefix(".")


def short_text(value: Any) -> str:
    """The value in one short piece of ASCII."""
    # Long and nested values say nothing in a sentence.
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
    if len(text) <= _MAX_CHARS:
        return text
    return f"{text[:_MAX_CHARS]}..."


def explain_refusal(refusal: RefusedValue) -> str:
    """Reason why a value was refused, as the beginning of a sentence."""
    found = short_text(refusal.value)
    # Limits are not named, since the value in their place is.
    match refusal.kind:
        case "too small":
            return msg("{found} is too small", found=found)
        case "too large":
            return msg("{found} is too large", found=found)
        case "choice":
            *others, wanted = (f'"{choice}"' for choice in refusal.choices)
            if others:
                wanted = f"{', '.join(others)} or {wanted}"
            return msg("The value must be {wanted}, not {found}", wanted=wanted, found=found)
        case "letters":
            return msg("The value contains characters that Scrubjay cannot read")
    wanted = _WANTED.get(refusal.kind, msg("something else"))
    if SECRET_KEYS.intersection(refusal.key_path):  # problems are printed and logged
        return msg("The value must be {wanted}", wanted=wanted)
    return msg("The value must be {wanted}, not {found}", wanted=wanted, found=found)
