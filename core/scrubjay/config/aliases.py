"""Alternative names of the memory search settings, and how they are merged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from scrubjay.config.problems import KeyPath

SHARED: tuple[tuple[str, ...], ...] = (
    ("memory", "search"),  # OpenClaw since 2026.8
    ("agents", "defaults", "memory", "search"),
    ("agents", "defaults", "memorySearch"),  # OpenClaw until 2026.7
    ("memorySearch",),  # Scrubjay's own, and OpenClaw in early 2026
)
"""Paths of the block for all agents, strongest first; the strongest that sets a key counts."""

MEMORY_KEYS: Mapping[KeyPath, KeyPath] = {
    ("citations",): ("citations",),
    ("extraPaths",): ("extraPaths",),
    ("builtin", "temporalDecay"): ("query", "hybrid", "temporalDecay", "enabled"),
    ("builtin", "halfLifeDays"): ("query", "hybrid", "temporalDecay", "halfLifeDays"),
    ("builtin", "mmr"): ("query", "hybrid", "mmr", "enabled"),
    ("builtin", "mmrLambda"): ("query", "hybrid", "mmr", "lambda"),
}
"""Keys directly below `memory`, in OpenClaw and in ClawCode's agent-config.json -> ours."""

FORMER_KEYS: Mapping[KeyPath, KeyPath] = {("access", "guestBookDays"): ("access", "auditLogDays")}
"""Keys of former versions -> those of today. One of today counts where a file has both."""

MEMORY_PLUGIN = "memory-core"
"""Id of OpenClaw's plugin for memory."""

Block: TypeAlias = tuple[KeyPath, Mapping[str, Any]]
"""A path of keys in the file and the settings there, with our keys."""


def shared_blocks(checked: Mapping[str, Any]) -> Iterator[Block]:
    """The blocks that hold for all agents, strongest first."""
    yield from _switched_off(checked)
    for at in SHARED:
        block = mapping_at(checked, at)
        if block:
            yield at, block
    # Keys of other names are a separate block, the weakest.
    translated: dict[str, Any] = {}
    for theirs, ours in MEMORY_KEYS.items():
        value = mapping_at(checked, ("memory", *theirs[:-1])).get(theirs[-1])
        if value is not None:
            translated = merge_settings(translated, nest_value(ours, value))
    if translated:
        yield ("memory",), translated


def _switched_off(checked: Mapping[str, Any]) -> Iterator[Block]:
    """The strongest block where OpenClaw does not load its plugin for memory."""
    plugins = mapping_at(checked, ("plugins",))
    slots = mapping_at(plugins, ("slots",))
    # A list of plugins that are allowed counts only with some in it.
    allowed = plugins.get("allow", ())
    causes: Mapping[KeyPath, bool] = {
        ("enabled",): plugins.get("enabled") is False,
        ("deny",): MEMORY_PLUGIN in plugins.get("deny", ()),
        ("allow",): bool(allowed) and MEMORY_PLUGIN not in allowed,
        ("slots", "memory"): str(slots.get("memory", "")).strip().lower() == "none",
        ("entries", MEMORY_PLUGIN, "enabled"): (
            mapping_at(plugins, ("entries", MEMORY_PLUGIN)).get("enabled") is False
        ),
    }
    for key_path, is_cause in causes.items():
        if is_cause:
            yield ("plugins", *key_path), {"enabled": False}


def off_key_path(checked: Mapping[str, Any], agent_ids: Iterable[str]) -> KeyPath:
    """The path of the strongest key that turns an agent's search on or off; empty for none."""
    blocks = [block for name in agent_ids for block in agent_blocks(checked, name)]
    for key_path, block in (*blocks, *shared_blocks(checked)):
        if "enabled" in block and key_path[0] == "plugins":
            return key_path
        if "enabled" in block:
            return (*key_path, "enabled")
    return ()


def agent_blocks(checked: Mapping[str, Any], agent_id: str) -> Iterator[Block]:
    """The blocks of one agent, strongest first."""
    yield from _switched_off(checked)
    for key_path, agent in agent_settings(checked, agent_id):
        for spelling in (("memory", "search"), ("memorySearch",)):
            block = mapping_at(agent, spelling)
            if block:
                yield (*key_path, *spelling), block


def agent_settings(
    checked: Mapping[str, Any], agent_id: str
) -> Iterator[tuple[KeyPath, Mapping[str, Any]]]:
    """Paths and settings of an agent, strongest first."""
    # Newer files name agents by id, older ones list them.
    agents = mapping_at(checked, ("agents",))
    yield ("agents", "entries", agent_id), mapping_at(agents, ("entries", agent_id))
    for index, agent in enumerate(agents.get("list", ())):
        if agent.get("id") == agent_id:
            yield ("agents", "list", index), agent


def flush_block(checked: Mapping[str, Any]) -> dict[str, Any]:
    """OpenClaw's settings of the memory flush, with our keys."""
    # OpenClaw keeps one of the keys beside the block, and all others in it.
    compaction = mapping_at(checked, ("agents", "defaults", "compaction"))
    block = dict(mapping_at(compaction, ("memoryFlush",)))
    if "reserveTokensFloor" in compaction:
        block["reserveTokensFloor"] = compaction["reserveTokensFloor"]
    return block


def merge_blocks(blocks: Iterable[Block]) -> dict[str, Any]:
    """Blocks, strongest first, merged: objects by key, extraPaths add up, others replace."""
    result: dict[str, Any] = {}
    for _, values in blocks:
        result = merge_settings(values, result)
    return result


def merge_settings(weak: Mapping[str, Any], strong: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of both, where strong counts before weak."""
    result = dict(weak)
    for key, value in strong.items():
        below = result.get(key)
        # Folders of all agents and of one agent are read, so that lists of them add up.
        if isinstance(value, Mapping) and isinstance(below, Mapping):
            result[key] = merge_settings(below, value)
        elif key == "extraPaths" and isinstance(value, list) and isinstance(below, list):
            result[key] = list(dict.fromkeys([*below, *value]))
        else:
            result[key] = value
    return result


def memory_search_key(key_path: KeyPath) -> KeyPath | None:
    """Key of `memorySearch` that a path in the file sets; None for other paths."""
    if key_path[:1] == ("memory",) and key_path[1:] in MEMORY_KEYS:
        return MEMORY_KEYS[key_path[1:]]
    # Agents have the block below their own path, in a list or by id.
    prefixes: list[KeyPath] = [*SHARED]
    if key_path[:2] in {("agents", "list"), ("agents", "entries")}:
        prefixes = [(*key_path[:3], "memory", "search"), (*key_path[:3], "memorySearch")]
    for prefix in prefixes:
        if key_path[: len(prefix)] == prefix:
            return key_path[len(prefix) :]
    return None


def nest_value(key_path: Iterable[Any], value: Any) -> Any:
    """Objects around a value, so that it stands at a path of keys."""
    for step in reversed(tuple(key_path)):
        value = {step: value}
    return value


def mapping_at(data: Any, key_path: KeyPath) -> Mapping[Any, Any]:
    """The object at a path of keys; empty if there is none."""
    for step in key_path:
        if not isinstance(data, Mapping) or step not in data:
            return {}
        data = data[step]
    if not isinstance(data, Mapping):
        return {}
    return data
