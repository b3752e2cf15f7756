"""Connecting agents: the right file, a copy first, all or nothing, and the way back."""

from __future__ import annotations

import json
import os
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.agents.connect.connections import Connections, scrubjay_program
from scrubjay.agents.connect.known_agents import CLIENTS, ClientContext
from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.errors import ConnectFailed, DriveSilent, QueryError
from scrubjay.platform.paths import Paths
from scrubjay.workspaces.registry import Registry
from support.mcp_client import PROGRAM, started
from support.platforms import has_mode
from support.vault import TIMEOUT, write_notes

BEFORE = '{\n  "mcpServers": { "other": { "command": "npx" } },\n  "secret": "abc"\n}\n'


@pytest.fixture
def person(tmp_path: Path) -> Path:
    home = tmp_path / "person"
    home.mkdir()
    return home


@pytest.fixture
def connections(paths: Paths, person: Path) -> Iterator[Connections]:
    made = Connections(paths, DaemonThreadPool("test"), ClientContext(person, {}, "linux"))
    yield made
    made.close()


def connect(connections: Connections, client: str, *, undo: bool = False) -> None:
    planned = connections.plan_undo(client) if undo else connections.plan(client)
    change = planned.result(TIMEOUT)
    connections.apply(change).result(TIMEOUT)


@pytest.mark.parametrize(
    ("platform", "client", "environ", "expected"),
    [
        ("linux", "claude-desktop", {}, ".config/Claude/claude_desktop_config.json"),
        (
            "darwin",
            "claude-desktop",
            {},
            "Library/Application Support/Claude/claude_desktop_config.json",
        ),
        ("win32", "claude-desktop", {}, "AppData/Roaming/Claude/claude_desktop_config.json"),
        pytest.param(
            *("win32", "claude-desktop", {"APPDATA": "/data"}),
            "/data/Claude/claude_desktop_config.json",
            marks=pytest.mark.needs("POSIX paths"),
        ),
        ("linux", "claude-code", {}, ".claude.json"),
        pytest.param(
            *("linux", "claude-code", {"CLAUDE_CONFIG_DIR": "/c"}, "/c/.claude.json"),
            marks=pytest.mark.needs("POSIX paths"),
        ),
        ("linux", "cursor", {}, ".cursor/mcp.json"),
        ("linux", "codex", {}, ".codex/config.toml"),
        pytest.param(
            *("linux", "codex", {"CODEX_HOME": "/x"}, "/x/config.toml"),
            marks=pytest.mark.needs("POSIX paths"),
        ),
        ("linux", "codex", {"CODEX_HOME": "relative"}, ".codex/config.toml"),
        ("linux", "gemini-cli", {}, ".gemini/settings.json"),
        ("linux", "openclaw", {}, ".openclaw/openclaw.json"),
        pytest.param(
            *("linux", "openclaw", {"OPENCLAW_CONFIG_PATH": "/o/my.json"}, "/o/my.json"),
            marks=pytest.mark.needs("POSIX paths"),
        ),
    ],
)
def test_each_agent_has_its_file(
    person: Path, platform: str, client: str, environ: dict[str, str], expected: str
) -> None:
    assert CLIENTS[client].file(ClientContext(person, environ, platform)) == person / expected


