"""Which folders an engine looks after: added, named, removed and added again."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.errors import IndexUnavailable, WorkspaceMissing
from scrubjay.events import WorkspacesChanged
from scrubjay.platform.paths import Paths
from scrubjay.records.note_records import NoteAddress, Workspace
from scrubjay.records.workspace_id import WorkspaceId
from support import platforms
from support.vault import (
    TIMEOUT,
    Announcements,
    NewEngine,
    add,
    ask,
    found,
    indexed,
    tree_digest,
    write_notes,
)


def test_adding_the_same_folder_twice_gives_one_workspace(
    engine: Engine, notes: Path, tmp_path: Path
) -> None:
    platforms.make_link(tmp_path / "link", notes)
    one = add(engine, notes)
    assert add(engine, notes) == one
    if not platforms.IS_WINDOWS:
        assert add(engine, tmp_path / "link") == one
    assert engine.workspaces() == (one,)


def test_a_folder_that_is_not_there_cannot_be_added(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(WorkspaceMissing, match="folder does not exist"):
        add(engine, tmp_path / "nowhere")


def test_a_workspace_that_was_never_added_says_how_to_add_it(
    engine: Engine, tmp_path: Path
) -> None:
    with pytest.raises(WorkspaceMissing, match="scrubjay workspace add"):
        engine.find_workspace(str(tmp_path))
    with pytest.raises(WorkspaceMissing):
        engine.refresh(Workspace(WorkspaceId("nobody"), "Nobody", tmp_path))
    with pytest.raises(WorkspaceMissing):
        ask(engine, "router", workspace="nobody")


def test_removing_a_workspace_deletes_its_index_and_only_that(
    engine: Engine, paths: Paths, notes: Path, tmp_path: Path
) -> None:
    kept = write_notes(tmp_path / "kept", {"kept.md": "Keep this.\n"})
    indexed(engine, notes)
    indexed(engine, kept)
    heard = Announcements(engine)
    before = tree_digest(notes)
    engine.folders.remove(engine.find_workspace("notes")).result(TIMEOUT)
    assert tree_digest(notes) == before
    assert {file.name.split(".")[0] for file in paths.indexes.iterdir()} == {"kept"}
    assert [workspace.name for workspace in engine.workspaces()] == ["kept"]
    assert heard.of(WorkspacesChanged)
    assert (found(engine, "router"), found(engine, "keep")) == ([], ["kept.md"])


def test_removing_a_workspace_deletes_its_damaged_copies_too(
    engine: Engine, paths: Paths, notes: Path
) -> None:
    workspace = add(engine, notes)
    write_notes(paths.indexes, {f"{workspace.id}.sqlite": b"not a database at all" * 99})
    engine.refresh().result(TIMEOUT)
    assert list(paths.indexes.glob("*damaged*"))
    engine.folders.remove(workspace).result(TIMEOUT)
    assert list(paths.indexes.iterdir()) == []


def test_a_workspace_that_is_added_again_is_indexed_again(engine: Engine, notes: Path) -> None:
    indexed(engine, notes)
    assert found(engine, "router")
    engine.folders.remove(engine.find_workspace("notes")).result(TIMEOUT)
    indexed(engine, notes)
    assert found(engine, "router") == ["house/router.md"]


@pytest.mark.needs("open files that move")
def test_an_index_that_was_deleted_by_hand_comes_back(
    engine: Engine, paths: Paths, notes: Path
) -> None:
    indexed(engine, notes)
    assert found(engine, "router")
    for file in paths.indexes.iterdir():
        file.unlink()
    write_notes(notes, {"zoo.md": "A zebra.\n"})
    engine.refresh().result(TIMEOUT)
    assert found(engine, "zebra") == ["zoo.md"]


def test_a_folder_opened_for_once_is_searched_and_not_put_on_the_list(
    engine: Engine, notes: Path, paths: Paths
) -> None:
    guest = engine.open_folder(notes)
    engine.refresh(guest).result(TIMEOUT)
    assert found(engine, "router", workspace=guest.id) == ["house/router.md"]
    assert engine.workspaces() == ()
    assert not paths.config_file.exists()
    assert engine.open_folder(notes) == guest


def test_a_workspace_that_is_switched_off_is_not_searched(
    new_engine: NewEngine, paths: Paths, notes: Path
) -> None:
    indexed(new_engine(), notes)
    text = paths.config_file.read_text().rstrip()
    paths.config_file.write_text(text[:-1].rstrip(",\n") + ",\nmemorySearch: {enabled: false}}")
    engine = new_engine()
    assert engine.settings.problems == ()
    assert engine.refresh().result(TIMEOUT) == ()
    with pytest.raises(IndexUnavailable, match="turned off"):
        ask(engine, "router")


@pytest.mark.parametrize("name", ["memory.md", "memory/2026-11-20.md"])
def test_a_vault_stays_a_vault(engine: Engine, tmp_path: Path, name: str) -> None:
    root = write_notes(tmp_path / "vault", {"boiler.md": "Serviced by Dave.\n"})
    workspace = add(engine, root)
    engine.refresh(workspace, words_only=True).result(TIMEOUT)
    write_notes(root, {name: "An agent wrote this.\n"})
    engine.refresh(workspace, words_only=True).result(TIMEOUT)
    assert found(engine, "Dave") == ["boiler.md"]
    assert found(engine, "agent wrote") == [name]
    assert engine.notes.page(NoteAddress(workspace.id, "boiler.md")).result(TIMEOUT).text
    assert engine.notes.remember(workspace.id, "Rang him.").result(TIMEOUT).path.count("/") == 0


def test_an_agents_memory_stays_one(engine: Engine, tmp_path: Path) -> None:
    root = write_notes(tmp_path / "agent", {"MEMORY.md": "Tea.\n", "README.md": "A project.\n"})
    workspace = add(engine, root)
    (root / "MEMORY.md").unlink()
    engine.refresh(workspace, words_only=True).result(TIMEOUT)
    assert found(engine, "project") == []


@pytest.mark.parametrize(
    ("files", "layout"),
    [
        (("MEMORY.md", "AGENTS.md", "memory/2026-11-20.md", "skills/x/SKILL.md"), "agent"),
        (("memory.md",), "agent"),
        (("memory.md", "Notes/boiler.md"), "notes"),
        (("MEMORY.md", "Boiler.md"), "notes"),
        (("memory/2026-11-20.md", "boiler.md"), "notes"),
        (("MEMORY.md", ".obsidian/app.json"), "notes"),
        (("boiler.md",), "notes"),
    ],
)
def test_notes_of_a_person_make_no_agents_memory(
    engine: Engine, tmp_path: Path, files: tuple[str, ...], layout: str
) -> None:
    root = write_notes(tmp_path / "vault", dict.fromkeys(files, "Words.\n"))
    assert add(engine, root).layout == layout


def test_two_folders_of_one_name_can_be_told_apart(engine: Engine, tmp_path: Path) -> None:
    def names() -> list[str]:
        shown = [each.workspace.name for each in engine.status().workspaces]
        assert shown == [workspace.name for workspace in engine.workspaces()]
        return shown

    folders = ("a/one", "a/two", "b/two")
    first, second, third = (
        write_notes(tmp_path / name / "Notes", {"a.md": "A.\n"}) for name in folders
    )
    assert add(engine, first).name == "Notes"
    assert add(engine, second, "Notes").name == "Notes (two)"
    assert names() == ["Notes (one)", "Notes (two)"]
    assert add(engine, third).name == "Notes (b/two)"
    assert names() == ["Notes (one)", "Notes (a/two)", "Notes (b/two)"]
    engine.folders.remove(engine.find_workspace("Notes (b/two)")).result(TIMEOUT)
    engine.folders.remove(engine.find_workspace(str(second))).result(TIMEOUT)
    assert names() == ["Notes"]
