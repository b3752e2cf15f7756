"""Vectors of queries: computed while the words are searched, and remembered."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field

from scrubjay.concurrency.worker import Worker
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.errors import ProviderUnavailable
from scrubjay.messages import msg
from scrubjay.records.vectors import Vector

_REMEMBERED = 256
_CLOSING_S = 1.0


@dataclass(frozen=True, slots=True)
class Understood:
    """What the models made of a query."""

    vectors: Mapping[str, Vector] = field(default_factory=dict)
    """By the identity of what an index's vectors were made with."""
    reason: str = ""
    """Why there are none although they were wanted."""


NOTHING_WANTED: Future[Understood] = Future()
"""Of a query that is searched by words alone."""
NOTHING_WANTED.set_result(Understood())


class QueryVectors:
    """Asks providers on a thread of its own. For the thread of one searcher."""

    def __init__(self, provider: Callable[[str], EmbeddingProvider]) -> None:
        """The provider of an identity is asked for each time; it raises ProviderUnavailable."""
        self._provider = provider
        self._worker = Worker("query")
        self._remembered: OrderedDict[tuple[str, str], Vector] = OrderedDict()
        self._makers: dict[str, tuple[str, str]] = {}

    def close(self) -> None:
        """End the thread; one that waits for a model that hangs is left to itself."""
        self._worker.stop(_CLOSING_S)

    def maker(self, identity: str) -> tuple[str, str]:
        """Name and model of the provider that embedded a query for an identity."""
        return self._makers[identity]

    def begin(self, text: str, identities: Iterable[str]) -> Future[Understood]:
        """Embed a query for each identity; there are two while an index changes its model.

        Ask for the result before the next query begins. An identity is empty when no index has
        vectors: then the provider only tells why it cannot answer.
        """
        wanted = [known for known in dict.fromkeys(identities) if known] or [""]
        return self._worker.submit(lambda: self._understood(text, wanted))

    def _understood(self, text: str, identities: Iterable[str]) -> Understood:
        vectors: dict[str, Vector] = {}
        reason = ""
        for identity in identities:
            try:
                provider = self._provider(identity)
                vector = self._embedded(provider, identity, text)
                self._makers[identity] = provider.name, provider.model
            except ProviderUnavailable as error:
                reason = str(error)
                continue
            if vector.any():
                vectors[identity] = vector
            else:
                reason = msg("The model has nothing to say about this text.")
        return Understood(vectors, "" if vectors else reason)

    def _embedded(self, provider: EmbeddingProvider, identity: str, text: str) -> Vector:
        key = (identity, text)
        if key in self._remembered:
            self._remembered.move_to_end(key)
            return self._remembered[key]
        vector = provider.embed_query(text)
        self._remembered[key] = vector
        if len(self._remembered) > _REMEMBERED:
            self._remembered.popitem(last=False)
        return vector
