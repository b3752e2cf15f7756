"""Folders that were moved, renamed or read differently keep what was learned of their notes."""

from __future__ import annotations

import datetime as dt
import json
import re
import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from scrubjay.engine.engine import Engine
from scrubjay.errors import NoteRefused, WorkspaceMissing
from scrubjay.health.findings import FindingKind
from scrubjay.platform.paths import Paths
from scrubjay.records.note_records import NoteAddress, NoteCounts, Workspace
from scrubjay.records.status_records import IndexState
from support.vault import TIMEOUT, NewEngine, add, first, found, indexed, write_notes
from support.waiting import wait_until

COUNTS = NoteCounts(
    3,
    0,
    {"people": 1, "house": 1},
    read=3,
    paths=("garden.md", "people/emma.md", "house/router.md"),
)


def change(engine: Engine, workspace: Workspace, **fields: object) -> Workspace:
    """Change a folder, and read what is new; the answer is the former folder."""
    changed = replace(workspace, **fields)  # type: ignore[arg-type]
    former = engine.folders.change(changed).result(TIMEOUT)
    engine.refresh(workspace).result(TIMEOUT)
    return former


@pytest.fixture
def deep_notes(notes: Path) -> Path:
    """The folder `notes`, deep enough that no folder of another test is nearby."""
    deep = notes.parent / "documents" / "texts"
    deep.mkdir(parents=True)
    return notes.rename(deep / "notes")


@pytest.fixture
def workspace(engine: Engine, deep_notes: Path) -> Workspace:
    """The folder `notes`, learned."""
    indexed(engine, deep_notes)
    return engine.find_workspace("notes")


def moved(notes: Path, to: Path) -> Path:
    """The folder after it was moved."""
    to.parent.mkdir(parents=True, exist_ok=True)
    return notes.rename(to)


def test_a_moved_folder_keeps_what_was_learned(
    engine: Engine, workspace: Workspace, deep_notes: Path, tmp_path: Path
) -> None:
    place = moved(deep_notes, tmp_path / "elsewhere" / "garden")
    answer = engine.folders.moved_folder(workspace, place).result(TIMEOUT)
    assert answer
    assert (answer.known, answer.notes, answer.is_likely) == (3, 3, True)
    engine.folders.change(replace(workspace, root=place)).result(TIMEOUT)
    [report] = engine.refresh(workspace).result(TIMEOUT)
    assert (report.changed, report.removed, report.embedded, report.away) == (0, 0, 0, "")
    assert first(engine, "router").file == place / "house/router.md"
    assert engine.notes.read(NoteAddress(workspace.id, "house/router.md")).result(TIMEOUT)
    [status] = engine.status().workspaces
    assert (status.state, status.error) == (IndexState.READY, "")


def test_a_move_can_be_undone_and_outlives_a_restart(
    new_engine: NewEngine, deep_notes: Path, paths: Paths, tmp_path: Path
) -> None:
    paths.config.mkdir(parents=True, exist_ok=True)
    written = f"{{workspaces: [ // mine\n  {{path: {json.dumps(str(deep_notes))}}},\n]}}\n"
    paths.config_file.write_text(written)
    engine = new_engine()
    engine.refresh().result(TIMEOUT)
    [workspace] = engine.workspaces()
    place = moved(deep_notes, tmp_path / "garden")
    former = change(engine, workspace, root=place)
    [again] = new_engine().workspaces()
    assert (again.id, again.root) == (workspace.id, place)
    assert "// mine" in paths.config_file.read_text()
    engine.folders.change(former).result(TIMEOUT)
    assert engine.workspaces()[0].root == deep_notes


@pytest.mark.parametrize("to", ["garden", "box/notes", "../notes", "../box/notes"])
def test_a_folder_that_was_moved_nearby_is_found(
    engine: Engine, workspace: Workspace, deep_notes: Path, to: str
) -> None:
    write_notes(deep_notes.parent / "others", {"house/router.md": "Another one.\n"})
    place = moved(deep_notes, (deep_notes.parent / to).resolve())
    answer = engine.folders.moved_folder(workspace).result(TIMEOUT)
    assert answer
    assert answer.root == place


def test_a_folder_above_that_was_renamed_is_found(engine: Engine, tmp_path: Path) -> None:
    above = tmp_path / "documents"
    indexed(engine, write_notes(above / "school" / "year 1" / "notes", {"zoo.md": "A zebra.\n"}))
    (above / "school").rename(above / "college")
    answer = engine.folders.moved_folder(engine.workspaces()[0]).result(TIMEOUT)
    assert answer
    assert answer.root == above / "college" / "year 1" / "notes"


