"""Statuses of a workspace as the app shows them."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from msgspec.structs import replace

from scrubjay.records.note_records import Workspace
from scrubjay.records.shared_records import SharedAddress, SharedPlace
from scrubjay.records.status_records import Freshness, IndexState, Progress, WorkspaceStatus

NOW = dt.datetime(2026, 3, 14, 12, 0, tzinfo=dt.UTC)
FRESH = Freshness(3220, 0, 0, 1.0, NOW - dt.timedelta(seconds=8))
NOTES = WorkspaceStatus(
    Workspace("notes", "Notes", Path("/notes")),
    IndexState.READY,
    FRESH,
    9000,
    (),
    4096,
    Progress(learned=9000, passages=9000),
)
READING = replace(
    NOTES,
    state=IndexState.INDEXING,
    progress=Progress("words", seconds_left=110, done=120, total=3220),
)
LEARNING = replace(
    NOTES, state=IndexState.INDEXING, progress=Progress("meaning", learned=1, passages=3)
)
BROKEN = replace(NOTES, state=IndexState.ERROR, error="The disk is full. Make room, then retry.")
UNSEEN = replace(NOTES, state=IndexState.NEVER, freshness=Freshness(0, 0, 0, 0.0, None))
_TEAM = SharedAddress(SharedPlace("/team"), "handbook")
SHARED = WorkspaceStatus(
    Workspace("handbook-1", "Handbook", Path("/team"), shared=_TEAM),
    IndexState.READY,
    Freshness(12, 0, 0, 1.0, None),
    40,
    (),
    0,
)
"""A folder of another computer."""
AWAY = replace(SHARED, state=IndexState.ERROR, error="The shared memory is away.")
