"""Differences between two settings, and the ones that need a new index."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from scrubjay.config.schema.section import Section, section_keys

SomeSettings = TypeVar("SomeSettings", bound=Section)

REBUILD_KEYS = frozenset(
    {
        "provider",
        "model",
        "local.modelPath",
        "outputDimensionality",
        "chunking.tokens",
        "chunking.overlap",
        "store.path",
    }
)
"""Keys that the vectors or the chunks depend on. All others apply at once."""


def needs_rebuild(key: str) -> bool:
    """Whether a key applies once a new index is complete; the old one answers until then."""
    return key.removeprefix("memorySearch.") in REBUILD_KEYS


def changed_keys(old: SomeSettings, new: SomeSettings) -> tuple[str, ...]:
    """Keys with different values in two settings of one type, in the order of the schema."""
    before = dict(leaf_values(old))
    return tuple(key for key, value in leaf_values(new) if value != before[key])


def leaf_values(section: Section, prefix: str = "") -> Iterator[tuple[str, object]]:
    """Every key with its value, as in ("query.maxResults", 6)."""
    for each in section_keys(type(section)).values():
        key = f"{prefix}{each.key}"
        value = getattr(section, each.name)
        if isinstance(value, Section):
            yield from leaf_values(value, f"{key}.")
        else:
            yield key, value
