"""`scrubjay share`, `unshare` and `shared`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.core.cli.conftest import Ran

from scrubjay.platform.paths import HOME_VARIABLE
from support import platforms
from support.vault import write_notes
from support.waiting import wait_until

platforms.require("shared memories")


@pytest.fixture
def team(tmp_path: Path) -> Path:
    return tmp_path / "team"


LATE = re.compile("is still opening|No response was received in time")
"""What a command says while the library for shared memories, which is large, is being loaded."""


@pytest.fixture
def cli(cli: Callable[..., Ran]) -> Callable[..., Ran]:
    """Runs one command, again while a busy computer has not loaded the library in time."""
    ran = []

    def is_done(*arguments: str | Path) -> bool:
        ran.append(cli(*arguments))
        return not LATE.search(ran[-1].err)

    def run(*arguments: str | Path) -> Ran:
        wait_until(lambda: is_done(*arguments))
        return ran[-1]

    return run


def test_nothing_is_shared_at_first(cli) -> None:
    assert cli("shared").out.startswith("Nothing is shared.")
    assert cli("shared", "--json").json == {"published": [], "searched": []}


def test_a_folder_is_shared_after_a_yes_and_searched_elsewhere(
    cli, notes: Path, team: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("workspace", "add", notes)
    asked = cli("share", "notes", team)
    assert asked.code == 1
    assert f"Anyone with access to {team} can read these notes." in asked.err
    assert not team.exists()
    done = cli("share", "notes", team, "--as", "Handbook", "--yes")
    assert done.code == 0
    assert f"notes is shared at {team} as handbook." in done.out
    wait_until(lambda: "Handbook: 3 notes, 3 passages, published 20" in cli("shared").out)
    home = tmp_path / "second"
    write_notes(home, {"config.json5": '{memorySearch: {provider: "none"}}'})
    monkeypatch.setenv(HOME_VARIABLE, str(home))
    assert cli("search", "tomatoes").code == 1
    assert "Handbook: 3 notes" in cli("shared", "--add", team).out
    assert "garden.md:3" in cli("search", "tomatoes").out
    assert cli("get", "garden.md", "--from", "3").out == (
        "The tomatoes need water every second day.\n"
    )
    [memory] = cli("shared", "--json").json["searched"]
    assert memory["workspaces"][0]["documents"] == 3
    assert cli("index", "--workspace", "Handbook").code == 1
    team.rename(tmp_path / "away")
    away = cli("search", "tomatoes")
    assert away.code == 1
    assert "The folder does not exist" in away.err
    (tmp_path / "away").rename(team)
    assert cli("shared", "--remove", team).out.startswith("Nothing is shared.")
    assert f"Scrubjay does not search {team}" in cli("shared", "--remove", team).err
    # Nothing was changed is true of the other option, too.
    refused = cli("shared", "--add", team, "--remove", tmp_path / "none")
    assert "Nothing was changed." in refused.err
    assert cli("shared").out.startswith("Nothing is shared.")
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    assert "is no longer published" in cli("unshare", "notes").out
    assert cli("shared").out.startswith("Nothing is shared.")


def test_options_are_names_with_values(cli, notes: Path) -> None:
    cli("workspace", "add", notes)
    wrong = cli("share", "notes", "s3://bucket", "--options", "region", "--yes")
    assert wrong.code == 1
    assert "NAME=VALUE" in wrong.err
