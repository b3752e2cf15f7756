"""Application of changes in the settings file while the program runs."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.concurrency.timers import ScheduledCall, Timers
from scrubjay.config.loading import SETTLE_S, LoadedSettings
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.config.settings_diff import changed_keys, needs_rebuild
from scrubjay.errors import IndexUnavailable
from scrubjay.messages import join_sentences, msg
from scrubjay.records.note_records import Workspace
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.workspaces.open_workspace import LocalWorkspace

if TYPE_CHECKING:
    from scrubjay.answers.search_thread import SearchThread
    from scrubjay.embedding.selection.active_provider import ActiveProvider
    from scrubjay.event_bus import EventBus
    from scrubjay.index.auto_index import AutoIndexer
    from scrubjay.index.index_thread import IndexThread
    from scrubjay.workspaces.registry import Registry
    from scrubjay.workspaces.status_board import StatusBoard

_QUIET_SECONDS = 0.3
"""Seconds without a write after which the file is read; editors write it in several steps."""

_SETTINGS = "settings"
"""Cause of the notice that the settings file cannot be used."""

_UNCHANGED: Future[object] = Future()
"""Future that is done, for settings without a change."""
_UNCHANGED.set_result(None)


class ReloadedParts(Protocol):
    """The parts of an engine that follow the settings."""

    registry: Registry
    board: StatusBoard
    events: EventBus
    timers: Timers

    @property
    def auto_index(self) -> AutoIndexer:
        """The part that keeps indexes up to date."""

    @property
    def index(self) -> IndexThread:
        """The thread that writes indexes."""

    @property
    def providers(self) -> ActiveProvider:
        """The provider that the settings choose."""

    @property
    def words(self) -> SearchThread:
        """The thread that searches by words."""

    def follow_sharing(self) -> None:
        """Publish and search what the settings share by now."""


class SettingsReload:
    """Updates the parts of an engine when the settings change. For any thread."""

    def __init__(self, parts: ReloadedParts) -> None:
        """The settings as they are now count as applied."""
        self._parts = parts
        self._lock = threading.Lock()
        self._applied = parts.registry.loaded
        self._followed = _followed(parts.registry)
        self._timer: ScheduledCall | None = None

    def watch(self, file: Path) -> None:
        """Read the file again after each edit."""
        with contextlib.suppress(OSError):
            # A folder that is not there cannot be watched.
            file.parent.mkdir(parents=True, exist_ok=True)
        self._parts.auto_index.watch_file(file, self._on_edit)
        self._look_again()

    def reload(self) -> Future[tuple[str, ...]]:
        """Read the file again and apply its changes; the answer is their keys."""

        def job() -> tuple[str, ...]:
            self._parts.registry.reload()
            self._look_again()
            return self.follow(announces=True)

        return self._parts.words.submit(job)

    def catch_up(self) -> Future[object]:
        """Apply edits of the file since the last time, where no watcher follows it."""
        if self._parts.registry.up_to_date() is not self._applied:
            return self._parts.words.submit(self.follow)
        return _UNCHANGED

    def follow(self, *, announces: bool = False) -> tuple[str, ...]:
        """Apply the settings that were read since the last time, and announce them if asked to.

        Not on the GUI thread: indexes may be copied to where the settings want them now.
        """
        from scrubjay.events import ModelsChanged, SettingsChanged, WorkspacesChanged

        parts = self._parts
        with self._lock:
            old = self._applied
            new = parts.registry.loaded
            # Whether a file is settled says nothing about what it sets.
            if old == replace(new, is_settled=old.is_settled):
                self._applied = new
                return ()
            has_other_provider = parts.providers.reload()
            if has_other_provider:
                parts.index.cancel()  # what is still to be sent may no longer be sent
            # Where an index is to be elsewhere now, its copy answers until it is up to date.
            for workspace in parts.registry.all():
                former = self._followed.get(workspace)
                if former and former.index_file != workspace.index_file:
                    with contextlib.suppress(IndexUnavailable):  # then it is built anew
                        parts.words.copy_index(former.index_file, workspace.index_file)
            off_before = _off(self._followed)
            self._follow_workspaces()
            is_switched = _off(self._followed) != off_before
            parts.follow_sharing()
            self._applied = new  # now: an answer that catches up waits until then
        # From here on only announcements: everything new is in force.
        changed = changed_keys(old.settings, new.settings)
        # What is turned off is no longer shown, and what is turned on again is.
        if is_switched or old.settings.workspaces != new.settings.workspaces:
            parts.events.publish(WorkspacesChanged())
        if announces and has_other_provider:
            parts.events.publish(ModelsChanged())
        if has_other_provider:
            parts.auto_index.look_again()
        if announces:
            self._announce(old, new, tuple(filter(needs_rebuild, changed)))
        parts.events.publish(SettingsChanged())
        return changed

    def _on_edit(self) -> None:
        """Read the file once it is quiet. On a thread of watchdog."""
        if self._timer:
            self._timer.cancel()
        self._timer = self._parts.timers.after(_QUIET_SECONDS, self.reload)

    def _look_again(self) -> None:
        """Read the file again in a moment, while it does not count yet."""
        if not self._parts.registry.loaded.is_settled:
            self._timer = self._parts.timers.after(SETTLE_S, self.reload)

    def _follow_workspaces(self) -> None:
        """Watch and index the workspaces as the settings list them now."""
        parts = self._parts
        before = self._followed
        after = _followed(parts.registry)
        self._followed = after
        # What is no longer there, is elsewhere now, or is off, is not read any further.
        for workspace, former in before.items():
            now = after.get(workspace)
            if now is None or now.record != former.record or workspace.off_key:
                parts.auto_index.forget(workspace)
                parts.index.cancel(workspace)
        # New workspaces, and those with other settings, are read.
        for workspace, now in after.items():
            earlier = before.get(workspace)
            is_as_before = (
                earlier is not None
                and earlier.record == now.record
                and earlier.settings == now.settings
            )
            if not is_as_before:
                parts.auto_index.add_or_update(workspace)
        parts.auto_index.look_regularly()

    def _announce(
        self, old: LoadedSettings, new: LoadedSettings, rebuilding: tuple[str, ...]
    ) -> None:
        """Publish a notice of a file that cannot be used, or of notes that are read again."""
        from scrubjay.events import Notice, Resolved

        if old.broken and not new.broken:
            text = msg("The settings file can be used again.")
            self._parts.events.publish(Resolved(_SETTINGS, text))
        # A file that stays broken is not announced at each edit.
        if new.broken and new.broken != old.broken:
            reasons = (
                msg("{key}: {reason}", key=problem.key, reason=problem.reason)
                for problem in new.problems
            )
            title = msg("The settings file cannot be used")
            notice = Notice(title, join_sentences("; ", reasons), cause=_SETTINGS)
        # Notes are read again in this process only where passes begin by themselves.
        elif rebuilding and self._parts.auto_index.is_on:
            keys = ", ".join(rebuilding)
            text = msg(
                "Scrubjay is reading your notes again in the background. Until it has "
                "finished, search works as before."
            )
            if self._parts.board.is_paused:
                text = msg(
                    "Scrubjay will read your notes again once reading is resumed. Until it has "
                    "finished, search works as before."
                )
            notice = Notice(
                msg(
                    "Your notes have to be read again because settings changed ({keys})", keys=keys
                ),
                text,
            )
        else:
            return
        self._parts.events.publish(notice)


class _Followed(Struct, frozen=True):
    """A workspace as the settings were that are applied to it."""

    record: Workspace
    """Record without its name, which changes nothing in an index."""
    settings: MemorySearch
    index_file: Path
    is_off: bool


def _followed(registry: Registry) -> dict[LocalWorkspace, _Followed]:
    """All workspaces as they are now."""
    return {
        each: _Followed(
            replace(each.record, name=""),
            each.settings,
            index_file=each.index_file,
            is_off=bool(each.off_key),
        )
        for each in registry.all()
    }


def _off(followed: Mapping[LocalWorkspace, _Followed]) -> frozenset[WorkspaceId]:
    """Ids of the workspaces that are turned off."""
    return frozenset(workspace.id for workspace, each in followed.items() if each.is_off)
