"""Commands of a person for the engine, and what is said when they fail."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from PySide6.QtCore import QObject

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.events import IndexFinished
from scrubjay.onboarding.discovery import NotesFolder
from scrubjay.platform.paths import Paths
from scrubjay.records.note_records import Workspace
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay_desktop.app.controllers.engine_actions import EngineActions
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.workspaces.sample_notes import sample_notes_folder
from support.vault import TIMEOUT, Announcements, write_notes

NOW = dt.datetime(2026, 3, 14, 12, 0, tzinfo=dt.UTC)


@pytest.fixture
def owner(qapp) -> QObject:
    return QObject()


@pytest.fixture
def actions(engine: Engine, tasks: Tasks, paths: Paths, owner: QObject) -> EngineActions:
    return EngineActions(engine, tasks, life=CancelToken(), parent=owner)


def names(engine: Engine) -> list[str]:
    return [workspace.name for workspace in engine.workspaces()]


def test_a_folder_is_added_and_forgotten(
    qtbot, actions: EngineActions, engine: Engine, tmp_path: Path
) -> None:
    garden = write_notes(tmp_path / "garden", {"oak.md": "# Oak\n"})
    with qtbot.waitSignal(actions.workspaces_changed):
        actions.add_folder(garden, "Garden")
    assert names(engine) == ["Home notes", "Work", "Garden"]
    with qtbot.waitSignal(actions.workspaces_changed):
        actions.forget(engine.workspaces()[-1])
    assert names(engine) == ["Home notes", "Work"]
    assert (garden / "oak.md").exists()


def test_discovered_folders_are_added_by_their_names(
    qtbot, actions: EngineActions, engine: Engine, tmp_path: Path
) -> None:
    roots = [write_notes(tmp_path / name, {"a.md": "# A\n"}) for name in ("Vault", "Diary")]
    facts = {"app": "Obsidian", "notes": 1, "newest": NOW, "is_more": False}
    actions.add_found(tuple(NotesFolder(name=root.name, root=root, **facts) for root in roots))
    qtbot.waitUntil(lambda: set(names(engine)) >= {"Vault", "Diary"})


def test_a_folder_that_is_not_there_is_refused_in_words(qtbot, actions: EngineActions) -> None:
    folder = Path("/no/such/folder").absolute()
    with qtbot.waitSignal(actions.refused) as refused:
        actions.add_folder(folder)
    assert refused.args[0].startswith(f"The folder does not exist: {folder}")


def test_a_folder_that_is_there_already_is_told(
    qtbot, actions: EngineActions, engine: Engine
) -> None:
    [home, *_] = engine.workspaces()
    with qtbot.waitSignal(actions.refused) as refused:
        actions.add_folder(home.root)
    assert refused.args == [f"Scrubjay already searches the folder {home.name}."]


@pytest.mark.parametrize("action", ["forget", "refresh", "rebuild", "send"])
def test_a_folder_that_was_forgotten_meanwhile_is_refused_in_words(
    qtbot, actions: EngineActions, action: str
) -> None:
    with qtbot.waitSignal(actions.refused) as refused:
        getattr(actions, action)(Workspace(WorkspaceId("gone"), "Gone", Path("/gone")))
    assert refused.args[0].startswith("This folder is not in the list")


def test_a_file_that_cannot_be_read_is_skipped_and_taken_back(
    qtbot, actions: EngineActions, engine: Engine, notes: Path
) -> None:
    write_notes(notes / "home", {"a.md": b"\x00\x01"})
    engine.refresh().result(TIMEOUT)

    def problems() -> list[str]:
        skipped = engine.status().workspaces[0].skipped
        return [file.path for file in skipped if file.is_problem]

    assert problems() == ["a.md"]
    [home, _] = engine.workspaces()
    actions.set_skipped(home, "a.md", is_skipped=True)
    qtbot.waitUntil(lambda: problems() == [])
    actions.set_skipped(home, "a.md", is_skipped=False)
    qtbot.waitUntil(lambda: problems() == ["a.md"])


def test_without_a_name_all_folders_are_looked_through(
    qtbot, actions: EngineActions, engine: Engine
) -> None:
    announced = Announcements(engine)
    actions.refresh()
    qtbot.waitUntil(lambda: len(announced.of(IndexFinished)) == 2)
    finished = {event.report.workspace for event in announced.of(IndexFinished)}
    assert finished == {"home", "work"}


def test_the_sample_is_added_once(
    qtbot, actions: EngineActions, engine: Engine, paths: Paths
) -> None:
    with qtbot.waitSignal(actions.workspaces_changed):
        actions.add_sample()
    assert engine.workspaces()[-1].root == sample_notes_folder(paths)
    with qtbot.assertNotEmitted(actions.workspaces_changed, wait=50):
        actions.add_sample()
    assert names(engine).count("Sample notes") == 1
