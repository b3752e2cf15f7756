"""What every part of the engine reports about itself, readable from any thread without waiting."""

from __future__ import annotations

import datetime as dt
import threading
from dataclasses import replace

from scrubjay.records import (
    EngineStatus,
    Freshness,
    IndexState,
    ModelStatus,
    Workspace,
    WorkspaceStatus,
)

_NOTHING_KNOWN = Freshness(0, 0, 0, 0.0, None)


class Board:
    """The latest status of each workspace, of the model and of the pause."""

    def __init__(self, model: ModelStatus) -> None:
        self._lock = threading.Lock()
        self._workspaces: dict[str, WorkspaceStatus] = {}
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


def _unknown(workspace: Workspace) -> WorkspaceStatus:
    return WorkspaceStatus(workspace, IndexState.NEVER, _NOTHING_KNOWN, 0, (), 0)
