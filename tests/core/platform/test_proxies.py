"""HTTPS through a proxy with certificates of its own, for providers and for model downloads."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.config.schema.memory_search import RemoteSettings
from scrubjay.embedding.embedding_input import EmbeddingInput
from scrubjay.embedding.remote.credentials import RemoteAccess
from scrubjay.embedding.remote.remote_provider import RemoteProvider
from scrubjay.embedding.remote.retries import RetryPolicy
from scrubjay.errors import ProviderUnavailable
from scrubjay.models.catalogue import find_known
from scrubjay.models.download import remote_file
from scrubjay.models.download.remote_file import ENDPOINT_VARIABLE, look_up_file
from scrubjay.platform.http_access import Network
from scrubjay.platform.keychain import Keychain
from support.embedding_server import KEY, EmbeddingServer
from support.hub import Hub
from support.tunnel import Certificates, Tunnel, own_authority
from support.vault import TIMEOUT

PROVIDER, HUB, STORAGE = "embeddings.example", "models.example", "storage.example"
CONTENT = b"acorns" * 1_000

MakeProvider = Callable[[str, str], RemoteProvider]


@pytest.fixture(scope="module")
def own_address() -> str:
    """An address of this computer that is not its loopback; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("this computer has no address but its loopback")
        return str(probe.getsockname()[0])


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory, own_address: str) -> Certificates:
    folder = tmp_path_factory.mktemp("certificates")
    return own_authority(folder, [PROVIDER, HUB, STORAGE, own_address])


@pytest.fixture(autouse=True)
def no_other_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture
def sent_chain(certificates: Certificates, request: pytest.FixtureRequest) -> Path:
    """The certificates that the provider sends: its own, unless a test wants others."""
    chain = getattr(certificates, getattr(request, "param", "chain"))
    assert isinstance(chain, Path)
    return chain


@pytest.fixture
def tunnel(
    server: EmbeddingServer,
    certificates: Certificates,
    sent_chain: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Tunnel]:
    """The way out to a provider, whose authority the person trusts."""
    port = urlsplit(server.url).port or 0
    with Tunnel(port, sent_chain).running() as running:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{running.port}")
        monkeypatch.setenv("SSL_CERT_FILE", str(certificates.authority))
        yield running


@pytest.fixture
def make() -> Iterator[MakeProvider]:
    made: list[RemoteProvider] = []

    def provider(name: str, base_url: str) -> RemoteProvider:
        access = RemoteAccess(
            Network(lambda: False), Keychain(), {}, retry_policy=RetryPolicy(attempts=1)
        )
        remote = RemoteSettings(base_url=base_url, api_key=KEY)
        made.append(access.provider(name, remote, model="any", dimensions=32))
        return made[-1]

    yield provider
    for one in made:
        one.close()


@pytest.mark.parametrize(
    ("name", "path"), [("openai", "openai/v1"), ("gemini", "gemini"), ("voyage", "voyage/v1")]
)
def test_a_provider_is_reached_through_the_proxy(
    make: MakeProvider, tunnel: Tunnel, server: EmbeddingServer, name: str, path: str
) -> None:
    provider = make(name, f"https://{PROVIDER}/{path}")
    assert len(provider.embed_documents([EmbeddingInput("", "acorns")])[0]) == 32
    assert set(tunnel.asked) == {f"CONNECT {PROVIDER}:443"}
    assert server.texts == ["acorns"]


def test_a_proxy_may_want_a_name_and_a_word(
    make: MakeProvider, tunnel: Tunnel, monkeypatch: pytest.MonkeyPatch
) -> None:
    tunnel.login = "jay:acorn"
    with pytest.raises(ProviderUnavailable, match="requires a user name and password"):
        make("voyage", f"https://{PROVIDER}/voyage/v1").embed_queries(["acorns"])[0]
    monkeypatch.setenv("HTTPS_PROXY", f"http://jay:acorn@127.0.0.1:{tunnel.port}")
    provider = make("voyage", f"https://{PROVIDER}/voyage/v1")
    assert len(provider.embed_queries(["acorns"])[0]) == 32


@pytest.mark.parametrize(
    "sent_chain",
    [
        pytest.param(
            "chain",
            marks=pytest.mark.wine_fault(
                "its CertVerifyCertificateChainPolicy accepts a chain that its "
                "CertGetCertificateChain marks as CERT_TRUST_IS_PARTIAL_CHAIN"
            ),
        ),
        "whole_chain",
    ],
    indirect=True,
)
def test_an_authority_that_nobody_trusts_gets_nothing(
    make: MakeProvider, tunnel: Tunnel, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with pytest.raises(ProviderUnavailable, match=r"(?i)certificate"):
        make("voyage", f"https://{PROVIDER}/voyage/v1").embed_queries(["acorns"])[0]
    assert tunnel.asked
    assert server.requests == []


def test_a_certificate_of_somebody_else_gets_nothing(
    make: MakeProvider, tunnel: Tunnel, server: EmbeddingServer
) -> None:
    with pytest.raises(ProviderUnavailable, match=r"(?i)certificate"):
        make("voyage", "https://other.example/voyage/v1").embed_queries(["acorns"])[0]
    assert server.requests == []


def test_no_proxy_is_honoured(
    make: MakeProvider,
    tunnel: Tunnel,
    server: EmbeddingServer,
    certificates: Certificates,
    own_address: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_PROXY", own_address)
    port = urlsplit(server.url).port or 0
    host = Tunnel(port, certificates.chain, is_proxy=False, address=own_address)
    with host.running() as direct:
        provider = make("voyage", f"https://{own_address}:{direct.port}/voyage/v1")
        assert len(provider.embed_queries(["acorns"])[0]) == 32
        provider.close()
    assert direct.asked == ["directly"]
    assert tunnel.asked == []


def fetched(url: str) -> bytes:
    with remote_file.open_response(
        url, {}, stall_seconds=TIMEOUT, cancel=CancelToken()
    ) as response:
        return b"".join(remote_file.iterate_body(response))


def test_a_model_is_fetched_through_the_proxy(
    certificates: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Hub.running() as hub:
        hub.add("jay/nest-GGUF", "a.gguf", CONTENT)
        hub.storage = f"https://{STORAGE}"
        port = urlsplit(hub.address).port or 0
        with Tunnel(port, certificates.chain, "jay:acorn").running() as tunnel:
            monkeypatch.setenv("HTTPS_PROXY", f"http://jay:acorn@127.0.0.1:{tunnel.port}")
            monkeypatch.setenv("SSL_CERT_FILE", str(certificates.authority))
            monkeypatch.setenv(ENDPOINT_VARIABLE, f"https://{HUB}")
            model = find_known("hf:jay/nest-GGUF/a.gguf")
            assert model is not None
            found = look_up_file(model, CancelToken())
            assert fetched(found.url) == CONTENT
    assert tunnel.asked == [f"CONNECT {HUB}:443", f"CONNECT {STORAGE}:443"]


def test_a_model_from_an_authority_that_nobody_trusts_is_not_fetched(
    certificates: Certificates, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Hub.running() as hub:
        hub.add("jay/nest-GGUF", "a.gguf", CONTENT)
        port = urlsplit(hub.address).port or 0
        with Tunnel(port, certificates.chain).running() as tunnel:
            monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{tunnel.port}")
            with pytest.raises(OSError, match=r"(?i)certificate"):
                fetched(f"https://{HUB}/storage/jay/nest-GGUF/a.gguf")
    assert hub.questions == []
