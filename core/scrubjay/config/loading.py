"""Reading of the settings file; any content gives valid settings."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from scrubjay.config.aliases import (
    agent_blocks,
    agents_named,
    flush_block,
    merge,
    merged,
    shared_blocks,
    target,
)
from scrubjay.config.json5.json5_parser import Json5Error, Parser
from scrubjay.config.problems import Fault, Place, Problem, key_text, short_text
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.config.schema.qmd_backend import closed_scope
from scrubjay.config.schema.section import Section, field_names
from scrubjay.config.schema.settings import Settings, SettingsFile, WorkspaceEntry
from scrubjay.config.validation import check, conflicts
from scrubjay.errors import system_reason
from scrubjay.messages import msg

_OWN = ("localOnly", "model", "access", "recall", "flush", "dreaming", "updates")
"""Top keys that only Scrubjay has."""
_UNSAFE = re.compile(r"[^\w.-]+")


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """Settings of a file, and its problems."""

    settings: Settings
    problems: tuple[Problem, ...] = ()
    """All but those of the overrides of single agents, which `memory_search_for` returns."""
    raw: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """Content of the file, with keys that belong to other programs."""
    unknown: tuple[str, ...] = ()
    """Keys that Scrubjay does not know. They stay in the file."""
    not_used: tuple[str, ...] = ()
    """Known keys of other programs that change nothing here."""
    checked: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """Known and valid part of raw."""
    faults: tuple[Fault, ...] = ()
    """Refused values of the whole file, agents included."""
    broken: str = ""
    """Reason why the file cannot be used, as in "Cannot be read"; empty when it can."""


def load(path: Path) -> LoadedSettings:
    """Settings of a file; the defaults for a missing or blank one. Never raises."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return LoadedSettings(Settings())
    except OSError as error:
        reason = system_reason(error)
        return _defaults(path, msg("Cannot be read ({reason})", reason=reason))
    except UnicodeDecodeError:
        return _defaults(path, msg("Is written with letters that Scrubjay cannot read"))
    if not text.strip():
        return LoadedSettings(Settings())
    parser = Parser(text)
    try:
        raw = parser.parse().value
    except Json5Error as error:
        return _defaults(path, msg("Has a mistake, {error}", error=error))
    if not isinstance(raw, dict):
        return _defaults(
            path, msg("Must begin with a curly bracket, not with {found}", found=short_text(raw))
        )
    return _loaded(raw, parser.repeated)


def reload(path: Path, before: LoadedSettings) -> LoadedSettings:
    """Settings of a file read again; those from before when it cannot be used."""
    now = load(path)
    if not now.broken:
        return now
    problem = Problem(path.name, msg("{broken}; the settings from before stay.", broken=now.broken))
    return replace(before, problems=(problem,), broken=now.broken)


def _defaults(path: Path, reason: str) -> LoadedSettings:
    problem = Problem(path.name, msg("{reason}; the usual settings are used.", reason=reason))
    return LoadedSettings(Settings(), (problem,), broken=reason)


def _loaded(raw: Mapping[str, Any], repeated: Iterable[Place]) -> LoadedSettings:
    checked = check(SettingsFile, raw)
    indexed, dropped = workspace_entries(checked.values.get("workspaces", ()))
    entries = tuple(entry for _, entry in indexed)
    blocks = list(shared_blocks(checked.values))
    own = {key: checked.values[key] for key in _OWN if key in checked.values}
    own["flush"] = merge(flush_block(checked.values), own.get("flush", {}))
    own["access"] = _denied(own.get("access", {}), checked.faults)
    own["memory"] = closed_scope(
        checked.values.get("memory", {}),
        [*checked.unknown, *(key_text(fault.place) for fault in checked.faults)],
    )
    if any(fault.place == ("localOnly",) for fault in checked.faults):
        # The key is there to keep everything on this computer.
        own["localOnly"] = True
    shared = MemorySearch.model_validate(merged(blocks))
    settings = Settings.model_validate({**own, "memorySearch": shared, "workspaces": entries})
    problems = [_problem(fault, settings) for fault in checked.faults if not _is_of_agent(fault)]
    foreign = {*checked.unknown, *checked.not_used}
    problems += [
        Problem(key_text(at), msg("Stands here twice; the last one is used."))
        for at in repeated
        if not any(key_text(at[:depth]) in foreign for depth in range(1, len(at) + 1))
    ]
    reported = {fault.place for fault in checked.faults}
    problems += [problem for at, problem in dropped if at not in reported]
    problems += conflicts(blocks, shared)
    return LoadedSettings(
        settings,
        tuple(problems),
        raw,
        tuple(checked.unknown),
        tuple(checked.not_used),
        checked.values,
        tuple(checked.faults),
    )


