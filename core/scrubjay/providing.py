"""Chooses who embeds: the provider that the settings want, or the one of vectors still in use."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from typing import Any

from scrubjay.config import Settings
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.embedding.selection import choose_provider, find_former
from scrubjay.errors import ProviderUnavailable
from scrubjay.paths import Paths
from scrubjay.records import ModelStatus


class Providers:
    """Makes providers when they are needed and closes them when nothing needs them. Any thread.

    After a change of model two are alive: indexing uses the new one, and searching the old one
    until the last index is complete.
    """

    def __init__(
        self,
        settings: Callable[[], Settings],
        paths: Paths,
        show: Callable[[ModelStatus], None],
        *,
        given: EmbeddingProvider | None = None,
    ) -> None:
        """Show is told when the wanted provider runs or stops. Given is used whatever is set."""
        self._settings = settings
        self._paths = paths
        self._show = show
        self._given = given
        self._lock = threading.Lock()
        self._wanted: EmbeddingProvider | None = given
        self._wanted_for: Any = None
        self._former: tuple[EmbeddingProvider, ...] = ()
        self._is_closed = False

    @property
    def has_former(self) -> bool:
        """True while a provider is kept for vectors that are about to be replaced."""
        return bool(self._former)

    def wanted(self) -> EmbeddingProvider:
        """What the settings ask for. Raises ProviderUnavailable."""
        with self._lock:
            self._check_open()
            if self._wanted is None:
                self._wanted = self._chosen()
            return self._wanted

    def of(self, identity: str) -> EmbeddingProvider:
        """The provider that makes vectors of this identity. Raises ProviderUnavailable."""
        for former in self._former:
            if _identity(former) == identity:
                return former
        try:
            wanted = self.wanted()
            if wanted.identity() == identity:
                return wanted
        except ProviderUnavailable:
            # A model that does not work must not silence the one that did.
            if revived := self._revived(identity):
                return revived
            raise
        if revived := self._revived(identity):
            return revived
        raise ProviderUnavailable("The notes are not ready for search by meaning yet")

    def reload(self) -> bool:
        """Follow changed settings; True when another provider is wanted from now on."""
        with self._lock:
            if self._given or _needs(self._settings()) == self._wanted_for:
                return False
            if self._wanted:
                self._former += (self._wanted,)
            self._wanted = None
            return True

    def retire(self, in_use: Collection[str]) -> None:
        """Close former providers whose identity is not among those that indexes still have."""
        with self._lock:
            former, self._former = self._former, ()
        wanted = _identity(self._wanted) if self._wanted else ""
        for provider in former:
            identity = _identity(provider)
            if identity in in_use and identity != wanted:
                with self._lock:
                    self._former += (provider,)
            else:
                provider.close()

    def close(self) -> None:
        """Close all, and make none from now on."""
        with self._lock:
            self._is_closed = True
            alive = [*self._former, *([self._wanted] if self._wanted else [])]
        for provider in alive:
            provider.close()

    def _chosen(self) -> EmbeddingProvider:
        settings = self._settings()
        self._wanted_for = _needs(settings)
        made: list[EmbeddingProvider] = []

        def changed(reason: str) -> None:
            provider = made[0] if made else None
            if provider and provider is not self._wanted:
                return  # what a former provider does concerns nobody
            self._show(_status(provider, reason))

        try:
            made.append(
                choose_provider(
                    settings.memory_search,
                    self._paths,
                    idle_seconds=settings.model.idle_minutes * 60,
                    changed=changed,
                )
            )
        except ProviderUnavailable as error:
            changed(str(error))
            raise
        return made[0]

    def _revived(self, identity: str) -> EmbeddingProvider | None:
        """A provider of an earlier run of Scrubjay, whose vectors are not yet replaced."""
        settings = self._settings()
        idle_seconds = settings.model.idle_minutes * 60
        found = find_former(
            identity, settings.memory_search, self._paths, idle_seconds=idle_seconds
        )
        if found is None or _identity(found) != identity:
            return None
        with self._lock:
            self._check_open()
            self._former += (found,)
        return found

    def _check_open(self) -> None:
        if self._is_closed:
            raise ProviderUnavailable("Scrubjay is being closed")


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
