"""Base class of the user's commands: their queue, and what they share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay.answers.search_thread import SearchThread
    from scrubjay.engine.engine_parts import EngineParts


class QueuedCommands:
    """Commands whose jobs run on the words thread, which starts with the first job."""

    def __init__(self, parts: EngineParts) -> None:
        self._parts = parts

    @property
    def _jobs(self) -> SearchThread:
        """Queue of the methods that are decorated with `queued`."""
        return self._parts.words
