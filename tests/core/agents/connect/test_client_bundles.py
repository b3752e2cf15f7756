"""A plugin or extension that is installed in an agent is recognised, and nothing is there twice."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.agents.connect.connection_records import AgentConnection
from scrubjay.agents.connect.connections import Connections
from scrubjay.agents.connect.known_agents import ClientContext
from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.engine.connection_findings import ConnectionFindings
from scrubjay.health.findings import finding_words
from scrubjay.platform.paths import HOME_VARIABLE, PORTABLE_FLAG, Paths
from support.vault import TIMEOUT, write_notes

EXTENSION = ".config/Claude/Claude Extensions/local.mcpb.maintainers.scrubjay/manifest.json"
SWITCH = ".config/Claude/Claude Extensions Settings/local.mcpb.maintainers.scrubjay.json"
ENABLEMENT = ".gemini/extensions/extension-enablement.json"
# As Claude Code 2.1 and Gemini CLI 0.61 write them.
INSTALLED = {
    "claude-code": {".claude/settings.json": {"enabledPlugins": {"scrubjay@scrubjay": True}}},
    "gemini-cli": {".gemini/extensions/scrubjay/gemini-extension.json": {"name": "scrubjay"}},
    "claude-desktop": {EXTENSION: {"name": "scrubjay"}, SWITCH: {"isEnabled": True}},
}


@pytest.fixture
def person(tmp_path: Path) -> Path:
    return tmp_path / "person"


@pytest.fixture
def connections(paths: Paths, person: Path) -> Iterator[Connections]:
    made = Connections(paths, DaemonThreadPool("test"), ClientContext(person, {}, "linux"))
    yield made
    made.close()


def install(person: Path, files: dict[str, object]) -> None:
    write_notes(person, {name: json.dumps(value) for name, value in files.items()})


def look(connections: Connections, client: str) -> AgentConnection:
    [found] = [each for each in connections.list().result(TIMEOUT) if each.client == client]
    return found


@pytest.mark.parametrize("client", INSTALLED)
def test_an_agent_with_our_extension_is_connected_and_its_files_stay(
    connections: Connections, person: Path, client: str
) -> None:
    install(person, INSTALLED[client])
    found = look(connections, client)
    assert (found.has_bundle, found.is_connected, found.doubled) == (True, True, ())
    assert found.current == found.available
    for change in (connections.plan(client), connections.plan_undo(client)):
        assert change.result(TIMEOUT).has_bundle
        assert not change.result(TIMEOUT).is_needed


@pytest.mark.parametrize("client", INSTALLED)
def test_what_is_there_twice_is_told_and_connecting_again_removes_it_from_the_files(
    connections: Connections, person: Path, client: str
) -> None:
    connections.apply(connections.plan(client).result(TIMEOUT)).result(TIMEOUT)
    settings = person / ".claude/settings.json"
    if client == "claude-code":
        plugins = {"enabledPlugins": {"scrubjay@mine": True}}
        settings.write_text(json.dumps(json.loads(settings.read_text()) | plugins))
    else:
        install(person, INSTALLED[client])
    found = look(connections, client)
    assert (found.doubled, found.lost) == (found.available, ())
    words = [finding_words(each) for each in ConnectionFindings(connections).findings()]
    assert len(words) == len(found.available)
    assert {each.title for each in words} == {"An agent is connected to Scrubjay twice"}
    assert all("Scrubjay extension" in each.detail for each in words)
    [advice] = {each.advice for each in words}
    assert f"`scrubjay connect {client}`" in advice
    assert f"remove the Scrubjay extension in {found.name}" in advice
    change = connections.plan(client).result(TIMEOUT)
    found = connections.apply(change).result(TIMEOUT)
    assert (found.is_connected, found.doubled) == (True, ())
    assert list(ConnectionFindings(connections).findings()) == []
    texts = [file.read_text() for file in person.rglob("*") if file.is_file()]
    assert not any('"mcp"' in text or "memory_search" in text for text in texts)


@pytest.mark.parametrize("client", INSTALLED)
def test_an_extension_does_not_count_for_another_profile(
    paths: Paths, person: Path, client: str
) -> None:
    install(person, INSTALLED[client])
    at = ClientContext(person, {HOME_VARIABLE: str(paths.config)}, "linux")
    connections = Connections(paths, DaemonThreadPool("test"), at)
    found = look(connections, client)
    assert (found.has_bundle, found.is_connected) == (False, False)
    connections.apply(connections.plan(client).result(TIMEOUT)).result(TIMEOUT)
    found = look(connections, client)
    assert (found.is_connected, found.is_of_this_home, found.doubled) == (True, True, ())
    assert not connections.plan(client).result(TIMEOUT).is_needed
    assert list(ConnectionFindings(connections).findings()) == []
    connections.close()


@pytest.mark.parametrize("client", INSTALLED)
def test_an_extension_that_starts_a_portable_copy_does_not_count_for_the_account(
    connections: Connections, person: Path, client: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    install(person, INSTALLED[client])
    (tmp_path / "stick").mkdir()
    for name in ("scrubjay", "scrubjay.exe"):
        (tmp_path / "stick" / name).touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "stick"), prepend=os.pathsep)
    assert look(connections, client).has_bundle
    (tmp_path / "stick" / PORTABLE_FLAG).touch()
    assert not look(connections, client).has_bundle


@pytest.mark.parametrize(
    ("client", "files"),
    [
        ("claude-code", {".claude/settings.json": {"enabledPlugins": {"scrubjay@mine": "no"}}}),
        (
            "claude-code",
            {".claude/settings.json": {"enabledPlugins": {"scrubjay@mine": {"enabled": False}}}},
        ),
        ("claude-code", {".claude/settings.json": {"enabledPlugins": {"scrubjay@mine": False}}}),
        ("claude-code", {".claude/settings.json": {"enabledPlugins": {"other@scrubjay": True}}}),
        ("claude-code", {".claude/settings.json": {"enabledPlugins": ["scrubjay@mine"]}}),
        ("gemini-cli", {".gemini/extensions/other/gemini-extension.json": {"name": "other"}}),
        ("claude-desktop", {EXTENSION: {"name": "other"}}),
        ("claude-desktop", {EXTENSION: ["scrubjay"]}),
        ("claude-desktop", INSTALLED["claude-desktop"] | {SWITCH: {"isEnabled": False}}),
        ("claude-desktop", INSTALLED["claude-desktop"] | {SWITCH: {"isEnabled": "no"}}),
    ],
)
def test_other_extensions_and_ones_that_are_off_do_not_count(
    connections: Connections, person: Path, client: str, files: dict[str, object]
) -> None:
    install(person, files)
    assert not look(connections, client).has_bundle
    change = connections.plan(client).result(TIMEOUT)
    assert connections.apply(change).result(TIMEOUT).is_connected


@pytest.mark.parametrize(
    ("rules", "is_on"),
    [
        ([], True),
        (["!{home}/*"], False),
        (["{home}/*"], True),
        (["!{home}/*", "{home}/*"], True),
        (["!{home}/work/*"], True),
        (["!{home}/"], False),
        (["!/*"], False),
        (["!*"], False),
        (["!{above}/*"], False),
        (["!{above}/*", "{home}/*"], True),
        (["!*", "{home}/work/*"], False),
        (["!{home}x/*"], True),
        (["!{above}/p*n/"], False),
        ("broken", True),
    ],
)
def test_an_extension_of_gemini_that_is_off_for_the_home_does_not_count(
    connections: Connections, person: Path, rules: list[str], is_on: bool
) -> None:
    install(person, INSTALLED["gemini-cli"])
    # As Gemini CLI writes them, with a slash in front of a drive of Windows.
    home = f"/{person.as_posix().strip('/')}"
    above = home.rpartition("/")[0]
    overrides = [rule.format(home=home, above=above) for rule in rules]
    install(person, {ENABLEMENT: {"scrubjay": {"overrides": overrides}}})
    assert look(connections, "gemini-cli").has_bundle is is_on


def test_a_linked_extension_counts(connections: Connections, person: Path) -> None:
    name = ".gemini/extensions/scrubjay/.gemini-extension-install.json"
    install(person, {name: {"type": "link", "source": "/somewhere"}})
    assert look(connections, "gemini-cli").has_bundle
