"""Remote providers, created with the network and the keys of this computer."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from scrubjay.config.schema.memory_search import ModelsBlock, RemoteSettings
from scrubjay.config.schema.section import canonical_provider
from scrubjay.embedding.remote.api_session import ApiConnection
from scrubjay.embedding.remote.remote_provider import RemoteProvider
from scrubjay.embedding.remote.retries import DEFAULT_RETRIES, QUERY_SECONDS, RetryPolicy
from scrubjay.embedding.remote.service_catalogue import SERVICES, RemoteService
from scrubjay.errors import KeychainUnavailable, SecretMissing
from scrubjay.messages import msg
from scrubjay.platform.http_access import Network, host_of, is_this_computer
from scrubjay.platform.keychain import Keychain
from scrubjay.platform.state_file import StateFile

KEYRING_REFERENCE = "keyring:"
"""Beginning of the value that `{source: "keyring", id: "NAME"}` of the settings becomes."""

_VARIABLE = re.compile(r"\$\{(\w+)\}")


class RemoteAccess(Struct, frozen=True):
    """Makes remote providers, and finds their keys."""

    network: Network
    keychain: Keychain
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    retry_policy: RetryPolicy = DEFAULT_RETRIES
    lengths: StateFile | None = None
    """Lengths of vectors, by server, model and wanted length, where none or others are
    published."""
    models: Callable[[], ModelsBlock] = lambda: ModelsBlock()
    """Services in the settings of another program's models."""

    def __repr__(self) -> str:
        # The environment holds keys.
        return f"{type(self).__name__}(network={self.network!r})"

    def provider(
        self,
        service_id: str,
        remote: RemoteSettings,
        *,
        model: str = "",
        dimensions: int | None = None,
        has_fallback: bool = False,
        on_status: Callable[[str], None] = lambda _reason: None,
    ) -> RemoteProvider:
        """A provider that asks for its key when it is first used. Raises LocalOnly."""
        remote = self.completed(service_id, remote)
        service = named_service(service_id, remote)
        base_url = remote.base_url.strip() or service.base_url
        model = model or service.model
        if service_id == "gemini":
            # OpenClaw's settings have the version in them, which the library adds.
            base_url = base_url.rstrip("/").removesuffix("/v1beta")
        self.network.check(base_url)
        # The length of its vectors is kept, so that a later start need not ask for it.
        source = f"{base_url} {model} {dimensions or ''}"
        lengths = self.lengths

        def keep(length: int) -> None:
            with contextlib.suppress(OSError):
                if lengths:
                    with lengths.changed() as state:
                        state[source] = length

        length = 0
        with contextlib.suppress(OSError):
            if lengths:
                length = lengths.read().get(source, 0)
        # Nothing is opened yet, and the key is not looked for either.
        connection = ApiConnection(
            service,
            self.network,
            base_url=base_url,
            model=model,
            find_key=lambda: self.key(service, remote),
            dimensions=dimensions,
            length=length,
            keep_length=keep,
            key_id=key_id(service, remote),
            headers=remote.headers,
            retry_policy=self.retry_policy,
            query_s=QUERY_SECONDS if has_fallback else 0.0,
        )
        return RemoteProvider(connection, remote.batch, on_status=on_status)

    def completed(self, service_id: str, remote: RemoteSettings) -> RemoteSettings:
        """Settings of a service with what the models of another program say of it.

        Not for another address: their key belongs to theirs.
        """
        theirs = self.models().of_service(service_id)
        if remote.base_url.strip() and _is_elsewhere(SERVICES[service_id], remote, theirs.base_url):
            return remote
        return remote.changed(
            base_url=remote.base_url.strip() or theirs.base_url,
            api_key=remote.api_key.strip() or theirs.api_key,
            headers={**theirs.headers, **remote.headers},
        )

    def check_key(self, service_id: str, remote: RemoteSettings) -> None:
        """Raise SecretMissing where there is certainly no key; the keychain is not opened."""
        completed = self.completed(service_id, remote)
        service = SERVICES[service_id]
        if not self.keychain.may_hold(key_id(service, completed)):
            self.key(service, completed)

    def key(self, service: RemoteService, remote: RemoteSettings) -> str:
        """The key, empty if none is needed; waits for a locked keychain. Raises SecretMissing."""
        remote = self.completed(service.id, remote)
        is_elsewhere = _is_elsewhere(service, remote)
        stored = key_id(service, remote)
        reason = ""
        finders: list[Callable[[], str]] = [lambda: self._referenced(remote.api_key)]
        # The keychain stays locked for a server on this computer, and for a key it cannot have.
        needs_key = service.key_variable and not is_this_computer(remote.base_url)
        if needs_key and self.keychain.may_hold(stored):
            finders.insert(0, lambda: self.keychain.get(stored))
        if not is_elsewhere:
            # Never for another address: the variable's key belongs to the provider itself.
            finders.append(lambda: self.environ.get(service.key_variable, ""))
        for find in finders:
            try:
                key = find().strip()
                if key:
                    return key
            except KeychainUnavailable as error:
                reason = reason or str(error)
        is_in_headers = "authorization" in map(str.lower, remote.headers)
        if is_elsewhere or is_in_headers or not service.key_variable:
            return ""
        how = msg(
            "To add the key, go to Settings under “Service keys”, run `scrubjay "
            "keys set {id}` or set {key_variable}. To find a key that is "
            "already in the keychain, run `scrubjay keys list`.",
            id=service.id,
            key_variable=service.key_variable,
        )
        raise SecretMissing(msg("There is no key for {name}", name=service.name), reason, hint=how)

    def _referenced(self, written: str) -> str:
        match = _VARIABLE.fullmatch(written.strip())
        if match:
            return self.environ.get(match[1], "")
        if written.startswith(KEYRING_REFERENCE):
            return self.keychain.get(written.removeprefix(KEYRING_REFERENCE))
        return written


