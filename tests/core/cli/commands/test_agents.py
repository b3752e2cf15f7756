"""`scrubjay agents` and `scrubjay connect`, as a person types them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.core.cli.conftest import Ran

from scrubjay.engine.engine import Engine
from scrubjay.records.access_records import AuditEntry
from support.vault import TIMEOUT, write_notes

Cli = Callable[..., Ran]


@pytest.fixture
def workspace(cli: Cli, tmp_path: Path) -> Path:
    root = write_notes(tmp_path / "diary", {"MEMORY.md": "# Memory\n"})
    cli("workspace", "add", root)
    return root


@pytest.mark.parametrize(
    ("arguments", "text", "rule"),
    [
        (
            ("allow", "Claude Code", "--write"),
            "can now write to every",
            ("claude-code", None, "write"),
        ),
        (("deny", "cursor"), "cannot read any", ("cursor", None, "read")),
        (("ask", "cursor", "--workspace", "diary"), "if you agree", ("cursor", "diary", "read")),
        (("deny", "--workspace", "diary"), "No agent can read", (None, "diary", "read")),
        (("ask", "--write"), "All agents can write", (None, None, "write")),
    ],
)
def test_rules_are_written_in_plain_words(
    cli: Cli, workspace: Path, arguments: tuple[str, ...], text: str, rule: tuple[str, ...]
) -> None:
    ran = cli("agents", *arguments)
    assert (ran.code, ran.err) == (0, "")
    assert text in ran.out
    listed = cli("agents", "list", "--json").json["rules"]
    [found] = [
        entry for entry in listed if (entry["agent"], entry["workspace"], entry["action"]) == rule
    ]
    assert found["permission"] == arguments[0]
    assert arguments[0] in cli("agents", "list").out


def test_a_rule_is_taken_back(cli: Cli, workspace: Path) -> None:
    cli("agents", "deny", "cursor")
    assert "There is no longer a rule" in cli("agents", "reset", "cursor").out
    rules = cli("agents", "list", "--json").json["rules"]
    assert [entry["agent"] for entry in rules] == [None, None]


def test_a_stricter_rule_is_mentioned(cli: Cli, workspace: Path) -> None:
    cli("agents", "deny", "cursor", "--workspace", "diary")
    cli("agents", "deny", "--workspace", "diary")
    text = cli("agents", "allow", "cursor", "--workspace", "diary").out
    assert text == "cursor can now read diary.\n"


@pytest.mark.parametrize(
    ("other", "arguments"),
    [
        (("deny", "cursor"), ("allow",)),
        (("allow", "cursor"), ("deny",)),
        (("deny", "--workspace", "diary"), ("allow", "cursor")),
        (("allow", "cursor", "--workspace", "diary"), ("deny", "--workspace", "diary")),
    ],
)
def test_a_rule_for_all_names_those_that_count_more(
    cli: Cli, workspace: Path, other: tuple[str, ...], arguments: tuple[str, ...]
) -> None:
    assert "override" not in cli("agents", *arguments).out
    cli("agents", *other)
    assert "Other rules override this one." in cli("agents", *arguments).out


@pytest.mark.parametrize(
    ("is_claimed", "arguments", "warns"),
    [
        (True, ("allow", "Cursor"), True),
        (True, ("deny", "Cursor"), False),
        (True, ("ask", "Cursor"), False),
        (False, ("allow", "Cursor"), False),
    ],
)
def test_a_rule_without_effect_for_a_name_that_is_only_sent_says_so(
    cli: Cli,
    workspace: Path,
    engine: Engine,
    is_claimed: bool,
    arguments: tuple[str, ...],
    warns: bool,
) -> None:
    cli("agents", "ask")
    entry = AuditEntry("cursor", "memory_search", "key", title="Cursor", is_claimed=is_claimed)
    engine.agents.record(entry).result(TIMEOUT)
    assert ("scrubjay mcp --as cursor" in cli("agents", *arguments).out) is warns
    assert ("can send this name" in cli("agents", "list").out) is is_claimed


def test_the_audit_log_is_shown_and_cleared(cli: Cli, workspace: Path, engine: Engine) -> None:
    engine.agents.record(AuditEntry("cursor", "memory_search", "where is\nthe key")).result(TIMEOUT)
    engine.agents.record(
        AuditEntry("cursor", "memory_get", "../x", outcome="refused", reason="No")
    ).result(TIMEOUT)
    lines = cli("agents", "audit-log").out.splitlines()
    assert len(lines) == 2
    assert "memory_search 'where is\\nthe key'" in lines[0]
    assert lines[1].endswith("refused: No")
    assert [entry["query"] for entry in cli("agents", "audit-log", "--json").json][1] == "../x"
    assert "cursor sent requests 2 times" in cli("agents", "list").out
    assert cli("agents", "visits").out.splitlines() == lines  # its former name
    assert "visits" not in cli("agents", "--help").out
    assert cli("agents", "clear").code == 0
    assert cli("agents", "audit-log").out == ""


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "person"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "OPENCLAW_CONFIG_PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("OPENCLAW_STATE_DIR", raising=False)
    return home


def test_connect_shows_writes_and_undoes(cli: Cli, person: Path) -> None:
    file = write_notes(person, {".gemini/settings.json": "{}\n"}) / ".gemini/settings.json"
    dry = cli("connect", "gemini-cli", "--dry-run")
    assert "Nothing was written" in dry.out
    assert file.read_text() == "{}\n"
    done = cli("connect", "gemini-cli")
    assert "Gemini CLI is connected" in done.out
    assert [line for line in dry.out.splitlines() if line.startswith("+")] == [
        line for line in done.out.splitlines() if line.startswith("+")
    ]
    assert json.loads(file.read_text())["mcpServers"]["scrubjay"]["args"][0] == "mcp"
    assert "gemini-cli\tconnected (server, hooks, instructions)\t" in cli("connect").out
    assert "already connected" in cli("connect", "gemini-cli").out
    assert "no longer connected" in cli("connect", "gemini-cli", "--undo").out
    assert file.read_text() == "{}\n"


def test_connect_offers_to_add_an_agents_own_memory(cli: Cli, person: Path) -> None:
    root = write_notes(person, {".openclaw/workspace/MEMORY.md": "Mo likes pnpm.\n"})
    memory = root / ".openclaw" / "workspace"
    assert "not searched" not in cli("connect").out
    told = f"OpenClaw's own memory in {memory} (1 note) is not searched yet. To add it, run:"
    add = f"scrubjay workspace add {memory} --name OpenClaw"
    lines = cli("connect", "openclaw").out.splitlines()
    assert lines[-2:] == [told, f"  {add}"]
    # It is said as long as it is true.
    assert told in cli("connect", "openclaw").out
    assert told in cli("connect").out
    assert cli("connect", "openclaw", "--json").json["notSearched"] == [str(memory)]
    cli(*add.split()[1:])
    assert "not searched" not in cli("connect", "openclaw").out
    listed = {entry["client"]: entry for entry in cli("connect", "--json").json}
    assert listed["openclaw"]["notSearched"] == []


def test_connect_offers_a_text_for_the_agents_own_file(cli: Cli, person: Path) -> None:
    text = cli("connect", "--text").out
    for word in ("memory_search", "memory_get", "MEMORY.md", "say that", "never an instruction"):
        assert word in text
    out = cli("connect", "claude-code", "--only", "server,hooks").out
    assert "Paste this text into CLAUDE.md" in out
    assert text in out
    assert "AGENTS.md" in cli("connect", "cursor").out
    assert text not in cli("connect", "claude-desktop").out
    assert text not in cli("connect", "codex", "--undo").out


def test_connect_speaks_json(cli: Cli, person: Path) -> None:
    listed = {entry["client"]: entry for entry in cli("connect", "--json").json}
    assert listed["codex"]["found"] is False
    change = cli("connect", "codex", "--dry-run", "--json").json
    assert (change["needed"], change["written"]) == (True, False)
    assert "mcp_servers.scrubjay" in change["diff"]


def test_all_found_agents_are_connected_and_undone(cli: Cli, person: Path) -> None:
    assert "No agents were found to connect or disconnect." in cli("connect", "--all").out
    files = {".codex/config.toml": "# mine\n", ".cursor/mcp.json": "{}\n"}
    write_notes(person, files)
    done = cli("connect", "--all", "--json").json
    assert [each["client"] for each in done] == ["cursor", "codex"]
    assert all(each["written"] for each in done)
    assert not any(each["needed"] for each in cli("connect", "--all", "--json").json)
    cli("connect", "--all", "--undo")
    assert {name: (person / name).read_text() for name in files} == files
    assert [file.name for file in (person / ".codex").iterdir()] == ["config.toml"]


def test_one_agent_that_cannot_be_connected_leaves_the_others(cli: Cli, person: Path) -> None:
    write_notes(person, {".codex/config.toml": "[broken", ".cursor/mcp.json": "{}\n"})
    ran = cli("connect", "--all")
    assert ran.code == 1
    assert "Cursor is connected (server, hooks)." in ran.out
    assert "cannot read the settings for Codex" in ran.err
    assert (person / ".codex/config.toml").read_text() == "[broken"


def test_parts_are_named_and_others_left_out(cli: Cli, person: Path) -> None:
    assert cli("connect", "claude-code", "--only", "hooks").code == 0
    assert not (person / ".claude.json").exists()
    assert "hook recall" in (person / ".claude/settings.json").read_text()
    wrong = cli("connect", "claude-code", "--only", "hooks,banana")
    assert (wrong.code, wrong.err.splitlines()[-1]) == (
        2,
        "scrubjay: --only takes server, hooks and instructions, and not banana.",
    )


def test_hooks_write_to_the_workspace_that_is_named_and_keep_it(
    cli: Cli, person: Path, workspace: Path, tmp_path: Path
) -> None:
    other = write_notes(tmp_path / "other", {"a.md": "A.\n"})
    cli("workspace", "add", other)
    cli("connect", "codex", "--workspace", "other")
    text = (person / ".codex/hooks.json").read_text()
    assert f"hook keep --agent codex --workspace {other}" in text
    assert not cli("connect", "codex", "--json").json["needed"]


def test_doctor_tells_what_was_undone_and_connecting_again_repairs_it(
    cli: Cli, person: Path, workspace: Path
) -> None:
    cli("connect", "cursor")
    assert cli("doctor").code == 0
    (person / ".cursor/hooks.json").write_text("{}")
    ran = cli("doctor")
    assert ran.code == 1
    assert "Cursor: Scrubjay's hooks were removed or changed." in ran.out
    assert "`scrubjay connect cursor`" in ran.out
    assert cli("connect", "cursor").code == 0
    assert cli("doctor").code == 0
    # The program has moved: the entry starts another one, or none.
    file = person / ".cursor/mcp.json"
    file.write_text(file.read_text().replace("/scrubjay", "/old/scrubjay"))
    assert "Cursor: The entry that starts Scrubjay was removed" in cli("doctor").out
    cli("connect", "cursor", "--undo")
    assert cli("doctor").code == 0


def test_an_unknown_agent_is_one_sentence(cli: Cli, person: Path) -> None:
    ran = cli("connect", "banana")
    assert ran.code == 1
    assert ran.err.startswith("scrubjay: Scrubjay does not know an agent called 'banana'")
