"""The latest status of the engine, readable from any thread without waiting."""

from __future__ import annotations

import contextlib
import datetime as dt
import threading

from msgspec import Struct
from msgspec.structs import asdict, replace

from scrubjay.errors import SearchOff
from scrubjay.platform.state_file import StateFile
from scrubjay.records.status_records import (
    NEVER_READ,
    EngineStatus,
    Freshness,
    IndexState,
    ModelStatus,
    WorkspaceStatus,
)
from scrubjay.workspaces.open_workspace import LocalWorkspace
from scrubjay.workspaces.registry import Registry


class _Pause(Struct, frozen=True):
    """Whether and why indexing is paused."""

    is_paused: bool = False
    until: dt.datetime | None = None
    is_for_battery: bool = False


class StatusBoard:
    """The latest status of the model, of the pause and of all workspaces."""

    def __init__(self, model: ModelStatus, registry: Registry) -> None:
        self._registry = registry
        self._lock = threading.Lock()
        self._model = model
        self._reader: ModelStatus | None = None
        self._pause = _Pause()

    @property
    def is_paused(self) -> bool:
        """Whether indexing is paused."""
        return self._pause.is_paused

    @property
    def model(self) -> ModelStatus:
        """The model that answers, as it was last shown."""
        return self._model

    def snapshot(self) -> EngineStatus:
        """The whole status right now."""
        pause = self._pause
        return EngineStatus(
            tuple(_with_changes(each) for each in self._registry.with_guests()),
            self._model,
            reader=self._reader,
            is_paused=pause.is_paused,
            paused_until=pause.until,
            is_for_battery=pause.is_for_battery,
        )

    def save(self, file: StateFile) -> None:
        """Store the numbers of all indexes, for the first moment of the next start."""
        # What is pending now says nothing about the next start.
        numbers = {
            each.workspace.id: {
                **asdict(replace(each.freshness, pending=0, unread_documents=0)),
                "checked_at": each.freshness.checked_at.isoformat(),
                "chunks": each.chunks,
                "bytes": each.index_bytes,
            }
            for each in self.snapshot().workspaces
            if each.freshness.checked_at
        }
        with contextlib.suppress(OSError), file.changed() as state:
            state["workspaces"] = numbers

    def recall(self, file: StateFile) -> None:
        """Show the numbers of the indexes that are there as they were saved."""
        # Another version may have written the file, or a person.
        with contextlib.suppress(OSError, TypeError, ValueError, LookupError):
            saved = file.read()["workspaces"]
            for workspace in self._registry.readable():
                if workspace.id not in saved or not workspace.index_file.is_file():
                    continue
                numbers = dict(saved[workspace.id])
                chunks = int(numbers.pop("chunks"))
                size = int(numbers.pop("bytes"))
                # The other numbers have the names of the fields.
                numbers["checked_at"] = dt.datetime.fromisoformat(numbers["checked_at"])
                freshness = Freshness(**numbers)
                workspace.show(state=IndexState.READY, freshness=freshness, index_bytes=size)
                workspace.show_learned(round(freshness.embedded * chunks), chunks)

    def set_model(self, model: ModelStatus) -> bool:
        """Show another model status; return whether it was not shown already."""
        with self._lock:
            is_new = model != self._model
            self._model = model
            return is_new

    def set_reader(self, reader: ModelStatus | None) -> bool:
        """Show another status of the result reader; return whether it was not shown already."""
        with self._lock:
            is_new = reader != self._reader
            self._reader = reader
            return is_new

    def set_pause(
        self, is_paused: bool, until: dt.datetime | None = None, *, for_battery: bool = False
    ) -> None:
        """Show whether indexing is paused, until when, and whether that saves the battery."""
        self._pause = _Pause(is_paused=is_paused, until=until, is_for_battery=for_battery)


def _with_changes(workspace: LocalWorkspace) -> WorkspaceStatus:
    """The status of a workspace, with the changes since its last pass."""
    status = workspace.status
    # Of one that is off, nothing is told but that.
    if workspace.off_key:
        return WorkspaceStatus(
            workspace.record,
            IndexState.OFF,
            freshness=NEVER_READ,
            chunks=0,
            skipped=(),
            index_bytes=0,
            off_reason=SearchOff(workspace.off_key).message,
        )
    pending = max(status.freshness.pending, workspace.changes.pending)
    freshness = replace(status.freshness, pending=pending)
    return replace(status, freshness=freshness)