def _denied(access: Any, faults: Iterable[Fault]) -> Any:
    """Rules with "deny" for values that make no sense: their author wanted to limit something."""
    closed = copy.deepcopy(access)
    for fault in faults:
        place = fault.place
        if place[0] != "access" or place[-1] == "guestBookDays":
            continue
        if place[-1] not in ("read", "write") or place[-2] in ("agents", "workspaces"):
            return {"read": "deny", "write": "deny"}
        rule = closed
        for step in place[1:-1]:
            rule = rule.setdefault(step, {})
        rule[place[-1]] = "deny"
    return closed


def memory_search_for(
    loaded: LoadedSettings, agent_id: str
) -> tuple[MemorySearch, tuple[Problem, ...]]:
    """Shared settings with the overrides of one agent, and problems of the overrides."""
    own = list(agent_blocks(loaded.checked, agent_id))
    if not own and not loaded.faults:
        return loaded.settings.memory_search, ()
    search = MemorySearch.model_validate(merged([*own, *shared_blocks(loaded.checked)]))
    settings = loaded.settings.model_copy(update={"memory_search": search})
    places = {place for place, _ in agents_named(loaded.checked, agent_id)}
    problems = [
        _problem(fault, settings)
        for fault in loaded.faults
        if fault.place[:3] in places and _is_of_agent(fault)
    ]
    return search, (*problems, *conflicts(own, search))


def _is_of_agent(fault: Fault) -> bool:
    """True for overrides; a wrong entry of the list itself concerns all agents."""
    place = fault.place
    return len(place) > 3 and place[0] == "agents" and place[1] in ("list", "entries")


def _problem(fault: Fault, settings: Settings) -> Problem:
    """The problem of a fault, with the value that took effect if it is one short value."""
    key = key_text(fault.place)
    if fault.is_left_out:
        return Problem(key, msg("{complaint}; it is left out.", complaint=fault.complaint))
    value: Any = settings
    place = fault.place
    if (inner := target(place)) is not None:
        value, place = settings.memory_search, inner
    for step in place:
        names = field_names(type(value)) if isinstance(value, Section) else {}
        value = getattr(value, names[step]) if step in names else None
    if isinstance(value, str | int | float | tuple) and value not in ("", ()):
        used = short_text(value)
        return Problem(
            key, msg("{complaint}; {used} is used.", complaint=fault.complaint, used=used)
        )
    return Problem(key, msg("{complaint}; the usual value is used.", complaint=fault.complaint))


def workspace_entries(
    listed: Iterable[Any],
) -> tuple[tuple[tuple[int, WorkspaceEntry], ...], list[tuple[Place, Problem]]]:
    """Positions and complete entries with unique ids, and problems of the others."""
    entries: list[tuple[int, WorkspaceEntry]] = []
    problems: list[tuple[Place, Problem]] = []
    ids_in_use: set[str] = set()
    for index, written in enumerate(listed):
        at: Place = ("workspaces", index)
        entry = WorkspaceEntry.model_validate(written)
        if not entry.path.strip():
            problems.append(
                (
                    at,
                    Problem(key_text(at), msg("Does not say where the folder is; it is left out.")),
                )
            )
            continue
        complete = complete_entry(entry, ids_in_use)
        ids_in_use.add(complete.id.casefold())
        if entry.id and complete.id != entry.id:
            at = (*at, "id")
            reason = msg(
                "{wanted} is taken or not safe in a file name; {used} is used.",
                wanted=short_text(entry.id),
                used=short_text(complete.id),
            )
            problems.append((at, Problem(key_text(at), reason)))
        entries.append((index, complete))
    return tuple(entries), problems


def complete_entry(entry: WorkspaceEntry, ids_in_use: set[str]) -> WorkspaceEntry:
    """The entry with a name and a unique id; ids_in_use are casefolded."""
    name = entry.name.strip() or entry.root.name or entry.path.strip()
    # Ids become file names, also where case does not tell them apart.
    base = _UNSAFE.sub("-", entry.id.strip() or name.lower()).strip("-.")[:64] or "notes"
    unique, number = base, 2
    while unique.casefold() in ids_in_use:
        unique, number = f"{base}-{number}", number + 1
    return entry.model_copy(update={"id": unique, "name": name, "path": entry.path.strip()})
