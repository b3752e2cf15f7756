"""Makes the answer to a request: hits, who found them, and how far the index is behind."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence

from scrubjay.board import Board
from scrubjay.errors import WorkspaceMissing
from scrubjay.following import Following
from scrubjay.jobs import CancelToken
from scrubjay.providing import Providers
from scrubjay.records import Freshness, IndexState, SearchAnswer, SearchRequest, Workspace
from scrubjay.registry import Registry
from scrubjay.searching import SearchThread


class Answering:
    """Answers requests, on whichever search thread it is given."""

    def __init__(
        self, registry: Registry, board: Board, providers: Providers, following: Following
    ) -> None:
        self._registry = registry
        self._board = board
        self._providers = providers
        self._following = following

    def deadline_seconds(self, request: SearchRequest) -> float:
        """How long an answer may take, as the settings of the workspace or of all say."""
        settings = self._registry.loaded.settings.memory_search
        if request.workspace:
            with contextlib.suppress(WorkspaceMissing):  # the search will say so
                settings = self._registry.settings(self._registry.get(request.workspace))
        return settings.query.deadline_ms / 1000

    def search(
        self, thread: SearchThread, request: SearchRequest, cancel: CancelToken
    ) -> SearchAnswer:
        """On that thread: the whole answer. Raises Cancelled or IndexUnavailable."""
        began = time.perf_counter()
        cancel.check()
        chosen = self._chosen(request)
        found = thread.search(request, chosen, cancel)
        return SearchAnswer(
            request=request,
            hits=found.hits,
            mode=found.mode,
            provider=found.provider or self._board.snapshot().model.provider,
            model=found.model or self._board.snapshot().model.model,
            fallback_reason=found.fallback_reason,
            freshness=self._freshness(thread, chosen),
            elapsed_ms=(time.perf_counter() - began) * 1000,
            takeover=self._providers.takeover(found.provider),
        )

    def _chosen(self, request: SearchRequest) -> tuple[Workspace, ...]:
        if request.workspace:
            return (self._registry.get(request.workspace),)
        among = request.among
        return tuple(one for one in self._registry.all() if not among or one.id in among)

    def _freshness(self, thread: SearchThread, workspaces: Sequence[Workspace]) -> Freshness:
        parts: list[Freshness] = []
        for workspace in workspaces:
            status = self._board.workspace(workspace.id)
            if status is None:
                continue
            if status.state is IndexState.NEVER:
                thread.show_what_is_there()
                status = self._board.workspace(workspace.id) or status
            parts.append(status.freshness)
        chunks = max(1, sum(part.documents for part in parts))
        checked = [part.checked_at for part in parts if part.checked_at]
        waiting = sum(self._following.pending(one.id) for one in workspaces)
        return Freshness(
            documents=sum(part.documents for part in parts),
            pending=waiting + sum(part.pending for part in parts),
            unreadable=sum(part.unreadable for part in parts),
            embedded=sum(part.embedded * part.documents for part in parts) / chunks,
            checked_at=min(checked) if len(checked) == len(parts) and checked else None,
        )
