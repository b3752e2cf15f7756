"""Settings read from their file. Any content gives valid settings."""

from __future__ import annotations

import contextlib
import copy
import os
import re
import time
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from scrubjay.config.aliases import (
    FORMER_KEYS,
    Block,
    agent_blocks,
    agent_settings,
    flush_block,
    mapping_at,
    memory_search_key,
    merge_blocks,
    merge_settings,
    off_key_path,
    shared_blocks,
)
from scrubjay.config.ignore_patterns import pattern_problem
from scrubjay.config.json5.json5_parser import Json5Error, Parser, add_braces, parse_json5
from scrubjay.config.problems import Fault, KeyPath, SettingProblem, key_text, short_text
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.config.schema.qmd_backend import closed_scope
from scrubjay.config.schema.section import Section, section_keys
from scrubjay.config.schema.settings import Settings, SettingsFile, WorkspaceEntry
from scrubjay.config.validation import ValidationResult, find_conflicts, validate_section
from scrubjay.errors import system_reason
from scrubjay.messages import join_sentences, msg
from scrubjay.platform.atomic_write import PRIVATE_FILE, when_released, write_atomically
from scrubjay.platform.file_names import file_name_key, is_device_name
from scrubjay.platform.paths import make_private_folder

_OWN = (
    "access", "dreaming", "flush", "localOnly", "model", "models", "recall", "sharedMemories",
    "updates",
)  # fmt: skip
"""Top keys with one spelling."""
_AUDIT_LOG_DAYS = ("access", "auditLogDays")
"""Key whose wrong value denies nothing, since it is not a rule."""
SETTLE_S = 2.0
"""Seconds without a change after which a file counts that says nothing. By hand: programs that
replace a file in steps take milliseconds, a person who looks for the effect a little longer."""
_UNSAFE = re.compile(r"[^\w.-]+")
_MISSING = msg("The file is missing")
_BLANK = msg("The file is empty")


class SettingsSource(Protocol):
    """Whoever knows the settings that are in force."""

    @property
    def loaded(self) -> LoadedSettings:
        """The settings as they were read last."""


class LoadedSettings(Struct, frozen=True):
    """Settings of a file, and its problems."""

    settings: Settings
    problems: tuple[SettingProblem, ...] = ()
    """All but those of the overrides of single agents, which `memory_search_for` returns."""
    raw: Mapping[str, Any] = field(default_factory=dict)
    """Content of the file, with keys that belong to other programs."""
    unknown: tuple[str, ...] = ()
    """Keys that Scrubjay does not know. They stay in the file."""
    not_used: tuple[str, ...] = ()
    """Known keys of other programs that change nothing here."""
    checked: Mapping[str, Any] = field(default_factory=dict)
    """Known and valid part of raw."""
    faults: tuple[Fault, ...] = ()
    """Refused values of the whole file, agents included."""
    broken: str = ""
    """Reason why the file cannot be used, as in "Cannot be read"; empty if it can."""
    text: str = ""
    """Usable text that the settings come from; empty for the defaults."""
    is_settled: bool = True
    """False while the file says so little, and was changed so shortly before, that the settings
    from before stay."""

    def __repr__(self) -> str:
        # The content of the file stays out of logs: it may hold keys of services.
        return f"{type(self).__name__}(problems={self.problems!r}, broken={self.broken!r})"


class _UnusableError(Exception):
    """A text that gives no settings."""

    def __init__(self, reason: str) -> None:
        """The reason completes the name of the file, as in "Cannot be read"."""
        super().__init__(reason)
        self.reason = reason


def load_settings(
    path: Path, last: Path | None = None, before: LoadedSettings | None = None
) -> LoadedSettings:
    """Settings of a file. Never raises.

    Of a file that cannot be used, is blank or missing, or may be half of one: those of last, the
    copy of its last usable text, which another process may have made, otherwise those from before,
    otherwise the defaults.
    """
    # A text that cannot pass for half of one counts at once.
    loaded = None
    try:
        loaded = _settings(_text(path))
        if not _may_pass(loaded.text, loaded.raw):
            return loaded
    except _UnusableError as error:
        reason = error.reason
    # Others wait for a while, or leave the settings from before in force.
    former = _former(last, before)
    if loaded and former and seconds_until_settled(path, loaded.text, former.text):
        return replace(former, is_settled=False)
    if loaded:
        return loaded
    if former:
        return _kept(path, former, reason)
    if reason in (_MISSING, _BLANK):
        return LoadedSettings(Settings())
    problem = SettingProblem(
        path.name, msg("{reason}. Scrubjay is using the default settings.", reason=reason)
    )
    return LoadedSettings(Settings(), (problem,), broken=reason)


