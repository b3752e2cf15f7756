"""Fits what a file says to the schema: keeps what is known and valid, reports the rest."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, TypeGuard, get_args, get_origin

from pydantic import ValidationError

from scrubjay.config.aliases import Block
from scrubjay.config.problems import Fault, Place, Problem, complaint, key_text, shown
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.config.schema.section import Section
from scrubjay.messages import msg

MULTIMODAL_MODEL = "gemini-embedding-2"
"""How the models begin that look at images and listen to recordings."""
_ROUNDS = 8
"""Correcting a value can only uncover a few more; this is never reached."""


@dataclass(slots=True)
class Checked:
    """The part of a file that is understood."""

    values: dict[str, Any]
    """Only keys that are set, known and valid, spelled as in the file."""
    faults: list[Fault] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    not_used: list[str] = field(default_factory=list)


@cache
def _nested(section: type[Section]) -> Mapping[str, tuple[str, type[Section] | None]]:
    """Key -> how sections stand below it: "one", "list" or "map"; "leaf" has none."""
    found: dict[str, tuple[str, type[Section] | None]] = {}
    for name, info in section.model_fields.items():
        key = info.alias or name
        found[key] = "leaf", None
        kind, parts = get_origin(info.annotation), get_args(info.annotation)
        if kind is Annotated:
            kind, parts = get_origin(parts[0]), get_args(parts[0])
        if is_section(info.annotation):
            found[key] = "one", info.annotation
        elif kind is tuple and is_section(parts[0]):
            found[key] = "list", parts[0]
        elif kind is Mapping and is_section(parts[1]):
            found[key] = "map", parts[1]
    return found


def is_section(annotation: Any) -> TypeGuard[type[Section]]:
    """True for the type of a key that has keys below it."""
    return isinstance(annotation, type) and issubclass(annotation, Section)


def check(section: type[Section], raw: Mapping[str, Any]) -> Checked:
    """Keep what section understands. Raw stays as it is."""
    checked = Checked({})
    checked.values = _known(section, raw, (), checked)
    for _ in range(_ROUNDS):
        try:
            section.model_validate(checked.values)
        except ValidationError as invalid:
            checked.faults += _corrected(section, checked.values, invalid)
        else:
            return checked
    raise AssertionError("a corrected value is still refused")


def _known(
    section: type[Section], raw: Mapping[str, Any], at: Place, checked: Checked
) -> dict[str, Any]:
    """A copy without unknown keys and without nulls, which say "not set"."""
    shapes = _nested(section)
    values: dict[str, Any] = {}
    for key, value in raw.items():
        if key in section.not_used:
            checked.not_used.append(key_text((*at, key)))
        elif key not in shapes:
            checked.unknown.append(key_text((*at, key)))
        elif value is not None:
            values[key] = _known_value(*shapes[key], value, (*at, key), checked)
    return values


def _known_value(
    shape: str, section: type[Section] | None, value: Any, at: Place, checked: Checked
) -> Any:
    if section is None:
        return copy.deepcopy(value)
    if shape == "one" and isinstance(value, Mapping):
        return _known(section, value, at, checked)
    if shape == "list" and isinstance(value, list):
        # A wrong entry becomes an empty one, so that the others keep their positions.
        return [_known_entry(section, entry, (*at, i), checked) for i, entry in enumerate(value)]
    if shape == "map" and isinstance(value, Mapping):
        return {key: _known_entry(section, v, (*at, key), checked) for key, v in value.items()}
    return value


def _known_entry(section: type[Section], entry: Any, at: Place, checked: Checked) -> dict[str, Any]:
    if isinstance(entry, Mapping):
        return _known(section, entry, at, checked)
    checked.faults.append(Fault(at, complaint("model_type", entry, {}, at), is_left_out=True))
    return {}


def _corrected(
    section: type[Section], values: dict[str, Any], invalid: ValidationError
) -> list[Fault]:
    """Clamp or drop every refused value."""
    faults: dict[Place, Fault] = {}
    bounds: dict[Place, Any] = {}
    for error in invalid.errors(include_url=False):
        place, context = _existing(values, error["loc"]), error.get("ctx", {})
        reason = complaint(error["type"], error["input"], context, place)
        faults.setdefault(place, Fault(place, reason, _is_entry(section, place)))
        bounds.setdefault(place, context.get("ge", context.get("le")))
    # From the back, because dropping an entry moves those behind it.
    for place in sorted(faults, key=_position, reverse=True):
        parent = _at(values, place[:-1])
        if bounds[place] is None:
            del parent[place[-1]]
        else:
            parent[place[-1]] = bounds[place]
    return list(faults.values())


def _position(place: Place) -> tuple[tuple[bool, int, str], ...]:
    return tuple(
        (isinstance(step, int), step if isinstance(step, int) else 0, str(step)) for step in place
    )


def _existing(values: Any, location: tuple[int | str, ...]) -> Place:
    """The part of location that the file has; pydantic adds the names of union branches."""
    place = list[str | int]()
    for step in location:
        if step not in _keys(values):
            break
        values = values[step]
        place.append(step)
    return tuple(place)


def _at(values: Any, place: Place) -> Any:
    for step in place:
        values = values[step]
    return values


def _is_entry(section: type[Section], place: Place) -> bool:
    """True for one of many in a list or a map, false for a key of the schema."""
    for depth, step in enumerate(place):
        shape, nested = _nested(section)[str(step)] if isinstance(step, str) else ("leaf", None)
        if shape == "one" and nested is not None:
            section = nested
            continue
        rest = place[depth + 1 :]
        if nested is None or len(rest) < 2:
            return bool(rest)
        return _is_entry(nested, rest[1:])
    return False


def _keys(container: Any) -> Any:
    if isinstance(container, list):
        return range(len(container))
    return container if isinstance(container, dict) else ()


def overlap_problems(blocks: Iterable[Block], used: MemorySearch) -> list[Problem]:
    """At most one: the strongest block that sets the overlap may ask for more than fits."""
    for block in blocks:
        asked = block.values.get("chunking", {}).get("overlap")
        if asked is None:
            continue
        if asked <= used.chunking.overlap:
            return []
        reason = msg(
            "{asked} is not below chunking.tokens; {overlap} is used.",
            asked=shown(asked),
            overlap=used.chunking.overlap,
        )
        return [Problem(key_text((*block.at, "chunking", "overlap")), reason)]
    return []


def multimodal_problems(blocks: Iterable[Block], used: MemorySearch) -> list[Problem]:
    """At most one, at the strongest block that asks for images and recordings."""
    if not (reason := multimodal_problem(used)):
        return []
    for block in blocks:
        if block.values.get("multimodal", {}).get("enabled"):
            return [Problem(key_text((*block.at, "multimodal", "enabled")), reason)]
    return []


def multimodal_problem(search: MemorySearch) -> str:
    """Why images and recordings are not searched although they should; empty otherwise."""
    if not search.multimodal.enabled:
        return ""
    if search.provider != "gemini" or not search.model.startswith(MULTIMODAL_MODEL):
        wanted = msg(
            'provider "gemini" with model "{model}-preview"',
            model=MULTIMODAL_MODEL,
        )
        return msg("Images and recordings need {wanted}; only Markdown is searched.", wanted=wanted)
    if search.fallback != "none":
        # Its vectors could not be compared with those of the images.
        return msg('Images and recordings need fallback "none"; only Markdown is searched.')
    return ""
