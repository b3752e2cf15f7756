"""Differences between two settings, and the ones that need a new index."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

from scrubjay.config.schema.section import Section

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


@dataclass(frozen=True, slots=True)
class Changes:
    """Differing keys, in the order of the schema."""

    hot: tuple[str, ...]
    """Apply at once."""
    rebuild: tuple[str, ...]
    """Apply when a new index is complete; the old one answers until then."""

    def __bool__(self) -> bool:
        """True when anything differs."""
        return bool(self.hot or self.rebuild)


def changes(old: SomeSettings, new: SomeSettings) -> Changes:
    """Keys with different values in two settings of one type."""
    before = dict(leaves(old))
    differing = [key for key, value in leaves(new) if value != before[key]]
    return Changes(
        hot=tuple(key for key in differing if not _needs_rebuild(key)),
        rebuild=tuple(key for key in differing if _needs_rebuild(key)),
    )


def _needs_rebuild(key: str) -> bool:
    return key.removeprefix("memorySearch.") in REBUILD_KEYS


def leaves(section: Section, prefix: str = "") -> Iterator[tuple[str, object]]:
    """Every key with its value, as in ("query.maxResults", 6)."""
    for name, info in type(section).model_fields.items():
        key, value = f"{prefix}{info.alias}", getattr(section, name)
        if isinstance(value, Section):
            yield from leaves(value, f"{key}.")
        else:
            yield key, value
