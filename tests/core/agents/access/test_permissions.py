"""Who may read and write what."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.agents.access.permissions import (
    access_rules,
    access_settings,
    agent_id,
    effective_permission,
    rule_path,
)
from scrubjay.config.loading import load_settings
from scrubjay.config.schema.settings import AccessSettings
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.access_records import Action, Permission
from scrubjay.workspaces.registry import Registry
from support.vault import TIMEOUT, NewEngine, add, write_notes
from support.waiting import wait_until


def access_of(folder: Path, written: str) -> AccessSettings:
    file = write_notes(folder, {"config.json5": written}) / "config.json5"
    return load_settings(file).settings.access


@pytest.mark.parametrize(
    ("written", "read", "write"),
    [
        ("{}", "allow", "propose"),
        ("{access: {read: 'ask'}}", "ask", "ask"),
        ("{access: {write: 'allow'}}", "allow", "allow"),
        ("{access: {agents: {bot: {write: 'allow'}}}}", "allow", "allow"),
        ("{access: {agents: {other: {write: 'allow'}}}}", "allow", "propose"),
        ("{access: {workspaces: {diary: {read: 'deny'}}}}", "deny", "deny"),
        ("{access: {workspaces: {notes: {read: 'deny'}}}}", "allow", "propose"),
        (
            "{access: {workspaces: {diary: {read: 'deny'}}, agents: {bot: {read: 'allow'}}}}",
            "deny",
            "deny",
        ),
        (
            "{access: {workspaces: {diary: {read: 'deny'}},"
            " agents: {bot: {workspaces: {diary: {read: 'allow', write: 'ask'}}}}}}",
            "allow",
            "ask",
        ),
        ("{access: {read: 'ALLOW ', write: 'Ask'}}", "allow", "ask"),
        ("{access: {write: 'allow', workspaces: {diary: {read: 'deny'}}}}", "deny", "deny"),
        ("{access: {workspaces: {diary: {read: 'deny', write: 'allow'}}}}", "deny", "allow"),
        ("{access: {write: 'propos'}}", "allow", "deny"),
    ],
)
def test_the_strictest_rule_counts_unless_one_names_both(
    tmp_path: Path, written: str, read: str, write: str
) -> None:
    access = access_of(tmp_path, written)
    assert effective_permission(access, "bot", "diary", Action.READ) == read
    assert effective_permission(access, "bot", "diary", Action.WRITE) == write


@pytest.mark.parametrize(
    "written",
    [
        "{access: {read: 'dney'}}",
        "{access: {read: 5}}",
        "{access: 'deny'}",
        "{access: []}",
        "{access: {agents: {bot: 'deny'}}}",
        "{access: {agents: {bot: {read: 'never'}}}}",
        "{access: {agents: {bot: {workspaces: {diary: {read: true}}}}}}",
        "{access: {agents: {bot: {workspaces: {diary: 'deny'}}}}}",
        "{access: {workspaces: {diary: {read: {}}}}}",
        "{access: {workspaces: 'none'}}",
        "{access: {agents: {read: 'deny'}}}",
    ],
)
def test_a_rule_that_makes_no_sense_denies(tmp_path: Path, written: str) -> None:
    access = access_of(tmp_path, written)
    assert effective_permission(access, "bot", "diary", Action.READ) is Permission.DENY
    assert effective_permission(access, "bot", "diary", Action.WRITE) is Permission.DENY


@pytest.mark.parametrize("key", ["auditLogDays", "guestBookDays"])
def test_a_wrong_number_of_days_denies_nothing(tmp_path: Path, key: str) -> None:
    access = access_of(tmp_path, f"{{access: {{{key}: -3}}}}")
    assert access.audit_log_days == 0
    assert effective_permission(access, "bot", "diary", Action.READ) is Permission.ALLOW


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Claude Code", "claude-code"),
        ("claude-code", "claude-code"),
        ("  Cursor/1.2 (vscode) ", "cursor-1.2-vscode"),
        ("", "unknown"),
        ("../..", "unknown"),
        ("é\0\n", "unknown"),
        ("x" * 200, "x" * 64),
    ],
)
def test_an_agent_has_one_plain_name(name: str, expected: str) -> None:
    assert agent_id(name) == expected


@given(st.text())
def test_any_name_gives_a_plain_one(name: str) -> None:
    assert agent_id(agent_id(name)) == agent_id(name)
    assert set(agent_id(name)) <= set("abcdefghijklmnopqrstuvwxyz0123456789._-")


def test_rules_are_written_and_taken_back_with_the_comments_around_them(engine: Engine) -> None:
    file = engine.paths.config_file
    write_notes(file.parent, {file.name: "{\n  // mine\n  localOnly: true,\n}\n"})
    engine.agents.set_rule("Claude Code", "diary", Action.READ, Permission.DENY).result(TIMEOUT)
    engine.agents.set_rule("", "", Action.WRITE, Permission.ASK).result(TIMEOUT)
    assert "// mine" in file.read_text()
    assert engine.agents.permission("claude-code", "diary", Action.READ) is Permission.DENY
    assert engine.agents.permission("claude-code", "notes", Action.READ) is Permission.ALLOW
    assert engine.agents.permission("someone", "notes", Action.WRITE) is Permission.ASK
    written = [
        (rule.agent, rule.workspace, rule.action, rule.permission) for rule in engine.agents.rules()
    ]
    assert ("claude-code", "diary", Action.READ, Permission.DENY) in written
    assert engine.settings.settings.access.write == "ask"
    engine.agents.set_rule("claude-code", "diary", Action.READ, None).result(TIMEOUT)
    assert engine.agents.permission("claude-code", "diary", Action.READ) is Permission.ALLOW


def test_every_rule_knows_its_place(tmp_path: Path) -> None:
    access = access_of(tmp_path, "{access: {agents: {bot: {workspaces: {diary: {read: 'ask'}}}}}}")
    *shared, rule = access_rules(access)
    assert [rule.is_default for rule in shared] == [True, True]
    path = rule_path(rule.agent, rule.workspace, rule.action)
    assert path == ("access", "agents", "bot", "workspaces", "diary", "read")


@pytest.fixture
def registry(paths: Paths) -> Registry:
    """Of settings that deny reading."""
    write_notes(paths.config, {"config.json5": "{access: {read: 'deny'}}"})
    return Registry(paths)


def read_rule(registry: Registry) -> str:
    return access_settings(registry.up_to_date()).read


def test_without_a_file_the_copy_of_its_last_text_counts(paths: Paths) -> None:
    assert read_rule(Registry(paths)) == "allow"
    write_notes(paths.state, {paths.last_settings.name: "{access: {read: 'deny'}}"})
    assert read_rule(Registry(paths)) == "deny"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "\n",
        "\ufeff",
        "{access: {read: 'allow'",
        "null",
        "[]",
        "{}",
        "// nothing\n{ }",
        "\ufeff{}",
        "localOnly: true",
    ],
)
def test_a_file_that_says_nothing_for_a_moment_leaves_the_last_rules_in_force(
    registry: Registry, paths: Paths, content: str
) -> None:
    paths.config_file.write_text(content, encoding="utf-8")
    for each in (registry, Registry(paths)):
        assert read_rule(each) == "deny"
    paths.config_file.unlink()
    assert read_rule(registry) == "deny"
    paths.config_file.write_text("{access: {read: 'ask'}} // again whole")
    assert read_rule(registry) == "ask"
    assert not registry.loaded.problems


@pytest.mark.parametrize("content", ["{}", "localOnly: true"])
def test_what_the_file_says_when_it_has_settled_counts(
    registry: Registry, paths: Paths, content: str
) -> None:
    paths.config_file.write_text(content)
    assert read_rule(registry) == "deny"
    wait_until(lambda: read_rule(registry) == "allow")
    assert read_rule(Registry(paths)) == "allow"


def test_rules_that_another_process_read_hold_where_the_file_is_blank(
    registry: Registry, paths: Paths
) -> None:
    paths.config_file.write_text("{access: {read: 'ask'}}")
    assert read_rule(Registry(paths)) == "ask"
    paths.config_file.write_text("")
    assert read_rule(registry) == "ask"


def test_a_file_that_was_never_readable_allows_nothing(paths: Paths) -> None:
    write_notes(paths.config, {"config.json5": "{"})
    assert read_rule(Registry(paths)) == "deny"


def test_folders_and_rules_are_of_one_version_of_the_settings(
    new_engine: NewEngine, notes: Path, paths: Paths, tmp_path: Path
) -> None:
    engine = new_engine()
    add(engine, notes)
    diary = write_notes(tmp_path / "diary", {"day.md": "Dear diary.\n"})
    folders = json.dumps([{"id": "notes", "path": str(diary)}])
    rules = "{notes: {read: 'deny'}}"
    paths.config_file.write_text(f"{{workspaces: {folders}, access: {{workspaces: {rules}}}}}")
    [(workspace, permission)] = engine.agents.permissions("bot", Action.READ)
    assert (workspace.root, permission) == (diary, Permission.DENY)
