"""Answers search requests in time: by meaning, and by words once the deadline is near."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field, replace

from scrubjay.answers.first_index import FirstIndex
from scrubjay.answers.freshness import UNKNOWN, FreshnessCheck, Staleness
from scrubjay.answers.search_thread import SearchThread
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.thread_pool import is_refused
from scrubjay.concurrency.timers import Timers
from scrubjay.embedding.selection.active_provider import ActiveProvider
from scrubjay.errors import Cancelled, IndexCorrupt, IndexUnavailable, WorkspaceMissing
from scrubjay.index.auto_index import AutoIndexer
from scrubjay.messages import msg
from scrubjay.records.search_records import Freshness, Mode, SearchAnswer, SearchRequest, Workspace
from scrubjay.workspaces.registry import Registry
from scrubjay.workspaces.status_board import StatusBoard

_WORDS_MARGIN_S = 1.0
"""Words are searched this long before the deadline, so that their answer is there in time."""


@dataclass(slots=True)
class _Search:
    """One search under way."""

    request: SearchRequest
    workspaces: tuple[Workspace, ...]
    cancel: CancelToken
    seconds: float
    """From the question to the deadline."""
    answer: Future[SearchAnswer] = field(default_factory=Future)
    abandoned: CancelToken = field(default_factory=CancelToken)
    """Cancels the work on the thread that waits for the model."""
    asked_at: float = field(default_factory=time.monotonic)
    has_begun: bool = False
    """False while it waits for notes that were never read."""
    repair: str = ""
    """Sentence of the answer when it had to wait for an index that was damaged."""

    def end(self, result: SearchAnswer | BaseException) -> bool:
        """Give the answer or raise in its future; False when another answer was there first."""
        try:
            if isinstance(result, BaseException):
                self.answer.set_exception(result)
            else:
                reason = self.repair or result.fallback_reason
                self.answer.set_result(replace(result, fallback_reason=reason))
        except InvalidStateError:
            return False
        return True

    def end_without_answer(self) -> None:
        """End now, unless an answer was there first."""
        reason = msg(
            "The notes could not be searched within {seconds} seconds.", seconds=f"{self.seconds:g}"
        )
        nothing = SearchAnswer(self.request, (), Mode.LEXICAL, "none", "", fallback_reason=reason)
        with contextlib.suppress(InvalidStateError):
            self.answer.set_result(nothing)


class SearchService:
    """The built-in search. For any thread."""

    def __init__(
        self,
        registry: Registry,
        board: StatusBoard,
        providers: ActiveProvider,
        auto_index: AutoIndexer,
        freshness: FreshnessCheck,
        first_index: FirstIndex,
        words: SearchThread,
        meaning: SearchThread,
        timers: Timers,
    ) -> None:
        """Of the two threads only `meaning` may wait for a model."""
        self._registry = registry
        self._board = board
        self._providers = providers
        self._auto_index = auto_index
        self._freshness_check = freshness
        self._first_index = first_index
        self._words = words
        self._meaning = meaning
        self._timers = timers
        self._is_stuck = False
        """True while the meaning thread waits for a model beyond a deadline."""
        self._untold_repair = ""
        """Sentence about a damaged index that no answer has brought yet."""

    def search(self, request: SearchRequest, cancel: CancelToken) -> Future[SearchAnswer]:
        """The answer, in time. The future may raise Cancelled, QueryError or IndexUnavailable."""
        try:
            workspaces = self._chosen(request)
        except WorkspaceMissing as error:
            missing: Future[SearchAnswer] = Future()
            missing.set_exception(error)
            return missing
        search = _Search(request, workspaces, cancel, self._deadline_seconds(request))
        search.answer.set_running_or_notify_cancel()
        margin = min(_WORDS_MARGIN_S, search.seconds / 2)
        self._call_unless_answered(
            search, search.seconds - margin, lambda: self._answer_before_deadline(search, margin)
        )
        if unread := self._unread(search):
            ready = self._first_index.wait_for(request, unread)
            ready.add_done_callback(lambda _: self._begin(search))
        else:
            self._begin(search)
        return search.answer

    def _chosen(self, request: SearchRequest) -> tuple[Workspace, ...]:
        if request.workspace:
            return (self._registry.get(request.workspace),)
        among = request.among
        return tuple(each for each in self._registry.all() if not among or each.id in among)

    def _unread(self, search: _Search) -> list[Workspace]:
        """Workspaces that a search has to wait for, because they seem never to have been read."""
        request = search.request
        if request.is_typing or not request.text.strip() or self._board.is_paused:
            return []
        return [
            workspace
            for workspace in search.workspaces
            if self._board.is_unread(workspace.id) and self._registry.settings(workspace).enabled
        ]

    def _deadline_seconds(self, request: SearchRequest) -> float:
        """Time for an answer, by the settings of the workspace or of all."""
        settings = self._registry.loaded.settings.memory_search
        if request.workspace:
            settings = self._registry.settings(self._registry.get(request.workspace))
        return settings.query.deadline_ms / 1000

    # -- which thread answers -----------------------------------------------------------------

    def _begin(self, search: _Search) -> None:
        if search.has_begun:  # the deadline came first
            return
        search.has_begun = True
        if search.request.mode is Mode.LEXICAL:
            self._search_words(search)
        elif self._is_stuck:
            self._search_words(search, msg("The model has not answered for a while."))
        else:
            self._search_meaning(search)

    def _answer_before_deadline(self, search: _Search, margin: float) -> None:
        """Answer without the model, or without the notes that are being read."""
        # Words may be late too, as on a drive that hangs.
        self._call_unless_answered(search, margin, search.end_without_answer)
        if not search.has_begun:
            search.has_begun = True
            reading = msg("The notes are being read for the first time.")
            self._search_words(search, search.repair or reading)
        elif search.request.mode is not Mode.LEXICAL:
            self._is_stuck = True
            search.abandoned.cancel()
            seconds = f"{search.seconds:g}"
            reason = msg(
                "Search by meaning gave no answer within {seconds} seconds.", seconds=seconds
            )
            self._search_words(search, reason)

    def _call_unless_answered(
        self, search: _Search, seconds: float, call: Callable[[], object]
    ) -> None:
        timer = self._timers.after(seconds, call)
        search.answer.add_done_callback(lambda _: timer.cancel())

    def _search_meaning(self, search: _Search) -> None:
        def job() -> None:
            result: SearchAnswer | BaseException
            try:
                with search.cancel.calling(search.abandoned.cancel):
                    result = self._answer(self._meaning, search, search.request, search.abandoned)
            except BaseException as error:  # the caller waits for an answer
                result = error
            self._is_stuck = False
            was_abandoned = search.abandoned.cancelled and not search.cancel.cancelled
            if not was_abandoned or isinstance(result, SearchAnswer):
                self._end(search, result)

        self._submit(self._meaning, job, search)

    def _search_words(self, search: _Search, reason: str = "") -> None:
        """Search by words; the reason says why meaning was not searched."""
        request = replace(search.request, mode=Mode.LEXICAL)

        def job() -> None:
            try:
                result = self._answer(self._words, search, request, search.cancel)
            except BaseException as error:  # the caller waits for an answer
                self._end(search, error)
                return
            if reason:
                result = replace(result, request=search.request, fallback_reason=reason)
            self._end(search, result)

        self._submit(self._words, job, search)

    def _submit(self, thread: SearchThread, job: Callable[[], None], search: _Search) -> None:
        if is_refused(thread.submit(job)):
            search.end(Cancelled())

    def _end(self, search: _Search, result: SearchAnswer | BaseException) -> None:
        """Give the answer; an index that turned out to be damaged is built anew first, once."""
        ready = None
        if isinstance(result, IndexCorrupt) and not search.repair:
            files = {each.id: self._registry.index_file(each) for each in search.workspaces}
            ready = self._first_index.rebuild(files)
        if ready is None:
            # The search that waited for the rebuilt index may have been cancelled meanwhile.
            search.repair = search.repair or self._untold_repair
            if search.end(result) and isinstance(result, SearchAnswer):
                self._untold_repair = ""
            return
        search.repair = self._untold_repair = msg("The index was damaged and is being rebuilt.")
        search.has_begun = False
        ready.add_done_callback(lambda _: self._begin(search))

    # -- on a search thread -------------------------------------------------------------------

    def _answer(
        self, thread: SearchThread, search: _Search, request: SearchRequest, cancel: CancelToken
    ) -> SearchAnswer:
        """The whole answer. Raises Cancelled, QueryError or IndexUnavailable."""
        began = time.perf_counter()
        cancel.check()
        with thread.noticing_damage():
            staleness = {
                each.id: self._staleness(thread, each, request, search.asked_at)
                for each in search.workspaces
            }
            cancel.check()
            result = thread.search(request, search.workspaces, cancel)
        return SearchAnswer(
            request=request,
            hits=result.hits,
            mode=result.mode,
            provider=result.provider or "none",
            model=result.model,
            fallback_reason=result.fallback_reason,
            freshness=self._freshness(staleness),
            elapsed_ms=(time.perf_counter() - began) * 1000,
            takeover=self._providers.takeover(result.provider) if result.provider else None,
        )

    def _staleness(
        self, thread: SearchThread, workspace: Workspace, request: SearchRequest, asked_at: float
    ) -> Staleness:
        """Staleness of an index after catching up, as far as that is known."""
        settings = self._registry.settings(workspace)
        if not request.text.strip() or not settings.enabled:
            return UNKNOWN
        pending = self._auto_index.pending(workspace.id)
        is_current = self._auto_index.is_watching(workspace.id) and not pending
        if is_current or not settings.sync.on_search:
            if self._board.is_paused:
                return Staleness(pending, reason=msg("Indexing is paused."))
            return Staleness(pending) if pending else UNKNOWN
        try:
            reader = thread.reader(workspace)
        except IndexUnavailable:
            return UNKNOWN  # the search raises it
        if reader is None:
            return UNKNOWN
        return self._freshness_check.catch_up(workspace, reader, request, asked_at)

    def _freshness(self, staleness: Mapping[str, Staleness]) -> Freshness:
        """Freshness of all workspaces together."""
        parts = [
            (status.freshness, stale)
            for workspace_id, stale in staleness.items()
            if (status := self._board.workspace(workspace_id))
        ]
        documents = sum(index.documents for index, _ in parts)
        moments = [stale.checked_at or index.checked_at for index, stale in parts]
        checked = [moment for moment in moments if moment]
        return Freshness(
            documents=documents,
            pending=sum(max(index.pending, stale.pending) for index, stale in parts),
            unreadable=sum(index.unreadable for index, _ in parts),
            embedded=sum(index.embedded * index.documents for index, _ in parts)
            / max(1, documents),
            checked_at=min(checked) if checked and len(checked) == len(moments) else None,
            reason=next((stale.reason for _, stale in parts if stale.reason), ""),
        )
