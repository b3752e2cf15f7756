"""Searches for what an agent's prompt is about, within the time that there is."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from typing import TypeAlias

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import Cancelled, ScrubjayError
from scrubjay.records.search_records import Hit, Mode, SearchAnswer, SearchRequest

Search: TypeAlias = Callable[[SearchRequest, CancelToken], Future[SearchAnswer]]

_QUERY_CHARACTERS = 2000
"""The beginning of a long prompt says what it is about."""


def related(
    search: Search,
    text: str,
    among: frozenset[str],
    *,
    limit: int,
    min_score: float,
    seconds: float,
) -> tuple[Hit, ...]:
    """Hits for a whole message: by words and meaning if that is there in time, else by words.

    Among are ids of workspaces; empty searches all.
    """
    until = time.monotonic() + seconds
    cancel = CancelToken()
    query = " ".join(text[:_QUERY_CHARACTERS].split())

    def ask(mode: Mode) -> Future[SearchAnswer]:
        request = SearchRequest(
            query, mode=mode, among=among, max_results=limit, min_score=min_score
        )
        return search(request, cancel)

    # Asked at once: the model may have to start, or may never answer.
    words, both = ask(Mode.LEXICAL), ask(Mode.HYBRID)
    try:
        for answer in (both, words):
            try:
                return answer.result(max(0.0, until - time.monotonic())).hits
            except (TooLate, Cancelled, ScrubjayError):
                continue
    finally:
        cancel.cancel()
    return ()
