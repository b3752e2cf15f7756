"""Validation of a settings file: keeps known and valid values, and reports the others."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, get_args, get_origin

from msgspec import Meta, Struct, ValidationError, convert, field

from scrubjay.config.aliases import FORMER_KEYS, Block
from scrubjay.config.problems import (
    Fault,
    KeyPath,
    RefusedValue,
    SettingProblem,
    explain_refusal,
    key_text,
    short_text,
)
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.config.schema.section import Section, ValueType, is_section, section_keys
from scrubjay.messages import msg

MULTIMODAL_MODEL = "gemini-embedding-2"
"""Beginning of the names of models that embed images and recordings."""

_NEVER_NULL = frozenset({("localOnly",), ("plugins", "slots", "memory")})
"""Paths where null does not mean "not set", which would open what was closed."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_DROPPED = object()
"""Mark for a value that was refused and has no nearest one that fits."""


class ValidationResult(Struct):
    """The part of a file that is understood."""

    values: dict[str, Any]
    """Keys that are set, known and valid, by their names of today."""
    faults: list[Fault] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    not_used: list[str] = field(default_factory=list)


def validate_section(section: type[Section], raw: Mapping[str, Any]) -> ValidationResult:
    """A copy of the values that fit a section, and faults of the others.

    A number out of range becomes the nearest one in it; other values that do not fit are dropped.
    """
    checked = ValidationResult({})
    checked.values = _known(section, raw, at=(), checked=checked)
    return checked


def _known(
    section: type[Section], raw: Mapping[str, Any], *, at: KeyPath, checked: ValidationResult
) -> Any:
    """A copy without unknown keys and without nulls, which mean "not set" nearly everywhere."""
    values = {}
    for name, value in raw.items():
        # The name of a key may be that of a former version.
        key_path = (*at, name)
        key = str(FORMER_KEYS.get(key_path, key_path)[-1])
        is_outdated = key != name and key in raw
        is_known = key in section_keys(section)
        if name in section.not_used or is_outdated or (section.is_foreign and not is_known):
            checked.not_used.append(key_text(key_path))
        elif not is_known:
            checked.unknown.append(key_text(key_path))
        elif value is not None or key_path in _NEVER_NULL:
            fitting = _fitting(section_keys(section)[key].type, value, at=key_path, checked=checked)
            if fitting is not _DROPPED:
                values[key] = fitting
    return values


def _fitting(
    wanted: ValueType, value: Any, *, at: KeyPath, checked: ValidationResult, is_entry: bool = False
) -> Any:
    """The value as its type accepts it; beside a fault the nearest one that fits, or `_DROPPED`."""
    value = wanted.brought_into_form(value)
    kind = wanted.kind
    if value is None and wanted.is_optional:
        return None
    # Of values that hold others each is checked by itself, so that one fault leaves the rest.
    if is_section(kind) and isinstance(value, Mapping):
        return _known(kind, value, at=at, checked=checked)
    if get_origin(kind) is tuple and isinstance(value, list | tuple):
        numbered = enumerate(value)
        entries = _fitting_entries(get_args(kind)[0], numbered, at=at, checked=checked)
        # Entries that were dropped may have kept others from being compared.
        return wanted.brought_into_form(list(entries.values()))
    if get_origin(kind) is Mapping and isinstance(value, Mapping):
        return _fitting_entries(get_args(kind)[1], value.items(), at=at, checked=checked)

    converted = _converted(wanted, value, at)
    if not isinstance(converted, RefusedValue):
        return converted
    checked.faults.append(Fault(at, explain_refusal(converted), is_left_out=is_entry))
    if converted.bound is not None:
        return converted.bound
    # Without it the entries after it in a list would change their positions.
    if is_entry and is_section(kind):
        return {}
    return _DROPPED


