"""`scrubjay import` as people type it."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.core.cli.conftest import Ran

from scrubjay.config.loading import load_settings
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from support.exports import enex, enex_note, evernote, zipped
from support.small_disk import small_disk
from support.vault import tree_digest, write_notes

Cli = Callable[..., Ran]

THEIRS = """{
  agents: {
    defaults: { memorySearch: { query: { maxResults: 9 } } },
    list: [{ id: "main", workspace: "~/mind" }, { id: "gone", workspace: "/nowhere/at/all" }],
  },
  memory: { backend: "qmd" },
}
"""


@pytest.fixture
def theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of somebody who uses OpenClaw."""
    person = write_notes(
        tmp_path / "person",
        {".openclaw/openclaw.json": THEIRS, "mind/MEMORY.md": "# Mind\n\nThe key is blue.\n"},
    )
    monkeypatch.setenv("HOME", str(person))
    return person


def test_a_plan_is_shown_and_nothing_is_written(cli: Cli, theirs: Path, home: Path) -> None:
    before = tree_digest(theirs)
    ran = cli("import", "--dry-run")
    assert (ran.code, tree_digest(theirs)) == (0, before)
    assert f"+ {theirs / 'mind'}" in ran.out
    assert "- /nowhere/at/all  (The folder does not exist.)" in ran.out
    assert "+ query.maxResults = 9" in ran.out
    assert "+ memory.backend = qmd" in ran.out
    assert cli("workspace", "list", "--json").json == []


def test_settings_that_were_not_asked_for_are_not_denied(cli: Cli, theirs: Path) -> None:
    ran = cli("import", "qmd")
    assert ran.code == 1
    assert "There are no settings of qmd in the default locations." in ran.err
    assert "OpenClaw," not in ran.err


def test_what_is_brought_over_answers_and_goes_again(cli: Cli, theirs: Path, home: Path) -> None:
    before = tree_digest(theirs)
    assert "Imported 3." in cli("import", "openclaw").out
    settings = load_settings(home / "config.json5").settings
    assert (settings.memory_search.query.max_results, settings.memory.backend) == (9, "qmd")
    found = cli("search", "blue key", "--mode", "lexical", "--json").json
    assert [hit["path"] for hit in found["results"]] == ["MEMORY.md"]
    assert "The import was undone." in cli("import", "--undo").out
    assert cli("workspace", "list", "--json").json == []
    assert tree_digest(theirs) == before


def test_undo_takes_off_what_was_imported_whatever_other_folders_are_called(
    cli: Cli, theirs: Path, home: Path, tmp_path: Path
) -> None:
    cli("workspace", "add", write_notes(tmp_path / "garden", {"a.md": "Tomatoes.\n"}))
    cli("import", "openclaw")
    engine = Engine(Paths.under(home))
    [garden, imported] = engine.workspaces()
    # Names are given by people, and one may be the id of another folder.
    engine.folders.change(replace(imported, name="Mine")).result()
    engine.folders.change(replace(garden, name=imported.id)).result()
    engine.close()
    cli("import", "--undo")
    [left] = cli("workspace", "list", "--json").json
    assert (left["id"], left["name"]) == ("garden", imported.id)


def test_programs_get_the_plan_and_what_became_of_it(cli: Cli, theirs: Path) -> None:
    report = cli("import", str(theirs / ".openclaw/openclaw.json"), "--json").json
    assert report["failed"] == []
    assert str(theirs / "mind") in report["brought"]
    assert json.dumps(report["plans"][0]["items"]).count('"obstacle": ""') == 3


def test_without_a_set_up_it_says_where_to_look(cli: Cli, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "empty"))
    ran = cli("import")
    assert ran.code == 1
    assert "Nothing to import was found" in ran.err
    assert "Specify a settings file" in ran.err


def test_notes_of_an_export_are_brought_over_and_taken_back(cli: Cli, tmp_path: Path) -> None:
    export, target = evernote(tmp_path), tmp_path / "kitchen"
    plan = cli("import", str(export), "--into", str(target), "--dry-run")
    assert "Evernote: 2 new notes with 1 attachments" in plan.out
    assert not target.exists()
    ran = cli("import", str(export), "--into", str(target), "--json")
    assert (ran.json["written"], ran.json["notBrought"]) == (2, [])
    assert "2 notes were imported before" in cli("import", str(export), "--into", str(target)).out
    assert "Undone: 3 files" in cli("import", "--undo").out
    assert not target.exists()
    assert cli("workspace", "list", "--json").json == []


TRASH = {"title": "Old", "isTrashed": True, "isArchived": False, "textContent": "x"}


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_an_import_that_brings_no_note_over_ends_with_1(
    cli: Cli, tmp_path: Path, options: list[str]
) -> None:
    export = zipped(tmp_path / "takeout.zip", {"Takeout/Keep/Old.json": json.dumps(TRASH)})
    assert cli("import", export, "--into", tmp_path / "notes", *options).code == 1
    assert cli("import", export, "--into", tmp_path / "notes", "--dry-run", *options).code == 0


def test_an_import_all_of_which_is_there_already_has_not_failed(cli: Cli, tmp_path: Path) -> None:
    export, target = evernote(tmp_path), tmp_path / "kitchen"
    assert cli("import", export, "--into", target).code == 0
    ran = cli("import", export, "--into", target)
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "Nothing was imported.")


@pytest.mark.skipif(sys.platform != "linux", reason="a small disk is made by Linux")
def test_an_import_into_a_full_disk_ends_with_1(cli: Cli, tmp_path: Path) -> None:
    export = tmp_path / "n.enex"
    export.write_text(enex(enex_note("One", "a"), enex_note("Two", "b")))
    with contextlib.ExitStack() as stack:
        try:
            disk = stack.enter_context(small_disk(tmp_path / "disk"))
        except OSError as error:
            pytest.skip(f"no file system can be mounted: {error}")
        with (disk / "rest").open("wb", buffering=0) as rest, contextlib.suppress(OSError):
            while True:
                rest.write(bytes(4096))
        ran = cli("import", export, "--into", disk)
        assert ran.code == 1
        assert "Nothing was imported." in ran.out
        assert cli("import", "--undo").code == 1


def test_a_set_up_with_nothing_to_bring_over_ends_with_1(
    cli: Cli, theirs: Path, tmp_path: Path
) -> None:
    file = tmp_path / "openclaw.json"
    file.write_text('{agents: {list: [{id: "gone", workspace: "/nowhere/at/all"}]}}')
    assert cli("import", file, "--dry-run").code == 0
    assert cli("import", file).code == 1
    assert cli("import", file, "--json").code == 1
    assert cli("import", "openclaw").code == 0
    assert cli("import", "openclaw").code == 0, "all of it is there already"
