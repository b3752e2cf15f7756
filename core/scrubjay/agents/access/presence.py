"""Presence of the user: a lock for other processes, and a watch on their requests."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from watchdog.events import FileSystemEvent
from watchdog.observers.polling import PollingObserver

from scrubjay.notes.tree_observer import new_observer
from scrubjay.platform.paths import make_private_folder

log = logging.getLogger(__name__)

_GATHER_S = 0.15
"""Seconds in which several writes make one call."""
_PROBE_S = 2.0
"""Seconds to try for the lock, which other processes take for moments to test it."""
_RETRY_S = 0.02
"""Seconds between two attempts to take the lock."""
_POLL_S = 2
"""Seconds between two looks at the folder, where the system has no watch left for it."""
_WRITES = frozenset({"created", "modified", "moved"})


class PresenceLock(threading.Thread):
    """Holds the lock while this process shows requests, and watches the log's folder."""

    def __init__(self, folder: Path, lock: FileLock, on_write: Callable[[], object]) -> None:
        """On_write is called on this thread after a write of any process."""
        super().__init__(name="scrubjay-presence", daemon=True)
        self._folder = folder
        self._lock = lock
        self._on_write = on_write
        self._is_written = threading.Event()
        self._is_closing = threading.Event()
        self._observer: Any = None

    def run(self) -> None:
        """Thread body."""
        try:
            make_private_folder(self._folder)
            self._lock.acquire(timeout=_PROBE_S, poll_interval=_RETRY_S)
        except Timeout:
            log.info("Another process shows questions of agents already")
        except OSError:
            log.exception("Questions of agents cannot be shown")
            return
        # Without the lock this process watches too: the one that has it may be closed first.
        try:
            self._observe(new_observer(on_lost=self._is_written.set))
        except OSError:  # no watches left
            self._observe(PollingObserver(timeout=_POLL_S))
        # Writes that follow one another within the gathering time make one call.
        self._on_write()
        while not self._is_closing.is_set():
            self._is_written.wait()
            if self._is_closing.wait(_GATHER_S):
                break
            self._is_written.clear()
            self._on_write()
        self._lock.release()

    def close(self) -> None:
        """End the thread and release the lock."""
        self._is_closing.set()
        self._is_written.set()
        self.join(1)
        if self._observer:
            self._observer.stop()
            self._observer.join(1)
        self._lock.release()

    def dispatch(self, event: FileSystemEvent) -> None:
        """Note a write to the log, not a read, since each event causes one. For the observer."""
        if event.event_type in _WRITES and "guests.sqlite" in str(event.src_path):
            self._is_written.set()

    def _observe(self, observer: Any) -> None:
        self._observer = observer
        observer.schedule(self, str(self._folder))
        observer.start()
