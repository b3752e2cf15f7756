"""Automatic indexing of notes that have stopped changing, unless it is paused."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrubjay.concurrency.futures import gather_futures
from scrubjay.concurrency.io_timeout import IoTimedOut
from scrubjay.concurrency.lazy import LazyParts, lazy
from scrubjay.concurrency.thread_pool import SerialQueue
from scrubjay.concurrency.timers import Debounce, DebounceTime, ScheduledCall, Timers
from scrubjay.errors import Cancelled, IndexTooNew, IndexUnavailable, SearchOff
from scrubjay.event_bus import EventBus
from scrubjay.events import Notice, PauseChanged, Resolved
from scrubjay.index.index_thread import IndexThread
from scrubjay.index.passes import PassInput
from scrubjay.index.scan_diff import IndexSettings
from scrubjay.messages import msg
from scrubjay.notes.note_files import is_folder
from scrubjay.notes.scan import labelled_extra_paths
from scrubjay.records.status_records import IndexReport, IndexState
from scrubjay.workspaces.open_workspace import LocalWorkspace
from scrubjay.workspaces.registry import Registry
from scrubjay.workspaces.status_board import StatusBoard

if TYPE_CHECKING:
    from scrubjay.notes.watcher import FolderWatch, Watcher

_WATCHES = "watches"
"""Cause of the notice that folders cannot be watched."""

_CLOSE_SECONDS = 1.0
"""Seconds that closing waits for a job that is running."""


class _Lack(StrEnum):
    """What a pass was in want of."""

    NOTHING = ""
    NOTES = "notes"
    """The folder, its drive, or the search file: notes could not be read."""
    MEANING = "meaning"
    """A model, a service, the network or a key."""
    UNKNOWN = "unknown"
    """Something that does not come by itself, so that only a person's attempts count."""


class _Attempts:
    """The attempts to do what a pass over one workspace could not do. For the index thread."""

    def __init__(self) -> None:
        self.lack = _Lack.NOTHING
        """What the last pass was in want of."""
        self.count = 0
        """Number of passes so far that lacked it."""
        self.timer: ScheduledCall | None = None
        self.last: Future[IndexReport] | None = None
        """The pass that was looked at last, which several callers may have asked for."""