def named_service(service_id: str, remote: RemoteSettings) -> RemoteService:
    """The service, called by its host when it only speaks as OpenAI does."""
    service = SERVICES[service_id]
    if service_id == "openai" and _is_elsewhere(service, remote):
        return replace(service, name=host_of(remote.base_url.strip()))
    return service


def key_id(service: RemoteService, remote: RemoteSettings) -> str:
    """Name under which the key is stored: the provider's, or the host of another address."""
    if not _is_elsewhere(service, remote):
        return service.id
    return host_of(remote.base_url.strip())


def _is_elsewhere(service: RemoteService, remote: RemoteSettings, own: str = "") -> bool:
    """True when the settings name an address that is not the provider's own."""
    return host_of(remote.base_url.strip()) not in ("", host_of(own.strip() or service.base_url))


def is_literal(written: str) -> bool:
    """True for a key that is in the settings as it is."""
    is_reference = written.startswith(KEYRING_REFERENCE) or _VARIABLE.fullmatch(written.strip())
    return bool(written.strip()) and not is_reference


def written_keys(
    raw: Mapping[str, Any], key_path: tuple[str, ...] = ()
) -> Sequence[tuple[tuple[str, ...], Mapping[str, Any]]]:
    """Each object of the settings in which the key of a service stands as it is, after its path."""
    blocks: list[tuple[tuple[str, ...], Mapping[str, Any]]] = []
    for name, value in raw.items():
        if not isinstance(value, dict):
            continue
        # Services are under "remote" of any section, and listed by name for all models.
        at = (*key_path, str(name))
        is_service = (
            key_path == ("models", "providers") and canonical_provider(str(name)) in SERVICES
        )
        key = value.get("apiKey")
        if (name == "remote" or is_service) and isinstance(key, str) and is_literal(key):
            blocks.append((at, value))
        blocks += written_keys(value, at)
    return blocks
