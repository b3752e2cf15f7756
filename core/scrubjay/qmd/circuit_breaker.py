"""A pause after a failure of QMD, in which the built-in search answers at once."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable
from pathlib import Path

from scrubjay.config.schema.qmd_backend import QmdSettings
from scrubjay.errors import QmdFailed
from scrubjay.platform.state_file import StateFile

RETRY_S = 60.0
"""Length of the pause."""


class CircuitBreaker:
    """The last failure and its time. Other settings end the pause."""

    def __init__(self, file: Path, settings: Callable[[], QmdSettings]) -> None:
        """The file tells the last failure to programs that start later."""
        self._file = StateFile(file)
        self._settings = settings
        self._failure: tuple[QmdSettings, float, str] | None = None
        """Settings, monotonic time and message."""
        self._has_succeeded = False

    @property
    def reason(self) -> str:
        """Message of the last failure with these settings; empty if there is none."""
        failure = self._failure
        return failure[2] if failure and failure[0] == self._settings() else ""

    @property
    def is_open(self) -> bool:
        """True during the pause, in which QMD is not started."""
        failure = self._failure
        return (
            failure is not None
            and failure[0] == self._settings()
            and time.monotonic() - failure[1] < RETRY_S
        )

    def load(self) -> None:
        """Take over the failure of another program, without its pause."""
        if self._failure or self._has_succeeded:
            return
        with contextlib.suppress(OSError):
            record = self._file.read()
            if record.get("command") == self._settings().command:
                self._failure = (self._settings(), -math.inf, str(record.get("reason", "")))

    def on_failure(self, settings: QmdSettings, failure: QmdFailed) -> None:
        """Begin a pause, unless one is under way."""
        if self.is_open:
            return
        self._failure = (settings, time.monotonic(), failure.message)
        with contextlib.suppress(OSError), self._file.changed() as record:
            record |= {"command": settings.command, "reason": failure.message}

    def on_success(self) -> None:
        """Forget the last failure."""
        if self._failure or not self._has_succeeded:
            with contextlib.suppress(OSError):
                self._file.path.unlink(missing_ok=True)
        self._failure, self._has_succeeded = None, True
