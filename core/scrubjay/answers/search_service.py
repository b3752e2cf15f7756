"""Answers to search requests in time: by meaning, or by words when the deadline is near."""

from __future__ import annotations

import contextlib
import datetime as dt
import functools
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future, InvalidStateError, wait

from msgspec import Struct, field
from msgspec.structs import replace

from scrubjay.answers.freshness import FreshnessCheck
from scrubjay.answers.search_thread import SearchThread
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.thread_pool import is_refused
from scrubjay.concurrency.timers import Timers
from scrubjay.embedding.selection.active_provider import ActiveProvider
from scrubjay.errors import Cancelled, IndexCorrupt, SearchOff, WorkspaceMissing
from scrubjay.index.auto_index import AutoIndexer
from scrubjay.index.index_thread import IndexThread
from scrubjay.messages import join_sentences, msg
from scrubjay.records.engine_limits import DEFAULT_LIMITS
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchAnswer, SearchRequest
from scrubjay.records.status_records import Freshness
from scrubjay.search.hits import open_hits
from scrubjay.search.query.query_parser import named_folders
from scrubjay.workspaces.open_workspace import LocalWorkspace, OpenWorkspace
from scrubjay.workspaces.registry import Registry
from scrubjay.workspaces.shared_workspace import SharedWorkspace
from scrubjay.workspaces.status_board import StatusBoard

_WORDS_MARGIN_S = 1.0
"""Words are searched this long before the deadline, so that their answer is there in time."""

_VECTORS_S = 5.0
"""Seconds that a first search waits for vectors as well, once all words are there."""

_LEAST_S = 0.1
"""Seconds that shared memories get in any case."""

_PERSON_S = 1.0
"""Seconds that a person waits for the words of notes that are being read, if no others are there.
"""


_DEEPER = 4
"""Factor by which each look has more hits, if some were excluded since the last pass."""
_MOST_HITS = 1000
"""Hits that are looked at in place of excluded ones."""


class _Search(Struct):
    """One search under way."""

    request: SearchRequest
    workspaces: tuple[OpenWorkspace, ...]
    cancel: CancelToken
    seconds: float
    """From the question to the deadline."""
    answer: Future[SearchAnswer] = field(default_factory=Future)
    abandoned: CancelToken = field(default_factory=CancelToken)
    """Cancels the work on the thread that waits for the model."""
    asked_at: float = field(default_factory=time.monotonic)
    answered: list[SearchAnswer] = field(default_factory=list)
    """Answers by meaning to the first alternatives of a question with OR."""
    has_begun: bool = False
    """False while it waits for notes that were never read, or whose index is damaged."""
    repair: str = ""
    """Sentence of the answer when it had to wait for an index that was damaged."""
    waited_for: str = ""
    """Sentence of the answer when it had to wait for the first words of notes, or for the model."""

    @property
    def own(self) -> list[LocalWorkspace]:
        """The workspaces of this computer among those that are searched."""
        return [each for each in self.workspaces if isinstance(each, LocalWorkspace)]

    def end(self, result: SearchAnswer | BaseException) -> None:
        """Give the answer or raise in its future, unless another answer was there first."""
        with contextlib.suppress(InvalidStateError):
            if isinstance(result, BaseException):
                self.answer.set_exception(result)
            else:
                self.answer.set_result(result)


