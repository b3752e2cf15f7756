"""Notes that patterns of a workspace exclude: for a person and for agents they do not exist."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.engine.engine import Engine
from scrubjay.errors import Cancelled, QueryError
from scrubjay.mcp_server.authorization import Caller
from scrubjay.mcp_server.server import list_memory_files
from scrubjay.mcp_server.tools import MemoryTools
from scrubjay.platform.paths import Paths
from scrubjay.records.access_records import Action, Permission
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchRequest
from support.case_blind import case_blind
from support.vault import TIMEOUT, NewEngine, found, indexed, write_notes

__all__ = ["case_blind"]

CODE = "quokka"
NOTES: dict[str, str | bytes] = {
    "a.md": "# Open\n\nA zebra and a quince.\n",
    "drafts/b.md": f"# Draft\n\nThe {CODE} sleeps.\n",
    "drafts/keep.md": "# Kept\n\nA kept zebra.\n",
    "x/c.tmp.md": f"# Temporary\n\nThe {CODE} wakes.\n",
    "secret.md": f"# Secret paper\n\nThe {CODE} code.\n",
}
PATTERNS = ["drafts/**", "!drafts/keep.md", "*.tmp.md", "secret.md"]


def written(paths: Paths, root: Path, **changes: Any) -> None:
    entry = {"id": "n", "path": str(root), "layout": "notes", "ignore": PATTERNS, **changes}
    text = json.dumps({"workspaces": [entry], "memorySearch": {"provider": "none"}})
    write_notes(paths.config_file.parent, {paths.config_file.name: text})


@pytest.fixture
def ignoring(new_engine: NewEngine, paths: Paths, tmp_path: Path) -> Engine:
    written(paths, write_notes(tmp_path / "notes", NOTES))
    engine = new_engine()
    engine.refresh(words_only=True).result(TIMEOUT)
    return engine


def call(engine: Engine, name: str, **arguments: Any) -> dict[str, Any]:
    tools = MemoryTools(engine)
    return tools.call(name, arguments, Caller("bot", "Bot"), CancelToken()).structured


def test_only_other_notes_are_indexed_and_the_rest_is_told(ignoring: Engine) -> None:
    assert {*found(ignoring, "zebra")} == {"a.md", "drafts/keep.md"}
    assert found(ignoring, CODE) == []
    [status] = ignoring.status().workspaces
    assert status.freshness.documents == 2
    [skip] = status.skipped
    assert "3 files are not searched, because your patterns exclude them" in str(skip.reason)
    assert not skip.is_problem


@pytest.mark.parametrize("mode", [Mode.LEXICAL, Mode.HYBRID])
def test_other_notes_take_the_places_of_those_that_were_just_excluded(
    new_engine: NewEngine, paths: Paths, tmp_path: Path, mode: Mode
) -> None:
    old = {f"old/{number}.md": f"# Zebra zebra {number}\n\nThe zebra.\n" for number in range(60)}
    new = {f"new/{number}.md": f"A note with one zebra {number}.\n" for number in range(12)}
    written(paths, write_notes(tmp_path / "notes", {**old, **new}), ignore=[])
    engine = new_engine()
    engine.refresh(words_only=True).result(TIMEOUT)
    request = SearchRequest("zebra", mode=mode, max_results=5, min_score=0, is_typing=True)
    before = engine.search(request, CancelToken()).result(TIMEOUT).hits
    assert any(hit.path.startswith("old/") for hit in before)
    # The index still has them, since nothing was read in the meantime.
    written(paths, tmp_path / "notes", ignore=["old/"])
    engine.catch_up_with_settings().result(TIMEOUT)
    hits = engine.search(request, CancelToken()).result(TIMEOUT).hits
    assert len(hits) == 5
    assert all(hit.path.startswith("new/") for hit in hits)


@pytest.mark.parametrize("path", ["drafts/b.md", "x/c.tmp.md", "secret.md", "./secret.md"])
def test_agents_reach_them_by_no_door(ignoring: Engine, path: str) -> None:
    ignoring.agents.set_rule("bot", "n", Action.WRITE, Permission.ALLOW).result(TIMEOUT)
    for reply in (
        call(ignoring, "memory_get", path=path),
        call(ignoring, "memory_links", path=path),
        call(ignoring, "memory_search", query=CODE),
        call(ignoring, "memory_list"),
        call(ignoring, "memory_context", message=f"Where does the {CODE} sleep?"),
        call(ignoring, "memory_write", path=path, text="More."),
        call(ignoring, "memory_get", path="Secret paper"),
    ):
        assert f"The {CODE}" not in json.dumps(reply)
        assert {each["path"] for each in reply.get("notes", [])} <= {"a.md", "drafts/keep.md"}
    root = ignoring.workspaces()[0].root
    assert {label: (root / label).read_text() for label in NOTES} == NOTES
    io_timeouts = IoTimeouts(TIMEOUT)
    listed = list_memory_files(
        ignoring, ignoring.workspaces(), io_timeouts=io_timeouts, cancel=CancelToken()
    )
    assert [note.label for _, note in listed] == ["a.md", "drafts/keep.md"]


def test_no_note_is_made_where_a_pattern_excludes_it(ignoring: Engine) -> None:
    ignoring.agents.set_rule("bot", "n", Action.WRITE, Permission.ALLOW).result(TIMEOUT)
    reply = call(ignoring, "memory_write", path="x/new.tmp.md", text="More.", action="create")
    assert "error" in reply
    assert not (ignoring.workspaces()[0].root / "x" / "new.tmp.md").exists()


@pytest.mark.parametrize("spelling", ["Secret.md", "SECRET.md", "DRAFTS/b.md", "drafts/B.MD"])
def test_another_spelling_is_no_way_around_a_pattern(
    case_blind: Path, new_engine: NewEngine, paths: Paths, spelling: str
) -> None:
    written(paths, write_notes(case_blind, NOTES))
    engine = new_engine()
    assert f"The {CODE}" not in json.dumps(call(engine, "memory_get", path=spelling))


def test_changed_patterns_take_notes_out_and_back_without_embedding_again(
    engine: Engine, tmp_path: Path
) -> None:
    texts: dict[str, str | bytes] = {"house/router.md": "The router.\n", "a.md": "A heron.\n"}
    indexed(engine, write_notes(tmp_path / "deep", texts))
    [workspace] = engine.workspaces()
    assert found(engine, "router") == ["house/router.md"]
    changed = replace(workspace, left_out=("**/router.md",))
    former = engine.folders.change(changed).result(TIMEOUT)
    [report] = engine.refresh(workspace).result(TIMEOUT)
    assert (report.changed, report.removed, report.embedded) == (0, 1, 0)
    assert found(engine, "router") == []
    engine.folders.change(former).result(TIMEOUT)
    [report] = engine.refresh(workspace).result(TIMEOUT)
    assert (report.changed, report.embedded) == (1, 0)
    assert found(engine, "router") == ["house/router.md"]


def test_a_pattern_that_cannot_be_used_is_a_problem_and_the_others_count(
    new_engine: NewEngine, paths: Paths, tmp_path: Path
) -> None:
    written(paths, write_notes(tmp_path / "notes", NOTES), ignore=["[z-a]", "secret.md"])
    engine = new_engine()
    [problem] = engine.settings.problems
    assert problem.key == "workspaces[0].ignore"
    assert "'[z-a]'" in problem.reason
    engine.refresh(words_only=True).result(TIMEOUT)
    assert "secret.md" not in found(engine, CODE)


def test_older_settings_become_patterns_with_the_next_change(
    new_engine: NewEngine, paths: Paths, tmp_path: Path
) -> None:
    root = write_notes(tmp_path / "notes", NOTES)
    written(paths, root, leftOut=["drafts"], ignore=["secret.md"])
    engine = new_engine()
    [workspace] = engine.workspaces()
    assert workspace.left_out == ("drafts", "**/secret.md")
    engine.folders.change(replace(workspace, name="Other")).result(TIMEOUT)
    [entry] = json.loads(paths.config_file.read_text())["workspaces"]
    assert entry["ignore"] == ["/drafts/", "secret.md"]
    assert "leftOut" not in entry
    assert engine.workspaces()[0].left_out == workspace.left_out


def test_notes_that_patterns_would_exclude_are_counted(ignoring: Engine) -> None:
    [workspace] = ignoring.workspaces()
    counts = ignoring.folders.note_counts(workspace).result(TIMEOUT)
    assert (counts.notes, counts.read) == (5, 2)
    assert ignoring.folders.count_excluded(counts, PATTERNS, CancelToken()).result(TIMEOUT) == 3
    assert ignoring.folders.count_excluded(counts, ["*.md", ""], CancelToken()).result(TIMEOUT) == 5
    with pytest.raises(QueryError, match="cannot be used"):
        ignoring.folders.count_excluded(counts, ["!"], CancelToken()).result(TIMEOUT)


def test_a_count_that_nobody_wants_ends_in_the_middle(ignoring: Engine) -> None:
    [workspace] = ignoring.workspaces()
    counts = ignoring.folders.note_counts(workspace).result(TIMEOUT)
    cancel = CancelToken()
    counted: list[str] = []

    def paths() -> Iterator[str]:
        for path in counts.paths:
            counted.append(path)
            # A person types on while the second note is looked at.
            if len(counted) == 2:
                cancel.cancel()
            yield path

    counting = replace(counts, paths=paths())
    with pytest.raises(Cancelled):
        ignoring.folders.count_excluded(counting, PATTERNS, cancel).result(TIMEOUT)
    assert len(counted) == 2


def test_a_change_of_something_else_leaves_the_patterns_as_they_were_written(
    new_engine: NewEngine, paths: Paths, tmp_path: Path
) -> None:
    lines = ["# my drafts", "[z-a]", "School/Old", "secret.md"]
    written(paths, write_notes(tmp_path / "notes", NOTES), ignore=lines)
    engine = new_engine()
    [workspace] = engine.workspaces()
    engine.folders.describe(workspace, "", "Notes of the family").result(TIMEOUT)
    [entry] = json.loads(paths.config_file.read_text())["workspaces"]
    assert entry["descriptions"] == {"/": "Notes of the family"}
    assert entry["ignore"] == lines
    # A person who excludes more loses nothing either.
    [workspace] = engine.workspaces()
    changed = replace(workspace, left_out=(*workspace.left_out, "drafts"))
    engine.folders.change(changed).result(TIMEOUT)
    [entry] = json.loads(paths.config_file.read_text())["workspaces"]
    assert entry["ignore"] == ["# my drafts", "[z-a]", "/School/Old", "secret.md", "/drafts/"]


def test_a_pattern_for_the_folder_closes_no_additional_folder_elsewhere(
    new_engine: NewEngine, paths: Paths, tmp_path: Path
) -> None:
    library = write_notes(tmp_path / "elsewhere/library", {"far.md": "A far zebra.\n"})
    root = write_notes(tmp_path / "notes", {"keep.md": "A zebra.\n", "near.md": "A near zebra.\n"})
    entry = {"id": "n", "path": str(root), "layout": "notes", "ignore": ["/*", "!/keep.md"]}
    search = {"provider": "none", "extraPaths": [str(library)]}
    text = json.dumps({"workspaces": [entry], "memorySearch": search})
    write_notes(paths.config_file.parent, {paths.config_file.name: text})
    engine = new_engine()
    engine.refresh(words_only=True).result(TIMEOUT)
    assert {*found(engine, "zebra")} == {"keep.md", "library/far.md"}
    listed = call(engine, "memory_list")["notes"]
    assert {note["path"] for note in listed} == {"keep.md", "library/far.md"}
    assert "far" in call(engine, "memory_get", path="library/far.md")["text"]
    assert "error" in call(engine, "memory_get", path="near.md")
