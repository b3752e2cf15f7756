"""Sentences of commands about all notes, in states of real folders in which they would be false."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.core.cli.conftest import Ran

from scrubjay.platform.paths import Paths
from support.secret_service import NO_KEYCHAIN, keyring_variables
from support.vault import write_notes

Cli = Callable[..., Ran]
UNREADABLE = b"text with a \0 in it\n"


@pytest.fixture
def folder(cli: Cli, tmp_path: Path) -> Path:
    """A folder that is searched, with one note."""
    root = write_notes(tmp_path / "diary", {"router.md": "# Router\n\nIt is on the fridge.\n"})
    cli("workspace", "add", root)
    cli("index")
    return root


def test_the_sentences_are_said_where_they_are_true(cli: Cli, folder: Path) -> None:
    assert "No problems were found." in cli("doctor").out
    assert cli("search", "quagga").out.startswith("Nothing relevant found.")
    assert "ready; 1 note" in cli("status").out


def unreadable(folder: Path) -> str:
    write_notes(folder, {"odd.md": UNREADABLE})
    return "odd.md"


def missing(folder: Path) -> str:
    folder.rename(folder.with_name("elsewhere"))
    return "does not exist"


@pytest.mark.parametrize("change", [unreadable, missing])
def test_doctor_finds_no_problems_only_where_all_notes_can_be_read(
    cli: Cli, folder: Path, change: Callable[[Path], str]
) -> None:
    told = change(folder)
    cli("index")
    ran = cli("doctor")
    assert "No problems were found." not in ran.out
    assert "Nothing needs your attention." not in ran.out
    assert told in ran.out


@pytest.mark.parametrize("change", [unreadable, missing])
def test_a_search_without_results_names_what_it_could_not_read(
    cli: Cli, folder: Path, change: Callable[[Path], str]
) -> None:
    change(folder)
    cli("index")
    ran = cli("search", "quagga")
    assert "could not be read" in ran.out + ran.err or "does not exist" in ran.out + ran.err


@pytest.mark.parametrize("change", [unreadable, missing])
def test_the_status_names_what_could_not_be_read(
    cli: Cli, folder: Path, change: Callable[[Path], str]
) -> None:
    told = change(folder)
    cli("index")
    ran = cli("status")
    assert told in ran.out + ran.err


def test_the_status_of_a_folder_that_is_turned_off(cli: Cli, folder: Path, paths: Paths) -> None:
    settings = paths.config_file.read_text()
    off = settings.replace('provider: "none"', 'provider: "none", enabled: false')
    paths.config_file.write_text(off)
    said = cli("status").out
    assert "is turned off in the settings. Scrubjay does not read this folder." in said
    assert "ready; " not in said
    assert "1 note" not in said


@pytest.mark.parametrize("is_named", [True, False])
def test_a_folder_that_is_turned_off_is_not_indexed(
    cli: Cli, folder: Path, paths: Paths, is_named: bool
) -> None:
    other = write_notes(folder.parent / "other", {"a.md": "A gannet.\n"})
    cli("workspace", "add", str(other))
    paths.config_file.write_text(
        paths.config_file.read_text().rstrip().removesuffix("}")
        + ', agents: {list: [{id: "diary", memorySearch: {enabled: false}}]}}'
    )
    ran = cli("index", *(["--workspace", "diary"] if is_named else []))
    assert ran.code == int(is_named)
    assert "agents.list[0].memorySearch.enabled turns off note search." in ran.out + ran.err
    assert ("other: 1 note" in ran.out) is not is_named
    [left_out] = cli("search", "gannet", "--json").json["notSearched"]
    assert left_out == {"workspace": "diary", "reason": "Search is turned off"}
    lines = cli("workspace", "list").out.splitlines()
    assert [line.partition("\toff (")[2] for line in lines] == [
        "agents.list[0].memorySearch.enabled)",
        "",
    ]
    rows = cli("workspace", "list", "--json").json
    assert [row.get("off") for row in rows] == ["agents.list[0].memorySearch.enabled", None]


def test_hidden_folders_are_no_notes_of_a_folder(cli: Cli, folder: Path) -> None:
    write_notes(folder, {".hidden/quagga.md": "# Quagga\n", "node_modules/quagga.md": "# Quagga\n"})
    cli("index")
    ran = cli("search", "quagga")
    assert "Searched 1 note" in ran.out


def test_keys_are_looked_for_in_one_place(cli: Cli, paths: Paths) -> None:
    key = "sk-0123456789abcdef"
    paths.config_file.write_text(
        f'{{memorySearch: {{provider: "none", remote: {{apiKey: "{key}"}}}}}}'
    )
    with keyring_variables(NO_KEYCHAIN):
        said = cli("keys", "list")
    assert "There are no keys." not in said.out
    assert "Keys cannot be stored" in said.err


def test_what_stays_after_an_uninstallation_is_not_nothing(
    cli: Cli, folder: Path, paths: Paths
) -> None:
    write_notes(paths.sample_notes, {"welcome.md": "# Welcome\n"})
    cli("uninstall", "--yes", "--note-copies")
    said = cli("uninstall", "--keep", "settings,logs,audit-log,indexes")
    assert "stored nothing" not in said.out
    assert "sample notes stay" in said.out