def test_agents_are_not_told_to_start_a_program_that_will_not_be_there(
    tmp_path: Path, connections: Connections, person: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "AppTranslocation" / "1F9B" / "d" / "Scrubjay.app" / "Contents" / "MacOS"
    write_notes(folder, {"scrubjay": "", "scrubjay.exe": ""})
    monkeypatch.setattr(sys, "executable", str(folder / "scrubjay-desktop"))
    with pytest.raises(ConnectFailed, match="move Scrubjay to the Applications folder"):
        connections.plan("claude-desktop").result(TIMEOUT)
    # Undoing needs no program.
    connections.plan_undo("claude-desktop").result(TIMEOUT)


@pytest.mark.parametrize("client", CLIENTS)
def test_connecting_and_undoing_a_new_file_leaves_nothing(
    connections: Connections, person: Path, client: str
) -> None:
    connect(connections, client)
    found = {connection.client: connection for connection in connections.list().result(TIMEOUT)}
    assert found[client].is_connected
    assert has_mode(found[client].file, 0o600)
    # JSON and TOML double the backslashes of Windows.
    assert str(PROGRAM) in found[client].file.read_text().replace("\\\\", "\\")
    connect(connections, client, undo=True)
    assert not found[client].file.exists()


@pytest.mark.parametrize(
    ("client", "folder"),
    [
        ("openclaw", ".openclaw/workspace"),
        ("claude-code", ".claude/projects"),
        ("codex", ".codex/memories"),
        ("gemini-cli", ".gemini/memory"),
        ("cursor", ".cursor/memories"),
    ],
)
def test_an_agents_own_memory_is_named_until_it_is_searched(
    paths: Paths, person: Path, client: str, folder: str
) -> None:
    write_notes(person / folder, {"a/memory/MEMORY.md": "Mo likes pnpm.\n"})
    registry = Registry(paths)
    pool = DaemonThreadPool("test")
    connections = Connections(paths, pool, ClientContext(person, {}, "linux"), registry)

    def memory() -> list[Path]:
        found = {each.client: each for each in connections.list().result(TIMEOUT)}
        return [each.root for each in found[client].memory]

    # Who is not connected has no use for it.
    assert memory() == []
    connect(connections, client)
    assert memory() == [person / folder]
    registry.add(person / folder)
    assert memory() == []
    connections.close()


def test_undo_gives_the_former_text_back_to_the_character(
    connections: Connections, person: Path, paths: Paths
) -> None:
    file = write_notes(person, {".cursor/mcp.json": BEFORE}) / ".cursor/mcp.json"
    file.chmod(0o640)
    connect(connections, "cursor")
    assert json.loads(file.read_text())["mcpServers"]["other"] == {"command": "npx"}
    assert has_mode(file, 0o640)
    [backup] = (paths.state / "agents" / "connections").glob("cursor-*")
    assert backup.read_text() == BEFORE
    assert has_mode(backup, 0o600)
    connect(connections, "cursor", undo=True)
    assert file.read_text() == BEFORE


def test_undo_takes_out_our_entry_alone_when_the_file_changed_since(
    connections: Connections, person: Path
) -> None:
    file = write_notes(person, {".cursor/mcp.json": BEFORE}) / ".cursor/mcp.json"
    connect(connections, "cursor")
    file.write_text(file.read_text().replace('"abc"', '"changed"'))
    connect(connections, "cursor", undo=True)
    assert json.loads(file.read_text()) == json.loads(BEFORE.replace("abc", "changed"))


def test_undo_after_an_update_leaves_no_entry_of_ours(
    connections: Connections, person: Path
) -> None:
    old = BEFORE.replace('"other":', '"scrubjay": { "command": "old" }, "other":')
    file = write_notes(person, {".cursor/mcp.json": old}) / ".cursor/mcp.json"
    connect(connections, "cursor")
    connect(connections, "cursor", undo=True)
    assert json.loads(file.read_text()) == json.loads(BEFORE)


@pytest.mark.parametrize("client", CLIENTS)
def test_undo_after_updates_of_a_file_that_was_made_here_leaves_nothing(
    paths: Paths, person: Path, client: str
) -> None:
    file = CLIENTS[client].file(ClientContext(person, {}, "linux"))
    # The entry is another one for each of these homes.
    for home in ("/first", "/second", "/third"):
        at = ClientContext(person, {"SCRUBJAY_HOME": home}, "linux")
        connections = Connections(paths, DaemonThreadPool("test"), at)
        connect(connections, client)
    assert f"{os.sep}third" in file.read_text()
    connect(connections, client, undo=True)
    assert not file.exists()
    connections.close()


def test_a_plan_writes_nothing_and_shows_the_lines(connections: Connections, person: Path) -> None:
    file = write_notes(person, {".cursor/mcp.json": BEFORE}) / ".cursor/mcp.json"
    change = connections.plan("Cursor").result(TIMEOUT)
    assert change.is_needed
    assert '+    "scrubjay": {' in change.diff or '"scrubjay"' in change.diff
    assert file.read_text() == BEFORE
    assert sorted(path.name for path in file.parent.iterdir()) == ["mcp.json"]


def test_connecting_twice_changes_nothing(connections: Connections, person: Path) -> None:
    connect(connections, "codex")
    change = connections.plan("codex").result(TIMEOUT)
    assert not change.is_needed
    assert change.diff == ""
    assert not connections.plan_undo("cursor").result(TIMEOUT).is_needed


def test_a_file_that_changed_since_the_plan_is_left_alone(
    connections: Connections, person: Path
) -> None:
    file = write_notes(person, {".cursor/mcp.json": BEFORE}) / ".cursor/mcp.json"
    change = connections.plan("cursor").result(TIMEOUT)
    file.write_text('{"newer": true}')
    with pytest.raises(ConnectFailed, match="changed since Scrubjay read"):
        connections.apply(change).result(TIMEOUT)
    assert file.read_text() == '{"newer": true}'


@pytest.mark.needs("links")
def test_a_link_stays_a_link(connections: Connections, person: Path) -> None:
    real = write_notes(person, {"dotfiles/mcp.json": BEFORE}) / "dotfiles/mcp.json"
    link = person / ".cursor" / "mcp.json"
    link.parent.mkdir()
    link.symlink_to(real)
    connect(connections, "cursor")
    assert link.is_symlink()
    assert "scrubjay" in real.read_text()


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b"[]"])
def test_what_cannot_be_read_is_told_and_left_alone(
    connections: Connections, person: Path, content: bytes
) -> None:
    file = write_notes(person, {".cursor/mcp.json": content}) / ".cursor/mcp.json"
    found = {connection.client: connection for connection in connections.list().result(TIMEOUT)}
    assert found["cursor"].problem
    assert not found["cursor"].is_connected
    with pytest.raises(ConnectFailed):
        connections.plan("cursor").result(TIMEOUT)
    assert file.read_bytes() == content


