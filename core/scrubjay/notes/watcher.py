"""Notices that files changed, and says so once they are quiet."""

from __future__ import annotations

import contextlib
import logging
import os
import stat
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch

from scrubjay.errors import system_reason
from scrubjay.messages import msg
from scrubjay.notes.inotify_limits import folder_count, watch_limit
from scrubjay.notes.media_types import media_type
from scrubjay.notes.scan import NEVER_ENTERED

log = logging.getLogger(__name__)

POLL_SECONDS = 60.0
"""How often folders are compared that cannot be watched."""

_IGNORED = frozenset({"opened", "closed_no_write"})
"""Reading a file raises these: taking them in would make the indexer feed itself."""

_LONGEST_WAIT = 5
"""Times the debounce after which changes are handed on even if more keep coming."""


@dataclass(slots=True)
class _Changes:
    """Changed paths of one workspace that are not indexed yet."""

    first: float
    last: float
    paths: set[str] = field(default_factory=set)


class ChangeSet:
    """Collects changes by workspace and tells when each is quiet. For any thread."""

    def __init__(self, quiet_seconds: float, due: Callable[[str], None]) -> None:
        """Due is called with a workspace id, on the thread of this set."""
        self.quiet_seconds = quiet_seconds
        self._due = due
        self._waiting: dict[str, _Changes] = {}
        self._handed_on: dict[str, set[str]] = {}
        self._changed = threading.Condition()
        self._is_closed = False
        self._thread = threading.Thread(target=self._run, name="scrubjay-changes", daemon=True)

    def start(self) -> None:
        """Begin to call due."""
        self._thread.start()

    def close(self) -> None:
        """Forget what waits and end the thread."""
        with self._changed:
            self._is_closed = True
            self._waiting.clear()
            self._handed_on.clear()
            self._changed.notify()
        if self._thread.ident is not None:
            self._thread.join()

    def add(self, workspace: str, path: str = "") -> None:
        """Note a change; an empty path stands for anything in the workspace."""
        now = time.monotonic()
        with self._changed:
            changes = self._waiting.setdefault(workspace, _Changes(now, now))
            changes.last = now
            changes.paths.add(path)
            self._changed.notify()

    def pending(self, workspace: str) -> int:
        """Number of paths that changed and that nobody has settled yet."""
        with self._changed:
            changes = self._waiting.get(workspace)
            waiting = changes.paths if changes else set()
            return len(waiting | self._handed_on.get(workspace, set()))

    def handed_on(self, workspace: str) -> frozenset[str]:
        """The paths that were due and are not settled yet."""
        with self._changed:
            return frozenset(self._handed_on.get(workspace, ()))

    def settle(self, workspace: str, paths: Collection[str]) -> None:
        """Forget paths that were read."""
        with self._changed:
            left = self._handed_on.get(workspace, set()) - set(paths)
            self._handed_on[workspace] = left

    def _run(self) -> None:
        while True:
            with self._changed:
                if self._is_closed:
                    return
                ready, wait = self._ready(time.monotonic())
                if not ready:
                    self._changed.wait(wait)
                    continue
                for workspace in ready:
                    handed_on = self._handed_on.setdefault(workspace, set())
                    handed_on |= self._waiting.pop(workspace).paths
            for workspace in ready:
                self._due(workspace)

    def _ready(self, now: float) -> tuple[list[str], float | None]:
        """Workspaces that are due, and seconds until the next one; None without any."""
        times = {
            workspace: min(
                changes.last + self.quiet_seconds,
                changes.first + _LONGEST_WAIT * self.quiet_seconds,
            )
            for workspace, changes in self._waiting.items()
        }
        ready = [workspace for workspace, when in times.items() if when <= now]
        return ready, min(times.values(), default=now) - now if times else None