class SearchService(Struct, eq=False):
    """The built-in search. For any thread."""

    _registry: Registry
    _board: StatusBoard
    _providers: ActiveProvider
    _index: IndexThread
    _auto_index: AutoIndexer
    _freshness: FreshnessCheck
    _words: SearchThread
    _meaning: SearchThread
    """The only one of the two threads that may wait for a model."""
    _timers: Timers
    _pool: Executor
    _takeover_seconds: float = DEFAULT_LIMITS.takeover_seconds
    _is_stuck: bool = False
    """True while the model takes longer than the deadline of a search."""
    _untold_repair: str = ""
    """Sentence about a damaged index that no answer has brought yet."""

    def search(self, request: SearchRequest, cancel: CancelToken) -> Future[SearchAnswer]:
        """The answer, in time. The future may raise Cancelled, QueryError or IndexUnavailable."""
        registry = self._registry
        settings = registry.loaded.settings.memory_search
        try:
            workspaces = registry.searched(request, named_folders(request))
        except (SearchOff, WorkspaceMissing) as error:
            refused: Future[SearchAnswer] = Future()
            refused.set_exception(error)
            return refused
        if request.workspace:
            settings = workspaces[0].settings
        search = _Search(request, workspaces, cancel, settings.query.deadline_ms / 1000)
        # From here on the future cannot be cancelled: whoever gives up uses the token.
        search.answer.set_running_or_notify_cancel()
        # Whatever happens to the model, words are searched in time.
        margin = min(_WORDS_MARGIN_S, search.seconds / 2)
        self._call_unless_answered(
            search, search.seconds - margin, lambda: self._answer_before_deadline(search, margin)
        )
        # Notes that were never read are worth waiting for, though not while a person types.
        if request.text.strip() and not request.is_typing and not self._board.is_paused:
            unread = [each for each in search.own if each.is_unread]
            if unread:
                self._pool.submit(self._begin_after_first_passes, search, unread)
                return search.answer
        self._begin(search)
        return search.answer

    def _begin(self, search: _Search) -> None:
        if search.has_begun:  # the deadline came first
            return
        search.has_begun = True
        if search.request.mode is Mode.LEXICAL:
            self._search(search, self._words)
        elif self._is_stuck:
            self._search(
                search, self._words, msg("The language helper has not responded for a while.")
            )
        else:
            self._search(search, self._meaning)

    def _begin_after_first_passes(
        self, search: _Search, workspaces: Sequence[LocalWorkspace]
    ) -> None:
        """Begin when notes that seem never to have been read are there. On a pool thread."""
        # The status may be older than the indexes, which another process has written meanwhile.
        wait([self._words.submit(self._words.show_what_is_there)])
        unread = [each for each in workspaces if each.is_unread]
        words_s = search.seconds
        vectors_s = 0.0 if search.request.mode is Mode.LEXICAL else _VECTORS_S
        # In the app a person sees the hits come in, so the wait is short.
        if self._auto_index.is_on and not search.request.audience.waits_for_all:
            words_s = _PERSON_S if len(unread) == len(search.workspaces) else 0.0
            vectors_s = 0.0
        self._auto_index.await_words(unread, words_s, vectors_s)
        if unread:
            search.waited_for = msg("Scrubjay had to read the notes for the first time.")
        self._begin(search)

    def _answer_before_deadline(self, search: _Search, margin: float) -> None:
        """Answer without the model, or without the notes that are being read."""
        seconds = f"{search.seconds:g}"
        late = msg("Scrubjay could not search the notes within {seconds} seconds.", seconds=seconds)
        nothing = SearchAnswer(search.request, (), Mode.LEXICAL, "none", "", late)
        # Words may be late too, as on a drive that hangs.
        self._call_unless_answered(search, margin, lambda: search.end(nothing))
        if not search.has_begun:
            search.has_begun = True
            reading = msg("Scrubjay is reading the notes for the first time.")
            self._search(search, self._words, search.repair or reading)
        elif search.request.mode is not Mode.LEXICAL:
            # The thread gives up the question, and with it the indexes that it has open. What the
            # model says of a question that was given up is dropped.
            self._is_stuck = True
            search.abandoned.cancel()
            self._meaning.submit(lambda: self._meaning.when_model_is_idle(self._end_stuck))
            reason = msg(
                "Search by meaning did not finish within {seconds} seconds.", seconds=seconds
            )
            if search.answered:
                reason = msg(
                    "Search by meaning did not finish within {seconds} seconds for some of the "
                    "OR alternatives.",
                    seconds=seconds,
                )
            self._search(search, self._words, reason)

    def _end_stuck(self) -> None:
        """Search by meaning again, as the model answers again."""
        self._is_stuck = False

    def _call_unless_answered(
        self, search: _Search, seconds: float, call: Callable[[], object]
    ) -> None:
        # An answer that is there in time needs no second one.
        timer = self._timers.after(seconds, call)
        search.answer.add_done_callback(lambda _: timer.cancel())

    def _search(self, search: _Search, thread: SearchThread, reason: str = "") -> None:
        """Search on a thread; the reason says why meaning was not searched."""

        def job() -> None:
            result: SearchAnswer | BaseException
            is_cold = not self._board.model.is_ready
            try:
                with search.cancel.calling(search.abandoned.cancel):
                    answer = self._answer(search, thread)
                told = reason or answer.fallback_reason
                waited_for = search.waited_for
                if is_cold and answer.model:
                    waited_for = msg("The language helper had to start first.")
                result = replace(
                    answer, request=search.request, fallback_reason=told, waited_for=waited_for
                )
            except BaseException as error:  # the caller waits for an answer
                # The reader is closed first: the file cannot be replaced while it is open.
                if isinstance(error, IndexCorrupt):
                    thread.report_damage(error)
                result = error
            if thread is self._meaning:
                was_abandoned = search.abandoned.cancelled and not search.cancel.cancelled
                if was_abandoned and not isinstance(result, SearchAnswer):
                    return
            self._end(search, result)

        if is_refused(thread.submit(job)):
            self._end(search, Cancelled())

    def _end(self, search: _Search, result: SearchAnswer | BaseException) -> None:
        """Give the answer; an index that turned out to be damaged is rebuilt first, once."""
        if isinstance(result, IndexCorrupt) and not search.repair and not self._board.is_paused:
            damaged = [each for each in search.own if each.is_damaged]
            if damaged:
                search.repair = msg(
                    "The search index was damaged. Scrubjay is rebuilding it. Your "
                    "notes are unchanged."
                )
                self._untold_repair = search.repair
                search.has_begun = False
                passes = self._pool.submit(self._auto_index.await_words, damaged, search.seconds)
                passes.add_done_callback(lambda _: self._begin(search))
                return
        # The search that waited for the rebuilt index may have been cancelled meanwhile.
        search.repair = search.repair or self._untold_repair
        if isinstance(result, SearchAnswer) and not search.answer.done():
            self._untold_repair = ""
            result = replace(result, fallback_reason=search.repair or result.fallback_reason)
        search.end(result)

    def _answer(self, search: _Search, thread: SearchThread) -> SearchAnswer:
        """The answer, on a search thread. Raises Cancelled, QueryError or IndexUnavailable."""
        began = time.perf_counter()
        request = search.request
        cancel = search.abandoned
        if thread is self._words:
            request = replace(request, mode=Mode.LEXICAL)
            cancel = search.cancel
        cancel.check()
        # Changed words are indexed before the search, each workspace in turn.
        parts = [
            self._freshness.catch_up(thread, each, request, search.asked_at) for each in search.own
        ]
        cancel.check()
        board = self._board
        unread = tuple(each.name for each in search.own if each.is_being_read)
        # A search by words asks no model.
        is_meaning = request.mode is not Mode.LEXICAL
        had_fallback = is_meaning and self._providers.has_taken_over
        # Shared memories get half of what is left, so that one's own notes are answered in any
        # case.
        left = search.asked_at + search.seconds - time.monotonic()
        shared_seconds = max(_LEAST_S, left / 2)
        find = functools.partial(
            _open_answer, thread, search.workspaces, cancel=cancel, shared_seconds=shared_seconds
        )
        answer = find(request, answered=search.answered)
        # With another model some notes may have vectors soon; the search is made once more then.
        is_begun = is_meaning and not had_fallback and self._providers.has_taken_over
        if is_begun and answer.fallback_reason and not (request.is_typing or board.is_paused):
            most = min(self._takeover_seconds, search.seconds / 2)
            left = search.asked_at + most - time.monotonic()
            self._auto_index.await_words(search.own, 0.0, max(0.0, left))
            answer = find(request)
        # After the search, which may have found that one cannot be reached.
        answer = self._with_freshness(answer, parts, search.workspaces, request.mode)
        return replace(
            answer,
            unread=unread,
            not_searched=self._registry.not_searched(request, named_folders(request)),
            described=self._registry.described(),
            provider=answer.provider or "none",
            elapsed_ms=(time.perf_counter() - began) * 1000,
            takeover=self._providers.takeover(answer.provider) if answer.provider else None,
        )

    def _with_freshness(
        self,
        answer: SearchAnswer,
        parts: Sequence[Freshness],
        workspaces: Sequence[OpenWorkspace],
        mode: Mode,
    ) -> SearchAnswer:
        """The answer with what it was made of; parts are the own workspaces' among the searched."""
        own = _merged(parts)
        shared = [each for each in workspaces if isinstance(each, SharedWorkspace)]
        if not shared:
            return replace(answer, freshness=own)
        of_shared = {each.name: each.freshness() for each in shared}
        told: list[str] = [own.reason]
        # Workspaces that could not be searched for the same reason are named together.
        out = {name: each.reason for name, each in of_shared.items() if each.reason}
        if out:
            reason = next(iter(out.values()))
            names = [name for name in out if out[name] == reason]
            text = msg("{name} was not searched. {reason}", name=names[0], reason=reason)
            if len(names) > 1:
                listed = ", ".join(names)
                text = msg("{names} were not searched. {reason}", names=listed, reason=reason)
            told.append(text)
        told += (each.damage() for each in shared if each.name not in out)
        # Why a memory was searched by words only matters less than that another was not searched.
        if mode is not Mode.LEXICAL and not out and not own.reason:
            reasons = (each.words_only(self._providers.makes) for each in shared)
            reason = next(filter(None, reasons), "")
            if reason and len(shared) == len(workspaces):
                answer = replace(answer, fallback_reason=reason)
            else:
                told.append(reason)
        freshness = _merged([*parts, *of_shared.values()])
        freshness = replace(freshness, reason=join_sentences(" ", filter(None, told)))
        return replace(answer, freshness=freshness)