def seconds_until_settled(path: Path, text: str, former: str) -> float:
    """Seconds until a text of a file counts that may stand there for a moment only; 0 for now.

    A sync program or an editor may replace the settings by `{}` for a moment, and of a file without
    outer braces each beginning is a whole one. A text from before counts at once.
    """
    if text == former or not _may_pass(text, parse_json5(add_braces(text)).value):
        return 0.0
    with contextlib.suppress(OSError):
        status = path.stat()
        age = time.time() - max(status.st_mtime, status.st_ctime)
        if abs(age) < SETTLE_S:  # the clock of a file server may be ahead
            return SETTLE_S - age
    return 0.0


def _may_pass(text: str, raw: object) -> bool:
    """Whether a text may stand there for a moment only: nothing, or without outer braces."""
    return not raw or add_braces(text) is not text


def _former(last: Path | None, before: LoadedSettings | None) -> LoadedSettings | None:
    """Settings of the last usable text; None if there was none."""
    with contextlib.suppress(_UnusableError):
        if last:
            text = _text(last)
            # Settings that were read from the same text need not be read again.
            if before and before.text == text:
                return before
            return _settings(text)
    if before and before.text:
        return before
    return None


def file_version(path: Path) -> object:
    """A value that changes with each edit of a file; None if it is missing. Raises OSError."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def copy_usable(loaded: LoadedSettings, last: Path) -> None:
    """Copy the text of usable settings to last, where `load_settings` finds them."""
    if loaded.text and not loaded.broken:
        copy_usable_text(loaded.text, last)


def copy_usable_text(text: str, last: Path) -> None:
    """Copy a usable text to last."""
    data = text.encode()
    with contextlib.suppress(OSError):  # a home that may only be read, or a full disk
        if not last.is_file() or last.read_bytes() != data:
            make_private_folder(last.parent)
            write_atomically(last, data, PRIVATE_FILE)


def _text(path: Path) -> str:
    """The text of a file. Raises _UnusableError."""
    # Reading a pipe would never end.
    try:
        if path.exists() and not path.is_file():
            raise _UnusableError(msg("This is not a regular file"))
        text = when_released(lambda: path.read_text(encoding="utf-8-sig"), path)
    # Each kind of failure is a sentence that a person can act on.
    except FileNotFoundError as error:
        raise _UnusableError(_MISSING) from error
    except OSError as error:
        reason = system_reason(error)
        raise _UnusableError(msg("The file cannot be read ({reason})", reason=reason)) from error
    except UnicodeDecodeError as error:
        text = msg("The file contains characters that Scrubjay cannot read")
        raise _UnusableError(text) from error
    if not text.strip():
        raise _UnusableError(_BLANK)
    return text


def _settings(text: str) -> LoadedSettings:
    """The settings of a text. Raises _UnusableError."""
    parser = Parser(add_braces(text))
    try:
        raw = parser.parse().value
    except Json5Error as error:
        raise _UnusableError(msg("The file has a mistake in {error}", error=error)) from error
    if not isinstance(raw, dict):
        found = short_text(raw)
        raise _UnusableError(
            msg("The file must begin with a curly bracket, not with {found}", found=found)
        )
    return replace(_loaded(raw, parser.repeated), text=text)


def _kept(path: Path, before: LoadedSettings, reason: str) -> LoadedSettings:
    """The settings from before, with the problem of the file as it is now."""
    sentence = msg("{broken}. Scrubjay continues to use the previous settings.", broken=reason)
    if reason in (_MISSING, _BLANK):
        anew = msg("To start over, write {empty} to the file.", empty="{}")
        sentence = join_sentences(" ", (sentence, anew))
    problem = SettingProblem(path.name, sentence)
    return replace(before, problems=(problem,), broken=reason, is_settled=True)


def _loaded(raw: Mapping[str, Any], repeated: Iterable[KeyPath]) -> LoadedSettings:
    """The settings of the content of a file, with all that is wrong in it."""
    checked = validate_section(SettingsFile, raw)
    indexed, dropped = workspace_entries(checked.values.get("workspaces", ()))
    entries = tuple(entry for _, entry in indexed)
    entries += tuple(entry for _, entry in agent_workspaces(checked.values, entries))
    blocks = list(shared_blocks(checked.values))
    # The blocks for all agents are one section in the end.
    shared = MemorySearch.of(merge_blocks(blocks))
    own = _own_sections(checked)
    settings = Settings.of({**own, "memorySearch": shared, "workspaces": entries})
    # Refused values come first, then what does not go together.
    problems = [_problem(fault, settings) for fault in checked.faults if not _is_of_agent(fault)]
    problems += _repetitions(repeated, foreign={*checked.unknown, *checked.not_used})
    reported = {fault.key_path for fault in checked.faults}
    problems += [problem for at, problem in dropped if at not in reported]
    problems += find_conflicts(blocks, shared)
    if shared.query.hybrid.fusion != "weighted":
        checked.not_used += _weights(blocks)
    return LoadedSettings(
        settings,
        tuple(problems),
        raw=raw,
        unknown=tuple(checked.unknown),
        not_used=tuple(checked.not_used),
        checked=checked.values,
        faults=tuple(checked.faults),
    )


def _own_sections(checked: ValidationResult) -> dict[str, Any]:
    """Values of the sections with one spelling. Where one is wrong that limits, all is closed."""
    own = {key: checked.values[key] for key in _OWN if key in checked.values}
    own["flush"] = merge_settings(flush_block(checked.values), own.get("flush", {}))
    own["access"] = _denied(own.get("access", {}), checked.faults)
    wrong = [*checked.unknown, *(key_text(fault.key_path) for fault in checked.faults)]
    own["memory"] = closed_scope(checked.values.get("memory", {}), wrong)
    if any(fault.key_path == ("localOnly",) for fault in checked.faults):
        # The key is there to keep everything on this computer.
        own["localOnly"] = True
    return own


def _weights(blocks: Iterable[Block]) -> list[str]:
    """Keys of the two weights, which only one kind of fusion uses."""
    return [
        key_text((*at, "query", "hybrid", key))
        for at, values in blocks
        for key in ("vectorWeight", "textWeight")
        if key in mapping_at(values, ("query", "hybrid"))
    ]


def _repetitions(repeated: Iterable[KeyPath], foreign: Container[str]) -> list[SettingProblem]:
    """Problems of keys that stand twice in an object except those of other programs."""
    return [
        SettingProblem(
            key_text(at), msg("This key appears more than once. Scrubjay is using the last value.")
        )
        for at in repeated
        if not any(key_text(at[:depth]) in foreign for depth in range(1, len(at) + 1))
    ]


def _denied(access: Any, faults: Iterable[Fault]) -> Any:
    """Rules with "deny" for values that make no sense: their author wanted to limit something."""
    closed = copy.deepcopy(access)
    for fault in faults:
        key_path = fault.key_path
        if key_path[0] != "access" or FORMER_KEYS.get(key_path, key_path) == _AUDIT_LOG_DAYS:
            continue
        # A wrong name or a wrong table may be about anything.
        if key_path[-1] not in ("read", "write") or key_path[-2] in ("agents", "workspaces"):
            return {"read": "deny", "write": "deny"}
        rule = closed
        for step in key_path[1:-1]:
            rule = rule.setdefault(step, {})
        rule[key_path[-1]] = "deny"
    return closed


def memory_search_for(
    loaded: LoadedSettings, agent_id: str
) -> tuple[MemorySearch, tuple[SettingProblem, ...]]:
    """Shared settings with the overrides of one agent, and problems of the overrides.

    Those of an agent hold for its folder, too, when that has another id.
    """
    names = _configuring_ids(loaded, agent_id)
    # Without overrides and wrong values nothing is merged.
    own = [block for name in names for block in agent_blocks(loaded.checked, name)]
    if not own and not loaded.faults:
        return loaded.settings.memory_search, ()
    search = MemorySearch.of(merge_blocks([*own, *shared_blocks(loaded.checked)]))
    settings = loaded.settings.changed(memory_search=search)
    key_paths = {key_path for name in names for key_path, _ in agent_settings(loaded.checked, name)}
    problems = [
        _problem(fault, settings)
        for fault in loaded.faults
        if fault.key_path[:3] in key_paths and _is_of_agent(fault)
    ]
    return search, (*problems, *find_conflicts(own, search))


def off_key(loaded: LoadedSettings, agent_id: str) -> str:
    """The key that turns off an agent's search; empty if it is on."""
    if memory_search_for(loaded, agent_id)[0].enabled:
        return ""
    return key_text(off_key_path(loaded.checked, _configuring_ids(loaded, agent_id)))


