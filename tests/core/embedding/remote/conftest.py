"""Remote providers that are asked over real HTTP on this computer."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from scrubjay.config.schema.memory_search import BatchSettings, RemoteSettings
from scrubjay.embedding.remote.credentials import RemoteAccess
from scrubjay.embedding.remote.remote_provider import RemoteProvider
from scrubjay.embedding.remote.retries import RetryPolicy
from scrubjay.platform.http_access import Network
from scrubjay.platform.keychain import Keychain
from support.embedding_server import KEY, EmbeddingServer

MakeProvider = Callable[..., RemoteProvider]


@pytest.fixture
def make(server: EmbeddingServer) -> Iterator[MakeProvider]:
    """Makes providers whose server is the one on this computer; closes them at the end."""
    made: list[RemoteProvider] = []

    def provider(name: str = "openai", *, key: str = KEY, **fields: object) -> RemoteProvider:
        fields.setdefault("dimensions", None if name == "mistral" else server.dimensions)
        access = RemoteAccess(
            Network(lambda: False), Keychain(), {}, retry_policy=RetryPolicy(first_pause_s=0.01)
        )
        batch = BatchSettings(enabled=bool(fields.pop("batches", False)))
        headers = fields.pop("headers", {})
        remote = RemoteSettings(
            base_url=fields.pop("base_url", server.base_url(name)),
            api_key=key,
            batch=batch,
            headers=headers,
        )
        made.append(access.provider(name, remote, **fields))
        return made[-1]

    yield provider
    for one in made:
        one.close()
