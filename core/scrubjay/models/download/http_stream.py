"""One GET as a stream of bytes that another thread can cut short.

The standard library's client and not the hub's: that one copies every byte several times, which
halves the speed of a fast line, and a read that waits for a silent server cannot be stopped.
Proxies are those of the system, and certificates are checked as the hub's client does.
"""

from __future__ import annotations

import base64
import contextlib
import http.client
import socket
import ssl
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urljoin, urlsplit

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.messages import msg

_REDIRECTS = (301, 302, 303, 307, 308)
_MAX_REDIRECTS = 10


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server sent, its body still to be read."""

    url: str
    """Where it came from in the end."""
    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    _response: http.client.HTTPResponse

    def read_into(self, buffer: memoryview) -> int:
        """Put what has arrived into buffer; the number of bytes, 0 at the end.

        Raises OSError or HTTPException; waiting longer than the stall limit is a TimeoutError.
        """
        response = self._response
        if response.chunked or response.length is None:
            data = response.read1(len(buffer))
            buffer[: len(data)] = data
            return len(data)
        # Into the same memory again and again: new memory for each piece cost speed.
        room = min(len(buffer), response.length)
        count = response.fp.readinto1(buffer[:room]) if room else 0
        response.length -= count
        return count

    @property
    def length(self) -> int | None:
        """Length of the body, where the server says it."""
        text = self.headers.get("content-length", "")
        return int(text) if text.isdecimal() else None


@contextlib.contextmanager
def get(
    url: str, headers: Mapping[str, str], *, stall_seconds: float, cancel: CancelToken
) -> Iterator[Answer]:
    """Send a GET and follow redirects. Raises OSError, HTTPException, ValueError or Cancelled."""
    for _ in range(_MAX_REDIRECTS):
        with _sent(url, headers, stall_seconds, cancel) as answer:
            target = answer.headers.get("location", "")
            if answer.status not in _REDIRECTS or not target:
                yield answer
                return
            url = urljoin(url, target)
    raise http.client.HTTPException(
        msg("The server sends from one address to the next without end")
    )


@contextlib.contextmanager
def _sent(
    url: str, headers: Mapping[str, str], stall_seconds: float, cancel: CancelToken
) -> Iterator[Answer]:
    connection, target, extra = _connection(_address(url), stall_seconds)
    with contextlib.closing(connection):
        cancel.check()
        connection.connect()
        line = connection.sock
        with cancel.calling(lambda: _hang_up(line)):
            try:
                connection.request(
                    "GET", target, headers={"Accept-Encoding": "identity", **extra, **headers}
                )
                with contextlib.closing(connection.getresponse()) as response:
                    named = {name.lower(): value for name, value in response.getheaders()}
                    yield Answer(url, response.status, named, response)
            finally:
                cancel.check()


def _address(url: str) -> SplitResult:
    with contextlib.suppress(ValueError):  # a port or a host that is none
        parts = urlsplit(url)
        if parts.scheme in ("http", "https") and parts.hostname and parts.port != 0:
            return parts
    raise ValueError(msg("{url} is not an address on the web", url=url))


def _connection(
    parts: SplitResult, timeout: float
) -> tuple[http.client.HTTPConnection, str, dict[str, str]]:
    """(connection, what to ask it for, extra headers), through a proxy where one is set."""
    host, port = parts.hostname or "", parts.port
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    proxy = _proxy(parts.scheme, host)
    if proxy is None:
        if parts.scheme == "https":
            context = _trust()
            return (
                http.client.HTTPSConnection(host, port, timeout=timeout, context=context),
                target,
                {},
            )
        return http.client.HTTPConnection(host, port, timeout=timeout), target, {}
    login = _login(proxy)
    if parts.scheme == "http":
        plain = http.client.HTTPConnection(proxy.hostname or "", proxy.port, timeout=timeout)
        return plain, parts._replace(fragment="").geturl(), login
    tunnel = http.client.HTTPSConnection(
        proxy.hostname or "", proxy.port, timeout=timeout, context=_trust()
    )
    tunnel.set_tunnel(host, port or http.client.HTTPS_PORT, login)
    return tunnel, target, {}


def _proxy(scheme: str, host: str) -> SplitResult | None:
    """The proxy of the environment or the system settings for a host."""
    proxies = urllib.request.getproxies()
    written = proxies.get(scheme) or proxies.get("all")
    if not written or urllib.request.proxy_bypass(host):
        return None
    proxy = urlsplit(written if "://" in written else f"http://{written}")
    if proxy.scheme != "http":
        raise ValueError(
            msg("A proxy of kind {scheme} is set, and only http is understood", scheme=proxy.scheme)
        )
    return proxy


def _login(proxy: SplitResult) -> dict[str, str]:
    if not proxy.username:
        return {}
    words = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": f"Basic {base64.b64encode(words.encode()).decode()}"}


def _trust() -> ssl.SSLContext:
    """The system's certificates, or those of SSL_CERT_FILE."""
    import httpx2  # late: it costs more than everything else here together

    return httpx2.create_ssl_context()


def _hang_up(line: socket.socket) -> None:
    with contextlib.suppress(OSError):  # the other side was faster
        line.shutdown(socket.SHUT_RDWR)
