"""A file that cannot be read is left out when a person says so, until it changes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.errors import NotWritable
from scrubjay.events import IndexChanged
from scrubjay.records.note_records import NoteAddress, Workspace
from scrubjay.records.status_records import SkippedFile
from support.vault import TIMEOUT, NewEngine, add, write_notes

REASON = "The file does not look like text. It may be an image or a program."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = write_notes(tmp_path / "notes", {"router.md": "# Router\n"})
    (folder / "broken.md").write_bytes(b"\0")
    return folder


@pytest.fixture
def engine(new_engine: NewEngine) -> Engine:
    return new_engine()


@pytest.fixture
def workspace(engine: Engine, folder: Path) -> Workspace:
    workspace = add(engine, folder)
    engine.refresh(workspace, words_only=True).result(TIMEOUT)
    return workspace


def shown(engine: Engine) -> tuple[SkippedFile, int]:
    """The one skipped file, and how many could not be read."""
    [status] = engine.status().workspaces
    [skipped] = status.skipped
    return skipped, status.freshness.unreadable


def test_what_is_left_out_is_no_problem_any_more_and_can_be_taken_back(
    engine: Engine, workspace: Workspace
) -> None:
    problem = SkippedFile("broken.md", REASON, is_problem=True)
    assert shown(engine) == (problem, 1)
    engine.folders.set_skipped(NoteAddress(workspace.id, "broken.md"), is_skipped=True).result(
        TIMEOUT
    )
    said = f"You chose to skip this file until it changes. {REASON}"
    assert shown(engine) == (SkippedFile("broken.md", said, is_problem=False, is_chosen=True), 0)
    engine.folders.set_skipped(NoteAddress(workspace.id, "broken.md"), is_skipped=False).result(
        TIMEOUT
    )
    assert shown(engine) == (problem, 1)


def test_it_stays_left_out_after_passes_and_after_a_restart(
    engine: Engine, workspace: Workspace, new_engine: NewEngine
) -> None:
    engine.folders.set_skipped(NoteAddress(workspace.id, "broken.md"), is_skipped=True).result(
        TIMEOUT
    )
    engine.refresh(workspace, words_only=True).result(TIMEOUT)
    assert shown(engine)[0].is_chosen
    engine.close()
    again = new_engine()
    again.current_status().result(TIMEOUT)
    assert shown(again)[0].is_chosen


def still_broken(file: Path) -> None:
    file.write_bytes(b"\0\0")


def touched(file: Path) -> None:
    os.utime(file, (1, 1))


def of_another_kind(file: Path) -> None:
    then = file.stat()
    file.write_bytes(b"\xff\x01")
    os.utime(file, ns=(then.st_atime_ns, then.st_mtime_ns))


@pytest.mark.parametrize("change", [still_broken, touched, of_another_kind])
def test_a_file_that_changed_is_told_of_again(
    engine: Engine, workspace: Workspace, change: Callable[[Path], None]
) -> None:
    engine.folders.set_skipped(NoteAddress(workspace.id, "broken.md"), is_skipped=True).result(
        TIMEOUT
    )
    change(workspace.root / "broken.md")
    engine.refresh(workspace, words_only=True).result(TIMEOUT)
    skipped, unreadable = shown(engine)
    assert (skipped.is_problem, unreadable) == (True, 1)


def test_a_file_that_was_mended_is_searched(engine: Engine, workspace: Workspace) -> None:
    engine.folders.set_skipped(NoteAddress(workspace.id, "broken.md"), is_skipped=True).result(
        TIMEOUT
    )
    (workspace.root / "broken.md").write_text("# Mended\n")
    engine.refresh(workspace, words_only=True).result(TIMEOUT)
    [status] = engine.status().workspaces
    assert (status.skipped, status.freshness.documents) == ((), 2)


def test_the_windows_hear_of_it_at_once(engine: Engine, workspace: Workspace) -> None:
    heard = []
    engine.events.subscribe(heard.append)
    engine.folders.set_skipped(NoteAddress(workspace.id, "broken.md"), is_skipped=True).result(
        TIMEOUT
    )
    assert IndexChanged(workspace.id, 0, 0) in heard


def test_the_check_up_lists_it_as_left_out_on_purpose(engine: Engine, workspace: Workspace) -> None:
    def kinds() -> list[str]:
        findings = engine.health.check().result(TIMEOUT).findings
        return [finding.kind.name for finding in findings if finding.path == "broken.md"]

    assert kinds() == ["NOT_SEARCHED"]
    engine.folders.set_skipped(NoteAddress(workspace.id, "broken.md"), is_skipped=True).result(
        TIMEOUT
    )
    assert kinds() == ["LEFT_OUT"]


def test_what_nobody_knows_is_not_left_out(engine: Engine, workspace: Workspace) -> None:
    engine.folders.set_skipped(NoteAddress(workspace.id, "router.md"), is_skipped=True).result(
        TIMEOUT
    )
    engine.folders.set_skipped(NoteAddress("gone", "broken.md"), is_skipped=True).result(TIMEOUT)
    assert shown(engine)[0].is_problem


def test_a_forgotten_workspace_leaves_no_trace_of_it(engine: Engine, workspace: Workspace) -> None:
    engine.folders.set_skipped(NoteAddress(workspace.id, "broken.md"), is_skipped=True).result(
        TIMEOUT
    )
    engine.folders.remove(workspace).result(TIMEOUT)
    assert json.loads(kept_in(engine).read_text()) == {}


@pytest.mark.parametrize("held", ["[]", "{", '{"notes": []}', '{"notes": {"broken.md": 5}}'])
def test_a_file_of_choices_that_makes_no_sense_leaves_nothing_out(
    engine: Engine, workspace: Workspace, held: str
) -> None:
    kept_in(engine).write_text(held.replace("notes", workspace.id))
    engine.refresh(workspace, words_only=True).result(TIMEOUT)
    assert shown(engine)[0].is_problem
    engine.folders.set_skipped(NoteAddress(workspace.id, "broken.md"), is_skipped=True).result(
        TIMEOUT
    )
    assert shown(engine)[0].is_chosen


def test_where_it_cannot_be_noted_that_is_said(engine: Engine, workspace: Workspace) -> None:
    kept_in(engine).mkdir()
    leaving = engine.folders.set_skipped(NoteAddress(workspace.id, "broken.md"), is_skipped=True)
    # Windows only refuses a folder.
    reason = "(This is a folder|Permission denied)"
    with pytest.raises(NotWritable, match=rf"could not save the list of files to skip\. {reason}"):
        leaving.result(TIMEOUT)
    assert shown(engine)[0].is_problem


def kept_in(engine: Engine) -> Path:
    return engine.paths.state / "left-out.json"
