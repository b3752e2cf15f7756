"""Watches of Linux that end only when their folder is gone, also after events were lost."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from watchdog.observers.inotify import InotifyEmitter, InotifyObserver, InotifyWatchGroup
from watchdog.observers.inotify_c import CallbackId

log = logging.getLogger(__name__)


class InotifyTreeObserver(InotifyObserver):
    """Observer of folders of any number."""

    on_lost: Callable[[], object] = staticmethod(lambda: None)
    """Function that is called when events were lost, for each watch on the thread that reads
    them."""

    def __init__(self) -> None:
        super().__init__()
        self._emitter_class = _Emitter
        self._emitter_kwargs["observer"] = self


class _Emitter(InotifyEmitter):
    def __init__(self, *args: Any, observer: InotifyTreeObserver, **options: Any) -> None:
        super().__init__(*args, **options)
        self._observer = observer

    def on_thread_start(self) -> None:
        self._inotify = TreeWatches(
            self._inotify_fd,
            os.fsencode(self.watch.path),
            event_mask=self.get_event_mask_from_filter(),
            is_recursive=self.watch.is_recursive,
            follow_symlink=self.watch.follow_symlink,
            on_lost=self._observer.on_lost,
        )


@dataclass
class TreeWatches(InotifyWatchGroup):
    """Watches of a folder and of those below it."""

    on_lost: Callable[[], object] = field(kw_only=True)
    """Function that is called when events were lost, before the folders are watched again."""

    def on_queue_overflow(self) -> None:
        """Watch the folders that are there now, after events were lost.

        The end of a watch is an event, too, and this runs on the thread that reads them. If all
        watches ended first, as those of watchdog do, 17,000 folders would fill the queue again,
        and that would go on for ever.
        """
        self.on_lost()
        with self._lock:
            if not self.is_active:
                return
            self._move_event_grouper.discard_pending_events()
            former_id = self._id
            former = [(wd, former_id) for wd in self._active_callbacks_by_watch]
            # Under another id the same watch is used on, and no event comes twice.
            self._id = CallbackId(-former_id)
            self._active_callbacks_by_watch.clear()
            self._active_callbacks_by_path.clear()
            try:
                self._add_all_callbacks(self.path)
            except OSError as error:  # the next pass finds that the folder is gone
                log.info("%r is no longer watched: %s", self.path, error)
            self._inotify_fd.remove_callbacks(former)
