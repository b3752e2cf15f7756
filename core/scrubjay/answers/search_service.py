"""Makes the answer to a request: hits, who found them, and how far the index is behind."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future

from scrubjay.answers.first_index import InitialIndex
from scrubjay.answers.freshness import FreshnessCheck, Staleness
from scrubjay.answers.search_thread import SearchThread
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.embedding.selection.active_provider import ActiveProvider
from scrubjay.errors import IndexUnavailable, WorkspaceMissing
from scrubjay.records.search_records import Freshness, SearchAnswer, SearchRequest, Workspace
from scrubjay.workspaces.registry import Registry
from scrubjay.workspaces.status_board import StatusBoard


class SearchService:
    """Answers requests, on whichever search thread it is given."""

    def __init__(
        self,
        registry: Registry,
        board: StatusBoard,
        providers: ActiveProvider,
        lookout: FreshnessCheck,
        first_pass: InitialIndex,
    ) -> None:
        self._registry = registry
        self._board = board
        self._providers = providers
        self._lookout = lookout
        self._first_pass = first_pass

    def deadline_seconds(self, request: SearchRequest) -> float:
        """How long an answer may take, as the settings of the workspace or of all say."""
        settings = self._registry.loaded.settings.memory_search
        if request.workspace:
            with contextlib.suppress(WorkspaceMissing):  # the search will say so
                settings = self._registry.settings(self._registry.get(request.workspace))
        return settings.query.deadline_ms / 1000

    def readiness(self, request: SearchRequest) -> Future[None] | None:
        """Done when there is something to search; None when there is already."""
        with contextlib.suppress(WorkspaceMissing):  # the search will say so
            chosen = self._chosen(request)
            enabled = [one for one in chosen if self._registry.settings(one).enabled]
            return self._first_pass.of(request, enabled)
        return None

    def repair(self, request: SearchRequest) -> Future[None] | None:
        """Done when damaged indexes hold all words again; None when that has to wait."""
        files = {one.id: self._registry.index_file(one) for one in self._chosen(request)}
        return self._first_pass.anew(files)

    def search(
        self, thread: SearchThread, request: SearchRequest, cancel: CancelToken, asked: float
    ) -> SearchAnswer:
        """On that thread: the whole answer. Raises Cancelled or IndexUnavailable.

        Asked is when somebody did, on the monotonic clock; the answer is not older than that.
        """
        began = time.perf_counter()
        cancel.check()
        chosen = self._chosen(request)
        with thread.noticing_damage():
            seen = {one.id: self._freshened(thread, one, request, asked) for one in chosen}
            cancel.check()
            found = thread.search(request, chosen, cancel)
        return SearchAnswer(
            request=request,
            hits=found.hits,
            mode=found.mode,
            provider=found.provider or "none",
            model=found.model,
            fallback_reason=found.fallback_reason,
            freshness=self._freshness(chosen, seen),
            elapsed_ms=(time.perf_counter() - began) * 1000,
            takeover=self._providers.takeover(found.provider),
        )

    def _chosen(self, request: SearchRequest) -> tuple[Workspace, ...]:
        if request.workspace:
            return (self._registry.get(request.workspace),)
        among = request.among
        return tuple(one for one in self._registry.all() if not among or one.id in among)

    def _freshened(
        self, thread: SearchThread, workspace: Workspace, request: SearchRequest, asked: float
    ) -> Staleness:
        if not request.text.strip() or not self._registry.settings(workspace).enabled:
            return Staleness()
        try:
            reader = thread.reader(workspace)
        except IndexUnavailable:
            return Staleness()  # the search says what is wrong
        return (
            self._lookout.refresh_if_cheap(workspace, reader, request, asked)
            if reader
            else Staleness()
        )

    def _freshness(
        self, workspaces: Sequence[Workspace], seen: Mapping[str, Staleness]
    ) -> Freshness:
        listed = [self._board.workspace(one.id) for one in workspaces]
        parts = [(one.freshness, seen[one.workspace.id]) for one in listed if one]
        documents = sum(part.documents for part, _ in parts)
        checked = [sight.checked_at or part.checked_at for part, sight in parts]
        known = [when for when in checked if when]
        reasons = [sight.reason for _, sight in parts if sight.reason]
        return Freshness(
            documents=documents,
            pending=sum(max(part.pending, sight.pending) for part, sight in parts),
            unreadable=sum(part.unreadable for part, _ in parts),
            embedded=sum(part.embedded * part.documents for part, _ in parts) / max(1, documents),
            checked_at=min(known) if len(known) == len(checked) and known else None,
            reason=reasons[0] if reasons else "",
        )
