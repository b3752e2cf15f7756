"""Descriptors of the settings on the settings page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Literal, cast, get_args, get_origin

from pydantic.fields import FieldInfo

from scrubjay.config.aliases import MEMORY_KEYS, SHARED, mapping_at
from scrubjay.config.loading import LoadedSettings, memory_search_for
from scrubjay.config.problems import Place, key_text
from scrubjay.config.schema.section import Section, field_names
from scrubjay.config.schema.settings import Settings
from scrubjay.config.settings_diff import REBUILD_KEYS
from scrubjay.messages import msg

MEMORY_SEARCH = "memorySearch"

GROUPS: Mapping[str, str] = {
    msg("Privacy"): """
        localOnly access.read access.write access.guestBookDays updates.check
    """,
    msg("Search"): """
        memorySearch.query.maxResults memorySearch.query.minScore
        memorySearch.query.hybrid.enabled memorySearch.query.hybrid.temporalDecay.enabled
        memorySearch.query.hybrid.temporalDecay.halfLifeDays
        memorySearch.query.hybrid.mmr.enabled memorySearch.query.hybrid.mmr.lambda
        memorySearch.query.deadlineMs memorySearch.citations
    """,
    msg("Notes"): """
        memorySearch.enabled memorySearch.extraPaths memorySearch.experimental.sessionMemory
        memorySearch.sources memorySearch.sync.watch memorySearch.sync.watchDebounceMs
        memorySearch.sync.onSessionStart memorySearch.sync.onSearch
        memorySearch.sync.intervalMinutes memorySearch.history.days
    """,
    msg("Meaning"): """
        memorySearch.provider memorySearch.model memorySearch.fallback
        memorySearch.remote.baseUrl memorySearch.remote.batch.enabled
        memorySearch.multimodal.enabled memorySearch.outputDimensionality model.idleMinutes
    """,
    msg("Agents"): """
        recall.capture flush.enabled dreaming.enabled dreaming.automatic dreaming.at
        dreaming.memoryBudget
    """,
    msg("For experts"): """
        memorySearch.local.modelPath memorySearch.local.modelCacheDir
        memorySearch.local.contextSize memorySearch.chunking.tokens memorySearch.chunking.overlap
        memorySearch.query.hybrid.fusion memorySearch.query.hybrid.vectorWeight
        memorySearch.query.hybrid.textWeight memorySearch.cache.maxEntries
        memorySearch.store.path
    """,
}
"""Title of each group on the settings page, and its keys in order."""


class ChoiceKind(StrEnum):
    """Kind of the value of a setting."""

    SWITCH = "switch"
    """True or false."""
    NUMBER = "number"
    """A whole number."""
    DECIMAL = "decimal"
    TEXT = "text"
    LIST = "list"
    """Any number of texts."""
    ONE_OF = "one of"


@dataclass(frozen=True, slots=True)
class Override:
    """A folder with a value of its own."""

    workspace: str
    """Name of the folder."""
    value: Any


@dataclass(frozen=True, slots=True)
class Choice:
    """A setting with its value and the values it can take."""

    key: str
    """Such as `memorySearch.query.maxResults`; the same in every spelling of the file."""
    group: str
    """Title of its group, in English: a template for translators."""
    title: str
    """A template for translators."""
    explanation: str
    """A template for translators."""
    kind: ChoiceKind
    value: Any
    default: Any
    is_set: bool
    """The file sets it; a reset removes that."""
    low: float | None = None
    high: float | None = None
    options: tuple[tuple[str, str], ...] = ()
    """Of a choice: each value with its name, a template for translators."""
    needs_rebuild: bool = False
    """A new index is built in the background, and the old one answers meanwhile."""
    problem: str = ""
    """Reason why the value in the file is not used."""
    overrides: tuple[Override, ...] = ()
    """Folders for which the file sets another value, in their order."""


def choices(loaded: LoadedSettings) -> tuple[Choice, ...]:
    """Descriptors of all settings, group by group."""
    own = _own_settings(loaded)
    return tuple(
        _choice(loaded, group, key, own)
        for group, keys in GROUPS.items()
        for key in keys.split()
    )  # fmt: skip


def places(raw: Mapping[str, Any], key: str) -> list[Place]:
    """Places of the file that set a key, in any spelling."""
    steps = tuple(key.split("."))
    if steps[0] != MEMORY_SEARCH:
        return [steps] if steps[-1] in mapping_at(raw, steps[:-1]) else []
    inner = steps[1:]
    spellings: list[Place] = [(*at, *inner) for at in SHARED]
    spellings += [("memory", *theirs) for theirs, ours in MEMORY_KEYS.items() if ours == inner]
    return [place for place in spellings if place[-1] in mapping_at(raw, place[:-1])]


def _own_settings(loaded: LoadedSettings) -> list[tuple[str, Settings]]:
    """Names and settings of the folders with settings of their own."""
    shared = loaded.settings.memory_search
    overrides = []
    for entry in loaded.settings.workspaces:
        search, _ = memory_search_for(loaded, entry.id)
        if search != shared:
            settings = loaded.settings.model_copy(update={"memory_search": search})
            overrides.append((entry.name, settings))
    return overrides


def _overrides(own: Sequence[tuple[str, Settings]], key: str, shared: Any) -> tuple[Override, ...]:
    values = ((name, _field(settings, key)[1]) for name, settings in own)
    return tuple(Override(name, value) for name, value in values if value != shared)


def _choice(
    loaded: LoadedSettings, group: str, key: str, own: Sequence[tuple[str, Settings]]
) -> Choice:
    info, value = _field(loaded.settings, key)
    set_at = places(loaded.raw, key)
    reasons = {problem.key: problem.reason for problem in loaded.problems}
    low, high = bounds(info)
    return Choice(
        key=key,
        group=group,
        title=info.title or key,
        explanation=info.description or "",
        kind=_kind(info.annotation),
        value=value,
        default=_field(_defaults(), key)[1],
        is_set=bool(set_at),
        low=low,
        high=high,
        options=_options(info),
        needs_rebuild=key.removeprefix(f"{MEMORY_SEARCH}.") in REBUILD_KEYS,
        problem=next((reasons[name] for at in set_at if (name := key_text(at)) in reasons), ""),
        overrides=_overrides(own, key, value),
    )


def bounds(info: FieldInfo) -> tuple[float | None, float | None]:
    """Limits of a number; None for a missing limit."""
    low = next((rule.ge for rule in info.metadata if hasattr(rule, "ge")), None)
    high = next((rule.le for rule in info.metadata if hasattr(rule, "le")), None)
    return low, high


def _field(settings: Settings, key: str) -> tuple[FieldInfo, Any]:
    section: Section = settings
    *outer, last = key.split(".")
    for step in outer:
        section = getattr(section, field_names(type(section))[step])
    name = field_names(type(section))[last]
    return type(section).model_fields[name], getattr(section, name)


@cache
def _defaults() -> Settings:
    return Settings()


def _kind(annotation: Any) -> ChoiceKind:
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _kind(parts[0])
    if origin is Literal:
        return ChoiceKind.ONE_OF
    if origin is tuple:
        return ChoiceKind.LIST
    if parts:  # X | None
        return _kind(parts[0])
    kinds = {bool: ChoiceKind.SWITCH, int: ChoiceKind.NUMBER, float: ChoiceKind.DECIMAL}
    return kinds.get(annotation, ChoiceKind.TEXT)


def _options(info: FieldInfo) -> tuple[tuple[str, str], ...]:
    """Values of a choice in the order of the schema, each with its label."""
    labels = info.json_schema_extra
    if get_origin(info.annotation) is not Literal or not isinstance(labels, dict):
        return ()
    return tuple((value, cast("str", labels[value])) for value in get_args(info.annotation))