class Watcher:
    """Watches the folders of all workspaces, and falls back to polling, never silently."""

    def __init__(self, changes: ChangeSet, warn: Callable[[str], None]) -> None:
        """Warn is told once, in one sentence, why folders are polled instead."""
        self._changes = changes
        self._warn = warn
        self._observer: BaseObserver | None = None
        self._watches: dict[str, list[_Watch]] = {}
        self._places: dict[str, _PlaceIds] = {}
        self._polled: set[str] = set()
        self._has_warned = False
        self._lock = threading.Lock()
        self._overflow = _OverflowHandler(self._rescan_all)
        self._wake = threading.Event()
        self._poller: threading.Thread | None = None

    def watch(self, workspace: str, places: Sequence[Path]) -> None:
        """Watch files, and folders with everything below them; nothing else from now on.

        A place that is not there is looked for. Slow for large trees: off the GUI thread.
        """
        self.forget(workspace)
        with self._lock:
            self._places[workspace] = place_ids(places)
            watches = self._watches[workspace] = []
            for place in places:
                # A folder that goes away takes its watch with it: the one above sees it return.
                self._schedule(workspace, place.parent, _PlaceHandler, place, is_deep=False)
                if not place.is_file():
                    self._schedule(workspace, place, _Handler, place, is_deep=True)
            deep = [watch.path for watch, _ in watches if watch.is_recursive]
        self._check_limit(workspace, deep)

    def poll(self, workspace: str) -> None:
        """Compare a workspace now and then, until it is watched again."""
        with self._lock:
            self._polled.add(workspace)
            self._start_poller()

    def watch_file(self, file: Path, changed: Callable[[], None]) -> None:
        """Call changed, on watchdog's thread, whenever a file is written.

        The file need not be there, but its folder; where that cannot be watched nobody is told.
        """
        try:
            with self._lock:
                self._started().schedule(_FileHandler(file, changed), str(file.parent))
        except OSError as error:
            log.warning("%s cannot be watched: %s", file, error)

    def is_watching(self, workspace: str) -> bool:
        """True when every change in a workspace is noticed at once."""
        return workspace in self._places and workspace not in self._polled

    def is_outdated(self, workspace: str, places: Sequence[Path]) -> bool:
        """True when other places than those being watched are there now."""
        return self._places.get(workspace) != place_ids(places)

    def forget(self, workspace: str) -> None:
        """Stop watching a workspace."""
        with self._lock:
            self._polled.discard(workspace)
            self._places.pop(workspace, None)
            for watch, handler in self._watches.pop(workspace, []):
                self._unschedule(watch, handler)

    def _schedule(
        self,
        workspace: str,
        place: Path,
        kind: type[_Handler],
        folder: Path,
        *,
        is_deep: bool,
    ) -> None:
        handler = kind(self._changes, workspace, folder)
        try:
            watch = self._started().schedule(handler, str(place), recursive=is_deep)
        except FileNotFoundError:
            # That a folder is away is said by its state, also once it is back.
            self._polled.add(workspace)
            self._start_poller()
            return
        except OSError as error:
            self._poll(
                workspace,
                msg(
                    "{place} cannot be watched ({reason})", place=place, reason=system_reason(error)
                ),
            )
            return
        self._watches[workspace].append((watch, handler))

    def _unschedule(self, watch: ObservedWatch, handler: _Handler) -> None:
        if self._observer is None:
            return
        # The folder may have gone, and its watch with it.
        with contextlib.suppress(KeyError, OSError):
            self._observer.remove_handler_for_watch(handler, watch)
            in_use = {other for watches in self._watches.values() for other, _ in watches}
            if watch not in in_use:
                self._observer.unschedule(watch)

    def close(self) -> None:
        """Stop all threads."""
        self._wake.set()
        logging.getLogger(_OVERFLOW_LOGGER).removeHandler(self._overflow)
        with self._lock:
            observer, self._observer = self._observer, None
        if observer:
            observer.stop()
            observer.join()
        if self._poller:
            self._poller.join()

    def _started(self) -> BaseObserver:
        if self._observer is None:
            logging.getLogger(_OVERFLOW_LOGGER).addHandler(self._overflow)
            self._observer = Observer()
            self._observer.start()
        return self._observer

    def _poll(self, workspace: str, reason: str) -> None:
        self._polled.add(workspace)
        if not self._has_warned:
            self._has_warned = True
            self._warn(
                msg(
                    "{reason}, so it is looked through every {n} seconds.",
                    reason=reason,
                    n=round(POLL_SECONDS),
                )
            )
        self._start_poller()

    def _start_poller(self) -> None:
        if self._poller is None:
            self._poller = threading.Thread(
                target=self._poll_loop, name="scrubjay-poll", daemon=True
            )
            self._poller.start()

    def _poll_loop(self) -> None:
        while not self._wake.wait(POLL_SECONDS):
            for workspace in tuple(self._polled):
                self._changes.add(workspace)

    def _rescan_all(self) -> None:
        for workspace in tuple(self._watches):
            self._changes.add(workspace)

    def _check_limit(self, workspace: str, roots: Iterable[str]) -> None:
        """Linux: watchdog says nothing when subfolders got no watch."""
        if sys.platform != "linux":
            return
        wanted = sum(map(folder_count, roots))
        allowed = watch_limit()
        if wanted and _inotify_watches() < wanted and allowed is not None:
            reason = msg(
                "The system allows {allowed} watched folders (fs.inotify.max_user_watches)",
                allowed=str(allowed),
            )
            with self._lock:
                self._poll(workspace, reason)


