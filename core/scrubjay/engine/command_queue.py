"""What commands of the user have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay.answers.search_thread import SearchThread
    from scrubjay.engine.wiring import EngineParts


class Commands:
    """Commands whose jobs run on the thread that searches by words, made with the first of them."""

    def __init__(self, parts: EngineParts) -> None:
        self._parts = parts

    @property
    def _jobs(self) -> SearchThread:
        """Queue of the methods that are decorated with `queued`."""
        return self._parts.words
