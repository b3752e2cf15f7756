"""Records of agents: rules, requests, and entries of the audit log."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from scrubjay.records.note_records import Workspace
from scrubjay.records.workspace_id import WorkspaceId

AGENT_NAMES = {
    "claude-desktop": "Claude Desktop",
    "claude-code": "Claude Code",
    "cursor": "Cursor",
    "codex": "Codex",
    "gemini-cli": "Gemini CLI",
    "openclaw": "OpenClaw",
}
"""Titles of known agents by their names in the settings."""


def shown_name(agent: str, title: str = "") -> str:
    """The name of an agent for people: that of a known program, otherwise its title or its id."""
    return AGENT_NAMES.get(agent) or title or agent


class Permission(StrEnum):
    """Answers to a request, the most generous first."""

    ALLOW = "allow"
    PROPOSE = "propose"
    """For writing alone: the text waits until the user has reviewed it."""
    ASK = "ask"
    DENY = "deny"


EVERY_WORKSPACE = WorkspaceId("")
"""Id that stands for all workspaces in a rule, and for several in a request."""


class Action(StrEnum):
    """The kind of access that an agent requests."""

    READ = "read"
    WRITE = "write"


PERMISSIONS = {
    Action.READ: (Permission.ALLOW, Permission.ASK, Permission.DENY),
    Action.WRITE: tuple(Permission),
}
"""Permissions that a rule for an action can give."""


class Rule(Struct, frozen=True):
    """One permission in the settings."""

    agent: str
    """Name of the agent; empty for all agents."""
    workspace: WorkspaceId
    """Id of the workspace; empty for all workspaces."""
    action: Action
    permission: Permission
    is_default: bool = False
    """Whether it is what holds without any settings."""


class AuditedHit(Struct, frozen=True):
    """Lines of a note that an agent received."""

    workspace: WorkspaceId
    path: str
    first_line: int
    last_line: int


class AuditEntry(Struct, frozen=True):
    """One request of an agent."""

    agent: str
    tool: str
    query: str
    """Text of a query or a message, or a path."""
    # How the request was answered; the texts of notes are not in the log.
    hits: tuple[AuditedHit, ...] = ()
    outcome: str = "answered"
    """"answered", "refused", "failed" or "cancelled"."""
    reason: str = ""
    """Reason for a request without an answer."""
    elapsed_ms: float = 0.0
    title: str = ""
    """Name that the agent has for itself."""
    program: str = ""
    """Name of the agent's program for itself, where a person gave the agent another one."""
    is_claimed: bool = False
    """Whether only the program itself gives the name of the agent, so it may be false."""
    # The log itself fills these in.
    at: dt.datetime | None = None
    """Local time with zone; None for now."""
    id: int = 0
    """Number of the entry, the latest the largest; 0 before it is in the log."""


class KnownAgent(Struct, frozen=True):
    """An agent with entries in the audit log."""

    name: str
    """Name of the agent in the settings."""
    title: str
    """Name that the agent has for itself."""
    first: dt.datetime
    last: dt.datetime
    requests: int
    program: str = ""
    """Name of its program for itself, where a person gave the agent another one."""
    is_claimed: bool = False
    """Whether its last program only sent this name, so rules for the name allow no more."""


class AgentOverview(Struct, frozen=True):
    """What one agent may do, and what it asked last."""

    name: str
    """Name of the agent in the settings."""
    title: str
    """Name of the agent for people."""
    permissions: tuple[tuple[Workspace, Mapping[Action, Permission]], ...]
    """Workspaces that can be searched, each with what the agent may do there."""
    program: str = ""
    """Name of its program for itself, where a person gave the agent another one."""
    is_claimed: bool = False
    """Whether its last program only sent this name, so rules for the name allow no more."""
    has_rule: bool = False
    """Whether the settings have a rule for it alone."""
    requests: int = 0
    """Number of its requests in the log."""
    latest: AuditEntry | None = None
    """Its last request; None if it sent none, or the log has none of it any longer."""


class AccessRequest(Struct, frozen=True):
    """A request that waits for an answer of the user."""

    id: int
    agent: str
    workspace: WorkspaceId
    action: Action
    tool: str
    query: str
    at: dt.datetime
    title: str = ""
    """Name that the agent has for itself, as the log knows it."""
    is_claimed: bool = False
    """Whether only the program itself gives this name, so no rule may allow it."""
