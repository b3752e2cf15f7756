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
from scrubjay.concurrency.timers import ScheduledCall, Timers
from scrubjay.config.schema.qmd_backend import QmdSettings
from scrubjay.errors import QmdFailed
from scrubjay.event_bus import Event, EventBus
from scrubjay.events import IndexChanged, SettingsChanged
from scrubjay.messages import msg
from scrubjay.onboarding.foreign_setups import transcript_folders
from scrubjay.qmd.process import CircuitBreaker
from scrubjay.qmd.workspace_index import WorkspaceIndex
from scrubjay.workspaces.open_workspace import LocalWorkspace
from scrubjay.workspaces.registry import Registry

log = logging.getLogger(__name__)

_CHECK_S = 60.0
"""Seconds between two checks for updates that are due."""


class QmdFolder:
    """The state of one workspace in QMD. Changed only under the lock of its updates."""

    def __init__(self) -> None:
        self.index: WorkspaceIndex | None = None
        self.due: ScheduledCall | None = None
        """Timer of the update after the last change."""
        self.boot: Future[None] | None = None
        """The update at start; None if there was none."""


class QmdUpdates:
    """The indexes of all workspaces and their updates, one at a time. For any thread."""

    def __init__(
        self,
        folder: Path,
        pool: Executor,
        registry: Registry,
        events: EventBus,
        timers: Timers,
        pause_seconds: float,
    ) -> None:
        """A failure of QMD is followed by a pause of so many seconds."""
        self._folder = folder
        self._registry = registry
        self._events = events
        self._timers = timers
        self.breaker = CircuitBreaker(
            folder / "failure.json", lambda: self.settings, pause_seconds=pause_seconds
        )
        self._lock = threading.Lock()
        self._jobs = SerialQueue(pool)
        self._closed = CancelToken()
        self._due: dict[str, ScheduledCall] = {}
        self._is_listening = False
        """Whether changes of notes are followed."""
        self.note = ""
        """Why the last update failed."""
        self.is_automatic = False
        """True once updates start by themselves."""

    @property
    def is_chosen(self) -> bool:
        """Whether the settings choose QMD for searching."""
        return self._registry.loaded.settings.memory.backend == "qmd"

    @property
    def settings(self) -> QmdSettings:
        """The settings right now."""
        return self._registry.loaded.settings.memory.qmd

    def start(self) -> None:
        """Keep the indexes up to date from now on."""
        self.is_automatic = True
        self._events.subscribe(self._follow_settings, SettingsChanged)
        self._follow_settings()
        if self.is_chosen and self.settings.update.on_boot:
            for workspace in self._registry.readable():
                workspace.part(QmdFolder).boot = self.update(workspace)
        self._check()

    def index(self, workspace: LocalWorkspace) -> WorkspaceIndex:
        """The index of a workspace."""
        folder = workspace.part(QmdFolder)
        with self._lock:
            # A folder that is elsewhere or called otherwise by now has another index.
            if folder.index is None or folder.index.workspace != workspace.record:
                folder.index = WorkspaceIndex(
                    self._folder / workspace.id,
                    workspace.record,
                    settings=lambda: self.settings,
                    closed=self._closed,
                )
            return folder.index

    def update(self, workspace: LocalWorkspace) -> Future[None]:
        """Index changed notes. The future may raise QmdFailed or Cancelled."""
        return self._jobs.submit(lambda: self._update(workspace))

    def drop(self, workspace: LocalWorkspace) -> None:
        """Delete the index of a removed workspace."""
        folder = workspace.part(QmdFolder)
        with self._lock:
            folder.index = None
            if folder.due:
                folder.due.cancel()
        home = self._folder / workspace.id
        if home.is_dir():
            # In the queue, since an update may be running.
            self._jobs.submit(lambda: shutil.rmtree(home, ignore_errors=True))

    def close(self) -> None:
        """End running programs and start no others."""
        self._closed.cancel()
        self._jobs.close()

    def _follow_settings(self, _: Event | None = None) -> None:
        """Listen to changes of notes once the settings choose QMD."""
        if self.is_chosen and not self._is_listening:
            self._is_listening = True
            self._events.subscribe(self._on_change, IndexChanged)

    def _on_change(self, event: Event) -> None:
        if not isinstance(event, IndexChanged) or not self.is_chosen:
            return
        for workspace in self._registry.readable():
            if workspace.id == event.workspace:
                self._update_soon(workspace)

    def _update_soon(self, workspace: LocalWorkspace) -> None:
        """Update after there have been no further changes for a while."""
        seconds = self.settings.update.debounce_ms / 1000
        update = partial(self.update, workspace)
        folder = workspace.part(QmdFolder)
        with self._lock:
            if folder.due:
                folder.due.cancel()
            folder.due = self._timers.after(seconds, update)

    def _check(self) -> None:
        self._timers.after(_CHECK_S, self._check)
        if self.is_chosen and self.settings.update.interval:
            for workspace in self._registry.readable():
                if self.index(workspace).is_due and not self.breaker.is_open:
                    self.update(workspace)

    def _update(self, workspace: LocalWorkspace) -> None:
        workspace.check_on()
        settings = self.settings
        index = self.index(workspace)
        sessions = workspace.settings.sessions
        # An older index still answers, so only the first update opens the breaker.
        try:
            index.update(partial(transcript_folders, workspace.record, sessions))
        except QmdFailed as failure:
            self.note = msg(
                "QMD could not read the changed notes. {message}", message=failure.message
            )
            log.warning("QMD update failed: %s", failure.message)
            if not index.is_ready:
                self.breaker.on_failure(settings, failure)
            raise
        self.note = ""
