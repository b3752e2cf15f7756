"""Ctrl-C and the like, turned into an orderly quit."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QObject, QSocketNotifier, Signal

_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)


class Termination(QObject):
    """Announces a signal of the operating system inside the event loop.

    Python runs its handlers between two of its own instructions, which an idle Qt never reaches;
    the wake-up socket makes Qt look.
    """

    asked = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reading, self._writing = socket.socketpair()
        for end in (self._reading, self._writing):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._reading.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._heard)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Inside, signals are announced; afterwards all is as before."""
        before = {number: signal.signal(number, lambda *_: None) for number in _SIGNALS}
        wakeup = signal.set_wakeup_fd(self._writing.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(wakeup)
            for number, handler in before.items():
                signal.signal(number, handler)
            self._notifier.setEnabled(False)
            self._reading.close()
            self._writing.close()

    def _heard(self) -> None:
        self._reading.recv(64)
        self.asked.emit()
