"""The one door to the network."""

from __future__ import annotations

import pytest

from scrubjay.errors import LocalOnly
from scrubjay.network import Network, host_of, is_this_computer
from support.embedding_server import EmbeddingServer, Refuse, far_url


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
    with pytest.raises(LocalOnly, match=r"api\.openai\.com is not asked") as caught:
        Network(lambda: True).client("https://api.openai.com/v1", {})
    assert "local model" in caught.value.hint


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
