"""Descriptors of the settings on the settings page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Literal, get_args, get_origin

from msgspec import Struct

from scrubjay.config.aliases import FORMER_KEYS, MEMORY_KEYS, SHARED, mapping_at
from scrubjay.config.loading import LoadedSettings, memory_search_for
from scrubjay.config.problems import KeyPath, key_text
from scrubjay.config.schema.section import Key, Section, section_keys
from scrubjay.config.schema.settings import Settings
from scrubjay.config.settings_diff import needs_rebuild
from scrubjay.messages import msg

MEMORY_SEARCH = "memorySearch"

GROUPS: Mapping[str, str] = {
    msg("Privacy"): """
        localOnly access.read access.write access.auditLogDays updates.check
    """,
    msg("Search"): """
        memorySearch.query.maxResults memorySearch.query.minScore
        memorySearch.query.hybrid.enabled memorySearch.query.hybrid.temporalDecay.enabled
        memorySearch.query.hybrid.temporalDecay.halfLifeDays
        memorySearch.query.hybrid.mmr.enabled memorySearch.query.hybrid.mmr.lambda
        memorySearch.query.deadlineMs memorySearch.query.reader memorySearch.citations
    """,
    msg("Notes"): """
        memorySearch.enabled memorySearch.extraPaths memorySearch.experimental.sessionMemory
        memorySearch.sources memorySearch.sync.watch memorySearch.sync.watchDebounceMs
        memorySearch.sync.onSessionStart memorySearch.sync.onSearch
        memorySearch.sync.intervalMinutes memorySearch.sync.picturesOnBattery
        memorySearch.history.days
    """,
    msg("Search by meaning"): """
        memorySearch.provider memorySearch.model memorySearch.fallback
        memorySearch.remote.baseUrl memorySearch.remote.batch.enabled
        memorySearch.multimodal.enabled memorySearch.outputDimensionality model.idleMinutes
    """,
    msg("Agents"): """
        recall.capture flush.enabled dreaming.enabled dreaming.automatic dreaming.at
        dreaming.memoryBudget
    """,
    msg("Language helper and search index"): """
        memorySearch.local.modelPath memorySearch.local.modelCacheDir
        memorySearch.local.contextSize memorySearch.chunking.tokens memorySearch.chunking.overlap
        memorySearch.query.hybrid.fusion memorySearch.query.hybrid.vectorWeight
        memorySearch.query.hybrid.textWeight memorySearch.cache.maxEntries
        memorySearch.store.path
    """,
}
"""Title of each group on the settings page, and its keys in order."""

EVERYDAY = (
    *("localOnly", "updates.check"),
    *("memorySearch.query.hybrid.temporalDecay.enabled", "memorySearch.history.days"),
)
"""Keys that most people understand and some change; the page keeps all others for experts."""


class SettingKind(StrEnum):
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


class Setting(Struct, frozen=True):
    """A setting with its value and the values it can take."""

    key: str
    """Key such as `memorySearch.query.maxResults`; the same in every spelling of the file."""
    group: str
    """Title of its group, in English: a template for translators."""
    title: str
    """Template for translators."""
    explanation: str
    """Template for translators."""
    is_everyday: bool
    """Whether it is shown first, not folded away for experts."""
    kind: SettingKind
    value: Any
    default: Any
    is_set: bool
    """Whether the file sets it; a reset removes that."""
    low: float | None = None
    high: float | None = None
    options: tuple[tuple[str, str], ...] = ()
    """Values of a choice, each with its name, a template for translators."""
    needs_rebuild: bool = False
    """Whether a new index is built in the background, while the old one answers."""
    problem: str = ""
    """Reason why the value in the file is not used."""
    overrides: tuple[tuple[str, Any], ...] = ()
    """Names of folders for which the file sets another value, with it, in their order."""


def page_settings(loaded: LoadedSettings) -> tuple[Setting, ...]:
    """All settings of the page, group by group."""
    settings = loaded.settings
    # Folders with their own settings may have other values than the page shows.
    own = []
    for entry in settings.workspaces:
        search, _ = memory_search_for(loaded, entry.id)
        if search != settings.memory_search:
            own.append((entry.name, settings.changed(memory_search=search)))
    reasons = {problem.key: problem.reason for problem in loaded.problems}
    return tuple(
        _setting(loaded, key, group=group, own=own, reasons=reasons)
        for group, names in GROUPS.items()
        for key in names.split()
    )


def _setting(
    loaded: LoadedSettings,
    key: str,
    *,
    group: str,
    own: Sequence[tuple[str, Settings]],
    reasons: Mapping[str, str],
) -> Setting:
    """The descriptor of a key. Own are names and settings of folders, reasons are of problems."""
    info, value = _field(loaded.settings, key)
    _, default = _field(Settings(), key)
    # A problem is told by the spelling that the file uses.
    set_at = key_paths(loaded.raw, key)
    problem = next((reasons[at] for at in map(key_text, set_at) if at in reasons), "")
    # Values that are chosen from have names; others have limits, or neither.
    labels = info.type.labels
    options: tuple[tuple[str, str], ...] = ()
    if labels:
        options = tuple((each, labels[each]) for each in get_args(info.type.kind))
    low, high = info.type.limits
    values = ((name, _field(theirs, key)[1]) for name, theirs in own)
    return Setting(
        key=key,
        group=group,
        title=info.type.on_page.title or key,
        explanation=info.type.on_page.description,
        is_everyday=key in EVERYDAY,
        kind=_kind(info.type.kind),
        value=value,
        default=default,
        is_set=bool(set_at),
        low=low,
        high=high,
        options=options,
        needs_rebuild=needs_rebuild(key),
        problem=problem,
        overrides=tuple((name, theirs) for name, theirs in values if theirs != value),
    )


def key_paths(raw: Mapping[str, Any], key: str) -> list[KeyPath]:
    """Paths in the file that set a key, in any spelling."""
    # Any program's spelling of the key may be in the file.
    steps: KeyPath = tuple(key.split("."))
    spellings: list[KeyPath]
    # Only memory search has several spellings, all others had former names.
    if steps[0] != MEMORY_SEARCH:
        spellings = [steps]
        spellings += [former for former, now in FORMER_KEYS.items() if now == steps]
    else:
        inner = steps[1:]
        spellings = [(*at, *inner) for at in SHARED]
        spellings += [("memory", *theirs) for theirs, ours in MEMORY_KEYS.items() if ours == inner]
    return [key_path for key_path in spellings if key_path[-1] in mapping_at(raw, key_path[:-1])]


def _field(settings: Settings, key: str) -> tuple[Key, Any]:
    """A key and its value, by its path from the top."""
    # Keys of a file and names of fields differ, so the section is asked at each step.
    section: Section = settings
    *outer, last = key.split(".")
    for step in outer:
        section = getattr(section, section_keys(type(section))[step].name)
    info = section_keys(type(section))[last]
    return info, getattr(section, info.name)


def _kind(annotation: Any) -> SettingKind:
    """The kind of the values of a type."""
    if get_origin(annotation) is Literal:
        return SettingKind.ONE_OF
    if get_origin(annotation) is tuple:
        return SettingKind.LIST
    kinds = {bool: SettingKind.SWITCH, int: SettingKind.NUMBER, float: SettingKind.DECIMAL}
    return kinds.get(annotation, SettingKind.TEXT)