def test_the_list_says_which_agents_are_here(connections: Connections, person: Path) -> None:
    write_notes(person, {".codex/config.toml": "", ".gemini/other": "", ".claude.json": "{}"})
    found = {
        connection.client: connection.is_found for connection in connections.list().result(TIMEOUT)
    }
    assert found == {
        "claude-desktop": False,
        "claude-code": True,
        "cursor": False,
        "codex": True,
        "gemini-cli": True,
        "openclaw": False,
    }


def test_an_entry_for_another_program_is_outdated(connections: Connections, person: Path) -> None:
    write_notes(person, {".cursor/mcp.json": '{"mcpServers": {"scrubjay": {"command": "old"}}}'})
    found = {connection.client: connection for connection in connections.list().result(TIMEOUT)}[
        "cursor"
    ]
    assert (found.is_connected, found.is_outdated) == (False, True)
    connect(connections, "cursor")
    found = {connection.client: connection for connection in connections.list().result(TIMEOUT)}[
        "cursor"
    ]
    assert (found.is_connected, found.is_outdated) == (True, False)


def test_agents_are_listed_where_no_program_of_ours_is_left(
    connections: Connections, person: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect(connections, "cursor")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "scrubjay-desktop")])
    monkeypatch.setattr(sysconfig, "get_path", lambda _kind: str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    found = {each.client: each for each in connections.list().result(TIMEOUT)}
    assert (found["cursor"].is_connected, found["cursor"].is_outdated) == (False, True)
    connect(connections, "cursor", undo=True)
    assert not (person / ".cursor" / "mcp.json").exists()


def test_the_program_is_found_in_the_folder_of_commands_of_this_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As in a Python of Windows that is no environment, started with `python -m`.
    commands = tmp_path / "Scripts"
    commands.mkdir()
    for name in ("scrubjay", "scrubjay.exe"):
        (commands / name).touch()
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "site-packages" / "__main__.py")])
    monkeypatch.setattr(sysconfig, "get_path", lambda _kind: str(commands))
    assert scrubjay_program().parent == commands


