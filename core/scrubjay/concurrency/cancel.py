"""A token that its owner cancels and the callee checks."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

from scrubjay.errors import Cancelled


class CancelToken:
    """A flag that the owner of some work sets, and the work checks."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cancelled = False
        self._callbacks: list[Callable[[], None]] = []

    @property
    def cancelled(self) -> bool:
        """True once the owner has cancelled."""
        return self._cancelled

    def cancel(self) -> None:
        """Cancel the work and run the callbacks of `calling`."""
        with self._lock:
            self._cancelled = True
            for callback in self._callbacks:
                callback()

    def check(self) -> None:
        """Raise Cancelled once the owner has cancelled."""
        if self._cancelled:
            raise Cancelled

    @contextlib.contextmanager
    def calling(self, callback: Callable[[], None]) -> Iterator[None]:
        """Inside, cancel runs callback. Outside it never does, not even late."""
        with self._lock:
            self.check()
            self._callbacks.append(callback)
        try:
            yield
        finally:
            with self._lock:
                self._callbacks.remove(callback)
