"""Permissions of agents in workspaces, from the rules in the settings under `access`."""

from __future__ import annotations

import re

from scrubjay.config.loading import LoadedSettings
from scrubjay.config.schema.settings import AccessRule, AccessSettings, AgentAccess
from scrubjay.records.access_records import EVERY_WORKSPACE, Action, Permission, Rule
from scrubjay.records.workspace_id import WorkspaceId

_UNSAFE = re.compile(r"[^a-z0-9._-]+")
"""Characters that no name of an agent has in the settings."""
_LONGEST = 64
"""Characters of such a name."""
_STRICTNESS = tuple(Permission)
"""Permissions, the most generous first."""


def access_settings(loaded: LoadedSettings) -> AccessSettings:
    """The rules in settings. Of a file that was never usable: nothing is allowed."""
    # Nobody knows what the person has written into it.
    if loaded.broken and not loaded.text:
        return AccessSettings(read="deny", write="deny")
    return loaded.settings.access


def agent_id(name: str) -> str:
    """The name of an agent in the settings: `claude-code` for `Claude Code`."""
    return _UNSAFE.sub("-", name.strip().lower()).strip("-.")[:_LONGEST] or "unknown"


def rule_path(agent: str, workspace: WorkspaceId, action: Action) -> tuple[str, ...]:
    """The key of a rule in the settings; empty names stand for all."""
    path: tuple[str, ...] = ("access",)
    if agent:
        path += ("agents", agent)
    if workspace:
        path += ("workspaces", workspace)
    return (*path, str(action))


def effective_permission(
    access: AccessSettings,
    agent: str,
    workspace: WorkspaceId,
    action: Action,
    *,
    is_claimed: bool = False,
) -> Permission:
    """The rule for both names, else the stricter rule for one of them, else that for all.

    Without a rule for writing, an agent may not write more freely than it may read. Any program can
    claim any name, so the rules for a claimed one never allow more than those for all.
    """
    if is_claimed:
        names = (agent, "")
        rules = [effective_permission(access, each, workspace, action=action) for each in names]
        return max(rules, key=_STRICTNESS.index)
    named = named_permission(access, agent, workspace, action=action)
    if named:
        return named
    if action is Action.READ:
        return Permission(access.read)
    reading = effective_permission(access, agent, workspace, action=Action.READ)
    return max(Permission(access.write), reading, key=_STRICTNESS.index)


def named_permission(
    access: AccessSettings, agent: str, workspace: WorkspaceId, action: Action
) -> Permission | None:
    """The rule for both names, else the stricter rule for one of them; None without either."""
    own = access.agents.get(agent)
    if own:
        both = _written(own.workspaces.get(workspace), action)
        if both:
            return both
    # Without a rule for the pair, the stricter one of the two single rules holds.
    of_agent = _written(own, action)
    of_workspace = _written(access.workspaces.get(workspace), action)
    single = [rule for rule in (of_agent, of_workspace) if rule]
    return max(single, key=_STRICTNESS.index, default=None)


def access_rules(access: AccessSettings) -> tuple[Rule, ...]:
    """All rules, those for all agents first."""
    # Names of agent and workspace, empty for all, with what is written for both.
    listed: list[tuple[str, WorkspaceId, AccessSettings | AccessRule | AgentAccess]] = [
        ("", EVERY_WORKSPACE, access)
    ]
    listed += [("", WorkspaceId(name), rule) for name, rule in access.workspaces.items()]
    for agent, own in access.agents.items():
        listed.append((agent, EVERY_WORKSPACE, own))
        listed += [
            (agent, WorkspaceId(workspace), rule) for workspace, rule in own.workspaces.items()
        ]
    found: list[Rule] = []
    for agent, workspace, rule in listed:
        for action in Action:
            permission = _written(rule, action)
            if permission:
                # What nobody wrote is shown as well, since it holds all the same.
                is_default = rule is access and permission == _written(AccessSettings(), action)
                found.append(
                    Rule(agent, workspace, action, permission=permission, is_default=is_default)
                )
    return tuple(found)


def _written(
    rule: AccessSettings | AccessRule | AgentAccess | None, action: Action
) -> Permission | None:
    """The permission of a rule for an action; None if the rule does not mention the action."""
    if rule is None:
        return None
    value = rule.read if action is Action.READ else rule.write
    return Permission(value) if value else None
