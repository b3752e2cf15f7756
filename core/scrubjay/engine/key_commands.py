"""The user's commands for API keys."""

from __future__ import annotations

import time
from concurrent.futures import Future
from functools import reduce
from operator import getitem
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.concurrency.thread_pool import SerialQueue, queued
from scrubjay.config.schema.memory_search import RemoteSettings
from scrubjay.config.schema.section import canonical_provider
from scrubjay.config.settings_file import ConfigFile
from scrubjay.embedding.remote.credentials import key_id, named_service, written_keys
from scrubjay.embedding.remote.service_catalogue import SERVICES, service_name
from scrubjay.errors import QueryError
from scrubjay.messages import msg
from scrubjay.platform.http_access import host_of
from scrubjay.platform.keychain import StoredKey
from scrubjay.records.shared_records import SharedPlace

if TYPE_CHECKING:
    from scrubjay.embedding.provider import EmbeddingProvider
    from scrubjay.engine.engine_parts import EngineParts

_TEST_SENTENCE = "Where do jays keep their acorns?"
"""Sentence that a test sends; it holds nothing of anyone's notes."""


class KeyTest(Struct, frozen=True):
    """The result of testing a key at its provider."""

    provider: str
    """Name of the provider for the user."""
    model: str
    host: str
    """Host that was asked; empty for this computer."""
    dimensions: int
    elapsed_ms: float