def test_a_note_of_an_absent_folder_says_that_the_folder_is_not_there(
    engine: Engine, workspace: Workspace, deep_notes: Path
) -> None:
    (deep_notes / "garden.md").unlink()
    with pytest.raises(NoteRefused, match="The note was deleted or moved"):
        engine.notes.read(NoteAddress(workspace.id, "garden.md")).result(TIMEOUT)
    deep_notes.rename(deep_notes.with_name("away"))
    with pytest.raises(NoteRefused, match=re.escape(f"The folder {deep_notes} does not exist")):
        engine.notes.read(NoteAddress(workspace.id, "house/router.md")).result(TIMEOUT)


def test_other_notes_are_not_taken_for_the_old_ones(
    engine: Engine, workspace: Workspace, deep_notes: Path, tmp_path: Path
) -> None:
    other = write_notes(tmp_path / "other", {"garden.md": "Mine.\n"})
    shutil.rmtree(deep_notes)
    assert engine.folders.moved_folder(workspace).result(TIMEOUT) is None
    answer = engine.folders.moved_folder(workspace, other).result(TIMEOUT)
    assert answer
    assert (answer.known, answer.is_likely) == (0, False)
    with pytest.raises(WorkspaceMissing, match="folder does not exist"):
        engine.folders.moved_folder(workspace, deep_notes).result(TIMEOUT)
    add(engine, other)
    with pytest.raises(WorkspaceMissing, match="already in the list"):
        engine.folders.moved_folder(workspace, other).result(TIMEOUT)


def test_another_name_changes_nothing_else(engine: Engine, workspace: Workspace) -> None:
    engine.folders.change(replace(workspace, name="Mine")).result(TIMEOUT)
    [status] = engine.status().workspaces
    assert (status.workspace, status.state) == (replace(workspace, name="Mine"), IndexState.READY)
    assert found(engine, "router", workspace=workspace.id) == ["house/router.md"]


def test_each_note_is_found_once_after_a_folder_inside_of_another_one_was_renamed(
    engine: Engine, workspace: Workspace, deep_notes: Path
) -> None:
    outer = add(engine, deep_notes.parent)
    engine.refresh().result(TIMEOUT)
    place = deep_notes.rename(deep_notes.parent / "garden")
    engine.refresh().result(TIMEOUT)
    engine.folders.change(replace(workspace, root=place)).result(TIMEOUT)
    engine.refresh().result(TIMEOUT)
    assert found(engine, "router") == ["house/router.md"]
    assert engine.find_workspace(outer.id).left_out == ("garden",)
    assert sum(status.freshness.documents for status in engine.status().workspaces) == 3


@pytest.mark.parametrize("to", ["garden", "house/old", "../garden", "../texts/papers/notes"])
def test_each_note_is_found_and_counted_once_until_a_moved_folder_is_asked_for(
    new_engine: NewEngine, deep_notes: Path, to: str
) -> None:
    write_notes(deep_notes.parent / "house", {"bill.md": "The router was 40 pounds.\n"})
    engine = new_engine()
    workspace, outer = add(engine, deep_notes), add(engine, deep_notes.parent.parent)
    engine.refresh().result(TIMEOUT)
    place = moved(deep_notes, (deep_notes.parent / to).resolve())

    def counted(engine: Engine) -> dict[str, int]:
        states = engine.status().workspaces
        return {state.workspace.name: state.freshness.documents for state in states}

    for refreshed in (outer, workspace, None, outer):
        # The answer looks at the folders itself, where no pass did.
        assert found(engine, "router") == ["house/router.md", "texts/house/bill.md"]
        engine.refresh(*[refreshed] if refreshed else []).result(TIMEOUT)
    assert counted(engine) == {"notes": 3, "documents": 1}
    engine.close()
    engine = new_engine()
    assert found(engine, "router") == ["house/router.md", "texts/house/bill.md"]
    change(engine, workspace, root=place)
    engine.refresh().result(TIMEOUT)
    assert found(engine, "router") == ["house/router.md", "texts/house/bill.md"]
    assert counted(engine) == {"notes": 3, "documents": 1}


def test_notes_that_were_read_before_stay_when_a_folder_with_the_same_goes_away(
    engine: Engine, workspace: Workspace, deep_notes: Path, tmp_path: Path
) -> None:
    outer = add(engine, deep_notes.parent)
    shutil.copytree(deep_notes, deep_notes.parent / "copy")
    engine.refresh().result(TIMEOUT)
    moved(deep_notes, tmp_path / "elsewhere")
    engine.refresh().result(TIMEOUT)
    assert set(found(engine, "router", workspace=outer.id)) == {"copy/house/router.md"}


def test_a_folder_with_its_own_place_on_the_list_is_read_once_whatever_is_ticked(
    engine: Engine, workspace: Workspace, deep_notes: Path
) -> None:
    outer = add(engine, deep_notes.parent)
    change(engine, outer, left_out=())
    assert found(engine, "router") == ["house/router.md"]
    assert engine.find_workspace(outer.id).left_out == ("notes",)


