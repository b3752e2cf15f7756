"""The notes of the desktop tests, and statuses of the folders that they are in."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

from msgspec.structs import replace

from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import DEFAULT_LIMITS, EngineLimits
from scrubjay.records.status_records import EngineStatus, IndexState, SkippedFile
from support.vault import write_notes

NOW = dt.datetime(2026, 3, 14, 12, 0, tzinfo=dt.UTC)
"""When the newest note was written."""
DIARY = "diary/2026-03-12.md"
HOME = {
    "router.md": "# Router\n\nThe router password is on the fridge.\n",
    DIARY: "# Thursday\n\nBooked the orthodontist for Emma.\n",
}
WORK = {"network.md": "# Network\n\nThe router of the office: ask for its router label.\n"}
SYNONYMS = {"teeth": "orthodontist", "daughter": "emma"}
"""Words that find a note by their meaning alone."""


def engine_over(
    notes: Path,
    paths: Paths,
    provider: EmbeddingProvider | None,
    *,
    limits: EngineLimits = DEFAULT_LIMITS,
) -> Engine:
    """An engine whose settings list the folders `home` and `work`."""
    entries = [
        {"id": "home", "name": "Home notes", "path": str(notes / "home")},
        {"id": "work", "name": "Work", "path": str(notes / "work")},
    ]
    # Takes changed notes in at once, so that tests need not wait.
    search = {"sync": {"watchDebounceMs": 100}}
    settings = json.dumps({"workspaces": entries, "memorySearch": search})
    write_notes(paths.config, {"config.json5": settings})
    return Engine(paths, provider=provider, limits=limits)


def with_workspace(status: EngineStatus, workspace_id: str, **changes: object) -> EngineStatus:
    """The status with other facts about one workspace."""
    return replace(
        status,
        workspaces=tuple(
            replace(item, **changes) if item.workspace.id == workspace_id else item  # type: ignore[arg-type]
            for item in status.workspaces
        ),
    )


def while_reading(status: EngineStatus) -> EngineStatus:
    """The status while the notes of all workspaces are read."""
    reading = (replace(item, state=IndexState.INDEXING) for item in status.workspaces)
    return replace(status, workspaces=tuple(reading))


def skipped(path: str, reason: str, *, is_problem: bool = True) -> SkippedFile:
    """A file that is not searched."""
    return SkippedFile(path, reason, is_problem)
