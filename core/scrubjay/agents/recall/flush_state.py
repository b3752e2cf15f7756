"""Which sessions had their memory flush: `sessions.json`, in the form that OpenClaw keeps it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scrubjay.platform.state_file import StateFile

KEPT = 500
"""Sessions of our own file; those that were touched longest ago are dropped beyond this."""


class Sessions:
    """The entries of `sessions.json`, by session."""

    def __init__(self, path: Path, *, is_ours: bool) -> None:
        """A file of another program is never shortened."""
        self._file = StateFile(path)
        self._is_ours = is_ours

    @contextlib.contextmanager
    def changed(self, session: str) -> Iterator[dict[str, Any]]:
        """The entry of a session, for changing it. May raise OSError.

        It is looked for by key, then by its `sessionId`, and made where there is none.
        """
        with self._file.changed() as held:
            yield _entry(held, session)
            if self._is_ours:
                if session in held:
                    held[session] = held.pop(session)
                for oldest in list(held)[: max(0, len(held) - KEPT)]:
                    del held[oldest]


def _entry(held: dict[str, Any], session: str) -> dict[str, Any]:
    found = held.get(session)
    if isinstance(found, dict):
        return found
    for entry in held.values():
        if isinstance(entry, dict) and entry.get("sessionId") == session:
            return entry
    made: dict[str, Any] = {"sessionId": session}
    held[session] = made
    return made
