"""Notes that belong to a note, answered from its index."""

from __future__ import annotations

from concurrent.futures import Future
from pathlib import Path

from scrubjay.answers.search_thread import SearchThread
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.records.search_records import RelatedNote
from scrubjay.search.related import RelatedSearch
from scrubjay.text.tokenizer import Analyzer
from scrubjay.workspaces.registry import Registry


class Relations:
    """Answers from the indexes, without reading a note. For any thread.

    The thread is not that of questions, which would wait.
    """

    def __init__(self, thread: SearchThread, registry: Registry) -> None:
        self._thread = thread
        self._registry = registry
        self._analyzer: Analyzer | None = None

    def of(
        self, workspace_id: str, path: str, cancel: CancelToken
    ) -> Future[tuple[RelatedNote, ...]]:
        """Similar notes, notes with links to this one, notes of its day; none without an index.

        The future may raise Cancelled, WorkspaceMissing or IndexUnavailable.
        """

        def job() -> tuple[RelatedNote, ...]:
            cancel.check()
            reader = self._thread.reader(self._registry.get(workspace_id))
            self._analyzer = self._analyzer or Analyzer()
            search = RelatedSearch(workspace_id, reader, self._analyzer) if reader else None
            return search.notes(path, cancel) if search else ()

        return self._thread.submit(job)

    def forget(self, file: Path) -> None:
        """Close an index that is about to be deleted."""
        self._thread.submit(lambda: self._thread.forget(file))

    def close(self) -> None:
        """End the thread."""
        self._thread.close()
