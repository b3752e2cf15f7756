"""Work that is counted, since its time says little on a busy computer."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any


class Calls:
    """Number of calls of functions on all threads that began after it was made."""

    def __init__(self) -> None:
        self.count = 0
        threading.setprofile(self._on_event)

    def _on_event(self, frame: FrameType, event: str, argument: Any) -> None:
        if event in ("call", "c_call"):
            self.count += 1

    def taken(self) -> int:
        """Number since the last look."""
        count, self.count = self.count, 0
        return count


class Counted(tuple[str, ...]):
    """Folders that count how often somebody reads through all of them."""

    reads = 0

    def __iter__(self) -> Iterator[str]:
        self.reads += 1
        return super().__iter__()

    def __contains__(self, item: object) -> bool:
        self.reads += 1
        return super().__contains__(item)
