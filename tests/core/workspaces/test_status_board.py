"""What is known right now."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import IndexState, ModelStatus
from scrubjay.workspaces.status_board import StatusBoard
from scrubjay.workspaces.user_skips import UserSkips

ABSENT = ModelStatus("none", "", is_ready=False, reason="No model.")
READY = ModelStatus("local", "small", is_ready=True)
ONE, TWO = (Workspace(name, name.title(), Path("/") / name) for name in ("one", "two"))


@pytest.fixture
def board(tmp_path: Path) -> StatusBoard:
    return StatusBoard(ABSENT, UserSkips(tmp_path / "left-out.json", IoTimeouts()))


def test_workspaces_are_listed_in_order_and_keep_what_is_known(board: StatusBoard) -> None:
    board.list((ONE, TWO))
    board.update("two", state=IndexState.READY, chunks=7)
    board.list((TWO, ONE))
    statuses = board.snapshot().workspaces
    assert [status.workspace for status in statuses] == [TWO, ONE]
    assert [(status.state, status.chunks) for status in statuses] == [
        (IndexState.READY, 7),
        (IndexState.NEVER, 0),
    ]


def test_a_workspace_that_has_gone_is_not_brought_back(board: StatusBoard) -> None:
    board.list((ONE,))
    board.list(())
    board.update("one", state=IndexState.READY)
    assert board.snapshot().workspaces == ()
    assert board.workspace("one") is None


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
