"""The one door to the network."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable
from concurrent.futures import Future

import httpx2
import pytest

from scrubjay.errors import LocalOnly
from scrubjay.messages import Sentence, msg
from scrubjay.platform.http_access import (
    Network,
    RequestConnections,
    host_of,
    is_this_computer,
    network_reason,
)
from support.embedding_server import EmbeddingServer, Refuse, far_url
from support.vault import TIMEOUT


@pytest.mark.parametrize(
    ("url", "is_here"),
    [
        ("http://localhost:11434", True),
        ("http://LOCALHOST/v1", True),
        ("http://127.0.0.1:1234/v1", True),
        ("http://127.9.9.9", True),
        ("http://[::1]:8080", True),
        ("https://api.openai.com/v1", False),
        ("http://192.168.1.7:8080", False),
        ("http://localhost.example.com", False),
        ("http://localhost@example.com", False),
        ("http://127.0.0.1.example.com", False),
        ("", False),
        ("http://[broken", False),
    ],
)
def test_what_is_this_computer(url: str, is_here: bool) -> None:
    assert is_this_computer(url) is is_here


def test_the_host_is_found_without_user_and_port() -> None:
    assert host_of("https://user:word@API.example.com:8443/v1") == "api.example.com"


def test_local_only_opens_no_client_for_elsewhere() -> None:
    with pytest.raises(LocalOnly, match=r"api\.openai\.com was not contacted") as caught:
        Network(lambda: True).client("https://api.openai.com/v1", {})
    assert "language helper" in caught.value.hint


def test_local_only_allows_this_computer(server: EmbeddingServer) -> None:
    with Network(lambda: True).client(server.base_url("ollama"), {}) as client:
        answer = client.post(
            f"{server.base_url('ollama')}/api/embed", json={"model": "m", "input": ["acorn"]}
        )
    assert answer.status_code == 200


def test_the_switch_counts_at_once(
    server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.stand_for_all(monkeypatch)
    is_local_only = False
    url = f"{far_url('ollama')}/api/embed"
    body = {"model": "m", "input": ["acorn"]}
    with Network(lambda: is_local_only).client(far_url("ollama"), {}) as client:
        assert client.post(url, json=body).status_code == 200
        is_local_only = True
        with pytest.raises(LocalOnly):
            client.post(url, json=body)
    assert len(server.requests) == 1


def test_a_redirect_does_not_take_the_key_elsewhere(server: EmbeddingServer) -> None:
    server.faults.append(Refuse(307, headers={"Location": far_url("ollama")}))
    with Network(lambda: False).client(server.url, {"Authorization": "Bearer secret"}) as client:
        answer = client.post(
            f"{server.base_url('ollama')}/api/embed", json={"model": "m", "input": ["acorn"]}
        )
    assert answer.status_code == 307
    assert len(server.requests) == 1


def test_no_proxy_stands_before_this_computer(
    server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with Network(lambda: False).client(server.url, {}) as client:
        answer = client.post(
            f"{server.base_url('ollama')}/api/embed", json={"model": "m", "input": ["acorn"]}
        )
    assert answer.status_code == 200


Line = socket.socket


def hung_up(_line: Line) -> None:
    """Close it as it should be closed."""


def cut_off(line: Line) -> None:
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def nonsense(line: Line) -> None:
    line.sendall(b"junk\r\n\r\n")


def half(line: Line) -> None:
    line.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nabc")


def ask(scheme: str, port: int, timeout: float) -> None:
    httpx2.get(f"{scheme}://127.0.0.1:{port}/", timeout=timeout, trust_env=False)


ENDED = "The other computer closed the connection"
STRANGE = "The response was incomplete or not valid"


@pytest.mark.parametrize(
    ("scheme", "does", "reason"),
    [
        ("http", hung_up, {ENDED, STRANGE}),
        pytest.param(
            *("http", cut_off, {ENDED}),
            marks=pytest.mark.wine_fault("it tells a connection that was reset as one that ended"),
        ),
        ("http", nonsense, {STRANGE}),
        ("http", half, {STRANGE}),
        ("https", nonsense, {"A secure connection could not be established"}),
        ("https", hung_up, {ENDED}),
    ],
)
def test_a_line_that_fails_is_told_in_plain_words(
    scheme: str, does: Callable[[Line], None], reason: set[str]
) -> None:
    def serve() -> None:
        line, _ = door.accept()
        with line:
            line.recv(9_999)
            does(line)

    with Line() as door:
        door.bind(("127.0.0.1", 0))
        door.listen()
        serving = threading.Thread(target=serve)
        serving.start()
        with pytest.raises(httpx2.HTTPError) as caught:
            ask(scheme, door.getsockname()[1], 30)
        serving.join()
    assert network_reason(caught.value) in reason


def test_a_read_ends_when_another_thread_hangs_up_on_a_server_that_notices_nothing() -> None:
    connections = RequestConnections()
    ended: Future[Exception | None] = Future()

    def read() -> None:
        try:
            with (
                httpx2.Client(timeout=TIMEOUT * 2, trust_env=False) as client,
                client.stream(
                    "GET", f"http://127.0.0.1:{port}", extensions=connections.extensions
                ) as response,
            ):
                has_begun.set()
                response.read()
        except (httpx2.HTTPError, OSError) as error:
            ended.set_result(error)
        else:
            ended.set_result(None)

    has_begun = threading.Event()
    with Line() as door:
        door.bind(("127.0.0.1", 0))
        door.listen()
        port = door.getsockname()[1]
        reading = threading.Thread(target=read, daemon=True)
        reading.start()
        caller, _ = door.accept()
        with caller:
            caller.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nacor")
            assert has_begun.wait(TIMEOUT)
            connections.hang_up()
            assert ended.result(TIMEOUT) is not None
    reading.join()


def test_nobody_and_nothing_are_told_apart() -> None:
    with Line() as door:
        door.bind(("127.0.0.1", 0))
        port = door.getsockname()[1]
        with pytest.raises(httpx2.HTTPError) as nobody:
            ask("http", port, 30)
        door.listen()
        with pytest.raises(httpx2.HTTPError) as nothing:
            ask("http", port, 0.05)
    assert network_reason(nobody.value) == "No server is responding at this address"
    assert network_reason(nothing.value) == "No response was received in time"


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (socket.gaierror(-2, "x"), "The server was not found. There may be no network connection"),
        (httpx2.ProxyError("502 Bad Gateway"), "The network blocks the connection"),
        (httpx2.ProxyError("407 Who?"), "The network's proxy requires a user name and password"),
        (OSError(msg("Sent on without end")), "Sent on without end"),
        (RuntimeError("something else"), "something else"),
        (RuntimeError(), "RuntimeError"),
    ],
)
def test_other_failures_of_the_network(error: Exception, reason: str) -> None:
    said = network_reason(error)
    assert said == reason
    assert isinstance(said, Sentence)
