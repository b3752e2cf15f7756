"""`scrubjay import` as people type it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.core.cli.conftest import Ran

from scrubjay.config.loading import load
from support.exports import evernote
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
    assert "- /nowhere/at/all  (The folder is not there.)" in ran.out
    assert "+ query.maxResults = 9" in ran.out
    assert "+ memory.backend = qmd" in ran.out
    assert cli("workspace", "list", "--json").json == []


def test_what_is_brought_over_answers_and_goes_again(cli: Cli, theirs: Path, home: Path) -> None:
    before = tree_digest(theirs)
    assert "Brought over 3." in cli("import", "openclaw").out
    settings = load(home / "config.json5").settings
    assert (settings.memory_search.query.max_results, settings.memory.backend) == (9, "qmd")
    found = cli("search", "blue key", "--mode", "lexical", "--json").json
    assert [hit["path"] for hit in found["results"]] == ["MEMORY.md"]
    assert "Taken back." in cli("import", "--undo").out
    assert cli("workspace", "list", "--json").json == []
    assert tree_digest(theirs) == before


def test_programs_get_the_plan_and_what_became_of_it(cli: Cli, theirs: Path) -> None:
    report = cli("import", str(theirs / ".openclaw/openclaw.json"), "--json").json
    assert report["failed"] == []
    assert str(theirs / "mind") in report["brought"]
    assert json.dumps(report["plans"][0]["items"]).count('"obstacle": ""') == 3


def test_without_a_set_up_it_says_where_to_look(cli: Cli, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "empty"))
    ran = cli("import")
    assert ran.code == 1
    assert "Nothing to bring over was found" in ran.err
    assert "Name a settings file" in ran.err


def test_notes_of_an_export_are_brought_over_and_taken_back(cli: Cli, tmp_path: Path) -> None:
    export, target = evernote(tmp_path), tmp_path / "kitchen"
    plan = cli("import", str(export), "--into", str(target), "--dry-run")
    assert "Evernote: 2 new notes with 1 attachments" in plan.out
    assert not target.exists()
    ran = cli("import", str(export), "--into", str(target), "--json")
    assert (ran.json["written"], ran.json["notBrought"]) == (2, [])
    assert "2 notes are there already" in cli("import", str(export), "--into", str(target)).out
    assert "Taken back: 3 files" in cli("import", "--undo").out
    assert not target.exists()
    assert cli("workspace", "list", "--json").json == []
