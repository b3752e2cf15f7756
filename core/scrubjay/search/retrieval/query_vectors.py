"""Vectors of queries, which are computed while the words are searched, and cached."""

from __future__ import annotations

import contextlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future

from msgspec import Struct, field

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.thread_pool import DaemonThreadPool, SerialQueue
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.errors import ProviderUnavailable
from scrubjay.messages import msg
from scrubjay.records.vectors import Vector

_CACHED_QUERIES = 2_000
"""Queries whose vectors are cached, and titles that are compared with them; a vector takes
1.5 kB."""
_CLOSING_S = 1.0
"""Seconds that closing waits for a model that hangs."""


class QueryEmbedding(Struct, frozen=True):
    """Vectors of one query."""

    vectors: Mapping[str, Vector] = field(default_factory=dict)
    """Identity of an index's vectors -> float32[dimensions] of the query."""
    reason: str = ""
    """Reason why there are none although they were asked for."""


NO_EMBEDDING: Future[QueryEmbedding] = Future()
"""The embedding of a query that is searched by words alone."""
NO_EMBEDDING.set_result(QueryEmbedding())


class QueryVectors:
    """Vectors of queries, computed on a separate thread. Used by the thread of one searcher."""

    def __init__(self, provider: Callable[[str], EmbeddingProvider]) -> None:
        """Provider returns the provider of an identity, or raises ProviderUnavailable."""
        self._provider = provider
        self._queue = SerialQueue(DaemonThreadPool("query"))
        self._cache: OrderedDict[tuple[str, str], Vector] = OrderedDict()
        self.sources: dict[str, tuple[str, str]] = {}
        """Identity -> name and model of the provider that embedded a query for it."""

    def close(self) -> None:
        """End the thread; one that waits for a model that hangs is abandoned."""
        self._queue.close(_CLOSING_S)

    def begin(
        self, text: str, identities: Iterable[str], cancel: CancelToken
    ) -> Future[QueryEmbedding]:
        """Embed a query for each identity; there are two while an index changes its model.

        Ask for the result before the next query begins, or cancel it. An identity is empty when no
        index has vectors: then the provider only tells why it cannot answer.
        """
        distinct = [identity for identity in dict.fromkeys(identities) if identity] or [""]
        return self._queue.submit(lambda: self._embed(text, distinct, cancel))

    def prepare(self, texts: Sequence[str], identities: Iterable[str], cancel: CancelToken) -> None:
        """Embed several queries at once, each of which begins later."""
        distinct = [*dict.fromkeys(filter(None, identities))]
        self._queue.submit(lambda: self._embed_ahead(texts, distinct, cancel))

    def idle(self) -> Future[None]:
        """Done when the model has answered all that it was asked so far."""
        return self._queue.submit(lambda: None)

    def of_titles(self, titles: Sequence[str], identity: str) -> list[Vector]:
        """Vectors that are compared with a query's, one for each title; none where none can be."""
        try:
            return self._queue.submit(lambda: self._known(titles, identity)).result()
        except ProviderUnavailable:
            return []

    def _embed_ahead(
        self, texts: Sequence[str], identities: Iterable[str], cancel: CancelToken
    ) -> None:
        cancel.check()
        for identity in identities:
            with contextlib.suppress(ProviderUnavailable):  # each query says so itself
                self._known(texts, identity)

    def _embed(self, text: str, identities: Iterable[str], cancel: CancelToken) -> QueryEmbedding:
        # While a slow model is busy, a person may have typed on.
        cancel.check()
        # One provider may fail while the other answers.
        vectors: dict[str, Vector] = {}
        reason = ""
        for identity in identities:
            try:
                [vector] = self._known([text], identity)
            except ProviderUnavailable as error:
                reason = str(error)
                continue
            if vector.any():
                vectors[identity] = vector
            else:
                reason = msg("The language helper does not know the words of this question.")
        return QueryEmbedding(vectors, "" if vectors else reason)

    def _known(self, texts: Sequence[str], identity: str) -> list[Vector]:
        provider = self._provider(identity)
        new = [text for text in dict.fromkeys(texts) if (identity, text) not in self._cache]
        if new:
            found = provider.embed_queries(new)
            self._cache.update(zip(((identity, text) for text in new), found, strict=True))
        self.sources[identity] = (provider.name, provider.model)
        # The texts that were used longest ago leave the cache first.
        for text in texts:
            self._cache.move_to_end((identity, text))
        vectors = [self._cache[identity, text] for text in texts]
        while len(self._cache) > _CACHED_QUERIES:
            self._cache.popitem(last=False)
        return vectors
