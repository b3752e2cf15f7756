"""The provider of the settings, its fallback, and providers whose vectors are still in use."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from scrubjay.config.schema.settings import Settings
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.embedding.selection.fallback_provider import FallbackProvider, fallback_failure
from scrubjay.embedding.selection.known_takeover import KnownTakeover
from scrubjay.errors import ProviderUnavailable
from scrubjay.messages import Sentence, msg
from scrubjay.platform.paths import Paths
from scrubjay.records.status_records import ModelStatus, Takeover

if TYPE_CHECKING:
    from scrubjay.embedding.local.cpu_variant import CpuVariantChoice
    from scrubjay.embedding.remote.credentials import RemoteAccess
    from scrubjay.embedding.selection.provider_factory import OnStatus, ProviderFactory

_INPUTS = ("provider", "model", "fallback", "local", "remote", "output_dimensionality")
"""Fields of the settings of search that a provider is made from."""


@dataclass(slots=True, eq=False)
class ActiveProvider:
    """Creates providers when needed, and closes those whose vectors are unused. For any thread.

    After a change of model two are alive: indexing uses the new one, and searching the old one
    until the last index is complete.
    """

    settings: Callable[[], Settings]
    paths: Paths
    access: Callable[[], RemoteAccess]
    show: Callable[[ModelStatus], None]
    """Listener that gets the status of the provider."""
    on_takeover: Callable[[], None] = lambda: None
    """Listener that is called when the fallback begins."""
    on_former: Callable[[], None] = lambda: None
    """Listener that is called when a provider is kept for vectors that are about to be replaced."""
    given: EmbeddingProvider | None = None
    """Provider that is used whatever the settings say."""
    off_reason: str = ""
    """Sentence that the settings choose no provider, once one was asked for."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _pair: FallbackProvider | None = None
    _inputs: Any = None
    _is_off: bool = False
    _former: tuple[EmbeddingProvider, ...] = ()
    _is_closed: bool = False
    _cpu_variants: CpuVariantChoice | None = None

    @property
    def has_former(self) -> bool:
        """True while a provider is kept for vectors that are about to be replaced."""
        return bool(self._former)

    @property
    def has_taken_over(self) -> bool:
        """True while the fallback stands in."""
        return bool(self._pair and self._pair.takeover)

    def current(self) -> EmbeddingProvider:
        """The provider for indexing: that of the settings, or the fallback while that fails.

        Raises ProviderUnavailable. May send the first choice a query, to see if it is back.
        """
        pair = self._open_pair()
        try:
            return pair.current()
        except ProviderUnavailable as error:
            with self._lock:
                if self._pair is pair and self._is_off:
                    self.off_reason = str(error)
            raise

    def find(self, identity: str) -> EmbeddingProvider:
        """The provider that makes vectors of this identity. Raises ProviderUnavailable."""
        pair = self._open_pair()
        if self._is_off:
            # Raises: no vectors are compared, not even those that are there.
            pair.first()
        for former in self._former:
            if _identity(former) == identity:
                return former
        failure: ProviderUnavailable | None = None
        provider: EmbeddingProvider | None = None
        try:
            provider = pair.find(identity)
        except ProviderUnavailable as error:
            failure = error
        # A model that does not work must not silence the one that did.
        provider = provider or self._revived(identity)
        if provider:
            return provider
        not_ready = msg("Search by meaning is not ready yet")
        reason = ""
        takeover = pair.takeover
        if takeover and takeover.fallback_reason:
            not_ready = Sentence(takeover.reason)
            reason = fallback_failure(takeover.fallback_reason)
        elif takeover:
            not_ready = msg("The fallback is still preparing the notes for search by meaning")
            reason = takeover.reason
        raise failure or ProviderUnavailable(not_ready, reason)

    def makes(self, identity: str) -> bool:
        """Whether queries can get vectors of this identity; true while no provider was needed."""
        # Before the first question of all, nothing is known and everything possible.
        pair = self._pair
        known = [*self._former]
        if pair:
            known += pair.providers()
        return not known or identity in map(_identity, known)

    def takeover(self, answering: str) -> Takeover | None:
        """The provider that the answering one replaces; None for the one of the settings."""
        pair = self._pair
        fallback = self.settings().memory_search.fallback
        if pair is None or answering != fallback or answering == pair.first_name:
            return None
        embedded = msg(
            "The notes were last prepared for search by meaning with another language helper."
        )
        known = pair.takeover or (pair.known and pair.known.read())
        return known or Takeover(pair.first_name, embedded)

    def reload(self) -> bool:
        """Follow changed settings; True when they name another provider from now on."""
        with self._lock:
            if self.given or _inputs(self.settings()) == self._inputs:
                return False
            # They answer queries until the indexes have vectors of the new one.
            if self._pair:
                self._former += self._pair.providers()
            self._pair = None
            self.off_reason = ""
        if self.has_former:
            self.on_former()
        return True

    def retire(self, in_use: Collection[str]) -> None:
        """Close former providers whose identity is not among those that indexes still have."""
        with self._lock:
            former = self._former
            pair = self._pair
        # For vectors that the current ones make, no former provider is needed.
        current: set[str] = set()
        if pair:
            current = {_identity(provider) for provider in pair.providers()}
        wanted = {*in_use} - current
        self._drop([provider for provider in former if _identity(provider) not in wanted])

    def close(self) -> None:
        """Close all, and make none from now on."""
        with self._lock:
            self._is_closed = True
            former = self._former
            pair = self._pair
        for provider in former:
            provider.close()
        if pair:
            pair.close()

    def _open_pair(self) -> FallbackProvider:
        with self._lock:
            self._check_open()
            if self._pair is None:
                self._pair = self._new_pair()
            return self._pair

    def _new_pair(self) -> FallbackProvider:
        given = self.given
        if given:
            return FallbackProvider(lambda: given, None, "given")
        settings = self.settings()
        self._inputs = _inputs(settings)
        search = settings.memory_search
        factory = self._factory(settings)

        def show(status: ModelStatus) -> None:
            # The status of a former provider is of no interest.
            if self._pair in (None, pair):
                self.show(status)

        self._is_off = search.provider == "none"
        make_fallback = None
        known = None
        if not self._is_off and search.fallback not in ("none", search.provider):
            known = KnownTakeover(self.paths, search)
            make_fallback = partial(_with_status, factory.fallback, show)
        pair = FallbackProvider(
            make_first=partial(_with_status, factory.first_choice, show),
            make_fallback=make_fallback,
            setting=search.provider,
            on_takeover=self.on_takeover,
            known=known,
        )
        return pair

    def _factory(self, settings: Settings) -> ProviderFactory:
        # Imported late: a search by words makes no provider.
        from scrubjay.embedding.local.cpu_variant import CpuVariantChoice
        from scrubjay.embedding.selection.provider_factory import ProviderFactory

        if self._cpu_variants is None:
            self._cpu_variants = CpuVariantChoice(self.paths.state)
        return ProviderFactory(
            settings=settings.memory_search,
            paths=self.paths,
            access=self.access,
            cpu_variants=self._cpu_variants,
            idle_seconds=settings.model.idle_minutes * 60,
        )

    def _revived(self, identity: str) -> EmbeddingProvider | None:
        """A provider of an earlier run of Scrubjay, whose vectors are not yet replaced."""
        # It answers queries while the notes are embedded again, if its file is still here.
        provider = self._factory(self.settings()).former(identity)
        if provider is None:
            return None
        with self._lock:
            self._check_open()
            # Before its model starts, so that close() ends it.
            self._former += (provider,)
        self.on_former()
        if _identity(provider) == identity:
            return provider
        self._drop([provider])
        return None

    def _drop(self, providers: Collection[EmbeddingProvider]) -> None:
        """Close former providers and forget them."""
        with self._lock:
            self._former = tuple(one for one in self._former if one not in providers)
        for provider in providers:
            provider.close()

    def _check_open(self) -> None:
        if self._is_closed:
            raise ProviderUnavailable("Scrubjay is closing")


def _with_status(
    make: Callable[[OnStatus], EmbeddingProvider], show: Callable[[ModelStatus], None]
) -> EmbeddingProvider:
    """A new provider that shows its status, as a failure to make it does."""
    provider: EmbeddingProvider | None = None

    def on_status(reason: str) -> None:
        name = "none"
        model = ""
        if provider:
            name = provider.name
            model = provider.model
        show(ModelStatus(name, model, is_ready=not reason, reason=reason))

    try:
        provider = make(on_status)
    except ProviderUnavailable as error:
        on_status(str(error))
        raise
    return provider


def _inputs(settings: Settings) -> Any:
    """The settings that a provider is made from."""
    search = [getattr(settings.memory_search, name) for name in _INPUTS]
    return search, settings.local_only, settings.model, settings.models


def _identity(provider: EmbeddingProvider) -> str:
    """Identity of a provider; empty if it cannot tell."""
    try:
        return provider.identity()
    except ProviderUnavailable:
        return ""
