"""No search waits longer than its deadline: by then words answer, and say why."""

from __future__ import annotations

import contextlib
from concurrent.futures import Future, InvalidStateError
from dataclasses import replace

from scrubjay.alarms import Alarms
from scrubjay.answering import Answering
from scrubjay.jobs import CancelToken
from scrubjay.records import Mode, SearchAnswer, SearchRequest
from scrubjay.searching import SearchThread

_WORDS_MARGIN_S = 1.0
"""Words are asked so long before the deadline, so that their answer is there in time."""


class Deadline:
    """Searches by meaning while there is time, and by words after that. For any thread."""

    def __init__(
        self, alarms: Alarms, answering: Answering, words: SearchThread, meaning: SearchThread
    ) -> None:
        """Words and meaning are the threads to answer on; only the second may wait for a model."""
        self._alarms = alarms
        self._answering = answering
        self._words = words
        self._meaning = meaning
        self._is_stuck = False
        """True while the second thread waits for a model beyond a deadline."""

    def search(self, request: SearchRequest, cancel: CancelToken) -> Future[SearchAnswer]:
        """The answer, in time. The future may raise what a search may raise."""
        seconds = self._answering.deadline_seconds(request)
        answer: Future[SearchAnswer] = Future()
        answer.set_running_or_notify_cancel()
        # Words may be late too, as on a drive that hangs.
        last = self._alarms.after(seconds, lambda: _give(answer, _nothing(request, seconds)))
        answer.add_done_callback(lambda _: last.cancel())
        if request.mode is Mode.LEXICAL:
            self._ask_words(request, cancel, answer)
        elif self._is_stuck:
            self._fall_back(request, cancel, answer, "The model has not answered for a while.")
        else:
            self._ask_meaning(request, cancel, answer, seconds)
        return answer

    def _ask_meaning(
        self,
        request: SearchRequest,
        cancel: CancelToken,
        answer: Future[SearchAnswer],
        seconds: float,
    ) -> None:
        given_up = CancelToken()

        def find() -> SearchAnswer:
            with cancel.calling(given_up.cancel):
                return self._answering.search(self._meaning, request, given_up)

        def too_late() -> None:
            self._is_stuck = True
            given_up.cancel()
            reason = f"Search by meaning gave no answer within {seconds:g} seconds."
            self._fall_back(request, cancel, answer, reason)

        def ended(done: Future[SearchAnswer]) -> None:
            alarm.cancel()
            self._is_stuck = False
            if not given_up.cancelled or cancel.cancelled or not done.exception():
                _take(answer, done)

        alarm = self._alarms.after(seconds - min(_WORDS_MARGIN_S, seconds / 2), too_late)
        self._meaning.submit(find).add_done_callback(ended)

    def _fall_back(
        self,
        request: SearchRequest,
        cancel: CancelToken,
        answer: Future[SearchAnswer],
        reason: str,
    ) -> None:
        words = replace(request, mode=Mode.LEXICAL)

        def find() -> SearchAnswer:
            found = self._answering.search(self._words, words, cancel)
            return replace(found, request=request, fallback_reason=reason)

        self._words.submit(find).add_done_callback(lambda done: _take(answer, done))

    def _ask_words(
        self, request: SearchRequest, cancel: CancelToken, answer: Future[SearchAnswer]
    ) -> None:
        found = self._words.submit(lambda: self._answering.search(self._words, request, cancel))
        found.add_done_callback(lambda done: _take(answer, done))


def _take(answer: Future[SearchAnswer], done: Future[SearchAnswer]) -> None:
    with contextlib.suppress(InvalidStateError):  # another answer was there first
        if error := done.exception():
            answer.set_exception(error)
        else:
            answer.set_result(done.result())


def _give(answer: Future[SearchAnswer], given: SearchAnswer) -> None:
    with contextlib.suppress(InvalidStateError):  # another answer was there first
        answer.set_result(given)


def _nothing(request: SearchRequest, seconds: float) -> SearchAnswer:
    reason = f"The notes could not be searched within {seconds:g} seconds."
    return SearchAnswer(request, (), Mode.LEXICAL, "none", "", fallback_reason=reason)
