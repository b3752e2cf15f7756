"""Passes that a search waits for: over notes never read before, or whose index is damaged."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, InvalidStateError
from pathlib import Path
from typing import TypeAlias

from scrubjay.answers.search_thread import SearchThread
from scrubjay.concurrency.futures import converted, flattened, gathered
from scrubjay.concurrency.timers import Timers
from scrubjay.errors import WorkspaceMissing
from scrubjay.index.auto_index import AutoIndexer
from scrubjay.index.index_thread import IndexThread
from scrubjay.records.search_records import Mode, SearchRequest, Workspace
from scrubjay.workspaces.status_board import StatusBoard

_VECTORS_S = 5.0
"""Seconds that a first search waits for vectors as well, once all words are there."""


Words: TypeAlias = tuple[None, ...]
"""Result of passes that have published all words."""


class FirstIndex:
    """Starts such passes, and tells when the index can be searched. For any thread."""

    def __init__(
        self,
        board: StatusBoard,
        index: IndexThread,
        auto_index: AutoIndexer,
        words: SearchThread,
        timers: Timers,
    ) -> None:
        self._board = board
        self._index = index
        self._auto_index = auto_index
        self._words = words
        self._timers = timers

    def wait_for(self, request: SearchRequest, workspaces: Sequence[Workspace]) -> Future[Words]:
        """Done when a request over workspaces that seem unread can be answered."""
        wants_vectors = request.mode is not Mode.LEXICAL

        def begin(_: None) -> Future[Words]:
            # The words thread has looked at the index files by now.
            unread = [each.id for each in workspaces if self._board.is_unread(each.id)]
            return gathered([self._begin(name, wants_vectors=wants_vectors) for name in unread])

        return flattened(converted(self._words.submit(self._words.show_what_is_there), begin))

    def rebuild(self, files: Mapping[str, Path]) -> Future[Words] | None:
        """Done when damaged indexes hold all words again; None when none of the files is damaged.

        The files are those of the indexes, by the workspace's id.
        """
        damaged = [name for name, file in files.items() if self._index.is_corrupt(file)]
        if self._board.is_paused or not damaged:
            return None
        return gathered([self._begin(name, wants_vectors=False) for name in damaged])

    def _begin(self, workspace_id: str, *, wants_vectors: bool) -> Future[None]:
        """Done when all words are there, and vectors too if they come soon."""
        done: Future[None] = Future()

        def end(_: object = None) -> None:
            with contextlib.suppress(InvalidStateError):
                done.set_result(None)

        words_ready = self._index.words_ready(workspace_id)
        if self._index.is_indexing(workspace_id):
            words_ready.add_done_callback(end)
            return done
        if wants_vectors:
            words_ready.add_done_callback(lambda _: self._timers.after(_VECTORS_S, end))
        else:
            words_ready.add_done_callback(end)
        try:
            self._auto_index.refresh(workspace_id).add_done_callback(end)
        except WorkspaceMissing:  # removed at this very moment
            end()
        return done
