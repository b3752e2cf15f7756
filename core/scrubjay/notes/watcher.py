"""Watches of folders and files, with polling for those that cannot be watched."""

from __future__ import annotations

import contextlib
import logging
import os
import stat
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias

from watchdog.events import (
    DirAttribEvent,
    DirCreatedEvent,
    DirDeletedEvent,
    DirModifiedEvent,
    DirMovedEvent,
    FileAttribEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers.api import BaseObserver, ObservedWatch

from scrubjay.concurrency.timers import Debounce, ScheduledCall, Timers
from scrubjay.documents.media_types import media_type
from scrubjay.errors import system_reason
from scrubjay.messages import msg
from scrubjay.notes.inotify_limits import is_limit_reached, watch_limit
from scrubjay.notes.scan import NEVER_ENTERED
from scrubjay.notes.transcripts import SUFFIX
from scrubjay.notes.tree_observer import new_observer
from scrubjay.text.file_kinds import document_kind, text_ending

log = logging.getLogger(__name__)

_POLL_SECONDS = 60.0
"""Seconds between comparisons of a folder that cannot be watched."""

_MOST_POLLS = 16
"""Number of looks at a folder between two attempts to watch it, at most."""

_CHANGES: list[type[FileSystemEvent]] = [
    DirAttribEvent,
    DirCreatedEvent,
    DirDeletedEvent,
    DirModifiedEvent,
    DirMovedEvent,
    FileAttribEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
]
"""Events that the system is asked for: not those of reading. A pass would feed itself, and the list
of 4,100 watched folders would fill the queue of Linux."""

_Watch: TypeAlias = tuple[ObservedWatch, "_Handler"]
"""Watch of a folder, with the handler of its events."""
_PlaceIds: TypeAlias = dict[Path, tuple[int, int] | None]
"""(device, inode) by place; None if there is nothing."""

_FILE_ID = (0, 0)
"""Id of every file: the folder above is watched for it, whatever replaces the file."""


class FolderChanges(Protocol):
    """Changes of a folder that no pass has read yet."""

    is_watched: bool
    """Whether each change is noticed at once."""

    def add(self, path: str = "", *, is_former: bool = False) -> None:
        """Note a change, or the path that a renamed file had; an empty path stands for anything."""


class FolderWatch:
    """The watch of one folder of notes. Only the watcher changes it."""

    def __init__(self, changes: FolderChanges, debounce: Debounce) -> None:
        """Changes get each path that changes, and debounce waits until they are quiet."""
        self.changes = changes
        self._debounce = debounce
        self.watches: list[_Watch] = []
        self.places: _PlaceIds = {}
        """Places that are watched, as they were when that began; empty where none are."""
        self.is_polled = False
        """Whether the folder is looked at now and then, as it cannot be watched."""
        self.is_refused = False
        """Whether the system refused to watch it the last time."""
        self.refusals = 0
        """Number of times in a row that it did."""
        self.polls_left = 0
        """Number of looks until watching is tried again."""

    def add(self, path: str = "", *, is_former: bool = False) -> None:
        """Note a change, or the path that a renamed file had; an empty path stands for anything."""
        self.changes.add(path, is_former=is_former)
        self._debounce.wait()

    def is_outdated(self, places: Sequence[Path]) -> bool:
        """Whether other places than those being watched are there now, or watching is due again."""
        is_due = self.is_refused and self.polls_left <= 0
        return is_due or self.places != place_ids(places)


class Watcher:
    """Watches the folders of all workspaces. It reports when it falls back to polling."""

    def __init__(
        self,
        timers: Timers,
        warn: Callable[[str], None],
        *,
        resolved: Callable[[], None] = lambda: None,
        poll_seconds: float = _POLL_SECONDS,
    ) -> None:
        """Warn is called once, with one sentence, when folders are polled instead.

        Resolved is called when all of them are watched again.
        """
        self._timers = timers
        self._warn = warn
        self._resolved = resolved
        self._poll_seconds = poll_seconds
        self._observer: BaseObserver | None = None
        self._folders: list[FolderWatch] = []
        """Folders that are watched or polled."""
        self._has_warned = False
        self._lock = threading.RLock()
        self._poll_timer: ScheduledCall | None = None

    def watch(self, folder: FolderWatch, places: Sequence[Path]) -> None:
        """Watch files, and folders with everything below them; nothing else from now on.

        A place that is not there is looked for. Slow for large trees: off the GUI thread.
        """
        # Watches of earlier places end first, so that no change is counted twice.
        self.forget(folder)
        with self._lock:
            folder.is_refused = False
            self._folders.append(folder)
            folder.places = place_ids(places)
            for place in places:
                # A folder that disappears takes its watch with it: the one above sees it return.
                self._schedule(folder, place, is_deep=False)
                if not place.is_file():
                    self._schedule(folder, place, is_deep=True)
        # watchdog says nothing when Linux lets folders below a place go unwatched.
        allowed = watch_limit()
        if allowed is not None and is_limit_reached():
            reason = msg(
                "The system allows only {allowed} folders to be watched for "
                "changes (fs.inotify.max_user_watches)",
                allowed=str(allowed),
            )
            with self._lock:
                self._warn_and_poll(folder, reason)
        with self._lock:
            folder.changes.is_watched = not folder.is_polled
            # Watching is tried again after one look at the folder, then after two, four, and so on.
            if folder.is_refused:
                folder.polls_left = min(2**folder.refusals, _MOST_POLLS)
                folder.refusals += 1
            elif folder.refusals and not folder.is_polled:
                folder.refusals = 0
                self._tell_resolved()

    def poll(self, folder: FolderWatch) -> None:
        """Compare a folder now and then, until it is watched again."""
        with self._lock:
            folder.is_polled = True
            folder.changes.is_watched = False
            if folder not in self._folders:
                self._folders.append(folder)
            if self._poll_timer is None:
                self._poll_timer = self._timers.after(self._poll_seconds, self._poll_all)

    def watch_file(self, file: Path, changed: Callable[[], None]) -> None:
        """Call changed, on watchdog's thread, whenever a file is written.

        Only its folder must be there; where that cannot be watched, changed is never called.
        """

        def on_change(path: Path, _is_folder: bool, _is_former: bool) -> None:
            if path == file:
                changed()

        handler = _Handler(on_change)
        # Its folder is watched, since many programs replace a file when they save it.
        try:
            with self._lock:
                self._started().schedule(handler, str(file.parent), event_filter=_CHANGES)
        except OSError as error:
            log.warning("%s cannot be watched: %s", file, error)

    def forget(self, folder: FolderWatch) -> None:
        """Stop watching a folder."""
        with self._lock:
            watches = folder.watches
            folder.watches = []
            folder.places = {}
            folder.is_polled = False
            folder.changes.is_watched = False
            if folder in self._folders:
                self._folders.remove(folder)
            # Two workspaces may watch the same folder, which stays watched for the other one.
            in_use = {watch for other in self._folders for watch, _ in other.watches}
            for watch, handler in watches:
                # The folder may have gone, and its watch with it.
                with contextlib.suppress(KeyError, OSError):
                    if self._observer:
                        self._observer.remove_handler_for_watch(handler, watch)
                    if self._observer and watch not in in_use:
                        self._observer.unschedule(watch)

    def _schedule(self, watched: FolderWatch, place: Path, *, is_deep: bool) -> None:
        """Watch for notes below a folder, or for the coming and going of a place."""

        def add(path: Path, is_folder: bool, is_former: bool) -> None:
            is_change = path == place
            if is_deep:
                is_change = _is_note(path, is_folder, folder=place)
            if is_change:
                watched.add(str(path), is_former=is_former)

        handler = _Handler(add)
        folder = place if is_deep else place.parent
        # A place that cannot be watched is looked at now and then.
        try:
            watch = self._started().schedule(
                handler, str(folder), recursive=is_deep, event_filter=_CHANGES
            )
        except FileNotFoundError:
            # The state of the workspace says that the folder is missing, also once it is back.
            self.poll(watched)
        except OSError as error:
            reason = system_reason(error)
            self._warn_and_poll(
                watched, msg("{place} cannot be watched ({reason})", place=folder, reason=reason)
            )
        else:
            watched.watches.append((watch, handler))

    def close(self) -> None:
        """Stop watching and polling."""
        with self._lock:
            observer = self._observer
            self._observer = None
            for folder in self._folders:
                folder.is_polled = False
                folder.changes.is_watched = False
            if self._poll_timer:
                self._poll_timer.cancel()
        # Outside of the lock, for which the observer's thread may be waiting.
        if observer:
            observer.stop()
            observer.join()

    def _started(self) -> BaseObserver:
        """The observer, started when it is first needed."""
        if self._observer is None:
            self._observer = new_observer(self._suspect_all)
            self._observer.start()
        return self._observer

    def _tell_resolved(self) -> None:
        """Say that all folders are watched, once that is so again."""
        if self._has_warned and not any(folder.refusals for folder in self._folders):
            self._has_warned = False
            self._resolved()

    def _warn_and_poll(self, folder: FolderWatch, reason: str) -> None:
        """Compare a workspace now and then, and say why, once for all workspaces."""
        folder.is_refused = True
        if not self._has_warned:
            self._has_warned = True
            self._warn(
                msg(
                    "{reason}, so Scrubjay checks the folder every {n} seconds.",
                    reason=reason,
                    n=round(self._poll_seconds),
                )
            )
        self.poll(folder)

    def _poll_all(self) -> None:
        """Look through the folders that are not watched, and again in a while."""
        with self._lock:
            polled = [folder for folder in self._folders if folder.is_polled]
            self._poll_timer = None
            for folder in polled:
                folder.polls_left -= 1
                self.poll(folder)
        for folder in polled:
            folder.add()

    def _suspect_all(self) -> None:
        """Count everything that is watched as changed, since events were lost."""
        for folder in tuple(self._folders):
            folder.add()


class _Handler(FileSystemEventHandler):
    """Calls on_change with each path that changed, whether it is a folder, and whether it is gone
    because it was renamed.
    """

    def __init__(self, on_change: Callable[[Path, bool, bool], object]) -> None:
        self._on_change = on_change

    def on_any_event(self, event: FileSystemEvent) -> None:
        path = os.fsdecode(event.src_path)
        new_path = os.fsdecode(event.dest_path)
        if path:
            is_former = new_path not in ("", path)
            self._on_change(Path(path), event.is_directory, is_former)
        if new_path:
            self._on_change(Path(new_path), event.is_directory, False)


def _is_note(path: Path, is_folder: bool, folder: Path) -> bool:
    """Whether a path is a note, transcript, image, recording or folder in a watched folder."""
    # Only names below the root count: the root itself may be called anything.
    inside = path
    if path.is_relative_to(folder):
        inside = path.relative_to(folder)
    # Whether documents, images and transcripts count is decided by the pass, which lists them.
    is_text = bool(text_ending(path.name)) or path.name.lower().endswith(SUFFIX)
    is_kind = is_folder or is_text or bool(media_type(path.name) or document_kind(path.name))
    return is_kind and NEVER_ENTERED.isdisjoint(inside.parts)


def place_ids(places: Iterable[Path]) -> _PlaceIds:
    """(device, inode) of each folder; None if there is neither a file nor a folder."""
    ids: _PlaceIds = {}
    for place in places:
        ids[place] = None
        with contextlib.suppress(OSError):
            status = place.stat()
            is_folder = stat.S_ISDIR(status.st_mode)
            ids[place] = (status.st_dev, status.st_ino) if is_folder else _FILE_ID
    return ids


def watched_places(root: Path, extra: Iterable[Path]) -> list[Path]:
    """Places to watch, none twice or inside another; the root even while it is not there."""
    places = dict.fromkeys([root, *extra])
    return [
        place
        for place in places
        if not any(place != other and place.is_relative_to(other) for other in places)
    ]