class ApiKeys:
    """The keys in the system keychain. For any thread.

    The futures may raise KeychainUnavailable. While the keychain is locked they wait for the user,
    so the GUI thread must not wait for them.
    """

    def __init__(self, parts: EngineParts) -> None:
        self._parts = parts
        self._access = parts.access
        self._jobs = SerialQueue(parts.pool)

    def ask_again(self) -> None:
        """Let what a person starts now ask for the keychain, also if they refused it before."""
        self._access.keychain.ask_again()

    @queued
    def list(self) -> tuple[StoredKey, ...]:
        """All keys by their ids, with their last four characters; a person asked for them."""
        keychain = self._access.keychain
        before = keychain.known()
        keys = keychain.names()
        # Opening the keychain may have shown keys that were stored elsewhere.
        if keys != before:
            self._parts.keys_changed()
        return keys

    @queued
    def known(self) -> tuple[StoredKey, ...]:
        """All keys with their uses, as far as they are known without opening the keychain."""
        registry = self._parts.registry
        used = {self._parts.status().model.provider}
        shared = registry.loaded.settings.memory_search
        # Providers of the settings for all workspaces, and of those for each of them.
        for search in (shared, *(each.settings for each in registry.all())):
            used.add(search.fallback)
            if search.provider in SERVICES:
                remote = self._access.completed(search.provider, search.remote)
                used.add(key_id(SERVICES[search.provider], remote))
        # A shared memory may have a key, whether it is published to or only searched.
        places = [each.address.place for each in registry.publish_settings()]
        used |= {place.key_id for place in (*places, *registry.shared_places())}
        keys = self._access.keychain.known()
        return tuple(replace(key, is_used=key.id in used) for key in keys)

    def in_settings(self) -> int:
        """Number of readable keys in the settings file as it was last read."""
        return len(written_keys(self._parts.registry.loaded.raw))

    def set(self, name: str, key: str, *, session_only: bool = False) -> Future[str]:
        """Store or replace a key; the answer is its id.

        The name is that of a provider, or the host of an OpenAI-compatible endpoint. Raises
        QueryError for any other name and for an empty key.
        """
        key_name = resolve_key_id(name)
        text = key.strip()
        # A key with a line break or a letter beyond ASCII is a mistake in copying.
        if not text or not text.isascii() or not text.isprintable():
            raise QueryError(
                "This is not a valid key",
                ("A key is a single line of unaccented letters, digits and symbols."),
            )

        def job() -> str:
            self._access.keychain.set(key_name, text, session_only=session_only)
            self._parts.keys_changed()
            return key_name

        return self._jobs.submit(job)

    @queued
    def use(self, name: str) -> None:
        """Search by meaning with the provider of a key. The future may raise ConfigError."""
        self._access.keychain.ask_again()
        file = ConfigFile(*self._parts.paths.settings)
        search = self._parts.registry.loaded.settings.memory_search
        file.set_memory_search(("provider",), name)
        # The model and the address that are set belong to the provider before.
        if search.provider != name and search.model:
            file.set_memory_search(("model",), "")
        if search.remote.base_url:
            file.set_memory_search(("remote", "baseUrl"), "")
        self._parts.keys_changed()

    @queued
    def delete(self, name: str) -> bool:
        """Delete a key; the answer is whether there was one."""
        was_there = self._access.keychain.delete(name.strip().lower())
        self._parts.keys_changed()
        return was_there

    def test(self, name: str) -> Future[KeyTest]:
        """Embed a sentence with a key. The future may raise ProviderUnavailable or QueryError."""
        key_name = resolve_key_id(name)
        self._access.keychain.ask_again()
        return self._jobs.submit(lambda: self._test(key_name))

    @queued
    def ask(self) -> KeyTest:
        """Embed a sentence as the settings say. The future may raise ProviderUnavailable."""
        self._access.keychain.ask_again()
        provider = self._parts.providers.current()
        return _answer(provider, service_name(provider.name))

    @queued
    def move(self) -> tuple[str, ...]:
        """Move keys from the settings to the keychain; the answer is their ids.

        The future may raise ConfigError.
        """
        file = ConfigFile(*self._parts.paths.settings)
        loaded = self._parts.registry.loaded
        moved: list[str] = []
        for key_path, block in written_keys(loaded.raw):
            # The key belongs to the host where one is beside it, otherwise to the provider above
            # it.
            parent: Any = reduce(getitem, key_path[:-1], loaded.raw)
            provider = parent.get("provider", loaded.settings.memory_search.provider)
            if key_path[-1] != "remote":
                provider = key_path[-1]
            service = SERVICES.get(canonical_provider(str(provider)), SERVICES["openai"])
            name = key_id(service, RemoteSettings(base_url=str(block.get("baseUrl", ""))))
            # Stored before the settings refer to it, so that no key is lost on the way.
            self._access.keychain.set(name, block["apiKey"].strip())
            file.set((*key_path, "apiKey"), {"source": "keyring", "id": name})
            moved.append(name)
        if moved:
            self._parts.keys_changed()
        return tuple(moved)

    def close(self) -> None:
        """Finish the queue, for a second at most: the keychain may wait for the user."""
        self._jobs.close(seconds=1)

    def _test(self, name: str) -> KeyTest:
        search = self._parts.registry.loaded.settings.memory_search
        service = SERVICES.get(search.provider)
        service_id = name
        remote = RemoteSettings()
        model = ""
        dimensions: int | None = None
        # A key that the settings use is tested with what they say, any other one by itself.
        if service:
            completed = self._access.completed(service.id, search.remote)
            if name == key_id(service, completed):
                service_id = search.provider
                remote = completed
                model = search.model
                dimensions = search.output_dimensionality
        if service_id not in SERVICES:
            raise QueryError(
                msg("{name} is not in the settings", name=name),
                hint="Set “Address of another service” first, then try again.",
            )
        provider = self._access.provider(service_id, remote, model=model, dimensions=dimensions)
        # The provider is made for this one question.
        try:
            return _answer(provider, named_service(service_id, remote).name)
        finally:
            provider.close()


def _answer(provider: EmbeddingProvider, name: str) -> KeyTest:
    began = time.perf_counter()
    vector = provider.embed_queries([_TEST_SENTENCE])[0]
    elapsed_ms = (time.perf_counter() - began) * 1000
    return KeyTest(
        name, provider.model, host=provider.host, dimensions=len(vector), elapsed_ms=elapsed_ms
    )


def resolve_key_id(name: str) -> str:
    """Id of the key of a provider or host. Raises QueryError with the possible names."""
    written = name.strip().lower()
    names = [service.id for service in SERVICES.values() if service.key_variable]
    if written in names:
        return written
    # What is not a provider is the address of a shared memory, or a host.
    place_key = SharedPlace(written).key_id
    if place_key:
        return place_key
    host = host_of(written if "//" in written else f"//{written}")
    if "." in host:
        return host
    raise QueryError(
        msg("{written} is not a service that needs a key", written=written or "An empty name"),
        msg(
            "Available services: {names}. You can also enter a host such as openrouter.ai.",
            names=", ".join(names),
        ),
    )
