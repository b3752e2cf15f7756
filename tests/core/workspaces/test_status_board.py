"""What is known right now."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from msgspec.structs import replace

from scrubjay.platform.paths import Paths
from scrubjay.platform.state_file import StateFile
from scrubjay.records.status_records import NEVER_READ, IndexState, ModelStatus
from scrubjay.workspaces.registry import Registry
from scrubjay.workspaces.status_board import StatusBoard
from support.vault import write_notes

ABSENT = ModelStatus("none", "", is_ready=False, reason="No model.")
READY = ModelStatus("local", "small", is_ready=True)


@pytest.fixture
def registry(paths: Paths, tmp_path: Path) -> Registry:
    """Two folders, "one" and "two"."""
    made = Registry(paths)
    for name in ("one", "two"):
        made.add(write_notes(tmp_path / name, {"a.md": "x"}))
    return made


@pytest.fixture
def board(registry: Registry) -> StatusBoard:
    return StatusBoard(ABSENT, registry)


def test_workspaces_keep_what_is_known_when_the_settings_are_read_again(
    board: StatusBoard, registry: Registry
) -> None:
    registry.all()[1].show(state=IndexState.READY, chunks=7)
    registry.reload()
    statuses = board.snapshot().workspaces
    assert [status.workspace.name for status in statuses] == ["one", "two"]
    assert [(status.state, status.chunks) for status in statuses] == [
        (IndexState.NEVER, 0),
        (IndexState.READY, 7),
    ]


def test_a_workspace_that_has_gone_is_not_brought_back(
    board: StatusBoard, registry: Registry
) -> None:
    one, two = registry.all()
    registry.remove(one)
    one.show(state=IndexState.READY)
    assert [status.workspace for status in board.snapshot().workspaces] == [two.record]
    assert not one.is_listed


def test_a_status_is_not_shown_in_place_of_a_newer_one(registry: Registry) -> None:
    one = registry.all()[0]
    seen = one.status
    assert one.show(instead_of=seen, chunks=1)
    assert not one.show(instead_of=seen, chunks=2)
    assert one.status.chunks == 1


def test_the_share_that_is_learned_is_the_same_after_a_restart(
    board: StatusBoard, registry: Registry, paths: Paths
) -> None:
    one = registry.all()[0]
    one.index_file.parent.mkdir(parents=True)
    one.index_file.touch()
    checked = replace(NEVER_READ, embedded=0.29, checked_at=dt.datetime.now().astimezone())
    one.show(state=IndexState.READY, freshness=checked)
    one.show_learned(29, 100)
    state = StateFile(paths.config / "state.json")
    board.save(state)
    again = Registry(paths)
    StatusBoard(ABSENT, again).recall(state)
    status = again.all()[0].status
    assert (status.progress.learned, status.progress.passages) == (29, 100)
    assert status.progress.percent == status.freshness.percent == 29


def test_each_part_of_a_workspace_is_made_once(registry: Registry) -> None:
    one, two = registry.all()
    assert one.part(dict) is one.part(dict)
    assert one.part(dict) is not two.part(dict)


def test_a_model_status_tells_whether_it_is_news(board: StatusBoard) -> None:
    assert board.set_model(READY)
    assert not board.set_model(READY)
    assert board.snapshot().model == READY


def test_a_pause_has_an_end_or_none(board: StatusBoard) -> None:
    until = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    board.set_pause(True, until)
    assert (board.is_paused, board.snapshot().paused_until) == (True, until)
    board.set_pause(False)
    assert (board.is_paused, board.snapshot().paused_until) == (False, None)