def names_agents(loaded: LoadedSettings) -> bool:
    """Whether the settings list agents."""
    agents = mapping_at(loaded.checked, ("agents",))
    return bool(agents.get("list") or agents.get("entries"))


def agent_ids(loaded: LoadedSettings, agent_id: str) -> list[str]:
    """The id of an agent, and those of all others with the same folder."""
    ids = _configuring_ids(loaded, agent_id)
    root = _root(loaded, agent_id)
    if not root:
        return ids
    # A folder is listed once, and so those that share it are read from the settings.
    others = {each.id.casefold() for _, each in agent_workspaces(loaded.checked, ())} - {*ids}
    sharing = (
        complete_entry(entry, set()).id
        for _, entry in _agent_entries(loaded.checked)
        if entry.root == root
    )
    return [*dict.fromkeys((*ids, *(name for name in sharing if name.casefold() not in others)))]


def _configuring_ids(loaded: LoadedSettings, agent_id: str) -> list[str]:
    """The id of an agent, and that of the first other one with the same folder, whose settings
    hold for it.
    """
    root = _root(loaded, agent_id)
    if not root:
        return [agent_id]
    agents = agent_workspaces(loaded.checked, ())
    others = [agent.id for _, agent in agents if agent.root == root and agent.id != agent_id]
    return [agent_id, *others]


