"""Agents search and read what other computers share, under the same rules."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.mcp_server.authorization import Caller
from scrubjay.mcp_server.tools import MemoryTools, ToolReply
from scrubjay.platform.paths import Paths
from scrubjay.records.access_records import Action, Permission
from support import platforms
from support.providers import WordProvider
from support.vault import TIMEOUT, add, write_notes

platforms.require("shared memories")


@pytest.fixture
def tools(engine: Engine, tmp_path: Path) -> Iterator[MemoryTools]:
    """Those of a computer that has one folder, and searches one of another computer."""
    notes = {"MEMORY.md": "# Team\n\nThe acorn of the team.\n", "memory/team.md": "Acorns.\n"}
    theirs = add(engine, write_notes(tmp_path / "theirs", notes), "Team")
    engine.refresh(theirs).result(TIMEOUT)
    place = str(tmp_path / "shared")
    engine.sharing.share(theirs, place).result(TIMEOUT)
    own = Engine(Paths.under(tmp_path / "second"), provider=WordProvider())
    add(own, write_notes(tmp_path / "own", {"own.md": "My acorn.\n"}), "Own")
    own.sharing.add(place).result(TIMEOUT)
    yield MemoryTools(own)
    own.close()


def call(tools: MemoryTools, name: str, **arguments: object) -> ToolReply:
    return tools.call(name, arguments, Caller("bot", "Bot"), CancelToken())


def places(reply: ToolReply) -> set[tuple[str, str]]:
    return {(hit["workspace"], hit["path"]) for hit in reply.structured["results"]}


def test_agents_find_and_read_shared_notes(tools: MemoryTools) -> None:
    own, shared = tools.engine.searchable_workspaces()
    found = places(call(tools, "memory_search", query="acorn"))
    assert {(own.id, "own.md"), (shared.id, "memory/team.md")} <= found
    page = call(tools, "memory_get", path="memory/team.md")
    assert page.structured["text"] == "Acorns."
    assert page.structured["workspace"] == shared.id
    noted = tools.engine.agents.audit_log().result(TIMEOUT)
    assert shared.id in {hit.workspace for entry in noted for hit in entry.hits}


def test_rules_and_private_conversations_count_for_shared_notes(tools: MemoryTools) -> None:
    own, shared = tools.engine.searchable_workspaces()
    group = "agent:bot:telegram:group:1"
    found = places(call(tools, "memory_search", query="acorn", sessionKey=group))
    assert (shared.id, "MEMORY.md") not in found
    refused = call(tools, "memory_get", path="MEMORY.md", workspace="Team", sessionKey=group)
    assert refused.is_error
    tools.engine.agents.set_rule("bot", shared.id, Action.READ, Permission.DENY).result(TIMEOUT)
    reply = call(tools, "memory_search", query="acorn")
    assert places(reply) == {(own.id, "own.md")}
    assert reply.structured["notSearched"][0]["workspace"] == shared.id
    assert call(tools, "memory_get", path="memory/team.md", workspace="Team").is_error


def test_a_note_is_read_from_the_one_folder_that_has_it(tools: MemoryTools) -> None:
    own, shared = tools.engine.searchable_workspaces()
    for path, workspace in (("own.md", own), ("memory/team.md", shared)):
        page = call(tools, "memory_get", path=path).structured
        assert page["workspace"] == workspace.id
        assert (page["date"], page["age"]) == (dt.date.today().isoformat(), "today")
    missing = call(tools, "memory_get", path="memory/none.md", workspace="Team").structured
    assert (missing["missing"], missing["text"], missing["workspace"]) == (True, "", shared.id)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("memory_list", {}),
        ("memory_list", {"workspace": "Team"}),
        ("memory_links", {"path": "memory/team.md"}),
        ("memory_get", {"path": "The acorn"}),
        ("memory_links", {"path": "The acorn"}),
    ],
)
def test_an_answer_says_that_shared_notes_are_only_searched(
    tools: MemoryTools, name: str, arguments: dict[str, str]
) -> None:
    _, shared = tools.engine.searchable_workspaces()
    reply = call(tools, name, **arguments)
    assert not reply.is_error
    [left] = reply.structured["notSearched"]
    assert left["workspace"] == shared.id
    assert "You can search its notes and read them by path" in left["reason"]


def test_nothing_is_written_into_a_shared_workspace(tools: MemoryTools) -> None:
    _, shared = tools.engine.searchable_workspaces()
    tools.engine.agents.set_rule("bot", shared.id, Action.WRITE, Permission.ALLOW).result(TIMEOUT)
    reply = call(tools, "memory_write", text="Something", workspace="Team")
    assert reply.is_error
    assert "is read-only on this computer" in str(reply.structured["error"])
