"""Automatic indexing: changed notes are indexed once they are quiet, unless that is paused."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from scrubjay.concurrency.futures import gathered
from scrubjay.concurrency.io_timeout import IoTimedOut, IoTimeouts
from scrubjay.concurrency.lazy import LazyParts, lazy
from scrubjay.concurrency.thread_pool import SerialQueue
from scrubjay.concurrency.timers import Timer, Timers
from scrubjay.errors import WorkspaceMissing
from scrubjay.event_bus import EventBus
from scrubjay.events import Notice, PauseChanged
from scrubjay.index.index_thread import IndexThread
from scrubjay.index.jobs import Job
from scrubjay.index.scan_diff import IndexSettings
from scrubjay.messages import msg
from scrubjay.notes.change_debounce import ChangeSet
from scrubjay.notes.scan import is_folder, labelled_extra_paths
from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import EngineStatus, IndexReport, IndexState, WorkspaceStatus
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.workspaces.registry import Registry
from scrubjay.workspaces.status_board import StatusBoard

if TYPE_CHECKING:
    from scrubjay.notes.watcher import Watcher

_CLOSE_SECONDS = 1.0
"""Seconds that closing waits for a job that is running."""


class AutoIndexer(LazyParts):
    """Watches the folders of notes and queues passes over them. For any thread."""

    def __init__(
        self,
        registry: Registry,
        board: StatusBoard,
        events: EventBus,
        index: IndexThread,
        timers: Timers,
        pool: Executor,
        io_timeouts: IoTimeouts,
    ) -> None:
        """No folder is watched until start."""
        self._registry = registry
        self._board = board
        self._events = events
        self._index = index
        self._timers = timers
        self._jobs = SerialQueue(pool)
        sync = registry.loaded.settings.memory_search.sync
        quiet_seconds = sync.watch_debounce_ms / 1000
        self.changes = ChangeSet(quiet_seconds, self._index_changes, timers=timers, jobs=self._jobs)
        self._resume: Timer | None = None
        self._interval: Timer | None = None
        self._io_timeouts = io_timeouts
        self.is_on = False
        """Whether passes begin by themselves, as they do after start."""

    def start(self) -> None:
        """Watch all folders from now on, as the settings say."""
        self.is_on = True
        sync = self._registry.loaded.settings.memory_search.sync
        for workspace in self._registry.all():
            self._watch(workspace)
        self.look_regularly()
        if sync.on_session_start and not self._board.is_paused:
            self.refresh()

    def refresh(
        self,
        workspace_id: WorkspaceId | None = None,
        *,
        force: bool = False,
        words_only: bool = False,
        may_send: bool = False,
    ) -> Future[tuple[IndexReport, ...]]:
        """Queue a pass over one workspace, or over all. Raises WorkspaceMissing."""
        registry = self._registry
        chosen: Sequence[Workspace] = registry.enabled()
        if workspace_id:
            chosen = [registry.get(workspace_id)]
        # Refused before any pass is queued, so that nothing is half done.
        for workspace in chosen:
            if workspace.shared:
                raise WorkspaceMissing(
                    msg("{name} is published by another computer", name=workspace.name),
                    hint="It is read there, and searched here.",
                )
        # One future for all passes, which ends with the last of them.
        flags = {"force": force, "words_only": words_only, "may_send": may_send}
        return gathered([self._submit(workspace, **flags) for workspace in chosen])

    def await_words(
        self,
        workspace_ids: Sequence[WorkspaceId],
        words_seconds: float,
        vectors_seconds: float = 0.0,
    ) -> None:
        """Begin passes; wait so long for all words, then so long for vectors. On a pool thread.

        For a pass that is already under way, only the words are awaited.
        """
        passes: list[tuple[Future[Any], Future[Any]]] = []
        for name in workspace_ids:
            # Asked before a pass is queued: afterwards every workspace is being indexed.
            words_ready = self._index.words_ready(name)
            is_indexing = self._index.is_indexing(name)
            with contextlib.suppress(WorkspaceMissing):  # removed at this very moment
                done: Future[Any] = words_ready
                if not is_indexing:
                    done = self.refresh(name)
                passes.append((words_ready, done))
        # A pass may end without its words, as one that fails does.
        until = time.monotonic() + words_seconds
        for words_ready, end in passes:
            seconds = max(0.0, until - time.monotonic())
            wait([words_ready, end], seconds, return_when=FIRST_COMPLETED)
        wait([end for _, end in passes], vectors_seconds)

    def look_regularly(self) -> None:
        """Set the timer of regular passes as the settings say now; none before start."""
        if not self.is_on:
            return
        sync = self._registry.loaded.settings.memory_search.sync
        self.changes.quiet_seconds = sync.watch_debounce_ms / 1000
        if self._interval:
            self._interval.cancel()
        if sync.interval_minutes:
            self._interval = self._timers.after(sync.interval_minutes * 60, self._interval_over)

    @lazy
    def watcher(self) -> Watcher:
        """The watcher, made for the first folder: a command of the terminal watches none."""
        from scrubjay.notes.watcher import Watcher

        def warn(reason: str) -> None:
            self._events.publish(Notice(msg("Not every folder can be watched"), reason))

        return Watcher(self.changes, self._timers, warn=warn)

    def is_watching(self, workspace_id: WorkspaceId) -> bool:
        """Whether each change in the folders of a workspace announces itself."""
        return self.is_on and self.watcher.is_watching(workspace_id)

    def forget(self, workspace_id: WorkspaceId) -> None:
        """Stop watching a workspace."""
        if self.is_on:
            self.watcher.forget(workspace_id)

    def watch_file(self, file: Path, changed: Callable[[], None]) -> None:
        """Call changed, on a thread of the watcher, when a file other than a note is written."""
        if self.is_on:
            self.watcher.watch_file(file, changed)

    def close(self) -> None:
        """Stop watching."""
        self.is_on = False
        self.changes.close()
        self._jobs.close(_CLOSE_SECONDS)
        self.close_made("watcher")

    def take_in(self, workspace: Workspace) -> None:
        """Watch and index a workspace that was just added, or that has other settings now."""
        if self.is_on:
            self._watch(workspace)
            # While indexing is paused, the end of the pause reads it.
            if not self._board.is_paused and self._registry.settings(workspace).enabled:
                self.refresh(workspace.id)

    def with_pending(self, status: EngineStatus) -> EngineStatus:
        """The status with the number of changes since the last pass."""
        workspaces: list[WorkspaceStatus] = []
        for state in status.workspaces:
            pending = max(state.freshness.pending, self.changes.pending(state.workspace.id))
            freshness = replace(state.freshness, pending=pending)
            workspaces.append(replace(state, freshness=freshness))
        return replace(status, workspaces=tuple(workspaces))

    def suspect(self, workspace_id: WorkspaceId) -> None:
        """Index a workspace soon, since an answer found its folder unavailable."""
        if self.is_on:
            self.changes.add(workspace_id)

    def look_again(self) -> None:
        """Queue a pass over all workspaces, unless indexing is paused or not automatic."""
        if self.is_on and not self._board.is_paused:
            self.refresh()

    def pause(self, minutes: float | None = None, *, for_battery: bool = False) -> None:
        """Stop indexing for some minutes, or until resume."""
        until = None
        if self._resume:
            self._resume.cancel()
        if minutes is not None:
            # The board shows the moment; the timer ends the pause even when nobody looks.
            until = dt.datetime.now().astimezone() + dt.timedelta(minutes=minutes)
            self._resume = self._timers.after(minutes * 60, self.resume)
        self._board.set_pause(True, until, for_battery=for_battery)
        # Workspaces without a pass would otherwise be shown as ready.
        self._index.cancel()
        for workspace in self._registry.all():
            self._board.update(workspace.id, state=IndexState.PAUSED)
        self._events.publish(PauseChanged(is_paused=True))

    def resume(self) -> None:
        """Index again, from where the last pass stopped."""
        if self._resume:
            self._resume.cancel()
        self._board.set_pause(False)
        self._events.publish(PauseChanged(is_paused=False))
        self.refresh()

    def _index_changes(self, workspace_id: WorkspaceId) -> None:
        """On the shared pool: files of a workspace changed and are quiet now."""
        status = self._board.workspace(workspace_id)
        if status:
            # A change may have made a new folder, which is watched from now on.
            self._watch(status.workspace)
        if status and not self._board.is_paused:
            with contextlib.suppress(WorkspaceMissing):  # removed at this very moment
                self._submit(self._registry.get(workspace_id))

    def _submit(self, workspace: Workspace, **flags: bool) -> Future[IndexReport]:
        """Queue a pass. Changes that were due before it are settled once it has read all words."""
        registry = self._registry
        job = Job(
            workspace,
            registry.index_file(workspace),
            registry.settings(workspace),
            **flags,
            others=registry.others(workspace),
        )
        # Taken before the pass begins: what changes from here on waits for the next one.
        paths = self.changes.handed_on(workspace.id)

        def ended(done: Future[IndexReport]) -> None:
            if done.cancelled() or done.exception() or not self.is_on:
                return
            if done.result().away:
                # Nothing announces that a drive is connected again.
                self.watcher.poll(workspace.id)

        future = self._index.submit(job, on_words=lambda: self.changes.settle(workspace.id, paths))
        future.add_done_callback(ended)
        return future

    def _interval_over(self) -> None:
        self.look_again()
        self.look_regularly()

    def _watch(self, workspace: Workspace) -> None:
        if not self.is_on:
            return
        if not self._registry.settings(workspace).sync.watch:
            self.watcher.forget(workspace.id)
            return
        from scrubjay.notes.watcher import watched_places

        root = workspace.root
        search = self._registry.settings(workspace)

        def look() -> list[Path]:
            # A look into the folder first, which hangs where its drive does not answer.
            with contextlib.suppress(OSError), os.scandir(root) as entries:
                next(entries, None)
            extra = [path for _, path in labelled_extra_paths(root, search.extra_paths)]
            sessions = filter(is_folder, IndexSettings.of(search, workspace).session_folders)
            return watched_places(root, [*extra, *sessions])

        try:
            watched = self._io_timeouts[workspace.root].call(look)
        except IoTimedOut:
            # Watching begins with a walk through all folders, which would not end either.
            self.watcher.poll(workspace.id)
            return
        # Watching anew misses changes for a moment, so it is done only for other places.
        if self.watcher.is_outdated(workspace.id, watched):
            self.watcher.watch(workspace.id, watched)
