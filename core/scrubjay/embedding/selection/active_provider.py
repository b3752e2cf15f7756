"""Chooses who embeds: the provider that the settings want, or the one of vectors still in use."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from typing import Any, cast

from scrubjay.config.schema.settings import Settings
from scrubjay.embedding.local.cpu_variant import CpuVariantChoice
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.embedding.remote.credentials import RemoteAccess
from scrubjay.embedding.selection.fallback_provider import FallbackProvider
from scrubjay.embedding.selection.provider_factory import (
    ProviderContext,
    choose_fallback,
    choose_provider,
    find_former,
)
from scrubjay.errors import ProviderUnavailable
from scrubjay.messages import msg
from scrubjay.platform.paths import Paths
from scrubjay.records.search_records import ModelStatus, Takeover


class ActiveProvider:
    """Makes providers when they are needed and closes them when nothing needs them. Any thread.

    After a change of model two are alive: indexing uses the new one, and searching the old one
    until the last index is complete.
    """

    def __init__(
        self,
        settings: Callable[[], Settings],
        paths: Paths,
        access: RemoteAccess,
        show: Callable[[ModelStatus], None],
        *,
        took_over: Callable[[], None] = lambda: None,
        given: EmbeddingProvider | None = None,
    ) -> None:
        """Show is told when the wanted provider runs or stops, took_over when the fallback begins.

        Given is used whatever is set.
        """
        self._settings = settings
        self._paths = paths
        self._access = access
        self._show = show
        self._took_over = took_over
        self._given = given
        self._cpu_variants = CpuVariantChoice(paths.state)
        self._lock = threading.Lock()
        self._line: FallbackProvider | None = None
        self._wanted_for: Any = None
        self._former: tuple[EmbeddingProvider, ...] = ()
        self._is_closed = False

    @property
    def has_former(self) -> bool:
        """True while a provider is kept for vectors that are about to be replaced."""
        return bool(self._former)

    def wanted(self) -> EmbeddingProvider:
        """Who indexes: what the settings ask for, or the fallback while that fails.

        Raises ProviderUnavailable. May ask the first choice whether it is there again.
        """
        return self._succession().in_charge()

    def of(self, identity: str) -> EmbeddingProvider:
        """The provider that makes vectors of this identity. Raises ProviderUnavailable."""
        for former in self._former:
            if _identity(former) == identity:
                return former
        line = self._succession()
        try:
            if found := line.of(identity):
                return found
        except ProviderUnavailable:
            # A model that does not work must not silence the one that did.
            if revived := self._revived(identity):
                return revived
            raise
        if revived := self._revived(identity):
            return revived
        not_ready = msg("The notes are not ready for search by meaning yet")
        if line.takeover:
            raise ProviderUnavailable(not_ready, line.takeover.reason)
        raise ProviderUnavailable(not_ready)

    def takeover(self, answering: str) -> Takeover | None:
        """For whom a provider stands in; None for the one that the settings want."""
        line, fallback = self._line, self._settings().memory_search.fallback
        if line is None or answering != fallback or answering == line.first_name:
            return None
        embedded = msg("The notes were last embedded by the fallback.")
        return line.takeover or Takeover(line.first_name, embedded)

    def reload(self) -> bool:
        """Follow changed settings; True when another provider is wanted from now on."""
        with self._lock:
            if self._given or _needs(self._settings()) == self._wanted_for:
                return False
            if self._line:
                self._former += self._line.alive()
            self._line = None
            return True

    def retire(self, in_use: Collection[str]) -> None:
        """Close former providers whose identity is not among those that indexes still have."""
        with self._lock:
            former, self._former = self._former, ()
            line = self._line
        wanted = {_identity(one) for one in line.alive()} if line else set()
        for provider in former:
            identity = _identity(provider)
            if identity in in_use and identity not in wanted:
                with self._lock:
                    self._former += (provider,)
            else:
                provider.close()

    def close(self) -> None:
        """Close all, and make none from now on."""
        with self._lock:
            self._is_closed = True
            former, line = self._former, self._line
        for provider in former:
            provider.close()
        if line:
            line.close()

    def _succession(self) -> FallbackProvider:
        with self._lock:
            self._check_open()
            if self._line is None:
                self._line = self._new_line()
            return self._line

    def _new_line(self) -> FallbackProvider:
        if self._given:
            return FallbackProvider(
                lambda: cast("EmbeddingProvider", self._given), first_name="given"
            )
        settings = self._settings()
        self._wanted_for = _needs(settings)
        search, here = settings.memory_search, self._surroundings(settings)
        made: list[FallbackProvider] = []

        def changed(who: list[EmbeddingProvider], reason: str) -> None:
            # What a former provider does concerns nobody.
            if not made or self._line in (None, made[0]):
                self._show(_status(who[0] if who else None, reason))

        def first() -> EmbeddingProvider:
            return _announced(lambda told: choose_provider(search, here, told), changed)

        def second() -> EmbeddingProvider:
            return _announced(lambda told: choose_fallback(search, here, told), changed)

        has_fallback = search.fallback not in ("none", search.provider)
        made.append(
            FallbackProvider(
                first,
                second if has_fallback else None,
                first_name=search.provider,
                took_over=self._took_over,
            )
        )
        return made[0]

    def _surroundings(self, settings: Settings) -> ProviderContext:
        idle_seconds = settings.model.idle_minutes * 60
        return ProviderContext(self._paths, self._access, self._cpu_variants, idle_seconds)

    def _revived(self, identity: str) -> EmbeddingProvider | None:
        """A provider of an earlier run of Scrubjay, whose vectors are not yet replaced."""
        settings = self._settings()
        found = find_former(identity, settings.memory_search, self._surroundings(settings))
        if found is None or _identity(found) != identity:
            return None
        with self._lock:
            self._check_open()
            self._former += (found,)
        return found

    def _check_open(self) -> None:
        if self._is_closed:
            raise ProviderUnavailable("Scrubjay is being closed")


def _announced(
    make: Callable[[Callable[[str], None]], EmbeddingProvider],
    changed: Callable[[list[EmbeddingProvider], str], None],
) -> EmbeddingProvider:
    """Make a provider that tells what becomes of it; so does a failure to make it."""
    who: list[EmbeddingProvider] = []
    try:
        who.append(make(lambda reason: changed(who, reason)))
    except ProviderUnavailable as error:
        changed(who, str(error))
        raise
    return who[0]


def _needs(settings: Settings) -> Any:
    """The part of the settings that a provider is made from."""
    search = settings.memory_search
    return (
        search.provider,
        search.model,
        search.fallback,
        search.local,
        search.remote,
        search.output_dimensionality,
        settings.local_only,
        settings.model,
    )


def _identity(provider: EmbeddingProvider) -> str:
    """Empty when the provider cannot tell."""
    try:
        return provider.identity()
    except ProviderUnavailable:
        return ""


def _status(provider: EmbeddingProvider | None, reason: str) -> ModelStatus:
    return ModelStatus(
        provider.name if provider else "none",
        provider.model if provider else "",
        is_ready=not reason,
        reason=reason,
    )
