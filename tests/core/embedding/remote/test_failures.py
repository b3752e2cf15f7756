"""What goes wrong between here and a provider, and what people read of it."""

from __future__ import annotations

import datetime as dt
import email.utils
import threading

import pytest
from msgspec.structs import replace

from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.remote.api import RequestFailed, retry_after
from scrubjay.embedding.remote.api_session import ApiConnection
from scrubjay.embedding.remote.remote_provider import RemoteProvider
from scrubjay.embedding.remote.service_catalogue import SERVICES
from scrubjay.errors import ProviderUnavailable
from scrubjay.messages import Sentence
from scrubjay.platform.http_access import Network
from support.embedding_server import (
    KEY,
    PROVIDERS,
    CutShort,
    Drop,
    EmbeddingServer,
    Hang,
    LoseOne,
    Refuse,
    Say,
)

from .conftest import MakeProvider

PASSING = [
    Refuse(429),
    Refuse(500),
    Refuse(503),
    Drop(),
    CutShort(),
    Say("<html>a proxy</html>"),
    Say("{}"),
    Say('{"data": null, "embeddings": null}'),
    LoseOne(),
]


@pytest.mark.parametrize("name", PROVIDERS)
@pytest.mark.parametrize("fault", PASSING, ids=str)
def test_what_passes_is_tried_again(
    make: MakeProvider, server: EmbeddingServer, name: str, fault: object
) -> None:
    if name == "mistral":
        server.dimensions = 1024
    server.faults.extend([fault, fault])  # type: ignore[list-item]
    assert len(make(name).embed_queries(["acorns"])[0]) == server.dimensions
    assert len(server.requests) == 3


@pytest.mark.parametrize("name", PROVIDERS)
def test_an_address_where_nobody_is_is_told_in_a_sentence(
    make: MakeProvider, server: EmbeddingServer, name: str
) -> None:
    server.close()
    with pytest.raises(ProviderUnavailable) as caught:
        make(name).embed_queries(["acorns"])[0]
    assert caught.value.message == "127.0.0.1: No server is responding at this address"
    assert isinstance(caught.value.message.values["said"], Sentence)


@pytest.mark.parametrize("url", ["http://evil\nhost/", "http://[", "http://a:b:c/"])
def test_an_address_that_is_none_is_told_in_a_sentence(make: MakeProvider, url: str) -> None:
    with pytest.raises(ProviderUnavailable) as caught:
        make("openai", base_url=url).embed_queries(["acorns"])
    assert "\n" not in str(caught.value)


def test_a_failure_that_stays_is_tried_four_times(
    make: MakeProvider, server: EmbeddingServer
) -> None:
    server.always = Refuse(503, "overloaded")
    with pytest.raises(
        ProviderUnavailable, match=r"127\.0\.0\.1 is having problems \(error 503\): overloaded"
    ):
        make().embed_queries(["acorns"])[0]
    assert len(server.requests) == 4


@pytest.mark.parametrize("name", PROVIDERS)
def test_a_server_that_asks_to_wait_is_left_alone_so_long(
    make: MakeProvider, server: EmbeddingServer, name: str
) -> None:
    if name == "mistral":
        server.dimensions = 1024
    server.faults.append(Refuse(429, headers={"Retry-After": "0.4"}))
    make(name).embed_queries(["acorns"])[0]
    first, second = (request.at for request in server.requests)
    assert second - first >= 0.4


def test_google_asks_to_wait_in_the_body(make: MakeProvider, server: EmbeddingServer) -> None:
    server.faults.append(Refuse(429, retry_delay="0.4s"))
    make("gemini").embed_queries(["acorns"])[0]
    first, second = (request.at for request in server.requests)
    assert second - first >= 0.4


def test_nobody_waits_for_an_hour(make: MakeProvider, server: EmbeddingServer) -> None:
    server.always = Refuse(429, "slow down", {"Retry-After": "3600"})
    with pytest.raises(
        ProviderUnavailable, match="127\\.0\\.0\\.1 received too many requests: slow down"
    ):
        make().embed_queries(["acorns"])[0]
    assert len(server.requests) == 1


def test_a_date_to_wait_for_is_understood() -> None:
    when = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=90)
    asked = retry_after({"retry-after": email.utils.format_datetime(when, usegmt=True)})
    assert asked == pytest.approx(90, abs=2)


