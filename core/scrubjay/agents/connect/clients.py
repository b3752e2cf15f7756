"""The agents that are known: where each keeps its list of servers, and in which form."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from scrubjay.errors import QueryError
from scrubjay.messages import msg
from scrubjay.records.access_records import AGENT_NAMES

SERVER = "scrubjay"
"""Our name in every list of servers."""


class Form(StrEnum):
    """How a settings file is written."""

    JSON = "JSON"
    """As the programs themselves write it; comments that are there stay all the same."""
    JSON5 = "JSON5"
    TOML = "TOML"


@dataclass(frozen=True, slots=True)
class ClientContext:
    """What places depend on."""

    home: Path
    environ: Mapping[str, str]
    platform: str

    @classmethod
    def of_user(cls) -> ClientContext:
        """Those of the person who runs this."""
        return cls(Path.home(), os.environ, sys.platform)

    def folder(self, variable: str, otherwise: Path) -> Path:
        """The folder that a variable names, else another one."""
        written = self.environ.get(variable, "").strip()
        return Path(written) if written and Path(written).is_absolute() else otherwise


@dataclass(frozen=True, slots=True)
class Client:
    """One kind of agent."""

    id: str
    """As in the rules and on the command line."""
    form: Form
    servers: tuple[str, ...]
    """Key of the list of servers."""
    file: Callable[[ClientContext], Path]
    """The file that counts for all projects of the person."""
    extra: Mapping[str, Any]
    """What its entries have beside command and arguments."""
    after: str = msg("Start it anew to use your notes.")

    @property
    def name(self) -> str:
        """For people."""
        return AGENT_NAMES[self.id]


def _claude_desktop(at: ClientContext) -> Path:
    name = "claude_desktop_config.json"
    if at.platform == "darwin":
        return at.home / "Library" / "Application Support" / "Claude" / name
    if at.platform == "win32":
        return at.folder("APPDATA", at.home / "AppData" / "Roaming") / "Claude" / name
    return at.folder("XDG_CONFIG_HOME", at.home / ".config") / "Claude" / name


def _openclaw(at: ClientContext) -> Path:
    named = at.environ.get("OPENCLAW_CONFIG_PATH", "").strip()
    if named and Path(named).is_absolute():
        return Path(named)
    return at.folder("OPENCLAW_STATE_DIR", at.home / ".openclaw") / "openclaw.json"


CLIENTS = {
    one.id: one
    for one in (
        Client("claude-desktop", Form.JSON, ("mcpServers",), _claude_desktop, {}),
        Client(
            "claude-code",
            Form.JSON,
            ("mcpServers",),
            lambda at: at.folder("CLAUDE_CONFIG_DIR", at.home) / ".claude.json",
            {"type": "stdio"},
        ),
        Client(
            "cursor",
            Form.JSON,
            ("mcpServers",),
            lambda at: at.home / ".cursor" / "mcp.json",
            {},
        ),
        Client(
            "codex",
            Form.TOML,
            ("mcp_servers",),
            lambda at: at.folder("CODEX_HOME", at.home / ".codex") / "config.toml",
            {},
        ),
        Client(
            "gemini-cli",
            Form.JSON,
            ("mcpServers",),
            lambda at: at.home / ".gemini" / "settings.json",
            {},
        ),
        Client("openclaw", Form.JSON5, ("mcp", "servers"), _openclaw, {}),
    )
}


def client_named(name: str) -> Client:
    """The client with an id or a name. Raises QueryError with those that there are."""
    wanted = name.strip().casefold().replace(" ", "-")
    for client in CLIENTS.values():
        if wanted in (client.id, client.name.casefold().replace(" ", "-")):
            return client
    raise QueryError(
        msg("{name} is no agent that is known here", name=repr(name)),
        msg("There are {names}.", names=", ".join(CLIENTS)),
    )