class _Handler(FileSystemEventHandler):
    """Adds changed notes, images, recordings and folders to the set."""

    def __init__(self, changes: ChangeSet, workspace: str, folder: Path) -> None:
        self._changes = changes
        self._workspace = workspace
        self._folder = folder

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type in _IGNORED:
            return
        for path in (event.src_path, event.dest_path):
            text = os.fsdecode(path)
            # Whether images count is for the pass to say; it only lists folders to find out.
            is_note = event.is_directory or text[-3:].lower() == ".md" or media_type(text)
            if text and is_note and self._concerns(Path(text)):
                self._changes.add(self._workspace, text)

    def _concerns(self, path: Path) -> bool:
        # Only names below the root count: the root itself may be called anything.
        inside = path.relative_to(self._folder) if path.is_relative_to(self._folder) else path
        return NEVER_ENTERED.isdisjoint(inside.parts)


class _PlaceHandler(_Handler):
    """Notices that a watched file changed, or that a watched folder itself came or went."""

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type in _IGNORED:
            return
        if str(self._folder) in (os.fsdecode(event.src_path), os.fsdecode(event.dest_path)):
            self._changes.add(self._workspace, str(self._folder))


class _FileHandler(FileSystemEventHandler):
    """Notices that one file was written, replaced or deleted."""

    def __init__(self, file: Path, changed: Callable[[], None]) -> None:
        self._file = str(file)
        self._changed = changed

    def on_any_event(self, event: FileSystemEvent) -> None:
        paths = (os.fsdecode(event.src_path), os.fsdecode(event.dest_path))
        if event.event_type not in _IGNORED and self._file in paths:
            self._changed()


_Watch: TypeAlias = tuple[ObservedWatch, _Handler]
_PlaceIds: TypeAlias = dict[Path, tuple[int, int] | None]

_A_FILE = 0, 0
"""All files are alike: the folder above is watched for them, whatever replaces them."""


def place_ids(places: Iterable[Path]) -> _PlaceIds:
    """What each path leads to right now; None where nothing is."""
    found: _PlaceIds = {}
    for place in places:
        found[place] = None
        with contextlib.suppress(OSError):
            facts = place.stat()
            is_folder_now = stat.S_ISDIR(facts.st_mode)
            found[place] = (facts.st_dev, facts.st_ino) if is_folder_now else _A_FILE
    return found


_OVERFLOW_LOGGER = "watchdog.observers.inotify_c"


class _OverflowHandler(logging.Handler):
    """The kernel's queue overflowed: watchdog only logs it, and the events are lost."""

    def __init__(self, rescan: Callable[[], None]) -> None:
        super().__init__(logging.WARNING)
        self._rescan = rescan

    def emit(self, record: logging.LogRecord) -> None:
        if "overflow" in record.getMessage().lower():
            self._rescan()


def _inotify_watches() -> int:
    """Watches that this process holds."""
    count = 0
    for file in Path("/proc/self/fdinfo").iterdir():
        with contextlib.suppress(OSError):
            count += file.read_text("ascii").count("inotify wd:")
    return count


def watched_places(root: Path, extra: Iterable[Path]) -> list[Path]:
    """What to watch for a workspace: nothing twice, nothing inside another.

    The root is among them even while it is not there.
    """
    real = dict.fromkeys([root, *extra])
    return [one for one in real if not any(one != up and one.is_relative_to(up) for up in real)]
