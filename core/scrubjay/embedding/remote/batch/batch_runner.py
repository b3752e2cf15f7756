"""The batch interface of a remote provider: what fits, retries and what goes wrong."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from scrubjay.embedding.batch_jobs import BulkFailed, BulkProgress, BulkTerms
from scrubjay.embedding.provider import EmbeddingInput
from scrubjay.embedding.remote.api import RawVector, RequestFailed
from scrubjay.embedding.remote.batch.batch_protocol import BulkApi
from scrubjay.embedding.remote.connection import ApiSession
from scrubjay.embedding.remote.dispatch import RequestPool
from scrubjay.records.vectors import Vector

T = TypeVar("T")

FAILURES = 2
"""After so many the interface is left alone for the rest of the run."""

_ROWS = 256
"""Vectors that are handed over at once."""
_HOPELESS = frozenset({401, 402, 403})
"""Whoever answers so does not take single texts either."""


class RemoteBulk:
    """A batch interface with retries. Requests run on a lane, so that closing lets callers go."""

    def __init__(
        self,
        terms: BulkTerms,
        api: ApiSession[BulkApi],
        lane: RequestPool,
        text_of: Callable[[EmbeddingInput], str],
        ready: Callable[[RawVector], Vector],
    ) -> None:
        """Text_of gives what is sent, empty for what does not fit; ready checks a vector."""
        self.name = api.service.name
        self.terms = terms
        self.off_because = ""
        self._api = api
        self._lane = lane
        self._text_of = text_of
        self._ready = ready
        self._failures = 0

    def groups(
        self, passages: Iterator[tuple[bytes, EmbeddingInput]]
    ) -> Iterator[dict[bytes, EmbeddingInput]]:
        """What goes into one batch each; texts too long for the model are left out."""
        max_texts, max_bytes = self._api.service.bulk_texts, self._api.service.bulk_bytes
        group: dict[bytes, EmbeddingInput] = {}
        size = 0
        for key, passage in passages:
            text = self._text_of(passage)
            if not text:
                continue
            length = len(json.dumps(text))
            if group and (len(group) >= max_texts or size + length > max_bytes):
                yield group
                group, size = {}, 0
            group[key] = passage
            size += length
        if group:
            yield group

    def submit(self, label: str, passages: Sequence[EmbeddingInput]) -> str:
        """Begin a batch and say its id. Raises BulkFailed."""
        texts = [self._text_of(passage) for passage in passages]
        is_repeated = False

        def once(api: BulkApi) -> str:
            nonlocal is_repeated
            # The answer to an earlier try may have got lost when the batch had begun.
            if is_repeated and (begun := api.find(label)):
                return begun
            is_repeated = True
            return api.submit(label, texts)

        try:
            return self._asked(once)
        except RequestFailed as failure:
            raise self._lost(failure) from failure

    def find(self, label: str) -> str:
        """Id of the batch that was begun under a label; empty when there is none."""
        try:
            return self._asked(lambda api: api.find(label))
        except RequestFailed as failure:
            raise self._api.explained(failure) from failure

    def look(self, batch: str) -> BulkProgress:
        """How far it is. Raises BulkFailed when there is no such batch any more."""
        try:
            return self._asked(lambda api: api.look(batch))
        except RequestFailed as failure:
            if failure.is_temporary:  # it goes on over there
                raise self._api.explained(failure) from failure
            raise self._lost(failure) from failure

    def take(self, batch: str) -> Iterator[tuple[int, Vector]]:
        """(place in what was submitted, vector) in any order. Raises BulkFailed."""
        rows: Iterator[tuple[int, RawVector]] | None = None

        def more(api: BulkApi) -> list[tuple[int, RawVector]]:
            nonlocal rows
            if rows is None:
                rows = api.rows(batch)
            try:
                return list(islice(rows, _ROWS))
            except RequestFailed:
                rows = None  # from the beginning again: nobody minds a vector that comes twice
                raise

        try:
            while some := self._asked(more):
                for place, row in some:
                    with contextlib.suppress(RequestFailed):  # one that is no vector
                        yield place, self._ready(row)
        except RequestFailed as failure:
            raise self._lost(failure) from failure

    def cancel(self, batch: str) -> None:
        """Stop it, as far as that still helps."""
        self._tried(lambda api: api.cancel(batch))

    def forget(self, batch: str) -> None:
        """Delete what the provider keeps of it, as far as it lets us."""
        self._tried(lambda api: api.forget(batch))

    def failed(self, reason: str) -> None:
        """Count a failure; the second one switches the interface off for this run."""
        self._failures += 1
        if self._failures >= FAILURES:
            self.off_because = reason

    def close(self) -> None:
        """Let the caller go; requests under way are left to themselves."""
        self._lane.close()
        self._api.close()

    def _asked(self, request: Callable[[BulkApi], T]) -> T:
        [result] = self._lane.run([lambda: self._api.asked(request)])
        return result

    def _tried(self, request: Callable[[BulkApi], None]) -> None:
        try:
            self._asked(request)
        except RequestFailed:
            return  # the provider does it by itself after some weeks

    def _lost(self, failure: RequestFailed) -> Exception:
        explained = self._api.explained(failure)
        if failure.status in _HOPELESS:
            return explained
        return BulkFailed(str(explained), may_have_begun=failure.is_temporary)
