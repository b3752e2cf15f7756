"""Folders that are part of a search only when it names them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.mcp_server.authorization import Caller
from scrubjay.mcp_server.tools import MemoryTools
from scrubjay.platform.paths import Paths
from support.vault import write_notes

REASON = "It is searched only when a search names it."


@pytest.fixture
def folders(cli, tmp_path: Path) -> Path:
    """A folder of notes, and an archive that is searched only by its name."""
    write_notes(tmp_path / "notes", {"a.md": "# Now\n\nThe zebra grazes.\n"})
    write_notes(
        tmp_path / "Old stuff", {"b.md": "# Then\n\nThe zebra slept.\n", "c.md": "An emu.\n"}
    )
    for name in ("notes", "Old stuff"):
        assert cli("workspace", "add", tmp_path / name).code == 0
    assert cli("index").code == 0
    return tmp_path


def hits(found: dict[str, Any]) -> set[str]:
    return {hit["path"] for hit in (*found["results"], *found.get("uncertain", []))}


def test_a_search_over_everything_leaves_it_out_and_says_so(cli, folders: Path) -> None:
    assert hits(cli("search", "zebra", "--json").json) == {"a.md", "b.md"}
    assert "Searched 3 notes" in cli("search", "zebra").out
    assert cli("workspace", "named", "Old stuff").code == 0
    found = cli("search", "zebra", "--json").json
    assert hits(found) == {"a.md"}
    assert found["notSearched"] == [{"workspace": "old-stuff", "reason": REASON}]
    assert "Searched 1 note," in cli("search", "zebra").out
    assert f"  {REASON}" in cli("status").out
    assert [each["searched"] for each in cli("workspace", "list", "--json").json] == [
        "always",
        "named",
    ]
    assert cli("workspace", "named", "Old stuff", "--off").code == 0
    assert hits(cli("search", "zebra", "--json").json) == {"a.md", "b.md"}


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["zebra", "--workspace", "Old stuff"], {"b.md"}),
        (['folder:"Old stuff" zebra'], {"b.md"}),
        (['folder:"old stuff/" zebra'], {"b.md"}),
        (["zebra in:old-stuff"], set()),
        (['zebra folder:(x OR "Old stuff")'], {"b.md"}),
        (['zebra -folder:"Old stuff"'], {"a.md"}),
        (["zebra Old stuff"], {"a.md"}),
        # A condition is one of its alternative alone.
        (['zebra OR (emu folder:"Old stuff")'], {"a.md", "c.md"}),
        (['(emu folder:"Old stuff") OR zebra'], {"a.md", "c.md"}),
        (['(zebra folder:notes) OR (emu in:"Old stuff")'], {"a.md", "c.md"}),
        (['(zebra OR emu) folder:"Old stuff"'], {"b.md", "c.md"}),
        (['zebra OR (emu folder:"Old stuff")', "--workspace", "Old stuff"], {"b.md", "c.md"}),
        # What excludes it, quotes its operator or has it in an address does not name it.
        (['zebra OR (emu NOT folder:"Old stuff")'], {"a.md"}),
        (['zebra NOT (emu OR in:"Old stuff")'], {"a.md"}),
        (['zebra -folder:(x OR "Old stuff")'], {"a.md"}),
        (["zebra https://x.y/?in:old-stuff"], {"a.md"}),
        (["zebra `dir:old-stuff`"], {"a.md"}),
        (["zebra (in:old-stuff)"], {"a.md"}),
        (['zebra "in:old-stuff"'], set()),
    ],
)
def test_it_is_found_when_it_is_named(
    cli, folders: Path, words: list[str], found: set[str]
) -> None:
    cli("workspace", "named", "Old stuff")
    assert hits(cli("search", *words, "--json").json) == found


def test_a_folder_inside_is_found_when_its_whole_path_is_named(cli, folders: Path) -> None:
    write_notes(folders / "Old stuff/Old stuff/year", {"d.md": "A zebra.\n"})
    cli("index")
    cli("workspace", "named", "Old stuff")
    inside = cli("search", 'zebra folder:"Old stuff/year"', "--json").json
    assert hits(inside) == {"Old stuff/year/d.md"}
    assert hits(cli("search", "zebra folder:year", "--json").json) == set()
    assert hits(cli("search", 'zebra folder:"year/Old stuff"', "--json").json) == set()


@pytest.mark.parametrize(
    "message",
    [
        'What did the zebra in:"Old stuff" do?',
        "What did the zebra do `dir:old-stuff`?",
        "folder:old-stuff zebra slept",
    ],
)
def test_a_message_names_no_folder(cli, folders: Path, message: str) -> None:
    cli("workspace", "named", "Old stuff")
    found = cli("context", message, "--json").json
    assert {hit["path"] for hit in found["results"]} <= {"a.md"}
    assert "slept" not in cli("context", message).out


def test_where_no_folder_is_left_the_answer_says_what_to_do(cli, folders: Path) -> None:
    cli("workspace", "named", "Old stuff")
    cli("workspace", "named", "notes")
    for words in ("zebra", "zebra folder:sub"):
        ran = cli("search", words)
        assert ran.code == 1
        assert "This search does not include a folder" in ran.err
        assert 'add folder:"notes" to the search' in ran.err
    assert hits(cli("search", 'zebra folder:"notes"', "--json").json) == {"a.md"}
    assert hits(cli("search", "zebra", "--workspace", "notes", "--json").json) == {"a.md"}


def test_agents_find_it_with_the_workspace_argument(cli, folders: Path, paths: Paths) -> None:
    cli("workspace", "named", "Old stuff")
    engine = Engine(paths)
    tools = MemoryTools(engine)

    def call(name: str, **arguments: Any) -> dict[str, Any]:
        return tools.call(name, arguments, Caller("bot", "Bot"), CancelToken()).structured

    try:
        found = call("memory_search", query="zebra")
        assert [hit["path"] for hit in found["results"]] == ["a.md"]
        assert found["notSearched"] == [{"workspace": "old-stuff", "reason": REASON}]
        context = call("memory_context", message="What did the zebra do?")
        assert {hit["path"] for hit in context["results"]} <= {"a.md"}
        named = call("memory_search", query="zebra", workspace="old-stuff")
        assert [hit["path"] for hit in named["results"]] == ["b.md"]
        assert "notSearched" not in named
        # Lists, their folders and proposals leave it out in the same way, and say so.
        listed = call("memory_list")
        assert [note["path"] for note in listed["notes"]] == ["a.md"]
        [left_out] = listed["notSearched"]
        assert left_out["workspace"] == "old-stuff"
        assert "Pass its name as the workspace argument" in left_out["reason"]
        missing = call("memory_get", path="c.mdx")
        assert "c.md" not in missing.get("similar", [])
        assert missing["notSearched"] == [left_out]
        listed = call("memory_list", workspace="Old stuff")
        assert {note["path"] for note in listed["notes"]} == {"b.md", "c.md"}
        assert "notSearched" not in listed
        assert "c.md" in call("memory_get", path="c.mdx", workspace="Old stuff")["similar"]
        # A note that is named itself is read all the same.
        assert "slept" in call("memory_get", path="b.md")["text"]
        states = call("memory_status")["workspaces"]
        assert [state.get("searched") for state in states] == [None, "named"]
    finally:
        engine.close()