@pytest.mark.parametrize("written", ["", "soon", "-5"])
def test_nonsense_to_wait_for_is_nothing_to_wait_for(written: str) -> None:
    assert not retry_after({"retry-after": written})


@pytest.mark.parametrize("name", PROVIDERS)
@pytest.mark.parametrize(
    ("status", "said", "title"),
    [
        (400, "no such thing", "refused the request (error 400)"),
        (403, "no", "refused the key"),
        (404, "not found", "has no language helper called"),
        (402, "pay", "has run out of credit"),
    ],
)
def test_a_refusal_is_not_tried_again(
    make: MakeProvider, server: EmbeddingServer, name: str, status: int, said: str, title: str
) -> None:
    server.always = Refuse(status, said)
    with pytest.raises(ProviderUnavailable) as caught:
        make(name).embed_documents([EmbeddingInput("", "acorns")])
    assert title in str(caught.value)
    assert status == 403 or said in str(caught.value)
    assert len(server.requests) == 1


def test_an_empty_account_is_told_from_a_hurry(make: MakeProvider, server: EmbeddingServer) -> None:
    server.always = Refuse(429, "You exceeded your current quota, check your plan and billing.")
    with pytest.raises(
        ProviderUnavailable, match="Your account with 127\\.0\\.0\\.1 has run out of credit"
    ):
        make().embed_queries(["acorns"])[0]


@pytest.mark.parametrize("name", ["openai", "gemini", "voyage", "mistral"])
def test_a_wrong_key_is_named_but_never_shown(
    make: MakeProvider, server: EmbeddingServer, name: str
) -> None:
    with pytest.raises(ProviderUnavailable) as caught:
        make(name, key="sk-wrong-key-1234").embed_queries(["acorns"])[0]
    assert "refused the key" in str(caught.value)
    assert "scrubjay keys set" in caught.value.hint
    assert "sk-wrong" not in str(caught.value)


def test_a_server_that_repeats_the_key_does_not_spread_it(
    make: MakeProvider, server: EmbeddingServer
) -> None:
    server.always = Refuse(400, f"Cannot use {KEY} here")
    with pytest.raises(ProviderUnavailable, match=r"Cannot use \.\.\. here"):
        make().embed_queries(["acorns"])[0]


def test_a_replaced_key_is_used_after_a_refusal(
    make: MakeProvider, server: EmbeddingServer
) -> None:
    provider = make()
    server.faults.append(Refuse(401))
    with pytest.raises(ProviderUnavailable):
        provider.embed_queries(["acorns"])[0]
    assert len(provider.embed_queries(["acorns"])[0]) == 32


@pytest.mark.parametrize(
    ("name", "hint"), [("openai", "internet connection"), ("ollama", "Start Ollama")]
)
def test_a_server_that_is_not_there(
    make: MakeProvider, server: EmbeddingServer, name: str, hint: str
) -> None:
    provider = make(name)
    server.close()
    with pytest.raises(ProviderUnavailable, match="did not respond") as caught:
        provider.embed_queries(["acorns"])[0]
    assert hint in caught.value.hint


def test_a_query_is_given_up_in_time(server: EmbeddingServer) -> None:
    released = threading.Event()
    server.always = Hang(released)
    service = replace(SERVICES["openai"], query_timeout_s=0.3)
    url, network = server.base_url("openai"), Network(lambda: False)
    provider = RemoteProvider(ApiConnection(service, network, url, service.model, lambda: KEY))
    with pytest.raises(ProviderUnavailable, match="did not respond"):
        provider.embed_queries(["acorns"])[0]
    released.set()
    provider.close()


def test_a_failed_batch_fails_all_and_sends_no_more(
    make: MakeProvider, server: EmbeddingServer
) -> None:
    server.always = Refuse(400, "broken")
    many = [EmbeddingInput("", f"{n} " * 7_000) for n in range(40)]
    with pytest.raises(ProviderUnavailable):
        make().embed_documents(many)
    assert len(server.requests) < 12


def test_a_failure_says_on_one_line_what_was_said_on_several() -> None:
    assert RequestFailed(400, " a\n  b ").message == "a b"
