"""The first choice of provider, and the fallback that stands in while it fails."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.errors import DimensionsChanged, ProviderUnavailable
from scrubjay.records.search_records import Takeover
from scrubjay.records.vectors import Vector

RETRY_S = 300.0
"""How long the fallback stands in before the first choice is tried again."""

T = TypeVar("T")

_PROBE = "Are you there?"


class FallbackProvider:
    """Says who is in charge. For any thread.

    Whoever is in charge at the beginning of a pass stays in charge of that pass: vectors of two
    models never mix. A failure of the first choice ends the pass or the search that met it, and
    the next pass belongs to the fallback, with a generation of its own.
    """

    def __init__(
        self,
        first: Callable[[], EmbeddingProvider],
        second: Callable[[], EmbeddingProvider] | None = None,
        *,
        first_name: str,
        took_over: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Both are made when they are needed, and may raise ProviderUnavailable then."""
        self._makers = (first, second)
        self._first_name = first_name
        self._took_over = took_over
        self._clock = clock
        self._lock = threading.Lock()
        self._first: EmbeddingProvider | None = None
        self._second: EmbeddingProvider | None = None
        self._takeover: Takeover | None = None
        self._failed_at = 0.0
        self._is_closed = False

    @property
    def takeover(self) -> Takeover | None:
        """From whom the fallback took over and why; None while the first choice is in charge."""
        return self._takeover

    @property
    def first_name(self) -> str:
        """Id of the first choice, or how the settings call it while it was not made yet."""
        return self._first.name if self._first else self._first_name

    def in_charge(self) -> EmbeddingProvider:
        """Who embeds from now on. Raises ProviderUnavailable."""
        if self._takeover and self._clock() - self._failed_at < RETRY_S:
            return self._stand_in()
        try:
            first = self.first()
            if self._takeover:
                first.embed_query(_PROBE)
        except ProviderUnavailable:
            if self._takeover:
                return self._stand_in()
            raise
        self._takeover = None
        return first

    def of(self, identity: str) -> EmbeddingProvider | None:
        """The one whose vectors have this identity, whoever is in charge; None when neither has.

        Raises ProviderUnavailable when the only one cannot tell.
        """
        if self._makers[1] is None:
            first = self.first()
            return first if first.identity() == identity else None
        for make in (self.first, self._stand_in):
            try:
                member = make()
                # The family tells without loading or asking a model.
                if identity.startswith(f"{member.name}:") and member.identity() == identity:
                    return member
            except ProviderUnavailable:
                continue
        return None

    def first(self) -> EmbeddingProvider:
        """The first choice, which reports its failures here. Raises ProviderUnavailable."""
        with self._lock:
            self._check_open()
            try:
                if self._first is None:
                    made = self._makers[0]()
                    self._first = _Watched(made, self._failed) if self._makers[1] else made
                return self._first
            except ProviderUnavailable as error:
                failure = error
        self._failed(failure)
        raise failure

    def alive(self) -> tuple[EmbeddingProvider, ...]:
        """Those that were made."""
        return tuple(one for one in (self._first, self._second) if one)

    def close(self) -> None:
        """Close both, and make none from now on."""
        with self._lock:
            self._is_closed = True
        for one in self.alive():
            one.close()

    def _stand_in(self) -> EmbeddingProvider:
        with self._lock:
            self._check_open()
            make = self._makers[1]
            if make is None:
                raise ProviderUnavailable("There is no fallback")
            if self._second is None:
                self._second = make()
            return self._second

    def _failed(self, error: ProviderUnavailable) -> None:
        if self._is_closed or not self._makers[1] or isinstance(error, DimensionsChanged):
            return
        self._failed_at = self._clock()
        is_news = self._takeover is None
        self._takeover = Takeover(self.first_name, str(error))
        if is_news:
            self._took_over()

    def _check_open(self) -> None:
        if self._is_closed:
            raise ProviderUnavailable("Scrubjay is being closed")


class _Watched:
    """A provider whose failures are reported before they are raised."""

    def __init__(
        self, watched: EmbeddingProvider, failed: Callable[[ProviderUnavailable], None]
    ) -> None:
        self._watched = watched
        self._failed = failed
        self.name = watched.name
        self.is_local = watched.is_local
        self.model = watched.model
        self.host = watched.host
        self.batch_jobs = watched.batch_jobs
        self.media = watched.media

    def identity(self) -> str:
        """As of the watched one."""
        return self._reporting(self._watched.identity)

    def dimensions(self) -> int:
        """As of the watched one."""
        return self._reporting(self._watched.dimensions)

    def embed_query(self, text: str) -> Vector:
        """Embed a query."""
        return self._reporting(lambda: self._watched.embed_query(text))

    def embed_documents(self, passages: Sequence[EmbeddingInput]) -> list[Vector]:
        """Embed chunks."""
        return self._reporting(lambda: self._watched.embed_documents(passages))

    def close(self) -> None:
        """Close the watched one."""
        self._watched.close()

    def _reporting(self, call: Callable[[], T]) -> T:
        try:
            return call()
        except ProviderUnavailable as error:
            self._failed(error)
            raise
