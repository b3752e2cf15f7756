from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import (
    EngineStatus,
    IndexState,
    ModelStatus,
    SkippedFile,
    WorkspaceStatus,
)
from scrubjay_desktop.windows.app_state import AppState, app_state, status_sentence, tray_tooltip
from support.statuses import AWAY, BROKEN, FRESH, LEARNING, NOTES, NOW, READING, SHARED, UNSEEN

MODEL = ModelStatus("local", "all-MiniLM-L6-v2", is_ready=True)
WORK = replace(NOTES, workspace=Workspace("work", "Work", Path("/work")))


def status(*workspaces: WorkspaceStatus, **changes: object) -> EngineStatus:
    made = EngineStatus(workspaces, MODEL, is_paused=False)
    return replace(made, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "state", "sentence"),
    [
        (status(), AppState.ATTENTION, "Add a folder of notes to begin"),
        (
            status(NOTES, BROKEN, is_paused=True),
            AppState.ERROR,
            "Notes: The disk is full. Make room, then retry.",
        ),
        (status(READING), AppState.INDEXING, "Reading notes, 3,100 left, about 2 minutes left"),
        (
            status(WORK, LEARNING),
            AppState.MODEL,
            "Notes: preparing notes for search by meaning, 33%",
        ),
        (
            status(
                replace(
                    NOTES, skipped=(SkippedFile("", "The folder does not exist.", is_problem=True),)
                )
            ),
            AppState.ERROR,
            "Notes: The folder does not exist.",
        ),
        (status(READING, is_paused=True), AppState.PAUSED, "Paused until you resume reading"),
        (
            status(NOTES, is_paused=True, paused_until=NOW.replace(hour=14, minute=5)),
            AppState.PAUSED,
            "Paused until 14:05",
        ),
        (status(NOTES, WORK), AppState.READY, "6,440 notes are up to date"),
        (status(shared=(SHARED,)), AppState.READY, "12 shared notes can be searched"),
        (status(shared=(AWAY,)), AppState.ERROR, "Handbook: The shared memory is away."),
        (status(NOTES, shared=(AWAY,)), AppState.READY, "3,220 notes are up to date"),
        (status(UNSEEN), AppState.READY, "Looking for changes"),
        (status(replace(UNSEEN, state=IndexState.WAITING)), AppState.READY, "Looking for changes"),
        (status(replace(UNSEEN, state=IndexState.READY)), AppState.READY, "0 notes are up to date"),
        (status(NOTES, UNSEEN), AppState.READY, "3,220 notes, 1 folder not read yet"),
        (
            status(replace(NOTES, freshness=replace(FRESH, unreadable=2))),
            AppState.READY,
            "3,220 notes, 2 could not be read",
        ),
        (
            status(NOTES, replace(NOTES, freshness=replace(FRESH, embedded=0.4))),
            AppState.READY,
            "6,440 notes are up to date, some passages searchable by words only",
        ),
        (
            status(replace(NOTES, freshness=replace(FRESH, documents=1))),
            AppState.READY,
            "1 note is up to date",
        ),
        (
            status(replace(NOTES, freshness=replace(FRESH, pending=2))),
            AppState.READY,
            "3,220 notes, 2 not read yet",
        ),
        (
            status(NOTES, model=ModelStatus("local", "m", is_ready=False, reason="No file.")),
            AppState.READY,
            "3,220 notes are up to date but searchable by words only",
        ),
        (
            status(replace(NOTES, state=IndexState.INDEXING)),
            AppState.INDEXING,
            "Looking for changes",
        ),
    ],
)
def test_each_status_is_one_plain_sentence(
    given: EngineStatus, state: AppState, sentence: str
) -> None:
    assert (app_state(given), status_sentence(given)) == (state, sentence)


def test_the_tooltip_begins_with_the_name_of_the_app() -> None:
    assert tray_tooltip(status(NOTES)) == "Scrubjay: 3,220 notes are up to date"