def test_folders_that_are_searched_on_their_own_are_not_called_left_out(
    engine: Engine, workspace: Workspace, deep_notes: Path
) -> None:
    outer = add(engine, deep_notes.parent)
    for folder in (deep_notes, deep_notes.rename(deep_notes.parent / "garden")):
        engine.refresh(outer).result(TIMEOUT)
        [status] = [each for each in engine.status().workspaces if each.workspace.id == outer.id]
        assert status.skipped == (), folder
        findings = engine.health.check().result(TIMEOUT).findings
        assert FindingKind.LEFT_OUT not in {finding.kind for finding in findings}, folder


def test_a_person_and_the_check_up_know_together_that_a_folder_is_away(
    engine: Engine, workspace: Workspace, deep_notes: Path
) -> None:
    engine.start()
    wait_until(lambda: engine.status().workspaces[0].state is IndexState.READY)
    above = deep_notes.parent.parent
    above.rename(above.with_name("papers"))
    findings = engine.health.check().result(TIMEOUT).findings
    assert FindingKind.FOLDER_GONE in {finding.kind for finding in findings}
    wait_until(lambda: engine.status().workspaces[0].state is IndexState.ERROR)


def test_a_folder_left_out_that_has_another_name_is_said(
    engine: Engine, workspace: Workspace
) -> None:
    change(engine, workspace, left_out=("house",))
    (workspace.root / "house").rename(workspace.root / "home")
    engine.refresh(workspace).result(TIMEOUT)
    [status] = engine.status().workspaces
    [skip] = status.skipped
    assert (skip.path, skip.is_problem) == ("house", False)
    assert "its new name" in skip.reason


def test_hidden_folders_come_when_they_are_wanted_and_go_again(
    engine: Engine, workspace: Workspace
) -> None:
    write_notes(workspace.root, {".stversions/router.md": "The former zebra.\n"})
    engine.refresh(workspace).result(TIMEOUT)
    assert found(engine, "zebra") == []
    note = NoteAddress(workspace.id, ".stversions/router.md")
    with pytest.raises(NoteRefused, match="begin with a dot"):
        engine.notes.page(note).result(TIMEOUT)
    former = change(engine, workspace, hidden_folders=True)
    assert found(engine, "zebra") == [".stversions/router.md"]
    assert "zebra" in engine.notes.page(note).result(TIMEOUT).text
    engine.folders.change(former).result(TIMEOUT)
    engine.refresh(workspace).result(TIMEOUT)
    assert found(engine, "zebra") == []


def test_folders_that_are_left_out_go_and_come_back_with_what_was_learned(
    engine: Engine, workspace: Workspace
) -> None:
    assert engine.folders.note_counts(workspace).result(TIMEOUT) == COUNTS
    former = change(engine, workspace, left_out=("house",))
    assert found(engine, "router") == []
    [status] = engine.status().workspaces
    assert [skip.path for skip in status.skipped] == ["house"]
    with pytest.raises(NoteRefused):
        engine.notes.page(NoteAddress(workspace.id, "house/router.md")).result(TIMEOUT)
    [left] = engine.workspaces()
    assert engine.folders.note_counts(left).result(TIMEOUT) == replace(COUNTS, read=2)
    engine.folders.change(former).result(TIMEOUT)
    [report] = engine.refresh(workspace).result(TIMEOUT)
    assert (report.changed, report.embedded) == (1, 0)
    assert found(engine, "router") == ["house/router.md"]


def test_what_is_left_out_and_read_again_is_no_change_of_the_notes(
    engine: Engine, workspace: Workspace
) -> None:
    since = dt.datetime.now().astimezone() - dt.timedelta(days=1)

    def changed() -> list[str]:
        engine.refresh(workspace).result(TIMEOUT)
        return [each.path for each in engine.journal.changes(since).result(TIMEOUT).changes]

    former = change(engine, workspace, left_out=("house",))
    assert changed() == []
    write_notes(workspace.root, {"people/ana.md": "Ana moved.\n"})
    assert changed() == ["people/ana.md"]
    engine.folders.change(former).result(TIMEOUT)
    assert changed() == ["people/ana.md"]


def test_the_layout_can_be_changed(engine: Engine, tmp_path: Path) -> None:
    root = write_notes(tmp_path / "vault", {"MEMORY.md": "Tea.\n", "PLAN.md": "A project.\n"})
    indexed(engine, root)
    [workspace] = engine.workspaces()
    assert (workspace.layout, found(engine, "project")) == ("agent", [])
    change(engine, workspace, layout="notes")
    assert found(engine, "project") == ["PLAN.md"]
    change(engine, workspace, layout="agent")
    assert found(engine, "project") == []
