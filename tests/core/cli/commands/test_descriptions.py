"""`scrubjay descriptions`, and where descriptions of folders come back."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from scrubjay.platform.paths import Paths
from support.vault import write_notes


@pytest.fixture
def council(cli, tmp_path: Path) -> Path:
    """A folder of notes with a folder of minutes, on the list."""
    notes = {
        "Council/2026/may.md": "# May\n\nThe parents chose a new playground.\n",
        "Council/list.md": "# List\n\nParents and their playground duties.\n",
        "Garden/beans.md": "# Beans\n\nThe beans beside the playground.\n",
    }
    folder = write_notes(tmp_path / "family", notes)
    assert cli("workspace", "add", folder).code == 0
    assert cli("index").code == 0
    return folder


def test_a_description_is_set_listed_and_removed(cli, council: Path, paths: Paths) -> None:
    minutes = "Minutes of the parents' council"
    ran = cli("descriptions", "set", "family", minutes, "--folder", "Council/")
    assert ran.code == 0, ran.err
    assert cli("descriptions", "set", "family", "What the family writes down").code == 0
    assert cli("descriptions", "list").out == (
        "family\tWhat the family writes down\n"
        "family/Council\tMinutes of the parents' council\n"
    )  # fmt: skip
    assert cli("descriptions", "list", "--json").json == [
        {"workspace": "family", "folder": "", "description": "What the family writes down"},
        {"workspace": "family", "folder": "Council", "description": minutes},
    ]
    assert minutes in paths.config_file.read_text()
    assert cli("descriptions", "remove", "family", "--folder", "Council").code == 0
    assert "Council" not in cli("descriptions", "list").out
    assert cli("descriptions", "remove", "family").code == 0
    assert "There are no descriptions yet." in cli("descriptions", "list").out


def test_the_folder_may_be_written_as_a_whole_path(cli, council: Path) -> None:
    written = str(council / "Council" / "2026")
    assert cli("descriptions", "set", "family", "This year", "--folder", written).code == 0
    assert cli("descriptions", "list").out == "family/Council/2026\tThis year\n"


@pytest.mark.parametrize("written", ["Council/2026/", "./Council/2026", "Council//2026", "ROOT"])
@pytest.mark.parametrize("is_gone", [False, True])
def test_a_description_is_removed_by_the_words_that_set_it(
    cli, council: Path, written: str, *, is_gone: bool
) -> None:
    folder = written.replace("ROOT", str(council / "Council" / "2026"))
    assert cli("descriptions", "set", "family", "This year", "--folder", folder).code == 0
    if is_gone:
        shutil.rmtree(council / "Council" / "2026")
    ran = cli("descriptions", "remove", "family", "--folder", folder)
    assert ran.out == "Removed the description of Council/2026.\n"
    assert "There are no descriptions yet." in cli("descriptions", "list").out


def test_a_description_is_shown_as_agents_get_it(cli, council: Path) -> None:
    ran = cli("descriptions", "set", "family", f"Council {'x' * 200} {'y' * 200}")
    told = cli("search", "playground", "--json").json["folders"]["family"]
    assert len(told) <= 301
    assert ran.out == f"Agents will be told: {told}\n"


@pytest.mark.parametrize("folder", ["Councl", "..", "../elsewhere", "Council/list.md", "/"])
def test_only_a_folder_of_the_workspace_is_described(cli, council: Path, folder: str) -> None:
    ran = cli("descriptions", "set", "family", "Text", "--folder", folder)
    assert ran.code == 1
    assert "There is no such folder" in ran.err
    assert "There are no descriptions yet." in cli("descriptions", "list").out


@pytest.mark.parametrize("command", [("remove", "family"), ("set", "family", "  ")])
def test_a_description_that_is_not_there_is_told(cli, council: Path, command: list[str]) -> None:
    ran = cli("descriptions", *command)
    assert ran.code == 1
    assert ran.err.count("\n") <= 3


def test_a_text_of_several_lines_becomes_one(cli, council: Path) -> None:
    cli("descriptions", "set", "family", "One.\n\nTwo.\tThree.")
    assert cli("descriptions", "list").out == "family\tOne. Two. Three.\n"


def test_hits_come_with_the_description_of_the_nearest_folder(cli, council: Path) -> None:
    cli("descriptions", "set", "family", "What the family writes down")
    cli("descriptions", "set", "family", "Minutes of the council", "--folder", "Council")
    found = cli("search", "playground", "--json").json
    assert {hit["path"] for hit in found["results"]} == {
        "Council/2026/may.md", "Council/list.md", "Garden/beans.md",
    }  # fmt: skip
    assert found["folders"] == {
        "family/Council": "Minutes of the council", "family": "What the family writes down",
    }  # fmt: skip


def test_an_answer_without_descriptions_says_nothing_of_them(cli, council: Path) -> None:
    assert "folders" not in cli("search", "playground", "--json").json


def test_descriptions_are_not_searched_as_notes(cli, council: Path) -> None:
    cli("descriptions", "set", "family", "The zebra club", "--folder", "Council")
    found = cli("search", "zebra", "--json").json
    assert found["results"] == []


def test_descriptions_of_a_settings_file_are_taken_as_they_are_written(
    cli, council: Path, paths: Paths
) -> None:
    entry = {
        "id": "family", "path": str(council), "layout": "notes",
        "descriptions": {"/": " All of it ", "/Council/": "Minutes", "Garden\\": "", "Gone": "x"},
    }  # fmt: skip
    paths.config_file.write_text(json.dumps({"workspaces": [entry]}))
    assert cli("descriptions", "list").out == (
        "family\tAll of it\nfamily/Council\tMinutes\nfamily/Gone\tx\n"
    )
