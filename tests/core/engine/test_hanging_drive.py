"""Notes on a drive that hangs: the rest is indexed and searched, and what hangs is told."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.engine import wiring
from scrubjay.engine.engine import Engine
from scrubjay.errors import Cancelled, NoteRefused
from scrubjay.mcp_server.server import listed
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import IndexState
from support.hanging_drive import HangingDrive, hanging_drive
from support.vault import TIMEOUT, NewEngine, add, ask, found, write_notes

pytestmark = pytest.mark.usefixtures("patient")

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
def engine(new_engine: NewEngine, monkeypatch: pytest.MonkeyPatch) -> Engine:
    """With short timeouts, so that the tests need less."""
    monkeypatch.setattr(wiring, "INDEX_SECONDS", SECONDS)
    monkeypatch.setattr(wiring, "SEARCH_SECONDS", SECONDS)
    return new_engine()


def test_a_file_that_hangs_is_told_and_the_rest_is_found(
    engine: Engine, drive: HangingDrive, folder: Path
) -> None:
    drive.hanging = {"garden.md"}
    [report] = engine.refresh(add(engine, folder).id).result(TIMEOUT)
    assert report.changed == len(NOTES) - 1
    [skipped] = report.skipped
    assert (skipped.path, skipped.is_problem) == ("garden.md", True)
    assert "did not answer" in skipped.reason
    assert found(engine, "zebra", Mode.LEXICAL) == ["zebra.md"]
    drive.release()
    [report] = engine.refresh().result(TIMEOUT)
    assert (report.changed, report.skipped) == (1, ())
    assert found(engine, "garden", Mode.LEXICAL) == ["garden.md"]


def test_a_folder_that_hangs_is_away_and_what_was_indexed_answers(
    engine: Engine, drive: HangingDrive, folder: Path, tmp_path: Path
) -> None:
    here = write_notes(tmp_path / "here", {"attic.md": "The attic is dry.\n"})
    for place in (folder, here):
        engine.refresh(add(engine, place).id).result(TIMEOUT)
    drive.hanging = {""}
    answer = ask(engine, "zebra attic", mode=Mode.LEXICAL, min_score=0.0)
    assert {hit.path for hit in answer.hits} == {"zebra.md", "attic.md"}
    assert "does not answer" in answer.freshness.reason
    away, well = engine.refresh().result(TIMEOUT)
    assert (away.removed, well.away) == (0, "")
    assert "does not answer" in away.away
    states = [status.state for status in engine.status().workspaces]
    assert states == [IndexState.ERROR, IndexState.READY]
    drive.release()
    assert [report.away for report in engine.refresh().result(TIMEOUT)] == ["", ""]


def test_showing_a_note_that_hangs_keeps_no_search_waiting(
    engine: Engine, drive: HangingDrive, folder: Path
) -> None:
    workspace = add(engine, folder)
    engine.refresh(workspace.id).result(TIMEOUT)
    drive.hanging = {"garden.md"}
    shown = engine.notes.read(workspace.id, "garden.md")
    assert found(engine, "zebra", Mode.LEXICAL) == ["zebra.md"]
    with pytest.raises(NoteRefused, match="does not answer"):
        shown.result(TIMEOUT)


def test_the_list_for_agents_leaves_out_what_hangs(
    engine: Engine, drive: HangingDrive, folder: Path, tmp_path: Path
) -> None:
    here = write_notes(tmp_path / "here", {"attic.md": "The attic is dry.\n"})
    workspaces = [add(engine, place) for place in (folder, here)]
    io_timeouts = IoTimeouts(SECONDS)

    def names() -> set[str]:
        return {note.label for _, note in listed(engine, workspaces, io_timeouts, CancelToken())}

    drive.hanging = {""}
    assert names() == {"attic.md"}
    drive.release()
    assert names() == {"attic.md", *NOTES}


def test_a_check_up_tells_what_hangs_and_looks_at_the_rest(
    engine: Engine, drive: HangingDrive, folder: Path, tmp_path: Path
) -> None:
    here = write_notes(tmp_path / "here", {"attic.md": "See [the cellar](cellar.md).\n"})
    for place in (folder, here):
        engine.refresh(add(engine, place).id).result(TIMEOUT)
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
    engine.refresh(add(engine, folder).id).result(TIMEOUT)
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


def test_an_engine_closes_while_a_drive_hangs(
    new_engine: NewEngine, drive: HangingDrive, folder: Path
) -> None:
    engine = new_engine()
    drive.hanging = {"garden.md"}
    future = engine.refresh(add(engine, folder).id)
    assert drive.asked.wait(TIMEOUT)
    engine.close()
    assert future.done()
