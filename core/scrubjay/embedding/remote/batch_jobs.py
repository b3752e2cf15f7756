"""Batches of a remote provider: many texts at once, cheaper and with some delay."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from operator import itemgetter
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from scrubjay.config.schema.memory_search import BatchSettings
from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.remote.api import RawVector, RequestFailed
from scrubjay.embedding.remote.api_session import ApiSession
from scrubjay.embedding.remote.request_pool import RequestPool
from scrubjay.records.vectors import Vector
from scrubjay.text.grouping import group_by_size

T = TypeVar("T")

_MAX_FAILURES = 2
"""Number of failures after which the interface is left alone for the rest of the run."""

_ROWS = 256
"""Vectors that are handed over at once."""
_HOPELESS = frozenset({401, 402, 403})
"""Statuses after which single texts would be refused as well."""


class BatchProgress(Struct, frozen=True):
    """Progress of a batch."""

    done: int = 0
    """Texts that have their vectors."""
    is_over: bool = False
    """Whether nothing more will come: the vectors can be read."""
    trouble: str = ""
    """Reason why less came than was asked for; empty if nothing went wrong."""


class BatchFailed(Exception):
    """The interface refused or lost a batch. Its texts can be sent in single requests."""

    def __init__(self, reason: str, *, may_have_begun: bool = False) -> None:
        """May_have_begun: no answer came, so a later look has to tell."""
        super().__init__(reason)
        self.may_have_begun = may_have_begun


class BatchApi(Protocol):
    """The requests of one batch interface. Every method raises RequestFailed, or LocalOnly."""

    def submit(self, label: str, texts: Sequence[str]) -> str:
        """Begin a batch; its id."""

    def find(self, label: str) -> str:
        """Id of the batch with this label; empty if there is none."""

    def progress(self, batch: str) -> BatchProgress:
        """Progress of a batch."""

    def rows(self, batch: str) -> Iterator[tuple[int, Any]]:
        """(position of a text, its vector as it was sent); nothing for a text that failed."""

    def cancel(self, batch: str) -> None:
        """Stop it."""

    def delete(self, batch: str) -> None:
        """Delete its texts and vectors there."""


class BatchJobs(Struct, eq=False):
    """A batch interface with retries. Requests run in a pool, so that closing lets callers go.

    Every method may raise ProviderUnavailable, when single requests would fail as well.
    """

    settings: BatchSettings
    session: ApiSession[BatchApi]
    request_pool: RequestPool
    confirm_length: Callable[[], None]
    """Function that raises DimensionsChanged if the vectors do not have the known length."""
    text_of: Callable[[EmbeddingInput], str]
    """Function that gives the text to send, empty for one too long."""
    to_vector: Callable[[RawVector], Vector]
    """Function that checks a row."""
    disabled_reason: str = ""
    """Reason why the interface is left alone for the rest of the run."""
    _failures: int = 0

    def groups(
        self, inputs: Iterator[tuple[bytes, EmbeddingInput]]
    ) -> Iterator[dict[bytes, EmbeddingInput]]:
        """Inputs of one batch each, by their keys, without texts too long for the model."""
        service = self.session.connection.service
        # Sized by what is sent: JSON spells many letters out.
        texts = ((key, item, self.text_of(item)) for key, item in inputs)
        sized = ((key, item, len(json.dumps(text))) for key, item, text in texts if text)
        groups = group_by_size(
            sized, itemgetter(2), max_size=service.batch_bytes, max_items=service.batch_texts
        )
        for group in groups:
            yield {key: item for key, item, _ in group}

    def submit(self, label: str, inputs: Sequence[EmbeddingInput]) -> str:
        """Begin a batch; its id. The label finds it when the answer is lost. Raises BatchFailed."""
        self.confirm_length()
        texts = [self.text_of(item) for item in inputs]
        is_repeated = False

        def submit_once(api: BatchApi) -> str:
            nonlocal is_repeated
            # The answer to an earlier try may have got lost when the batch had begun.
            begun = api.find(label) if is_repeated else ""
            if begun:
                return begun
            is_repeated = True
            return api.submit(label, texts)

        try:
            return self._call(submit_once)
        except RequestFailed as failure:
            raise self._lost(failure) from failure

    def find(self, label: str) -> str:
        """Id of the batch that was begun under a label; empty if there is none."""
        try:
            return self._call(lambda api: api.find(label))
        except RequestFailed as failure:
            raise self.session.explain(failure) from failure

    def progress(self, batch: str) -> BatchProgress:
        """Progress of a batch. Raises BatchFailed when it no longer exists."""
        try:
            return self._call(lambda api: api.progress(batch))
        except RequestFailed as failure:
            # The batch continues over there, whether it can be asked now or not.
            if failure.is_temporary:
                raise self.session.explain(failure) from failure
            raise self._lost(failure) from failure

    def vectors(self, batch: str) -> Iterator[tuple[int, Vector]]:
        """(position among the inputs, vector) in any order. Raises BatchFailed."""
        rows: Iterator[tuple[int, RawVector]] | None = None

        def next_rows(api: BatchApi) -> list[tuple[int, RawVector]]:
            nonlocal rows
            if rows is None:
                rows = api.rows(batch)
            try:
                return list(islice(rows, _ROWS))
            except RequestFailed:
                # From the beginning again: a vector may come twice.
                rows = None
                raise

        try:
            while group := self._call(next_rows):
                for position, row in group:
                    # A row that is not a vector is a text that failed.
                    with contextlib.suppress(RequestFailed):
                        yield position, self.to_vector(row)
        except RequestFailed as failure:
            raise self._lost(failure) from failure

    def cancel(self, batch: str) -> None:
        """Stop it, as far as that still helps."""
        self._try(lambda api: api.cancel(batch))

    def delete(self, batch: str) -> None:
        """Delete its texts and vectors at the provider, as far as that is possible."""
        self._try(lambda api: api.delete(batch))

    def count_failure(self, reason: str) -> None:
        """Count a failure; the second one switches the interface off for this run."""
        self._failures += 1
        if self._failures >= _MAX_FAILURES:
            self.disabled_reason = reason

    def close(self) -> None:
        """Let the caller go; requests under way are left to themselves."""
        self.request_pool.close()
        self.session.close()

    def _call(self, request: Callable[[BatchApi], T]) -> T:
        [result] = self.request_pool.run([lambda: self.session.call(request)])
        return result

    def _try(self, request: Callable[[BatchApi], None]) -> None:
        # The provider cleans up by itself after some weeks.
        with contextlib.suppress(RequestFailed):
            self._call(request)

    def _lost(self, failure: RequestFailed) -> Exception:
        # Without a key or money single requests would fail as well.
        error = self.session.explain(failure)
        if failure.status in _HOPELESS:
            return error
        return BatchFailed(str(error), may_have_begun=failure.is_temporary)