def _root(loaded: LoadedSettings, agent_id: str) -> Path | None:
    """The folder of a workspace; None if there is no such workspace."""
    return next((each.root for each in loaded.settings.workspaces if each.id == agent_id), None)


def _is_of_agent(fault: Fault) -> bool:
    """Whether it is in an override; a wrong entry of the list itself concerns all agents."""
    key_path = fault.key_path
    return len(key_path) > 3 and key_path[0] == "agents" and key_path[1] in ("list", "entries")


def _problem(fault: Fault, settings: Settings) -> SettingProblem:
    """The problem of a fault, with the value that took effect if it is one short value."""
    key = key_text(fault.key_path)
    if fault.is_left_out:
        return SettingProblem(
            key, msg("{complaint}. Scrubjay ignores this value.", complaint=fault.complaint)
        )
    value = _value_in_use(settings, fault.key_path)
    # A value that is long, or none, is not named.
    if isinstance(value, str | int | float | tuple) and value not in ("", ()):
        used = short_text(value)
        return SettingProblem(
            key,
            msg(
                "{complaint}. Scrubjay is using {used} instead.",
                complaint=fault.complaint,
                used=used,
            ),
        )
    return SettingProblem(
        key, msg("{complaint}. Scrubjay is using the default value.", complaint=fault.complaint)
    )


def _value_in_use(settings: Settings, key_path: KeyPath) -> Any:
    """The value in use of a path in the file, in any spelling; None if there is none."""
    value: Any = settings
    inner = memory_search_key(key_path)
    if inner is not None:
        value = settings.memory_search
        key_path = inner
    # Positions in lists, and keys of other programs, have no value of ours.
    for step in key_path:
        if not isinstance(value, Section):
            return None
        setting = section_keys(type(value)).get(str(step))
        if setting is None:
            return None
        value = getattr(value, setting.name)
    return value


