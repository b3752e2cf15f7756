"""A small JSON file that several processes read and change."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from scrubjay.platform.atomic_write import PRIVATE_FILE, write_atomically

_WAIT_S = 10
"""Seconds to wait for the lock, which a process holds for a few milliseconds."""


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
        self._mode = 0o600 if private else 0o644
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
            state = self.read()
            before = json.dumps(state)
            yield state
            if json.dumps(state) == before:
                return
            # Other programs that use the file must be able to go on doing so.
            mode = self.path.stat().st_mode & 0o7777 if self.path.exists() else self._mode
            if self._content() is None:
                # The user may still be able to repair it by hand.
                self.path.replace(self.path.with_name(f"{self.path.name}.damaged"))
            write_atomically(
                self.path, f"{json.dumps(state, indent=self._indent)}\n".encode(), mode
            )

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        from filelock import FileLock  # late: most commands change no file

        with FileLock(
            self.path.with_name(f".{self.path.name}.lock"), timeout=_WAIT_S, mode=PRIVATE_FILE
        ):
            yield

    def _content(self) -> dict[str, Any] | None:
        """The object; None when the file is damaged."""
        try:
            state = json.loads(self.path.read_bytes())
        except FileNotFoundError:
            return {}
        except (ValueError, RecursionError):
            return None
        return state if isinstance(state, dict) else None