def test_agents_are_listed_where_the_drive_of_a_memory_is_silent(
    paths: Paths, person: Path
) -> None:
    class SilentRegistry(Registry):
        def searches(self, folder: Path) -> bool:
            raise DriveSilent(folder)

    write_notes(person / ".cursor/memories", {"a.md": "Mo likes pnpm.\n"})
    at = ClientContext(person, {}, "linux")
    connections = Connections(paths, DaemonThreadPool("test"), at, SilentRegistry(paths))
    connect(connections, "cursor")
    found = {each.client: each for each in connections.list().result(TIMEOUT)}
    connections.close()
    assert found["cursor"].is_connected
    assert found["cursor"].memory == ()


@pytest.mark.needs("POSIX paths")
def test_an_agent_whose_folder_cannot_be_looked_at_is_told_and_the_others_are_listed(
    paths: Paths, person: Path
) -> None:
    at = ClientContext(person, {"CODEX_HOME": f"/{'x' * 300}"}, "linux")
    connections = Connections(paths, DaemonThreadPool("test"), at)
    connect(connections, "cursor")
    found = {each.client: each for each in connections.list().result(TIMEOUT)}
    connections.close()
    assert "cannot be read" in found["codex"].problem
    assert found["cursor"].is_connected


def test_an_unknown_agent_is_named_with_those_that_there_are(connections: Connections) -> None:
    with pytest.raises(QueryError, match="gemini-cli"):
        connections.plan("banana").result(TIMEOUT)


def test_the_agent_gets_the_notes_of_this_home(paths: Paths, person: Path) -> None:
    at = ClientContext(person, {"SCRUBJAY_HOME": str(person / "elsewhere")}, "linux")
    connections = Connections(paths, DaemonThreadPool("test"), at)
    change = connections.plan("cursor").result(TIMEOUT)
    connections.close()
    [after] = [each.after for each in change.files if each.file.name == "mcp.json"]
    entry = json.loads(after or "")["mcpServers"]["scrubjay"]
    assert entry["env"] == {"SCRUBJAY_HOME": str(person / "elsewhere")}
    assert entry["args"] == ["mcp", "--as", "cursor"]


def test_the_written_entry_starts_a_server_that_answers(
    paths: Paths, person: Path, tmp_path: Path
) -> None:
    """As the agent does it: it reads its settings and starts what stands there."""
    notes = write_notes(tmp_path / "notes", {"router.md": "The router is in the attic.\n"})
    config = f'{{workspaces: [{{path: {str(notes)!r}}}], memorySearch: {{provider: "none"}}}}'
    write_notes(paths.config, {"config.json5": config})
    connections = Connections(
        paths,
        DaemonThreadPool("test"),
        ClientContext(person, {"SCRUBJAY_HOME": str(paths.config)}, "linux"),
    )
    connect(connections, "claude-code")
    connections.close()
    entry = json.loads((person / ".claude.json").read_text())["mcpServers"]["scrubjay"]
    with started(entry["command"], entry["args"], entry["env"], name="claude-code") as client:
        assert client.answer("memory_search", query="attic")["results"][0]["path"] == "router.md"
        assert client.answer("memory_status")["you"] == "claude-code"


@pytest.mark.needs("links")
def test_secrets_that_were_removed_leave_the_copies_of_linked_settings(
    connections: Connections, paths: Paths, person: Path
) -> None:
    target = person / "dotfiles" / "claude-main.json"
    target.parent.mkdir()
    target.write_text('{"mcpServers": {"other": {"env": {"API_KEY": "tiger-seven"}}}}')
    (person / ".claude.json").symlink_to(target)
    connect(connections, "claude-code")
    [copy] = (paths.state / "agents" / "connections").glob("claude-code-*-claude-main.json")
    assert "tiger-seven" in copy.read_text()
    # A person takes the key out of the settings, and the agents are looked at again.
    target.write_text(target.read_text().replace("tiger-seven", ""))
    connections.list().result(TIMEOUT)
    assert "tiger-seven" not in copy.read_text()
