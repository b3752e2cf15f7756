"""The event bus, which passes events from any thread of the core to all listeners."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

log = logging.getLogger(__name__)


class Event(Struct, frozen=True):
    """Something that the core announces."""


Listener: TypeAlias = Callable[[Event], None]


class EventBus:
    """Hands events to their listeners, in order."""

    def __init__(self) -> None:
        self._listeners: tuple[tuple[Listener, tuple[type, ...]], ...] = ()
        self._lock = threading.Lock()

    def subscribe(self, listener: Listener, *kinds: type) -> Callable[[], None]:
        """Add a listener for some kinds of events, or for all; the result removes it again."""
        with self._lock:
            self._listeners += ((listener, kinds or (object,)),)
        return lambda: self._remove(listener)

    def publish(self, event: Event) -> None:
        """Call all listeners. The failure of one is logged and does not stop the rest."""
        for listener, kinds in self._listeners:
            if not isinstance(event, kinds):
                continue
            # A listener must not stop the thread that announces.
            try:
                listener(event)
            except Exception:
                log.exception("A listener failed on %s", type(event).__name__)

    def _remove(self, listener: Listener) -> None:
        with self._lock:
            self._listeners = tuple(other for other in self._listeners if other[0] is not listener)