def workspace_entries(
    listed: Iterable[Any],
) -> tuple[tuple[tuple[int, WorkspaceEntry], ...], list[tuple[KeyPath, SettingProblem]]]:
    """Positions and complete entries with unique ids, and problems of the others."""
    entries: list[tuple[int, WorkspaceEntry]] = []
    problems: list[tuple[KeyPath, SettingProblem]] = []
    ids_in_use: set[str] = set()
    for index, written in enumerate(listed):
        at: KeyPath = ("workspaces", index)
        entry = WorkspaceEntry.of(written)
        # An entry that cannot be used leaves the others as they are.
        if not entry.path.strip():
            problems.append(
                (
                    at,
                    SettingProblem(
                        key_text(at),
                        msg(
                            "Scrubjay ignores this entry because it does not say where the "
                            "folder is."
                        ),
                    ),
                )
            )
            continue
        complete = complete_entry(entry, ids_in_use)
        ids_in_use.add(file_name_key(complete.id))
        # An id that was changed has to be told: other settings may name it.
        if entry.id and complete.id != entry.id:
            at = (*at, "id")
            reason = msg(
                "{wanted} is already in use or is not allowed in a file name. Scrubjay is "
                "using {used} instead.",
                wanted=short_text(entry.id),
                used=short_text(complete.id),
            )
            problems.append((at, SettingProblem(key_text(at), reason)))
        entries.append((index, complete))
        problem = pattern_problem(entry.ignore)
        if problem:
            at = ("workspaces", index, "ignore")
            problems.append((at, SettingProblem(key_text(at), problem)))
    return tuple(entries), problems


def agent_workspaces(
    checked: Mapping[str, Any], listed: Iterable[WorkspaceEntry]
) -> Iterator[tuple[KeyPath, WorkspaceEntry]]:
    """Paths and entries of the folders that a block names for agents except listed ones."""
    roots = {entry.root for entry in listed}
    ids_in_use = {file_name_key(entry.id) for entry in listed}
    for key_path, entry in _agent_entries(checked):
        # Two agents may share a folder, which is listed once.
        if entry.root not in roots:
            complete = complete_entry(entry, ids_in_use)
            roots.add(entry.root)
            ids_in_use.add(file_name_key(complete.id))
            yield key_path, complete


def _agent_entries(checked: Mapping[str, Any]) -> Iterator[tuple[KeyPath, WorkspaceEntry]]:
    """Paths and entries of all agents with a folder, as the settings name them."""
    for key_path, agent in _agents_with_folders(checked):
        path = agent.get("workspace", "").strip()
        values = {"id": agent.get("id", ""), "name": agent.get("name") or agent.get("id", "")}
        if path:
            yield key_path, WorkspaceEntry.of({**values, "path": path, "layout": "agent"})


def _agents_with_folders(checked: Mapping[str, Any]) -> list[Block]:
    """Paths and settings of all agents, the default one with the default folder."""
    agents = mapping_at(checked, ("agents",))
    blocks: list[Block] = [
        (("agents", "list", index), agent) for index, agent in enumerate(agents.get("list", ()))
    ]
    blocks += [
        (("agents", "entries", name), {"id": name, **agent})
        for name, agent in mapping_at(agents, ("entries",)).items()
    ]
    # The agent that is marked is the default one, otherwise the first, otherwise OpenClaw's own.
    every = [agent for _, agent in blocks] or [{"id": "main"}]
    default = next((agent for agent in every if agent.get("default")), every[0])
    if not default.get("workspace"):
        folder = mapping_at(agents, ("defaults",)).get("workspace", "")
        blocks.append((("agents", "defaults"), {**default, "workspace": folder}))
    return blocks


def complete_entry(entry: WorkspaceEntry, ids_in_use: set[str]) -> WorkspaceEntry:
    """The entry with a name and a unique id; ids_in_use are keys of file names."""
    name = entry.name.strip() or entry.root.name or entry.path.strip()
    # Ids become file names, also where case does not tell them apart.
    written = entry.id.strip()
    base = _UNSAFE.sub("-", written or name.lower()).strip("-.")[:64] or "notes"
    # A device of Windows is not a file. A written id stays elsewhere, since rules may name it.
    if is_device_name(base) and (os.name == "nt" or not written):
        base = f"notes-{base}"
    unique = base
    number = 2
    while file_name_key(unique) in ids_in_use:
        unique = f"{base}-{number}"
        number += 1
    return entry.changed(id=unique, name=name, path=entry.path.strip())