def _fitting_entries(
    annotation: Any, entries: Iterable[tuple[Any, Any]], *, at: KeyPath, checked: ValidationResult
) -> dict[Any, Any]:
    """The entries of a list or a map that fit their type, by their positions or names."""
    wanted = ValueType.of(annotation)
    fitting = {}
    for step, value in entries:
        key_path = (*at, step)
        # Names of entries are texts of the file, too; positions are ours.
        if isinstance(step, str) and _SURROGATE.search(step):
            refusal = RefusedValue(key_path, "letters", step)
            checked.faults.append(Fault(key_path, explain_refusal(refusal), is_left_out=True))
            continue
        entry = _fitting(wanted, value, at=key_path, checked=checked, is_entry=True)
        if entry is not _DROPPED:
            fitting[step] = entry
    return fitting


def _converted(wanted: ValueType, value: Any, at: KeyPath) -> Any:
    """A single value as its type accepts it, or the Refusal of it."""
    kind = wanted.kind
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind is str and isinstance(value, str) and _SURROGATE.search(value):
        return RefusedValue(at, "letters", value)
    # A whole number may be longer than any float.
    if kind is float and is_number and not abs(value) <= sys.float_info.max:
        return RefusedValue(at, "finite", value)
    if kind is int and isinstance(value, float) and value.is_integer():
        value = int(value)
    rules = tuple(note for note in wanted.notes if isinstance(note, Meta))
    annotated = kind
    if rules:
        annotated = Annotated[(kind, *rules)]
    try:
        return convert(value, annotated)
    except ValidationError:
        return _refusal(wanted, value, at)


def _refusal(wanted: ValueType, value: Any, at: KeyPath) -> RefusedValue:
    """Reason why a type does not accept a value."""
    kind = wanted.kind
    origin = get_origin(kind)
    # msgspec says it in its own words, so the reason is found again here.
    if origin is Literal:
        return RefusedValue(at, "choice", value, choices=get_args(kind))
    if origin is tuple:
        return RefusedValue(at, "list", value)
    if origin is Mapping or is_section(kind):
        return RefusedValue(at, "object", value)
    if kind is str and isinstance(value, str):
        return RefusedValue(at, "pattern", value)
    if kind in (int, float) and isinstance(value, int | kind) and not isinstance(value, bool):
        low, high = wanted.limits
        if low is not None and value < low:
            return RefusedValue(at, "too small", value, bound=kind(low))
        return RefusedValue(at, "too large", value, bound=kind(high))
    return RefusedValue(at, kind.__name__, value)


def find_conflicts(blocks: Iterable[Block], used: MemorySearch) -> list[SettingProblem]:
    """Settings that do not go together, each at the strongest block that sets it."""
    overlaps: list[tuple[KeyPath, Any]] = []
    enabled: list[KeyPath] = []
    for at, values in blocks:
        overlap = values.get("chunking", {}).get("overlap")
        if overlap is not None:
            overlaps.append(((*at, "chunking", "overlap"), overlap))
        if values.get("multimodal", {}).get("enabled"):
            enabled.append((*at, "multimodal", "enabled"))
    # The strongest block comes first.
    problems = []
    for key_path, overlap in overlaps[:1]:
        if overlap > used.chunking.overlap:
            reason = msg(
                "The overlap must be smaller than the size of a passage. Scrubjay "
                "is using {overlap} instead of {asked}.",
                asked=short_text(overlap),
                overlap=used.chunking.overlap,
            )
            problems.append(SettingProblem(key_text(key_path), reason))
    # Images that no model reads would be searched in vain.
    if enabled:
        obstacle = multimodal_problem(used)
        if obstacle:
            problems.append(SettingProblem(key_text(enabled[0]), obstacle))
    return problems


def multimodal_problem(search: MemorySearch) -> str:
    """Reason why images and recordings are not searched although enabled; empty otherwise."""
    if not search.multimodal.enabled:
        return ""
    if search.provider != "gemini" or not search.model.startswith(MULTIMODAL_MODEL):
        model = msg("Gemini with its language helper “{model}-preview”", model=MULTIMODAL_MODEL)
        return msg(
            "Scrubjay currently searches only notes. To search images and "
            "recordings, choose {wanted}.",
            wanted=model,
        )
    if search.fallback != "none":
        # Its vectors could not be compared with those of the images.
        return msg(
            "Scrubjay currently searches only notes. To search images and "
            "recordings, set “Fallback” to “None”."
        )
    return ""