def _open_answer(
    thread: SearchThread,
    workspaces: Sequence[OpenWorkspace],
    request: SearchRequest,
    *,
    cancel: CancelToken,
    shared_seconds: float,
    answered: list[SearchAnswer] | None = None,
) -> SearchAnswer:
    """The answer of a thread without notes that are closed by now; others take their places."""
    find = functools.partial(thread.search, shared_seconds=shared_seconds)
    answer = find(request, workspaces, cancel, answered=answered)
    wanted = len(answer.hits)
    shown = _with_open_hits(answer, workspaces)
    # Notes that were excluded since the last pass may be many, so each look is a deeper one.
    looked_at = wanted
    while len(shown.hits) < wanted and looked_at <= len(answer.hits) and looked_at < _MOST_HITS:
        looked_at = min(_MOST_HITS, _DEEPER * looked_at)
        answer = find(replace(request, max_results=looked_at), workspaces, cancel)
        more = _with_open_hits(answer, workspaces).hits
        shown = replace(shown, hits=more[:wanted])
    return shown


def _with_open_hits(answer: SearchAnswer, workspaces: Sequence[OpenWorkspace]) -> SearchAnswer:
    """The answer without notes that are closed to it by now."""
    # What was excluded since the last pass is still in the index.
    records = [each.record for each in workspaces]
    conversation = answer.request.conversation
    return replace(
        answer,
        hits=open_hits(answer.hits, records, conversation),
        uncertain=open_hits(answer.uncertain, records, conversation),
    )


def _merged(parts: Sequence[Freshness]) -> Freshness:
    """Freshness of several workspaces together."""
    documents = sum(part.documents for part in parts)
    checked = [part.checked_at for part in parts if part.checked_at]
    # All of them are as new as the oldest, and not known where one is not.
    checked_at: dt.datetime | None = None
    if checked and len(checked) == len(parts):
        checked_at = min(checked)
    # Each part counts by its size: an empty workspace is wholly embedded, and tells nothing.
    embedded = sum(part.embedded * part.documents for part in parts)
    return Freshness(
        documents=documents,
        pending=sum(part.pending for part in parts),
        unreadable=sum(part.unreadable for part in parts),
        embedded=embedded / max(1, documents),
        checked_at=checked_at,
        reason=next((part.reason for part in parts if part.reason), ""),
        unread_documents=sum(part.unread_documents for part in parts),
    )
