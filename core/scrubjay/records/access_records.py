"""Agents as visitors: what they want, what they may do, what they were shown."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum

AGENT_NAMES = {
    "claude-desktop": "Claude Desktop",
    "claude-code": "Claude Code",
    "cursor": "Cursor",
    "codex": "Codex",
    "gemini-cli": "Gemini CLI",
    "openclaw": "OpenClaw",
}
"""What people call the agents that are known, by their names in the settings."""


class Permission(StrEnum):
    """An answer to "may it?", the most generous first."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class Action(StrEnum):
    """What an agent wants to do."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class Rule:
    """One permission as it stands in the settings."""

    agent: str
    """Empty for all agents."""
    workspace: str
    """Id; empty for all workspaces."""
    action: Action
    permission: Permission
    is_default: bool = False
    """Nobody wrote it down."""


@dataclass(frozen=True, slots=True)
class AuditedHit:
    """A place in the notes that an agent got to see."""

    workspace: str
    path: str
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One request of an agent."""

    agent: str
    tool: str
    query: str
    """What was asked: a query, a message or a path."""
    shown: tuple[AuditedHit, ...] = ()
    outcome: str = "answered"
    """"answered", "refused", "failed" or "cancelled"."""
    reason: str = ""
    """Why it was not answered."""
    elapsed_ms: float = 0.0
    title: str = ""
    """What the agent calls itself."""
    at: dt.datetime | None = None
    """Local time with zone; None for now."""
    id: int = 0
    """Later ones are larger; 0 before it is in the book."""


@dataclass(frozen=True, slots=True)
class KnownAgent:
    """An agent that was here."""

    name: str
    """As in the settings."""
    title: str
    """As it calls itself."""
    first: dt.datetime
    last: dt.datetime
    visits: int


@dataclass(frozen=True, slots=True)
class AccessRequest:
    """An agent waits for a yes or a no of the person."""

    id: int
    agent: str
    workspace: str
    action: Action
    tool: str
    query: str
    at: dt.datetime
