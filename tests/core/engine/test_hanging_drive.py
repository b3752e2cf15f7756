"""Notes on a drive that hangs: the rest is indexed and searched, and what hangs is told."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from msgspec.structs import replace

from scrubjay.agents.recall.hook_input import HookInput
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.engine.engine import Engine
from scrubjay.errors import Cancelled, NoteRefused, ScrubjayError
from scrubjay.mcp_server.server import list_memory_files
from scrubjay.platform.paths import HOME_VARIABLE, Paths
from scrubjay.records.engine_limits import EngineLimits
from scrubjay.records.note_records import NoteAddress, Workspace
from scrubjay.records.search_modes import Mode
from scrubjay.records.status_records import IndexState
from support.exports import evernote
from support.hanging_drive import EVERYTHING, HangingDrive, hanging_drive
from support.limits import PATIENT
from support.vault import TIMEOUT, NewEngine, add, ask, found, write_notes
from support.waiting import wait_until

pytestmark = [PATIENT, pytest.mark.needs("Linux")]

SECONDS = 1.0
"""So long a drive that answers may take on a busy computer."""

NOTES = {f"{name}.md": f"All about {name}.\n" for name in ("router", "garden", "fridge", "zebra")}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "network"
    folder.mkdir()
    return folder


@pytest.fixture
def drive(folder: Path) -> Iterator[HangingDrive]:
    stack = contextlib.ExitStack()
    try:
        made = stack.enter_context(hanging_drive(folder, NOTES))
    except OSError as error:
        pytest.skip(f"no drive can be mounted here: {error}")
    with stack:
        yield made


@pytest.fixture
def engine(new_engine: NewEngine, engine_limits: EngineLimits) -> Engine:
    """With short timeouts, so that the tests need less."""
    brief = replace(engine_limits, index_io_seconds=SECONDS, search_io_seconds=SECONDS)
    return new_engine(limits=brief)


def test_a_file_that_hangs_is_told_and_the_rest_is_found(
    engine: Engine, drive: HangingDrive, folder: Path
) -> None:
    drive.hanging = {"garden.md"}
    [report] = engine.refresh(add(engine, folder)).result(TIMEOUT)
    assert report.changed == len(NOTES) - 1
    [skipped] = report.skipped
    assert (skipped.path, skipped.is_problem) == ("garden.md", True)
    assert "did not respond" in skipped.reason
    assert found(engine, "zebra", Mode.LEXICAL) == ["zebra.md"]
    drive.release()
    [report] = engine.refresh().result(TIMEOUT)
    assert (report.changed, report.skipped) == (1, [])
    assert found(engine, "garden", Mode.LEXICAL) == ["garden.md"]


def test_a_folder_that_hangs_is_away_and_what_was_indexed_answers(
    engine: Engine, drive: HangingDrive, folder: Path, tmp_path: Path
) -> None:
    here = write_notes(tmp_path / "here", {"attic.md": "The attic is dry.\n"})
    for place in (folder, here):
        engine.refresh(add(engine, place)).result(TIMEOUT)
    drive.hanging = {""}
    answer = ask(engine, "zebra attic", mode=Mode.LEXICAL, min_score=0.0)
    assert {hit.path for hit in answer.hits} == {"zebra.md", "attic.md"}
    assert "is not responding" in answer.freshness.reason
    away, well = engine.refresh().result(TIMEOUT)
    assert (away.removed, well.away) == (0, "")
    assert "is not responding" in away.away
    states = [status.state for status in engine.status().workspaces]
    assert states == [IndexState.ERROR, IndexState.READY]
    drive.release()
    assert [report.away for report in engine.refresh().result(TIMEOUT)] == ["", ""]


def test_showing_a_note_that_hangs_keeps_no_search_waiting(
    engine: Engine, drive: HangingDrive, folder: Path
) -> None:
    workspace = add(engine, folder)
    engine.refresh(workspace).result(TIMEOUT)
    drive.hanging = {"garden.md"}
    shown = engine.notes.read(NoteAddress(workspace.id, "garden.md"))
    assert found(engine, "zebra", Mode.LEXICAL) == ["zebra.md"]
    with pytest.raises(NoteRefused, match="is not responding"):
        shown.result(TIMEOUT)


def test_the_list_for_agents_leaves_out_what_hangs(
    engine: Engine, drive: HangingDrive, folder: Path, tmp_path: Path
) -> None:
    here = write_notes(tmp_path / "here", {"attic.md": "The attic is dry.\n"})
    workspaces = [add(engine, place) for place in (folder, here)]
    io_timeouts = IoTimeouts(SECONDS)

    def names() -> set[str]:
        notes = list_memory_files(engine, workspaces, io_timeouts=io_timeouts, cancel=CancelToken())
        return {note.label for _, note in notes}

    drive.hanging = {""}
    assert names() == {"attic.md"}
    drive.release()
    wait_until(lambda: names() == {"attic.md", *NOTES})


def test_a_check_up_tells_what_hangs_and_looks_at_the_rest(
    engine: Engine, drive: HangingDrive, folder: Path, tmp_path: Path
) -> None:
    here = write_notes(tmp_path / "here", {"attic.md": "See [the cellar](cellar.md).\n"})
    for place in (folder, here):
        engine.refresh(add(engine, place)).result(TIMEOUT)
    drive.hanging = {"garden.md"}
    assert kinds(engine) == {("NOT_SEARCHED", "garden.md"), ("DEAD_LINK", "attic.md")}
    drive.hanging = {""}
    assert kinds(engine) == {("FOLDER_GONE", str(folder)), ("DEAD_LINK", "attic.md")}
    drive.release()
    assert kinds(engine) == {("DEAD_LINK", "attic.md")}


def test_an_engine_closes_while_a_check_up_hangs(
    new_engine: NewEngine, drive: HangingDrive, folder: Path
) -> None:
    engine = new_engine()
    engine.refresh(add(engine, folder)).result(TIMEOUT)
    drive.hanging = {"garden.md"}
    drive.asked.clear()
    report = engine.health.check()
    assert drive.asked.wait(TIMEOUT)
    engine.close()
    with pytest.raises(Cancelled):
        report.result(TIMEOUT)


def kinds(engine: Engine) -> set[tuple[str, str]]:
    """Findings of a check-up that concern notes and their folders."""
    findings = engine.health.check().result(TIMEOUT).findings
    return {(finding.kind.name, finding.path) for finding in findings if finding.path}


Door: TypeAlias = Callable[[Engine, Workspace, Path], Future[Any]]
"""Asks an engine for something on a drive that hangs; the path is of a folder that answers."""

DOORS: dict[str, Door] = {
    "add": lambda engine, on_drive, _: engine.add_workspace(on_drive.root / "other"),
    "move": lambda engine, on_drive, _: engine.folders.moved_folder(on_drive, on_drive.root / "x"),
    "remember": lambda engine, on_drive, _: engine.notes.remember(on_drive.id, "Tea is ready."),
    "add a line": lambda engine, on_drive, _: engine.notes.add_line(
        NoteAddress(on_drive.id, "zebra.md"), "x"
    ),
    "tick": lambda engine, on_drive, _: engine.notes.tick(
        NoteAddress(on_drive.id, "zebra.md"), 1, ""
    ),
    "forget": lambda engine, on_drive, _: engine.recall.forget("All about zebra.", on_drive),
    "today": lambda engine, on_drive, _: engine.recall.daily_paths(on_drive),
    "dream": lambda engine, on_drive, _: engine.dreams.run(on_drive),
    "look at dreams": lambda engine, on_drive, _: engine.dreams.run(on_drive, dry_run=True),
    "page": lambda engine, on_drive, _: engine.notes.page(NoteAddress(on_drive.id, "zebra.md")),
    "import from": lambda engine, on_drive, _: engine.note_import.plan(on_drive.root / "a.enex"),
    "import into": lambda engine, on_drive, here: engine.note_import.plan(
        evernote(here), on_drive.root / "notes"
    ),
    "settings": lambda engine, on_drive, _: engine.importer.read(on_drive.root / "openclaw.json"),
    "model": lambda engine, on_drive, _: engine.models.library.import_model(
        on_drive.root / "model.gguf"
    ),
}


@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_whatever_is_asked_of_a_drive_that_hangs_is_refused_in_one_sentence(
    engine: Engine, drive: HangingDrive, folder: Path, tmp_path: Path, door: Door
) -> None:
    here = write_notes(tmp_path / "here", {"attic.md": "The attic is dry.\n"})
    on_drive, _ = [add(engine, place) for place in (folder, here)]
    engine.refresh().result(TIMEOUT)
    drive.hanging = {EVERYTHING}
    with pytest.raises(ScrubjayError, match="is not responding"):
        door(engine, on_drive, here).result(TIMEOUT)
    assert found(engine, "attic") == ["attic.md"]


@pytest.mark.needs("links")
def test_a_folder_is_added_and_found_by_its_path_while_another_hangs(
    engine: Engine, drive: HangingDrive, folder: Path, tmp_path: Path
) -> None:
    add(engine, folder)
    drive.hanging = {EVERYTHING}
    here = write_notes(tmp_path / "here", {"attic.md": "The attic is dry.\n"})
    link = tmp_path / "link"
    link.symlink_to(here)
    added = add(engine, here)
    assert engine.find_workspace(str(link)) == added


def test_an_agent_in_a_folder_is_reminded_while_another_hangs(
    engine: Engine, drive: HangingDrive, folder: Path, tmp_path: Path
) -> None:
    here = write_notes(tmp_path / "here", {"attic.md": "The attic of the zebra is dry.\n"})
    for place in (folder, here):
        engine.refresh(add(engine, place)).result(TIMEOUT)
    drive.hanging = {EVERYTHING}
    around = engine.recall.workspace_at(str(here / "deeper"))
    assert around is not None
    assert around.root == here
    hook = HookInput(prompt="What about the attic of the zebra, is it dry?")
    reminder = engine.recall.remind(hook, frozenset(), TIMEOUT).result(TIMEOUT)
    assert "attic of the zebra" in reminder.block


def test_a_pass_over_one_folder_does_not_wait_for_another_that_hangs(
    engine: Engine, drive: HangingDrive, folder: Path, tmp_path: Path
) -> None:
    here = write_notes(tmp_path / "here", {"attic.md": "The attic is dry.\n"})
    on_drive, well = [add(engine, place) for place in (folder, here)]
    engine.refresh().result(TIMEOUT)
    drive.hanging = {EVERYTHING}
    drive.asked.clear()
    engine.refresh(well).result(TIMEOUT)
    assert not drive.asked.is_set()
    assert on_drive.root == folder


def test_a_command_ends_while_a_drive_hangs(
    engine: Engine, drive: HangingDrive, folder: Path, paths: Paths
) -> None:
    engine.refresh(add(engine, folder)).result(TIMEOUT)
    drive.hanging = {""}
    # Its readers would wait as long as a thread of it did, which no signal ends.
    program = [Path(sys.executable).with_name("scrubjay"), "search", "zebra"]
    environ = os.environ | {HOME_VARIABLE: str(paths.config_file.parent)}
    ran = subprocess.run(program, env=environ, capture_output=True, text=True, timeout=TIMEOUT)
    assert (ran.returncode, "zebra.md" in ran.stdout) == (0, True)
    assert "is not responding" in ran.stdout


def test_an_engine_closes_while_a_drive_hangs(
    new_engine: NewEngine, drive: HangingDrive, folder: Path
) -> None:
    engine = new_engine()
    drive.hanging = {"garden.md"}
    future = engine.refresh(add(engine, folder))
    assert drive.asked.wait(TIMEOUT)
    engine.close()
    assert future.done()
