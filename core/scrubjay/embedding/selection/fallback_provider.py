"""The preferred provider, and the fallback that replaces it while it fails."""

from __future__ import annotations

import contextlib
import copy
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from msgspec.structs import replace

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.embedding.selection.known_takeover import KnownTakeover
from scrubjay.errors import DimensionsChanged, ProviderUnavailable
from scrubjay.messages import Sentence, msg
from scrubjay.records.status_records import Takeover
from scrubjay.records.vectors import Vector

RETRY_S = 300.0
"""Seconds that the fallback stands in before the first choice is tried again."""

T = TypeVar("T")

_PROBE = "Are you there?"


@dataclass(slots=True, eq=False)
class FallbackProvider:
    """The preferred provider, or its fallback. For any thread.

    A pass keeps the provider that it began with: vectors of two models never mix. A failure of
    the first choice ends that pass or search, and the next pass belongs to the fallback, with a
    generation of its own.
    """

    make_first: Callable[[], EmbeddingProvider]
    """Function that is called when the first choice is needed; may raise ProviderUnavailable, as
    make_fallback may."""
    make_fallback: Callable[[], EmbeddingProvider] | None
    setting: str
    """Name of the first choice in the settings."""
    on_takeover: Callable[[], None] = lambda: None
    known: KnownTakeover | None = None
    """The failure as other processes are told of it."""
    clock: Callable[[], float] = time.monotonic
    takeover: Takeover | None = None
    """Provider that the fallback replaces and why; None if the first choice works."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _first: EmbeddingProvider | None = None
    _fallback: EmbeddingProvider | None = None
    _failed_at: float = 0.0
    _is_closed: bool = False

    @property
    def first_name(self) -> str:
        """Id of the first choice, or its name in the settings while it was not made yet."""
        if self._first is None:
            return self.setting
        return self._first.name

    def current(self) -> EmbeddingProvider:
        """The provider of the next pass. Raises ProviderUnavailable."""
        if self._is_out():
            return self.fallback()
        # After a failure the first choice has to answer once before it is used again.
        try:
            first = self.first()
            if self.takeover:
                first.embed_queries([_PROBE])[0]
        except ProviderUnavailable:
            if self.takeover:
                return self.fallback()
            raise
        self._note(None)
        return first

    def find(self, identity: str) -> EmbeddingProvider | None:
        """The provider of these vectors, or None. Raises ProviderUnavailable if it cannot tell."""
        if self.make_fallback is None:
            first = self.first()
            return first if first.identity() == identity else None
        is_out = False
        with contextlib.suppress(ProviderUnavailable):
            is_out = self._is_out() and bool(self.fallback())
        # While the fallback stands in, the first choice is not asked.
        makers = [self.fallback]
        if not is_out:
            makers.insert(0, self.first)
        for make in makers:
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
                    self._first = self.make_first()
                    if self.make_fallback:
                        self._first = _ReportingProvider(self._first, self)
                return self._first
            except ProviderUnavailable as error:
                failure = error
        # Not under the lock, since a listener may ask for the provider.
        self.on_failure(failure)
        raise failure

    def providers(self) -> tuple[EmbeddingProvider, ...]:
        """The providers that were made so far."""
        return tuple(provider for provider in (self._first, self._fallback) if provider)

    def close(self) -> None:
        """Close both, and make none from now on."""
        with self._lock:
            self._is_closed = True
        for provider in self.providers():
            provider.close()

    def fallback(self) -> EmbeddingProvider:
        """The fallback. Raises ProviderUnavailable."""
        with self._lock:
            self._check_open()
            if self.make_fallback is None:
                raise ProviderUnavailable("There is no fallback")
            try:
                if self._fallback is None:
                    self._fallback = _ReportingProvider(self.make_fallback(), self)
                return self._fallback
            except ProviderUnavailable as error:
                raise self._with_first(error) from error

    def _is_out(self) -> bool:
        """True while the first choice has failed and is not tried again yet."""
        return bool(self.takeover) and self.clock() - self._failed_at < RETRY_S

    def reported(
        self, provider: EmbeddingProvider, error: ProviderUnavailable
    ) -> ProviderUnavailable:
        """The error to raise for a failure of the first choice or of its fallback."""
        # A failure of the fallback says nothing new of the first choice.
        if provider is self._fallback:
            return self._with_first(error)
        self.on_failure(error)
        return error

    def _with_first(self, error: ProviderUnavailable) -> ProviderUnavailable:
        """The failure of the fallback, after that of the first choice."""
        takeover = self.takeover
        if takeover is None or isinstance(error, DimensionsChanged):
            return error
        self._note(replace(takeover, fallback_reason=str(error)))
        # Its kind decides whether it is worth another attempt.
        both = copy.copy(error)
        both.title = Sentence(takeover.reason)
        both.message = fallback_failure(str(error))
        both.hint = Sentence("")
        return both

    def worked(self, provider: EmbeddingProvider) -> None:
        """Take note that a provider has answered."""
        if self.takeover and self.takeover.fallback_reason and provider is self._fallback:
            self._note(replace(self.takeover, fallback_reason=""))

    def _note(self, takeover: Takeover | None) -> None:
        """Show who stands in, or that the first choice works, also to other processes."""
        self.takeover = takeover
        if self.known:
            self.known.write(takeover)

    def on_failure(self, error: ProviderUnavailable) -> None:
        """Let the fallback take over for a while, after a failure of the first choice."""
        if self._is_closed or not self.make_fallback or isinstance(error, DimensionsChanged):
            return
        # Each failure prolongs the takeover, and the first one is announced.
        self._failed_at = self.clock()
        is_news = self.takeover is None
        self._note(Takeover(self.first_name, str(error)))
        if is_news:
            self.on_takeover()

    def _check_open(self) -> None:
        if self._is_closed:
            raise ProviderUnavailable("Scrubjay is closing")


def fallback_failure(reason: str) -> Sentence:
    """The sentences on a fallback that fails as well, after those on the first choice."""
    return msg("The fallback does not work either. {reason}", reason=reason)


class _ReportingProvider:
    """A provider that reports failures before they are raised."""

    def __init__(self, provider: EmbeddingProvider, owner: FallbackProvider) -> None:
        self._provider = provider
        self._owner = owner
        self.name = provider.name
        self.is_local = provider.is_local
        self.model = provider.model
        self.host = provider.host
        self.batch_jobs = provider.batch_jobs
        self.media = provider.media

    def identity(self) -> str:
        return self._reporting(self._provider.identity)

    def dimensions(self) -> int:
        return self._reporting(self._provider.dimensions)

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]:
        return self._reporting(lambda: self._provider.embed_queries(texts))

    def embed_documents(self, inputs: Sequence[EmbeddingInput]) -> list[Vector]:
        return self._reporting(lambda: self._provider.embed_documents(inputs))

    def close(self) -> None:
        self._provider.close()

    def _reporting(self, call: Callable[[], T]) -> T:
        try:
            result = call()
            self._owner.worked(self)
            return result
        except ProviderUnavailable as error:
            reported = self._owner.reported(self, error)
            if reported is error:
                raise
            raise reported from error
