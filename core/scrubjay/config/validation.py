"""Validation of a settings file: known and valid values are kept, the others reported."""

from __future__ import annotations

import builtins
import copy
from collections import abc
from collections.abc import Iterable, Mapping
from functools import reduce
from operator import getitem
from types import NoneType
from typing import Annotated, Any, TypeGuard, get_args, get_origin

from msgspec import Struct, field

from scrubjay.config.aliases import Block
from scrubjay.config.problems import Fault, Place, Problem, complaint, key_text, short_text
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.config.schema.section import Refused, Section
from scrubjay.messages import msg

MULTIMODAL_MODEL = "gemini-embedding-2"
"""Beginning of the names of models that embed images and recordings."""

_NEVER_NULL = frozenset({("localOnly",), ("plugins", "slots", "memory")})
"""Where null does not mean "not set", which would open what was closed."""

_ROUNDS = 8
"""Correcting a value can only uncover a few more; this is never reached."""


class Checked(Struct):
    """The part of a file that is understood."""

    values: dict[str, Any]
    """Only keys that are set, known and valid, spelled as in the file."""
    faults: list[Fault] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    not_used: list[str] = field(default_factory=list)


def is_section(annotation: Any) -> TypeGuard[type[Section]]:
    """True for the type of a key that has keys below it."""
    return isinstance(annotation, type) and issubclass(annotation, Section)


def check(section: type[Section], raw: Mapping[str, Any]) -> Checked:
    """A copy of the values that fit section, and faults of the others, clamped or dropped."""
    checked = Checked({})
    checked.values = _known(section, raw, (), checked)
    for _ in range(_ROUNDS):
        try:
            section.checked(checked.values)
        except Refused as refused:
            refusals = refused.refusals
        else:
            return checked
        faults: dict[Place, tuple[Fault, Any]] = {}
        for refusal in refusals:
            place = refusal.place
            is_entry = not is_section(reduce(_type_below, place[:-1], section))
            bound: Any = refusal.bound
            if is_entry and refusal.kind == "object":
                bound = {}  # the other entries keep their positions
            fault = Fault(place, complaint(refusal), is_entry)
            faults.setdefault(place, (fault, bound))
        # From the back, because dropping an entry moves those behind it.
        for place in sorted(faults, reverse=True):
            values: Any = checked.values
            parent, bound = reduce(getitem, place[:-1], values), faults[place][1]
            if bound is None:
                del parent[place[-1]]
            else:
                parent[place[-1]] = bound
        checked.faults += [fault for fault, _ in faults.values()]
    raise AssertionError("a corrected value is still refused")


def _known(kind: Any, raw: Any, at: Place, checked: Checked) -> Any:
    """A copy without unknown keys and without nulls, which mean "not set" nearly everywhere."""
    if is_section(kind):
        if not isinstance(raw, Mapping):
            return raw
        values = {}
        for key, value in raw.items():
            if key in kind.not_used:
                checked.not_used.append(key_text((*at, key)))
            elif key not in kind.names:
                checked.unknown.append(key_text((*at, key)))
            elif value is not None or (*at, key) in _NEVER_NULL:
                values[key] = _known(_type_below(kind, key), value, (*at, key), checked)
        return values
    container, entry = _container(kind)
    if container is list and is_section(entry) and isinstance(raw, list):
        return [_known(entry, value, (*at, i), checked) for i, value in enumerate(raw)]
    if container is dict and is_section(entry) and isinstance(raw, dict):
        return {key: _known(entry, value, (*at, key), checked) for key, value in raw.items()}
    return copy.deepcopy(raw)


def _container(kind: Any) -> tuple[type, Any]:
    """`list` or `dict` and the type of its entries; `NoneType` for a type without entries."""
    if get_origin(kind) is Annotated:
        return _container(get_args(kind)[0])
    match get_origin(kind), get_args(kind):
        case builtins.tuple, [entry, *_]:
            return list, entry
        case abc.Mapping, [_, entry]:
            return dict, entry
    return NoneType, None


def _type_below(kind: Any, step: str | int) -> Any:
    """Type of a key of a section, or of the entries of a list or a map."""
    if is_section(kind):
        return kind.fields()[kind.names[step]].annotation
    return _container(kind)[1]


def conflicts(blocks: Iterable[Block], used: MemorySearch) -> list[Problem]:
    """Settings that do not go together, each at the strongest block that sets it."""
    overlaps: list[tuple[Place, Any]] = []
    enabled: list[Place] = []
    for at, values in blocks:
        if (overlap := values.get("chunking", {}).get("overlap")) is not None:
            overlaps.append(((*at, "chunking", "overlap"), overlap))
        if values.get("multimodal", {}).get("enabled"):
            enabled.append((*at, "multimodal", "enabled"))
    problems = []
    for place, overlap in overlaps[:1]:
        if overlap > used.chunking.overlap:
            reason = msg(
                "{asked} is not below the size of a passage; {overlap} is used.",
                asked=short_text(overlap),
                overlap=used.chunking.overlap,
            )
            problems.append(Problem(key_text(place), reason))
    if enabled and (why := multimodal_problem(used)):
        problems.append(Problem(key_text(enabled[0]), why))
    return problems


def multimodal_problem(search: MemorySearch) -> str:
    """Reason why images and recordings are not searched although enabled; empty otherwise."""
    if not search.multimodal.enabled:
        return ""
    if search.provider != "gemini" or not search.model.startswith(MULTIMODAL_MODEL):
        model = msg("Gemini with its helper “{model}-preview”", model=MULTIMODAL_MODEL)
        return msg("Images and recordings need {wanted}; only notes are searched.", wanted=model)
    if search.fallback != "none":
        # Its vectors could not be compared with those of the images.
        return msg(
            "Images and recordings need “Who stands in” set to nobody; only notes are searched."
        )
    return ""
