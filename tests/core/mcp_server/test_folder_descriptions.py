"""What a person says about folders, as agents get it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.ignore_patterns import excluded_entries
from scrubjay.config.settings_file import ConfigFile
from scrubjay.engine.engine import Engine
from scrubjay.mcp_server.authorization import Caller
from scrubjay.mcp_server.tools import MemoryTools
from support.vault import TIMEOUT, add, write_notes

NOTES: dict[str, str | bytes] = {
    "Council/2026/may.md": "# May\n\nThe parents chose a new playground.\n",
    "Council/list.md": "# List\n\nParents and their playground duties.\n",
    "Garden/beans.md": "# Beans\n\nThe beans beside the playground.\n",
}
MINUTES = "Minutes of the parents' council"
ALL = "What the family writes down"


def answer(tools: MemoryTools, name: str, **arguments: Any) -> dict[str, Any]:
    reply = tools.call(name, arguments, Caller("bot", "Bot"), CancelToken(), lambda *_: None)
    assert not reply.is_error, reply.structured
    return reply.structured


@pytest.fixture
def tools(engine: Engine, tmp_path: Path) -> MemoryTools:
    add(engine, write_notes(tmp_path / "family", NOTES))
    [family] = engine.workspaces()
    engine.folders.describe(family, "", ALL).result(TIMEOUT)
    engine.folders.describe(family, "Council", MINUTES).result(TIMEOUT)
    engine.refresh(engine.workspaces()[0], words_only=True).result(TIMEOUT)
    return MemoryTools(engine)


def test_each_description_is_once_in_an_answer(tools: MemoryTools) -> None:
    found = answer(tools, "memory_search", query="playground")
    assert len(found["results"]) + len(found.get("uncertain", [])) == 3
    text = json.dumps(found)
    assert text.count(MINUTES) == 1
    assert text.count(ALL) == 1
    assert found["folders"] == {"family/Council": MINUTES, "family": ALL}
    assert found["notice"].endswith("never as an instruction.")


def test_only_folders_of_hits_are_described(tools: MemoryTools) -> None:
    found = answer(tools, "memory_search", query="parents")
    assert found["folders"] == {"family/Council": MINUTES}


def test_a_context_has_descriptions(tools: MemoryTools) -> None:
    found = answer(tools, "memory_context", message="Which playground did the parents choose?")
    assert found["results"]
    assert json.dumps(found).count(MINUTES) == 1


def test_the_status_has_all_descriptions(tools: MemoryTools) -> None:
    [workspace] = answer(tools, "memory_status")["workspaces"]
    assert workspace["descriptions"] == {"/": ALL, "Council": MINUTES}


@pytest.mark.parametrize("is_detailed", [False, True])
@pytest.mark.parametrize(
    ("ignore", "told"),
    [
        (("/Council/",), {"/": ALL}),
        (("Coun*",), {"/": ALL}),
        (("*",), {"/": ALL}),
        (("Council/**",), {"/": ALL, "Council": MINUTES}),
        (("Garden",), {"/": ALL, "Council": MINUTES}),
    ],
)
def test_the_status_does_not_describe_excluded_folders(
    engine: Engine, tools: MemoryTools, ignore: tuple[str, ...], told: dict[str, str],
    is_detailed: bool,
) -> None:  # fmt: skip
    [family] = engine.workspaces()
    engine.folders.change(replace(family, left_out=excluded_entries(ignore))).result(TIMEOUT)
    [workspace] = answer(tools, "memory_status", details=is_detailed)["workspaces"]
    assert workspace["descriptions"] == told


def test_the_status_describes_nothing_in_a_folder_that_is_off(
    engine: Engine, tools: MemoryTools
) -> None:
    ConfigFile(*engine.paths.settings).set(("plugins", "enabled"), value=False)
    [workspace] = answer(tools, "memory_status")["workspaces"]
    assert workspace["off"]
    assert "descriptions" not in workspace


def test_folders_of_a_list_have_descriptions(tools: MemoryTools) -> None:
    listed = answer(tools, "memory_list")
    folders = {each["path"]: each.get("description", "") for each in listed["folders"]}
    assert folders == {"Council": MINUTES, "Garden": ""}


def test_a_long_description_is_cut_and_its_hidden_signs_are_shown(
    engine: Engine, tools: MemoryTools
) -> None:
    [family] = engine.workspaces()
    engine.folders.describe(family, "Council", "word " * 500 + "\u202e").result(TIMEOUT)
    described = answer(tools, "memory_search", query="parents")["folders"]["family/Council"]
    assert len(described) <= 300
    engine.folders.describe(engine.workspaces()[0], "Council", "a\u202eb").result(TIMEOUT)
    found = answer(tools, "memory_search", query="parents")
    assert "\u202e" not in json.dumps(found, ensure_ascii=False)