class AutoIndexer(LazyParts):
    """Watches the folders of notes and queues passes over them. For any thread."""

    # The parameters are parts of the engine, which makes it in one place.
    def __init__(
        self,
        registry: Registry,
        board: StatusBoard,
        events: EventBus,
        index: IndexThread,
        timers: Timers,
        pool: Executor,
    ) -> None:
        """No folder is watched until start."""
        self._registry = registry
        self._board = board
        self._events = events
        self._index = index
        self._timers = timers
        self._jobs = SerialQueue(pool)
        sync = registry.loaded.settings.memory_search.sync
        self._quiet = DebounceTime(sync.watch_debounce_ms / 1000)
        self._resume: ScheduledCall | None = None
        self._interval: ScheduledCall | None = None
        self.is_on = False
        """Whether passes begin by themselves, as they do after start."""

    def start(self) -> None:
        """Watch all folders from now on, as the settings say."""
        self.is_on = True
        sync = self._registry.loaded.settings.memory_search.sync
        for workspace in self._registry.readable():
            self._watch(workspace)
        self.look_regularly()
        if sync.on_session_start and not self._board.is_paused:
            self.refresh()

    def refresh(
        self,
        workspace: LocalWorkspace | None = None,
        *,
        force: bool = False,
        words_only: bool = False,
        may_send: bool = False,
    ) -> Future[tuple[IndexReport, ...]]:
        """Queue a pass over one workspace, or over all that are on."""
        chosen: Sequence[LocalWorkspace] = self._registry.readable()
        if workspace:
            chosen = [workspace]
        # One future for all passes, which ends with the last of them.
        flags = {"force": force, "words_only": words_only, "may_send": may_send}
        return gather_futures([self._submit(each, **flags) for each in chosen])

    def await_words(
        self,
        workspaces: Sequence[LocalWorkspace],
        words_seconds: float,
        vectors_seconds: float = 0.0,
    ) -> None:
        """Begin passes; wait so long for all words, then so long for vectors. On a pool thread.

        For a pass that is already under way, only the words are awaited. For a damaged index, the
        whole pass that makes it anew is.
        """
        passes: list[tuple[Future[Any], Future[Any]]] = []
        for workspace in workspaces:
            # Asked before a pass is queued: afterwards every workspace is being indexed.
            words_ready: Future[Any] = self._index.words_ready(workspace)
            done = words_ready
            if workspace.is_damaged:
                # A pass under way writes to the damaged file: only the next one makes another.
                done = self.refresh(workspace)
                words_ready = done
            elif not self._index.is_indexing(workspace):
                done = self.refresh(workspace)
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
        self._quiet.seconds = sync.watch_debounce_ms / 1000
        if self._interval:
            self._interval.cancel()
        if sync.interval_minutes:
            self._interval = self._timers.after(sync.interval_minutes * 60, self._interval_over)

    @lazy
    def watcher(self) -> Watcher:
        """The watcher, made for the first folder: a command of the terminal watches none."""
        from scrubjay.notes.watcher import Watcher

        def warn(reason: str) -> None:
            title = msg("Not all folders can be watched for changes")
            self._events.publish(Notice(title, reason, cause=_WATCHES))

        def resolved() -> None:
            text = msg("Scrubjay again notices changes in all available folders immediately.")
            self._events.publish(Resolved(_WATCHES, text))

        return Watcher(self._timers, warn=warn, resolved=resolved)

    def forget(self, workspace: LocalWorkspace) -> None:
        """Stop watching a workspace, and trying what failed."""
        attempts = workspace.part(_Attempts)
        if attempts.timer:
            attempts.timer.cancel()
        if attempts.lack:
            attempts.lack = _Lack.NOTHING
            self._events.publish(Resolved(workspace.id))
        if self.is_on:
            self.watcher.forget(self._watch_of(workspace))

    def _watch_of(self, workspace: LocalWorkspace) -> FolderWatch:
        """The watch of a workspace."""
        from scrubjay.notes.watcher import FolderWatch

        def make() -> FolderWatch:
            due = partial(self._index_changes, workspace)
            debounce = Debounce(self._quiet, self._timers, jobs=self._jobs, due=due)
            return FolderWatch(workspace.changes, debounce)

        return workspace.part(FolderWatch, make)

    def watch_file(self, file: Path, changed: Callable[[], None]) -> None:
        """Call changed, on a thread of the watcher, when a file other than a note is written."""
        if self.is_on:
            self.watcher.watch_file(file, changed)

    def close(self) -> None:
        """Stop watching."""
        self.is_on = False
        self._jobs.close(_CLOSE_SECONDS)
        self.close_made("watcher")

    def add_or_update(self, workspace: LocalWorkspace) -> None:
        """Watch and index a workspace that was just added, or that has other settings now."""
        if self.is_on:
            self._watch(workspace)
            # While indexing is paused, the end of the pause reads it.
            if not self._board.is_paused and not workspace.off_key:
                self.refresh(workspace)

    def suspect(self, workspace: LocalWorkspace) -> None:
        """Index a workspace soon, since an answer found its folder unavailable."""
        if self.is_on:
            self._watch_of(workspace).add()

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
        for workspace in self._registry.readable():
            workspace.show(state=IndexState.PAUSED)
        self._events.publish(PauseChanged(is_paused=True))

    def resume(self) -> None:
        """Index again, from where the last pass stopped."""
        if self._resume:
            self._resume.cancel()
        self._board.set_pause(False)
        self._events.publish(PauseChanged(is_paused=False))
        self.refresh()

    def _index_changes(self, workspace: LocalWorkspace) -> None:
        """On the shared pool: files of a workspace changed and are quiet now."""
        workspace.changes.be_due()
        if not workspace.is_listed or workspace.off_key:
            return
        # A change may have made a new folder, which is watched from now on.
        self._watch(workspace)
        if not self._board.is_paused:
            self._submit(workspace)

    def _submit(self, workspace: LocalWorkspace, **flags: bool) -> Future[IndexReport]:
        """Queue a pass. Changes that were due before it are settled once it has read all words.

        The future raises SearchOff for a workspace that is off.
        """
        try:
            job = PassInput.of(workspace, **flags)
        except SearchOff as error:
            refused: Future[IndexReport] = Future()
            refused.set_exception(error)
            return refused
        # Taken before the pass begins: what changes from here on waits for the next one.
        paths = workspace.changes.due

        def words_read() -> None:
            workspace.changes.settle(paths)
            # What the notes mean may take hours to learn, and reading them works already.
            attempts = workspace.part(_Attempts)
            if self.is_on and attempts.lack is _Lack.NOTES and not workspace.status.away:
                self._end_lack(workspace, attempts)

        future = self._index.submit(job, on_words=words_read)
        future.add_done_callback(lambda done: self._follow_up(job, done))
        return future

    def _follow_up(self, job: PassInput, done: Future[IndexReport]) -> None:
        """Try again later what a pass could not do, and say when it could be done again."""
        workspace = job.workspace
        attempts = workspace.part(_Attempts)
        is_cancelled = done.cancelled() or isinstance(done.exception(), Cancelled)
        if not self.is_on or is_cancelled or attempts.last is done:
            return
        attempts.last = done
        lack = _lack(done)
        # A pass for words alone does not tell whether a model is there again.
        if job.words_only and attempts.lack is _Lack.MEANING and not lack:
            return
        if attempts.timer:
            attempts.timer.cancel()
        if lack is not attempts.lack:
            if attempts.lack:
                self._end_lack(workspace, attempts)
            attempts.lack = lack
        if lack in (_Lack.NOTHING, _Lack.UNKNOWN):
            return
        # Nothing announces that a drive is connected, that a disk has space, or that a service
        # answers. The longer it lasts, the more seldom it is tried.
        attempts.count += 1
        pause = self._index.limits.pause_before(attempts.count)
        again = partial(self._try_again, workspace, may_send=job.may_send)
        attempts.timer = self._timers.after(pause, again)

    def _end_lack(self, workspace: LocalWorkspace, attempts: _Attempts) -> None:
        """Say what works again, if a message said that it did not.

        A lack for search by meaning is shown in the status alone, which changes by itself.
        """
        sentence = ""
        if attempts.lack is _Lack.NOTES:
            sentence = msg("Scrubjay can read {folder} again.", folder=workspace.name)
        attempts.lack = _Lack.NOTHING
        attempts.count = 0
        self._events.publish(Resolved(workspace.id, sentence))

    def _try_again(self, workspace: LocalWorkspace, *, may_send: bool) -> None:
        """A pass over a workspace after one that failed."""
        if self.is_on and workspace.is_listed and not self._board.is_paused:
            self._submit(workspace, may_send=may_send)

    def _interval_over(self) -> None:
        self.look_again()
        self.look_regularly()

    def _watch(self, workspace: LocalWorkspace) -> None:
        if not self.is_on:
            return
        folder = self._watch_of(workspace)
        search = workspace.settings
        if not search.sync.watch or workspace.off_key:
            self.watcher.forget(folder)
            return
        from scrubjay.notes.watcher import watched_places

        root = workspace.root

        def look() -> list[Path]:
            # A look into the folder first, which hangs where its drive does not answer.
            with contextlib.suppress(OSError), os.scandir(root) as entries:
                next(entries, None)
            extra = [path for _, path in labelled_extra_paths(root, search.extra_paths)]
            sessions = filter(is_folder, IndexSettings.of(search, workspace.record).session_folders)
            return watched_places(root, [*extra, *sessions])

        try:
            watched = self._registry.io_timeouts[workspace.root].call(look)
        except IoTimedOut:
            # Watching begins with a walk through all folders, which would not end either.
            self.watcher.poll(folder)
            return
        # Watching again misses changes for a moment, so it is done only for other places.
        if folder.is_outdated(watched):
            self.watcher.watch(folder, watched)


def _lack(done: Future[IndexReport]) -> _Lack:
    """What a pass was in want of that may come by itself."""
    error = done.exception()
    if isinstance(error, IndexUnavailable) and not isinstance(error, IndexTooNew):
        return _Lack.NOTES
    if error is not None:
        return _Lack.UNKNOWN
    if done.result().away:
        return _Lack.NOTES
    if done.result().may_come:
        return _Lack.MEANING
    return _Lack.NOTHING
