"""No search waits longer than its deadline: by then words answer, and say why."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field, replace

from scrubjay.answers.search_service import SearchService
from scrubjay.answers.search_thread import SearchThread
from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.timers import Timers
from scrubjay.errors import IndexCorrupt
from scrubjay.messages import msg
from scrubjay.records.search_records import Mode, SearchAnswer, SearchRequest

_WORDS_MARGIN_S = 1.0
"""Words are asked so long before the deadline, so that their answer is there in time."""


@dataclass(slots=True)
class _Search:
    """One search under way."""

    request: SearchRequest
    cancel: CancelToken
    seconds: float
    answer: Future[SearchAnswer] = field(default_factory=Future)
    given_up: CancelToken = field(default_factory=CancelToken)
    """Calls off what is done for it on the thread that waits for the model."""
    asked: float = field(default_factory=time.monotonic)
    is_asked: bool = False
    """False while it waits for notes that were never read."""
    repairs: str = ""
    """What the answer tells when it had to wait for an index that was damaged."""

    def take(self, done: Future[SearchAnswer]) -> bool:
        """End as this has ended; False when another answer was there first."""
        try:
            if error := done.exception():
                self.answer.set_exception(error)
            else:
                found = done.result()
                reason = self.repairs or found.fallback_reason
                self.answer.set_result(replace(found, fallback_reason=reason))
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


class DeadlineSearch:
    """Searches by meaning while there is time, and by words after that. For any thread."""

    def __init__(
        self, alarms: Timers, answering: SearchService, words: SearchThread, meaning: SearchThread
    ) -> None:
        """Words and meaning are the threads to answer on; only the second may wait for a model."""
        self._alarms = alarms
        self._answering = answering
        self._words = words
        self._meaning = meaning
        self._is_stuck = False
        """True while the second thread waits for a model beyond a deadline."""
        self._untold = ""
        """That an index was damaged, while no answer has said so."""

    def search(self, request: SearchRequest, cancel: CancelToken) -> Future[SearchAnswer]:
        """The answer, in time. The future may raise what a search may raise."""
        seconds = self._answering.deadline_seconds(request)
        one = _Search(request, cancel, seconds)
        one.answer.set_running_or_notify_cancel()
        margin = min(_WORDS_MARGIN_S, seconds / 2)
        self._call_unless_answered(
            one, seconds - margin, lambda: self._answer_before_deadline(one, margin)
        )
        ready = self._answering.readiness(request)
        if ready is None:
            self._ask(one)
        else:
            ready.add_done_callback(lambda _: self._ask(one))
        return one.answer

    def _ask(self, one: _Search) -> None:
        if one.is_asked:  # it was late
            return
        one.is_asked = True
        if one.request.mode is Mode.LEXICAL:
            self._ask_words(one, lambda found: found)
        elif self._is_stuck:
            self._fall_back(one, msg("The model has not answered for a while."))
        else:
            self._ask_meaning(one)

    def _call_unless_answered(
        self, one: _Search, seconds: float, call: Callable[[], object]
    ) -> None:
        alarm = self._alarms.after(seconds, call)
        one.answer.add_done_callback(lambda _: alarm.cancel())

    def _answer_before_deadline(self, one: _Search, margin: float) -> None:
        """The deadline is near: answer from what is there."""
        # Words may be late too, as on a drive that hangs.
        self._call_unless_answered(one, margin, one.end_without_answer)
        if not one.is_asked:
            one.is_asked = True
            reading = msg("The notes are being read for the first time.")
            self._fall_back(one, one.repairs or reading)
        elif one.request.mode is not Mode.LEXICAL:
            self._is_stuck = True
            one.given_up.cancel()
            self._fall_back(
                one,
                msg(
                    "Search by meaning gave no answer within {seconds} seconds.",
                    seconds=f"{one.seconds:g}",
                ),
            )

    def _ask_meaning(self, one: _Search) -> None:
        def find() -> SearchAnswer:
            with one.cancel.calling(one.given_up.cancel):
                return self._answering.search(self._meaning, one.request, one.given_up, one.asked)

        def ended(done: Future[SearchAnswer]) -> None:
            self._is_stuck = False
            if not one.given_up.cancelled or one.cancel.cancelled or not done.exception():
                self._end(one, done)

        self._meaning.submit(find).add_done_callback(ended)

    def _fall_back(self, one: _Search, reason: str) -> None:
        self._ask_words(
            one, lambda found: replace(found, request=one.request, fallback_reason=reason)
        )

    def _ask_words(self, one: _Search, told: Callable[[SearchAnswer], SearchAnswer]) -> None:
        request = replace(one.request, mode=Mode.LEXICAL)

        def find() -> SearchAnswer:
            return told(self._answering.search(self._words, request, one.cancel, one.asked))

        self._words.submit(find).add_done_callback(lambda done: self._end(one, done))

    def _end(self, one: _Search, done: Future[SearchAnswer]) -> None:
        """Take the answer; an index that turned out to be damaged is built anew first, once."""
        is_damaged = isinstance(done.exception(), IndexCorrupt) and not one.repairs
        ready = self._answering.repair(one.request) if is_damaged else None
        if ready is None:
            # Who waited for the index may have given up for the sake of a quicker answer.
            one.repairs = one.repairs or self._untold
            if one.take(done) and not done.exception():
                self._untold = ""
            return
        one.repairs = self._untold = msg("The index was damaged and is being rebuilt.")
        one.is_asked = False
        ready.add_done_callback(lambda _: self._ask(one))
