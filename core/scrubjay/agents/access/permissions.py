"""Permissions of agents in workspaces, from the rules in the settings under `access`."""

from __future__ import annotations

import re
from pathlib import Path

from scrubjay.config.loading import LoadedSettings, copy_usable, file_version, load
from scrubjay.config.schema.settings import Access, AccessRule, AgentAccess
from scrubjay.records.access_records import Action, Permission, Rule

_UNSAFE = re.compile(r"[^a-z0-9._-]+")
_LONGEST = 64
_STRICTNESS = tuple(Permission)


class LiveAccess:
    """The rules as they are in the file at this moment. For one thread at a time.

    A rule applies from the next request on, in every process. A file that cannot be read, or is
    blank or missing, leaves the last rules in force; without any, nothing is allowed.
    """

    def __init__(self, file: Path, last: Path) -> None:
        """Last is the copy of the last usable text of the file."""
        self._file = file
        self._last = last
        self._version: object = ()
        self._loaded: LoadedSettings | None = None
        self._access = Access(read="deny", write="deny")

    def current(self) -> Access:
        """The rules. Reads the file when it has changed."""
        try:
            version = file_version(self._file)
        except OSError:
            return self._access
        if version != self._version:
            loaded = load(self._file, self._last, self._loaded)
            copy_usable(loaded, self._last)
            if loaded.text or not loaded.broken:
                self._loaded, self._access = loaded, loaded.settings.access
            self._version = version
        return self._access


def agent_id(name: str) -> str:
    """The name of an agent in the settings: `claude-code` for `Claude Code`."""
    return _UNSAFE.sub("-", name.strip().lower()).strip("-.")[:_LONGEST] or "unknown"


def rule_path(agent: str, workspace: str, action: Action) -> tuple[str, ...]:
    """The key of a rule in the settings; empty names stand for all."""
    path: tuple[str, ...] = ("access",)
    if agent:
        path += ("agents", agent)
    if workspace:
        path += ("workspaces", workspace)
    return (*path, str(action))


def permission(access: Access, agent: str, workspace: str, action: Action) -> Permission:
    """The rule for both names, else the stricter rule for one of them, else that for all."""
    own = access.agents.get(agent)
    if own and (both := _written(own.workspaces.get(workspace), action)):
        return both
    single = filter(
        None, (_written(own, action), _written(access.workspaces.get(workspace), action))
    )
    if stricter := max(single, key=_STRICTNESS.index, default=None):
        return stricter
    return Permission(access.read if action is Action.READ else access.write)


def rules(access: Access) -> tuple[Rule, ...]:
    """All rules, those for all agents first."""
    listed: list[tuple[str, str, Access | AccessRule | AgentAccess]] = [("", "", access)]
    listed += [("", workspace, rule) for workspace, rule in access.workspaces.items()]
    for agent, own in access.agents.items():
        listed.append((agent, "", own))
        listed += [(agent, workspace, rule) for workspace, rule in own.workspaces.items()]
    return tuple(
        Rule(agent, workspace, action, permission, not rule.is_set(str(action)))
        for agent, workspace, rule in listed
        for action in Action
        if (permission := _written(rule, action))
    )


def _written(rule: Access | AccessRule | AgentAccess | None, action: Action) -> Permission | None:
    value = None if rule is None else rule.read if action is Action.READ else rule.write
    return Permission(value) if value else None
