"""Finds the memory search settings in every spelling, and lays them over one another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from scrubjay.config.problems import Place

SHARED: tuple[Place, ...] = (
    ("memory", "search"),  # OpenClaw since 2026.8
    ("agents", "defaults", "memory", "search"),
    ("agents", "defaults", "memorySearch"),  # OpenClaw until 2026.7
    ("memorySearch",),  # Scrubjay's own, and OpenClaw in early 2026
)
"""Strongest first. Of two that set the same key the stronger one counts."""

MEMORY_KEYS: Mapping[Place, Place] = {
    ("citations",): ("citations",),
    ("extraPaths",): ("extraPaths",),
    ("builtin", "temporalDecay"): ("query", "hybrid", "temporalDecay", "enabled"),
    ("builtin", "halfLifeDays"): ("query", "hybrid", "temporalDecay", "halfLifeDays"),
    ("builtin", "mmr"): ("query", "hybrid", "mmr", "enabled"),
    ("builtin", "mmrLambda"): ("query", "hybrid", "mmr", "lambda"),
}
"""Keys directly below `memory`, in OpenClaw and in ClawCode's agent-config.json -> ours."""


@dataclass(frozen=True, slots=True)
class Block:
    """Settings in one spelling."""

    at: Place
    values: Mapping[str, Any]


def shared_blocks(checked: Mapping[str, Any]) -> Iterator[Block]:
    """The blocks that hold for all agents, strongest first."""
    for at in SHARED:
        if block := _mapping(checked, at):
            yield Block(at, block)
    if block := _mapping(checked, ("memory",)):
        yield Block(("memory",), _from_memory_block(block))


def agent_blocks(checked: Mapping[str, Any], agent_id: str) -> Iterator[Block]:
    """The blocks of one agent, strongest first."""
    places: list[Place] = [("agents", "entries", agent_id)]
    listed = _mapping(checked, ("agents",)).get("list", ())
    places += [("agents", "list", i) for i, a in enumerate(listed) if a.get("id") == agent_id]
    for place in places:
        for spelling in (("memory", "search"), ("memorySearch",)):
            if block := _mapping(checked, (*place, *spelling)):
                yield Block((*place, *spelling), block)


def flush_block(checked: Mapping[str, Any]) -> dict[str, Any]:
    """What OpenClaw's settings of compaction say about the memory flush, in our keys."""
    compaction = _mapping(checked, ("agents", "defaults", "compaction"))
    block = dict(_mapping(compaction, ("memoryFlush",)))
    if "reserveTokensFloor" in compaction:
        block["reserveTokensFloor"] = compaction["reserveTokensFloor"]
    return block


def merged(blocks: Iterable[Block]) -> dict[str, Any]:
    """One block out of many, strongest first.

    Objects merge by key, lists replace one another, extraPaths add up.
    """
    result: dict[str, Any] = {}
    for block in blocks:
        result = merge(block.values, result)
    return result


def merge(weak: Mapping[str, Any], strong: Mapping[str, Any]) -> dict[str, Any]:
    """Lay strong over weak."""
    result = dict(weak)
    for key, value in strong.items():
        below = result.get(key)
        if isinstance(value, Mapping) and isinstance(below, Mapping):
            result[key] = merge(below, value)
        elif key == "extraPaths" and isinstance(value, list) and isinstance(below, list):
            result[key] = list(dict.fromkeys([*below, *value]))
        else:
            result[key] = value
    return result


def target(place: Place) -> Place | None:
    """The key of `memorySearch` that a place in the file sets; None when it sets none."""
    if place[:1] == ("memory",) and place[1:] in MEMORY_KEYS:
        return MEMORY_KEYS[place[1:]]
    prefixes = [*SHARED]
    if place[:2] in {("agents", "list"), ("agents", "entries")}:
        prefixes = [(*place[:3], "memory", "search"), (*place[:3], "memorySearch")]
    for prefix in prefixes:
        if place[: len(prefix)] == prefix:
            return place[len(prefix) :]
    return None


def _from_memory_block(block: Mapping[str, Any]) -> dict[str, Any]:
    translated: dict[str, Any] = {}
    for theirs, ours in MEMORY_KEYS.items():
        value = _mapping(block, theirs[:-1]).get(str(theirs[-1]))
        if value is None:
            continue
        inner = translated
        for key in ours[:-1]:
            inner = inner.setdefault(str(key), {})
        inner[str(ours[-1])] = value
    return translated


def _mapping(data: Any, place: Place) -> Mapping[str, Any]:
    for step in place:
        try:
            data = data[step]
        except (KeyError, IndexError):
            return {}
    return data if isinstance(data, Mapping) else {}
