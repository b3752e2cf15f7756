"""A small JSON file that several processes read and change."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from filelock import FileLock

from scrubjay.platform.atomic_write import replace_bytes

_WAIT_S = 10
"""Nobody holds such a file longer than a few milliseconds."""


class StateFile:
    """One JSON object on disk. Keys that nobody here knows stay in it."""

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

        Alone keeps all others away while the file is changed; by default it is a lock beside it.
        """
        self.path = path
        self._mode = 0o600 if private else 0o644
        self._indent = None if is_large else 2
        self._alone = alone or self._locked

    def read(self) -> dict[str, Any]:
        """What it holds; an empty object when it is missing or damaged. May raise OSError."""
        try:
            held = json.loads(self.path.read_bytes())
        except FileNotFoundError:
            return {}
        except (ValueError, RecursionError):
            return {}
        return held if isinstance(held, dict) else {}

    @contextlib.contextmanager
    def changed(self) -> Iterator[dict[str, Any]]:
        """The object, for changing it in place while no other process does. May raise OSError.

        What is in it at the end is written, all or nothing; after an exception nothing is.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._alone():
            held = self.read()
            before = json.dumps(held)
            yield held
            if json.dumps(held) != before:
                self._write(held)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        with FileLock(self.path.with_name(f".{self.path.name}.lock"), timeout=_WAIT_S):
            yield

    def _write(self, held: dict[str, Any]) -> None:
        # Other programs that use the file must be able to go on doing so.
        mode = self.path.stat().st_mode & 0o7777 if self.path.exists() else self._mode
        if self.path.exists() and self._is_damaged():
            # Somebody may still be able to mend it by hand.
            self.path.replace(self.path.with_name(f"{self.path.name}.damaged"))
        replace_bytes(self.path, f"{json.dumps(held, indent=self._indent)}\n".encode(), mode)

    def _is_damaged(self) -> bool:
        try:
            return not isinstance(json.loads(self.path.read_bytes()), dict)
        except (ValueError, RecursionError):
            return True
