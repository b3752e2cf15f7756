"""Settings of any shape are read, or refused with a reason; no agent hides the others."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrubjay.agents.connect.connections import Connections
from scrubjay.agents.connect.known_agents import CLIENTS, ClientContext
from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.errors import ConnectFailed
from scrubjay.platform.paths import Paths
from support.vault import TIMEOUT

FILES = {
    "claude-desktop": (".config/Claude/claude_desktop_config.json",),
    "claude-code": (".claude.json", ".claude/settings.json"),
    "cursor": (".cursor/mcp.json", ".cursor/hooks.json"),
    "codex": (".codex/config.toml", ".codex/hooks.json"),
    "gemini-cli": (".gemini/settings.json",),
    "openclaw": (".openclaw/openclaw.json",),
}
"""Files with settings of each agent."""
PLUGIN = ".openclaw/extensions/scrubjay/index.js"

ODD = st.sampled_from(
    [None, True, 0, -1.5, "", "x", "\0", "~", "~/\0", "~nobody", "/a\0b", "\ud800", [], {}, [[]],
     [None], [{}], ["scrubjay"], "scrubjay", "scrubjay hook recall", "/x/scrubjay hook keep '"]
)  # fmt: skip
KEYS = st.sampled_from(
    ["mcpServers", "mcp_servers", "mcp", "servers", "scrubjay", "hooks", "plugins", "entries",
     "allow", "enabled", "command", "args", "env", "SCRUBJAY_HOME", "agents", "defaults",
     "workspace", "version", "Stop", "SessionStart", "stop", "BeforeAgent"]
)  # fmt: skip
SHAPES = st.recursive(
    ODD,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
# Most shapes stand where the agents and we look.
SERVERS = st.fixed_dictionaries({}, optional={"servers": SHAPES, "scrubjay": SHAPES})
GROUPS = st.fixed_dictionaries({}, optional={"hooks": SHAPES, "command": SHAPES})
EVENTS = st.dictionaries(KEYS, SHAPES | GROUPS | st.lists(SHAPES | GROUPS, max_size=2))
PLUGINS = st.fixed_dictionaries(
    {}, optional={"entries": SHAPES, "allow": SHAPES | st.just(["scrubjay"])}
)
AGENTS = SHAPES.map(lambda value: {"defaults": {"workspace": value}})
SETTINGS = SHAPES | st.fixed_dictionaries(
    {},
    optional={
        "mcpServers": SHAPES | SERVERS,
        "mcp_servers": SHAPES | SERVERS,
        "mcp": SHAPES | SERVERS,
        "hooks": SHAPES | EVENTS,
        "plugins": SHAPES | PLUGINS,
        "agents": SHAPES | AGENTS,
    },
)


@pytest.fixture
def person(tmp_path: Path) -> Path:
    return tmp_path / "person"


@pytest.fixture
def connections(paths: Paths, person: Path) -> Iterator[Connections]:
    made = Connections(paths, DaemonThreadPool("test"), ClientContext(person, {}, "linux"))
    yield made
    made.close()


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def as_text(file: Path, value: Any) -> str:
    if file.suffix == ".json":
        return json.dumps(value)
    # TOML has neither null nor half a letter; what it cannot say is left to JSON.
    with contextlib.suppress(Exception):
        text = tomlkit.dumps(value)
        text.encode()
        return text
    return "mcp_servers = 7\n"


def try_everything(connections: Connections, client: str) -> None:
    """Look at an agent, plan to connect and to disconnect it, and do both where it is possible."""
    assert [each.client for each in connections.list().result(TIMEOUT)] == list(CLIENTS)
    for plan in (connections.plan, connections.plan_undo):
        with contextlib.suppress(ConnectFailed):
            change = plan(client).result(TIMEOUT)
            connections.apply(change).result(TIMEOUT)


@pytest.mark.parametrize("client", FILES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_shape_of_settings_raises_anything_but_a_reason(
    connections: Connections, person: Path, client: str, data: st.DataObject
) -> None:
    for name in FILES[client]:
        write(person / name, as_text(person / name, data.draw(SETTINGS)))
    try_everything(connections, client)


@pytest.mark.parametrize("client", FILES)
@pytest.mark.parametrize("text", ["", " \n", "\ufeff", "null", "[]", "7", '"x"', "{", "// mine\n"])
def test_no_text_of_settings_raises_anything_but_a_reason(
    connections: Connections, person: Path, client: str, text: str
) -> None:
    for name in FILES[client]:
        write(person / name, text)
    try_everything(connections, client)


@pytest.mark.parametrize(
    "line",
    [
        r'const WORKSPACE = "C:\notes";',
        r'const WORKSPACE = "C:\work";',
        'const WORKSPACE = "a" + "b";',
        'const WORKSPACE = "";',
        'const WORKSPACE = "\\ud800";',
        "const WORKSPACE = notes;",
        "",
    ],
)
def test_a_hand_edit_of_the_plugin_hides_no_agent(
    connections: Connections, person: Path, line: str
) -> None:
    write(person / ".openclaw/openclaw.json", "{}")
    write(person / PLUGIN, f"{line}\n")
    found = {each.client: each for each in connections.list().result(TIMEOUT)}["openclaw"]
    assert (found.problem, found.is_outdated) == ("", True)
    try_everything(connections, "openclaw")
    assert not (person / PLUGIN).exists()


@pytest.mark.parametrize("entries", [True, "scrubjay", ["scrubjay"], 7])
def test_what_is_no_list_of_plugins_hides_no_agent(
    connections: Connections, person: Path, entries: object
) -> None:
    file = person / ".openclaw/openclaw.json"
    write(file, json.dumps({"plugins": {"entries": entries}}))
    before = file.read_text()
    found = {each.client: each for each in connections.list().result(TIMEOUT)}["openclaw"]
    assert "plugins.entries" in found.problem
    with pytest.raises(ConnectFailed):
        connections.plan("openclaw").result(TIMEOUT)
    assert not connections.plan_undo("openclaw").result(TIMEOUT).is_needed
    assert file.read_text() == before


@pytest.mark.parametrize("folder", ["/a\0b", "~/\0", "/\ud800", "~nobody", "", 7, None, ["/a"]])
def test_a_workspace_that_is_no_path_hides_no_agent(
    connections: Connections, person: Path, folder: object
) -> None:
    defaults = {"agents": {"defaults": {"workspace": folder}}}
    write(person / ".openclaw/openclaw.json", json.dumps(defaults))
    try_everything(connections, "openclaw")


@pytest.mark.parametrize("home", ["/a\0b", "~nobody", "", 7, None, ["/a"]])
@pytest.mark.parametrize("program", ["/a\0b", "/x/scrubjay", "", 7, None, ["/a"]])
def test_an_odd_entry_of_ours_hides_no_agent(
    connections: Connections, person: Path, home: object, program: object
) -> None:
    entry = {"command": program, "env": {"SCRUBJAY_HOME": home}}
    write(person / ".claude.json", json.dumps({"mcpServers": {"scrubjay": entry}}))
    try_everything(connections, "claude-code")


@pytest.mark.parametrize(
    "text",
    [
        "mcp_servers = 7\n",
        "mcp_servers = []\n",
        "mcp_servers = [{scrubjay = 7}]\n",
        "[[mcp_servers]]\nscrubjay = 7\n",
        "[mcp_servers]\nscrubjay = 7\n",
        "[mcp_servers]\nscrubjay = {command = []}\n",
        "[[mcp_servers.scrubjay]]\ncommand = 1\n",
        "mcp_servers.scrubjay.command = 1\n",
        "mcp_servers.other.command = 1\n[model]\na = 1\n",
        "[mcp_servers.a]\n[model]\n[mcp_servers.scrubjay]\ncommand = 1\n[mcp_servers.b]\n",
        "[mcp_servers.a]\n[model]\n[mcp_servers.b]\n",
        "[mcp_servers.scrubjay.env]\nA = 1979-05-27\n",
    ],
)
def test_no_table_of_servers_hides_an_agent(
    connections: Connections, person: Path, text: str
) -> None:
    write(person / ".codex/config.toml", text)
    try_everything(connections, "codex")


@pytest.mark.parametrize("parts", [7, None, "hooks", [7], {}])
def test_odd_records_of_what_was_connected_hide_no_agent(
    connections: Connections, paths: Paths, parts: object
) -> None:
    records = {name: {"parts": parts, "files": {"/x": {"backup": 7}}} for name in CLIENTS}
    write(paths.state / "agents/connections/connections.json", json.dumps(records))
    for client in CLIENTS:
        try_everything(connections, client)
