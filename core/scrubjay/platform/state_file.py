"""A small JSON file that several processes read and change."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from scrubjay.platform.atomic_write import PRIVATE_FILE, when_released, write_atomically

_WAIT_S = 10
"""Seconds to wait for the lock, which a process holds for a few milliseconds."""
_READABLE_FILE = 0o644
"""Mode of a file that other users may read."""


class StateFile:
    """One JSON object on disk. Unknown keys stay in it."""

    def __init__(
        self,
        path: Path,
        *,
        private: bool = True,
        is_large: bool = False,
        alone: Callable[[], AbstractContextManager[None]] | None = None,
    ) -> None:
        """A private file is readable for its owner only. A large one is written without layout,
        which takes a tenth of the time.

        Alone is the lock to hold while the file is changed; by default one in a file beside it.
        """
        self.path = path
        self._mode = PRIVATE_FILE if private else _READABLE_FILE
        self._indent = None if is_large else 2
        self._alone = alone or self._locked

    def read(self) -> dict[str, Any]:
        """The object; an empty one when the file is missing or damaged. May raise OSError."""
        return self._content() or {}

    @contextlib.contextmanager
    def changed(self) -> Iterator[dict[str, Any]]:
        """The object, to be changed in place while no other process does. May raise OSError.

        Its state at the end is written atomically; after an exception nothing is written.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._alone():
            # What is the same is not written, so that nobody who watches the file wakes up.
            state = self.read()
            before = json.dumps(state)
            yield state
            if json.dumps(state) == before:
                return
            # Other programs that use the file must be able to continue doing so.
            mode = self._mode
            if self.path.exists():
                mode = self.path.stat().st_mode & 0o7777
            if self._content() is None:
                # The user may still be able to repair it by hand.
                aside = self.path.with_name(f"{self.path.name}.damaged")
                when_released(lambda: self.path.replace(aside), self.path)
            text = json.dumps(state, indent=self._indent)
            write_atomically(self.path, f"{text}\n".encode(), mode)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the lock in the file next to it."""
        from filelock import FileLock  # late: most commands change no file

        with FileLock(
            self.path.with_name(f".{self.path.name}.lock"), timeout=_WAIT_S, mode=PRIVATE_FILE
        ):
            yield

    def _content(self) -> dict[str, Any] | None:
        """The object; None if the file is damaged."""
        try:
            state = json.loads(when_released(self.path.read_bytes, self.path))
        except FileNotFoundError:
            return {}
        except (ValueError, RecursionError):
            return None
        if not isinstance(state, dict):
            return None
        return state
