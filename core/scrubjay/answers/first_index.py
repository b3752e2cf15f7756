"""The first search of notes that were never read, or whose index is damaged, waits for them.

No other search does.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, InvalidStateError
from pathlib import Path

from scrubjay.answers.search_thread import SearchThread
from scrubjay.concurrency.timers import Timers
from scrubjay.concurrency.worker import gathered
from scrubjay.errors import WorkspaceMissing
from scrubjay.index.index_thread import IndexThread
from scrubjay.records.search_records import IndexReport, IndexState, Mode, SearchRequest, Workspace
from scrubjay.workspaces.status_board import StatusBoard

_FOR_MEANING_S = 5.0
"""So long a first search waits for vectors as well, once all words are there."""


class InitialIndex:
    """Knows which workspaces were never read, and reads them when somebody asks. For any thread."""

    def __init__(
        self,
        board: StatusBoard,
        index: IndexThread,
        words: SearchThread,
        alarms: Timers,
        refresh: Callable[[str | None], Future[tuple[IndexReport, ...]]],
    ) -> None:
        """Words is the thread that may look at index files, refresh queues a pass."""
        self._board = board
        self._index = index
        self._words = words
        self._alarms = alarms
        self._refresh = refresh

    def of(self, request: SearchRequest, chosen: Sequence[Workspace]) -> Future[None] | None:
        """Done when a request can be answered; None when it can be already, or never will be."""
        if request.is_typing or not request.text.strip() or self._board.is_paused:
            return None
        unread = [one for one in chosen if self._is_unread(one)]
        if not unread:
            return None
        ready: Future[None] = Future()
        looked = self._words.submit(self._words.show_what_is_there)
        looked.add_done_callback(lambda _: self._read(request, unread, ready))
        return ready

    def anew(self, files: Mapping[str, Path]) -> Future[None] | None:
        """Done when the words of damaged indexes are there again; None when there is no such.

        Files are the indexes by the workspaces' ids.
        """
        damaged = [one for one, file in files.items() if self._index.is_distrusted(file)]
        if self._board.is_paused or not damaged:
            return None
        ready: Future[None] = Future()
        passes = [self._begin(one, wants_meaning=False) for one in damaged]
        gathered(passes).add_done_callback(lambda _: ready.set_result(None))
        return ready

    def _is_unread(self, workspace: Workspace) -> bool:
        """True while nothing is known of an index, or there is nothing in it."""
        status = self._board.workspace(workspace.id)
        if status is None or status.state in (IndexState.ERROR, IndexState.PAUSED):
            return False
        return status.freshness.checked_at is None and not status.freshness.documents

    def _read(
        self, request: SearchRequest, unread: Sequence[Workspace], ready: Future[None]
    ) -> None:
        """On the words thread: wait for those that really are not read yet."""
        passes = [
            self._begin(workspace.id, wants_meaning=request.mode is not Mode.LEXICAL)
            for workspace in unread
            if self._is_unread(workspace)
        ]
        gathered(passes).add_done_callback(lambda _: ready.set_result(None))

    def _begin(self, workspace_id: str, *, wants_meaning: bool) -> Future[None]:
        """Done when all words are there, and vectors too if they come soon."""
        done: Future[None] = Future()

        def end() -> None:
            with contextlib.suppress(InvalidStateError):  # the other one was faster
                done.set_result(None)

        def words_are_in(_: Future[None]) -> None:
            if wants_meaning:
                self._alarms.after(_FOR_MEANING_S, end)
            else:
                end()

        in_words = self._index.words_ready(workspace_id)
        if self._index.is_at(workspace_id):
            in_words.add_done_callback(lambda _: end())
            return done
        in_words.add_done_callback(words_are_in)
        try:
            self._refresh(workspace_id).add_done_callback(lambda _: end())
        except WorkspaceMissing:  # removed at this very moment
            end()
        return done
