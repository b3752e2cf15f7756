"""When the connections to a provider are opened and closed."""

from __future__ import annotations

import threading

from scrubjay.embedding.remote.connection import ApiChannel, ApiSession, Connection
from scrubjay.embedding.remote.services import SERVICES
from scrubjay.platform.http_access import Network
from support.vault import TIMEOUT


class Api:
    """An interface of nobody, which knows whether it was closed."""

    def __init__(self) -> None:
        self.is_closed = False

    def close(self) -> None:
        self.is_closed = True


def test_connections_stay_until_the_request_that_is_under_way_has_ended() -> None:
    """One that is being made while they are closed would be left open for good."""
    api, asked, may_end = Api(), threading.Event(), threading.Event()
    connection = Connection("http://127.0.0.1:1/v1", lambda: "key")
    line = ApiChannel(connection, Network(lambda: False), SERVICES["openai"], "model", None)
    opened = ApiSession(line, lambda *_: api)
    closed_meanwhile: list[bool] = []

    def request(api: Api) -> None:
        asked.set()
        may_end.wait(TIMEOUT)
        closed_meanwhile.append(api.is_closed)

    running = threading.Thread(target=opened.asked, args=[request])
    running.start()
    assert asked.wait(TIMEOUT)
    opened.close()
    may_end.set()
    running.join(TIMEOUT)
    assert closed_meanwhile == [False]
    assert api.is_closed
