"""When the connections to a provider are opened and closed."""

from __future__ import annotations

import threading
from collections.abc import Mapping

import httpx2

from scrubjay.embedding.remote.api import EmbeddingApi
from scrubjay.embedding.remote.api_session import ApiConnection, ApiSession
from scrubjay.embedding.remote.service_catalogue import SERVICES
from scrubjay.platform.http_access import Network
from support.vault import TIMEOUT


class OneClient(Network):
    """Gives the same client each time."""

    def __init__(self) -> None:
        super().__init__(lambda: False)
        self.made = super().client("http://127.0.0.1:1/v1", {})

    def client(self, base_url: str, headers: Mapping[str, str]) -> httpx2.Client:
        return self.made


def test_connections_stay_until_the_request_that_is_under_way_has_ended() -> None:
    """One that is being made while they are closed would be left open for good."""
    asked, may_end = threading.Event(), threading.Event()
    network = OneClient()
    url, service = "http://127.0.0.1:1/v1", SERVICES["ollama"]
    connection = ApiConnection(service, network, url, "model", lambda: "key")
    session: ApiSession[EmbeddingApi] = ApiSession(connection, service.api)
    closed_meanwhile: list[bool] = []

    def request(_api: EmbeddingApi) -> None:
        asked.set()
        may_end.wait(TIMEOUT)
        closed_meanwhile.append(network.made.is_closed)

    running = threading.Thread(target=session.call, args=[request])
    running.start()
    assert asked.wait(TIMEOUT)
    session.close()
    may_end.set()
    running.join(TIMEOUT)
    assert closed_meanwhile == [False]
    assert network.made.is_closed
