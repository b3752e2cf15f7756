"""What every part of the engine reports about itself, readable from any thread without waiting."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from scrubjay.records.search_records import (
    EngineStatus,
    Freshness,
    IndexState,
    ModelStatus,
    SkippedFile,
    Workspace,
    WorkspaceStatus,
)
from scrubjay.workspaces.skip_list import SkipList

if TYPE_CHECKING:
    from scrubjay.store.rows import Counts

_NOTHING_KNOWN = Freshness(0, 0, 0, 0.0, None)


class Index(Protocol):
    """What an open index tells of itself."""

    def counts(self) -> Counts:
        """Sizes."""

    def skipped(self) -> tuple[SkippedFile, ...]:
        """What is not searched."""

    def checked_at(self) -> dt.datetime | None:
        """When disk and index were last compared."""


class StatusBoard:
    """The latest status of each workspace, of the model and of the pause."""

    def __init__(self, model: ModelStatus, left_out: SkipList) -> None:
        self.left_out = left_out
        self._lock = threading.Lock()
        self._workspaces: dict[str, WorkspaceStatus] = {}
        self._skipped: dict[str, Sequence[SkippedFile]] = {}
        self._model = model
        self._is_paused = False
        self._paused_until: dt.datetime | None = None
        self._is_for_battery = False

    @property
    def is_paused(self) -> bool:
        """True while indexing is paused."""
        return self._is_paused

    def snapshot(self) -> EngineStatus:
        """Everything, at one moment."""
        with self._lock:
            return EngineStatus(
                tuple(self._workspaces.values()),
                self._model,
                self._is_paused,
                self._paused_until,
                self._is_for_battery,
            )

    def workspace(self, workspace_id: str) -> WorkspaceStatus | None:
        """One workspace, None when it is not listed."""
        return self._workspaces.get(workspace_id)

    def is_unread(self, workspace_id: str) -> bool:
        """Whether nothing is known of an index that has not failed, or nothing is in it."""
        status = self._workspaces.get(workspace_id)
        if status is None or status.state in (IndexState.ERROR, IndexState.PAUSED):
            return False
        return status.freshness.checked_at is None and not status.freshness.documents

    def list(self, workspaces: tuple[Workspace, ...]) -> None:
        """Show exactly these, in this order, keeping what is known of them."""
        with self._lock:
            known = self._workspaces
            self._workspaces = {
                one.id: replace(known[one.id], workspace=one) if one.id in known else _unknown(one)
                for one in workspaces
            }

    def update(self, workspace_id: str, **changes: object) -> None:
        """Change fields of one status; nothing when the workspace has gone meanwhile."""
        with self._lock:
            if status := self._workspaces.get(workspace_id):
                self._workspaces[workspace_id] = replace(status, **changes)  # type: ignore[arg-type]

    def show_index(self, workspace_id: str, index: Index, size: int, **changes: object) -> None:
        """Show what an index of so many bytes holds, and change other fields.

        May look at single files, and raises IndexUnavailable.
        """
        counts, skipped = index.counts(), index.skipped()
        with self._lock:
            self._skipped[workspace_id] = skipped
        told = self._told(workspace_id)
        self.update(
            workspace_id,
            freshness=Freshness(
                documents=counts.documents,
                pending=0,
                unreadable=_unreadable(told),
                embedded=counts.embedded / counts.chunks if counts.chunks else 1.0,
                checked_at=index.checked_at(),
            ),
            chunks=counts.chunks,
            skipped=told,
            index_bytes=size,
            **changes,
        )

    def show_skipped(self, workspace_id: str) -> None:
        """Show again what is not searched: a person left some of it out, or took it back."""
        told = self._told(workspace_id)
        with self._lock:
            if status := self._workspaces.get(workspace_id):
                freshness = replace(status.freshness, unreadable=_unreadable(told))
                self._workspaces[workspace_id] = replace(status, skipped=told, freshness=freshness)

    def skipped(self, workspace_id: str) -> Sequence[SkippedFile]:
        """What an index says is not searched, whatever people left out."""
        with self._lock:
            return self._skipped.get(workspace_id, ())

    def _told(self, workspace_id: str) -> tuple[SkippedFile, ...]:
        status = self.workspace(workspace_id)
        skipped = self.skipped(workspace_id)
        return self.left_out.told(status.workspace, skipped) if status else ()

    def set_model(self, model: ModelStatus) -> bool:
        """Show another model status; False when it is what was shown."""
        with self._lock:
            is_new = model != self._model
            self._model = model
            return is_new

    def set_pause(
        self, is_paused: bool, until: dt.datetime | None = None, *, for_battery: bool = False
    ) -> None:
        """Show whether indexing is paused, until when, and whether that saves the battery."""
        with self._lock:
            self._is_paused, self._paused_until = is_paused, until
            self._is_for_battery = for_battery


def _unreadable(skipped: Sequence[SkippedFile]) -> int:
    return sum(one.is_problem and bool(one.path) for one in skipped)


def _unknown(workspace: Workspace) -> WorkspaceStatus:
    return WorkspaceStatus(workspace, IndexState.NEVER, _NOTHING_KNOWN, 0, (), 0)
