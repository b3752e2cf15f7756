"""Reads of one check-up, which end for a workspace once its drive does not answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimedOut, IoTimeouts
from scrubjay.notes.note_reader import NotePrefetcher, Outcome
from scrubjay.notes.scan import FoundFile
from scrubjay.records.search_records import Workspace

T = TypeVar("T")
Step = Callable[[], None]


class IoGuard:
    """Runs reads with a timeout, and none for a workspace that has exceeded it."""

    def __init__(self, io_timeouts: IoTimeouts, cancel: CancelToken) -> None:
        self._io_timeouts = io_timeouts
        self._cancel = cancel
        self._steps = 0
        self.unreachable: list[Workspace] = []

    def run(
        self,
        workspace: Workspace,
        work: Callable[[Step], T],
        progress: Callable[[], int] = lambda: 0,
    ) -> T | None:
        """The result of work; None when the drive does not answer. Raises Cancelled.

        While work calls its argument or the value of progress changes, it may take as long as
        it needs.
        """
        if workspace in self.unreachable:
            return None
        try:
            return self._io_timeouts[workspace.id].call(
                lambda: work(self._step), self._cancel, progress=lambda: self._steps + progress()
            )
        except IoTimedOut:
            self.unreachable.append(workspace)
            return None

    def read_notes(
        self, workspace: Workspace, files: Sequence[FoundFile]
    ) -> Iterator[tuple[FoundFile, Outcome]]:
        """Each file with its bytes, or with the error of reading it. Raises Cancelled."""
        if workspace not in self.unreachable:
            prefetcher = NotePrefetcher(files, self._io_timeouts[workspace.id], self._cancel)
            yield from prefetcher
            if prefetcher.is_silent:
                self.unreachable.append(workspace)

    def _step(self) -> None:
        self._cancel.check()
        self._steps += 1
