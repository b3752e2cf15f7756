"""Watches of macOS that say when changes were lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from watchdog.observers.fsevents import FSEventsEmitter, FSEventsObserver

from scrubjay.notes.fsevents_flags import are_events_lost


class MacTreeObserver(FSEventsObserver):
    """Observer of folders of any size."""

    on_lost: Callable[[], object] = staticmethod(lambda: None)
    """Function that is called when changes were lost, on the thread that reads them."""

    def __init__(self) -> None:
        super().__init__()
        self._emitter_class = _Emitter
        self._emitter_kwargs["observer"] = self


class _Emitter(FSEventsEmitter):
    def __init__(self, *args: Any, observer: MacTreeObserver, **options: Any) -> None:
        super().__init__(*args, **options)
        self._observer = observer

    def events_callback(
        self, paths: list[bytes], inodes: list[int], flags: list[int], ids: list[int]
    ) -> None:
        super().events_callback(paths, inodes, flags, ids)
        if are_events_lost(flags):
            self._observer.on_lost()
