"""One GET: through proxies, with certificates, and cut short by another thread."""

from __future__ import annotations

import ssl
import subprocess
import threading
from collections.abc import Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import Cancelled, DownloadFailed
from scrubjay.models.download import remote_file
from scrubjay.models.download.partial_file import PartialFile
from scrubjay.models.download.remote_file import RemoteFile
from scrubjay.models.download.transfer import DownloadRetries, ResumableDownload
from support.hub import Fault, Hub, Trouble
from support.vault import TIMEOUT

CONTENT = b"acorns" * 100


def fetched(url: str, cancel: CancelToken | None = None) -> bytes:
    with remote_file.open_response(
        url, {}, stall_seconds=TIMEOUT, cancel=cancel or CancelToken()
    ) as response:
        assert response.status_code == HTTPStatus.OK
        return b"".join(remote_file.iterate_body(response))


@pytest.fixture
def address(hub: Hub) -> str:
    hub.add("jay/nest", "a.gguf", CONTENT)
    return f"{hub.address}/storage/jay/nest/a.gguf"


def test_all_bytes_arrive(address: str) -> None:
    assert fetched(address) == CONTENT


def test_a_proxy_is_asked_for_the_whole_address(
    hub: Hub, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", hub.address.replace("http://", "http://jay:acorn@"))
    assert fetched("http://models.example/storage/jay/nest/a.gguf") == CONTENT
    assert hub.questions == ["GET http://models.example/storage/jay/nest/a.gguf"]


def test_no_proxy_is_respected(hub: Hub, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert fetched(address) == CONTENT


@pytest.mark.parametrize(
    "url", ["ftp://a.example/x", "nonsense", "http://", "http://a:b/", "http://[b"]
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(remote_file.UnusableAddress, match="is not a web address"):
        fetched(url)


def test_a_proxy_of_another_kind_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "socks5://127.0.0.1:9")
    with pytest.raises(remote_file.UnusableAddress, match="does not support this network's proxy"):
        fetched("http://models.example/a.gguf")


def test_a_silent_server_does_not_hold_who_cancels(hub: Hub, address: str) -> None:
    hub.troubles.append(Trouble(Fault.STALL))
    cancel = CancelToken()
    threading.Timer(0.05, cancel.cancel).start()
    with pytest.raises(Cancelled):
        fetched(address, cancel)


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """Address of a server, and the certificate that it made for itself."""
    certificate, key = tmp_path / "own.pem", tmp_path / "own.key"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    command += ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with HTTPServer(("127.0.0.1", 0), _Plain) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"https://localhost:{server.server_port}/a.gguf", certificate
        server.shutdown()
        thread.join()


class _Plain(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(CONTENT)))
        self.end_headers()
        self.wfile.write(CONTENT)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.mark.needs("openssl")
def test_a_certificate_that_the_person_trusts_is_trusted(
    secure: tuple[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, certificate = secure
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert fetched(address) == CONTENT


@pytest.mark.needs("openssl")
def test_a_strange_certificate_is_refused_at_once_and_in_words(
    secure: tuple[str, Path], tmp_path: Path
) -> None:
    remote = RemoteFile(secure[0], len(CONTENT), None)
    part = PartialFile(tmp_path / "a.gguf")
    transfer = ResumableDownload(
        lambda: remote, part, cancel=CancelToken(), policy=DownloadRetries()
    )
    with pytest.raises(DownloadFailed, match="does not trust the server's certificate"):
        transfer.run()
