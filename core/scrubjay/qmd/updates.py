"""Updates of QMD's indexes: at start, after changes of notes, and at intervals."""

from __future__ import annotations

import logging
import shutil
import threading
from concurrent.futures import Executor, Future
from functools import partial
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.thread_pool import SerialQueue
from scrubjay.concurrency.timers import Timer, Timers
from scrubjay.config.schema.qmd_backend import QmdSettings
from scrubjay.errors import QmdFailed
from scrubjay.event_bus import Event, EventBus
from scrubjay.events import IndexChanged, SettingsChanged
from scrubjay.messages import msg
from scrubjay.onboarding.foreign_setups import transcript_folders
from scrubjay.qmd.process import CircuitBreaker
from scrubjay.qmd.workspace_index import WorkspaceIndex
from scrubjay.records.note_records import Workspace
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.workspaces.registry import Registry

log = logging.getLogger(__name__)

_CHECK_S = 60.0
"""Seconds between two checks for updates that are due."""


class QmdUpdates:
    """The indexes of all workspaces and their updates, one at a time. For any thread."""

    def __init__(
        self, folder: Path, pool: Executor, registry: Registry, events: EventBus, timers: Timers
    ) -> None:
        self._folder = folder
        self._registry = registry
        self._events = events
        self._timers = timers
        self.breaker = CircuitBreaker(folder / "failure.json", lambda: self.settings)
        self._indexes: dict[Workspace, WorkspaceIndex] = {}
        self._lock = threading.Lock()
        self._jobs = SerialQueue(pool)
        self._closed = CancelToken()
        self._due: dict[str, Timer] = {}
        self._is_listening = False
        """Whether changes of notes are followed."""
        self.note = ""
        """Why the last update failed."""
        self.boot: dict[str, Future[None]] = {}
        """The update of each workspace at start."""
        self.is_automatic = False
        """True once updates start by themselves."""

    @property
    def settings(self) -> QmdSettings:
        """The settings right now."""
        return self._registry.loaded.settings.memory.qmd

    def start(self) -> None:
        """Keep the indexes up to date from now on."""
        self.is_automatic = True
        self._events.subscribe(self._follow_settings, SettingsChanged)
        self._follow_settings()
        if self._registry.uses_qmd and self.settings.update.on_boot:
            for workspace in self._registry.enabled():
                self.boot[workspace.id] = self.update(workspace)
        self._check()

    def index(self, workspace: Workspace) -> WorkspaceIndex:
        """The index of a workspace."""
        with self._lock:
            if workspace not in self._indexes:
                home = self._folder / workspace.id
                self._indexes[workspace] = WorkspaceIndex(
                    home, workspace, settings=lambda: self.settings, closed=self._closed
                )
            return self._indexes[workspace]

    def update(self, workspace: Workspace) -> Future[None]:
        """Index changed notes. The future may raise QmdFailed or Cancelled."""
        return self._jobs.submit(lambda: self._update(workspace))

    def drop(self, workspace_id: WorkspaceId) -> None:
        """Delete the index of a removed workspace."""
        with self._lock:
            for workspace in [item for item in self._indexes if item.id == workspace_id]:
                del self._indexes[workspace]
            due = self._due.pop(workspace_id, None)
            if due:
                due.cancel()
        home = self._folder / workspace_id
        if home.is_dir():
            # In the queue, since an update may be running.
            self._jobs.submit(lambda: shutil.rmtree(home, ignore_errors=True))

    def close(self) -> None:
        """End running programs and start no others."""
        self._closed.cancel()
        self._jobs.close()

    def _follow_settings(self, _: Event | None = None) -> None:
        """Listen to changes of notes once the settings choose QMD."""
        if self._registry.uses_qmd and not self._is_listening:
            self._is_listening = True
            self._events.subscribe(self._on_change, IndexChanged)

    def _on_change(self, event: Event) -> None:
        if not isinstance(event, IndexChanged) or not self._registry.uses_qmd:
            return
        for workspace in self._registry.enabled():
            if workspace.id == event.workspace:
                self._update_soon(workspace)

    def _update_soon(self, workspace: Workspace) -> None:
        """Update once no more changes come for a while."""
        seconds = self.settings.update.debounce_ms / 1000
        update = partial(self.update, workspace)
        with self._lock:
            earlier = self._due.pop(workspace.id, None)
            if earlier:
                earlier.cancel()
            self._due[workspace.id] = self._timers.after(seconds, update)

    def _check(self) -> None:
        self._timers.after(_CHECK_S, self._check)
        if self._registry.uses_qmd and self.settings.update.interval:
            for workspace in self._registry.enabled():
                if self.index(workspace).is_due and not self.breaker.is_open:
                    self.update(workspace)

    def _update(self, workspace: Workspace) -> None:
        settings = self.settings
        index = self.index(workspace)
        sessions = self._registry.settings(workspace).sessions
        # An older index still answers, so only the first update opens the breaker.
        try:
            index.update(partial(transcript_folders, workspace, sessions))
        except QmdFailed as failure:
            self.note = msg("QMD could not read what changed. {message}", message=failure.message)
            log.warning("QMD update failed: %s", failure.message)
            if not index.is_ready:
                self.breaker.on_failure(settings, failure)
            raise
        self.note = ""
