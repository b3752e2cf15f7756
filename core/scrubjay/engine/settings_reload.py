"""Applies the settings file while the program runs: what was edited counts from then on."""

from __future__ import annotations

import contextlib
import threading
from concurrent.futures import Future
from pathlib import Path

from scrubjay.answers.search_thread import SearchThread
from scrubjay.concurrency.timers import Timer, Timers
from scrubjay.config.loading import LoadedSettings, memory_search_for
from scrubjay.config.settings_diff import Changes, changes
from scrubjay.embedding.selection.active_provider import ActiveProvider
from scrubjay.errors import IndexUnavailable
from scrubjay.events import EventBus, ModelsChanged, Notice, SettingsChanged, WorkspacesChanged
from scrubjay.index.auto_index import AutoIndexer
from scrubjay.index.index_thread import IndexThread
from scrubjay.messages import joined, msg
from scrubjay.workspaces.registry import AppliedSettings, Registry
from scrubjay.workspaces.status_board import StatusBoard

_QUIET_S = 0.3
"""Editors write a file in several steps: it is read once they are through."""


class SettingsReload:
    """Knows which settings are applied, and applies others. For any thread."""

    def __init__(
        self,
        registry: Registry,
        board: StatusBoard,
        events: EventBus,
        following: AutoIndexer,
        index: IndexThread,
        providers: ActiveProvider,
        words: SearchThread,
        alarms: Timers,
        applied: AppliedSettings,
    ) -> None:
        """Words is the thread that may read the file, applied what the engine began with."""
        self._registry = registry
        self._board = board
        self._events = events
        self._following = following
        self._index = index
        self._providers = providers
        self._words = words
        self._alarms = alarms
        self._lock = threading.Lock()
        self._applied, self._files = applied.settings, applied.index_files
        self._quiet: Timer | None = None

    def watch(self, file: Path) -> None:
        """Read the file again whenever somebody has edited it."""
        with contextlib.suppress(OSError):
            # A folder that is not there cannot be watched.
            file.parent.mkdir(parents=True, exist_ok=True)
        self._following.watch_file(file, self._edited)

    def reload(self) -> Future[Changes]:
        """Read the file again and apply what is different."""
        return self._words.submit(self._reload)

    def follow(self, *, tells: bool = False) -> Changes:
        """Apply what was read since the last time; with tells people hear what it means.

        Not on the GUI thread: indexes may be copied to where they are wanted now.
        """
        with self._lock:
            old, new = self._applied, self._registry.loaded
            self._applied = new
            if old == new:
                return Changes((), ())
            self._keep_indexes()
            self._follow_workspaces(old, new)
        differing = changes(old.settings, new.settings)
        has_other_provider = self._providers.reload()
        if old.settings.workspaces != new.settings.workspaces:
            self._events.publish(WorkspacesChanged())
        if tells and has_other_provider:
            self._events.publish(ModelsChanged())
        if has_other_provider:
            self._following.look_again()
        if tells:
            self._tell(old, new, differing)
        self._events.publish(SettingsChanged(differing.hot, differing.rebuild))
        return differing

    def _reload(self) -> Changes:
        self._registry.reload()
        return self.follow(tells=True)

    def _edited(self) -> None:
        """On watchdog's thread."""
        if self._quiet:
            self._quiet.cancel()
        self._quiet = self._alarms.after(_QUIET_S, self.reload)

    def _follow_workspaces(self, old: LoadedSettings, new: LoadedSettings) -> None:
        before = {entry.id: entry.root for entry in old.settings.workspaces}
        after = {entry.id: entry.root for entry in new.settings.workspaces}
        self._board.list(self._registry.known())
        for name, root in before.items():
            if after.get(name) != root:
                self._following.forget(name)
                self._index.cancel(name)
        for workspace in self._registry.all():
            is_new = before.get(workspace.id) != workspace.root
            former, _ = memory_search_for(old, workspace.id)
            if is_new or former != self._registry.settings(workspace):
                self._following.take_in(workspace)
        self._following.look_regularly()

    def _keep_indexes(self) -> None:
        """An index that is wanted elsewhere answers from there until it is up to date."""
        files = self._registry.index_files()
        for name, file in files.items():
            former = self._files.get(name, file)
            if former != file:
                with contextlib.suppress(IndexUnavailable):  # then it is built anew
                    self._words.copy_index(former, file)
        self._files = files

    def _tell(self, old: LoadedSettings, new: LoadedSettings, differing: Changes) -> None:
        if new.broken and new.broken != old.broken:
            reason = joined(
                "; ",
                (msg("{key}: {reason}", key=one.key, reason=one.reason) for one in new.problems),
            )
            self._events.publish(Notice(msg("The settings file cannot be used"), reason))
        elif differing.rebuild and self._following.is_on:
            keys = ", ".join(differing.rebuild)
            told = msg(
                "The notes are indexed anew in the background; the old index answers until then."
            )
            self._events.publish(
                Notice(msg("New settings need a new index ({keys})", keys=keys), told)
            )
