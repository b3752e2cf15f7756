"""One GET as a stream of bytes that another thread can cut short.

Proxies and certificates are those of the HTTP client, as for remote providers.
"""

from __future__ import annotations

import contextlib
import socket
import urllib.request
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.messages import msg
from scrubjay.platform.http_access import host_of, network_reason, root_cause

if TYPE_CHECKING:
    import httpx2

_MAX_REDIRECTS = 10
_PIECE_BYTES = 1 << 20
"""Read at once at most; a quarter of this took a fifth more of a processor."""


class UnusableAddress(Exception):
    """An address, or a proxy, that the HTTP client does not understand. The text is for people."""


def content_length(response: httpx2.Response) -> int | None:
    """Bytes of the body; None where the server does not say."""
    text = response.headers.get("content-length", "")
    return int(text) if text.isdecimal() else None


def pieces(response: httpx2.Response) -> Iterator[bytes]:
    """The body as it arrives; it ends early when the server hangs up. Raises as get does."""
    buffered = response.iter_raw()
    left = content_length(response)
    if left is None or "transfer-encoding" in response.headers:
        yield from buffered
        return
    # The client copies each 64 KiB several times, which is half the speed of curl. After its first
    # piece it holds nothing back, so the rest is read from the connection itself.
    connection = response.extensions["network_stream"]
    timeout = response.request.extensions["timeout"]["read"]
    piece = next(buffered, b"")
    while piece:
        yield piece
        left -= len(piece)
        piece = connection.read(min(left, _PIECE_BYTES), timeout) if left > 0 else b""


@contextlib.contextmanager
def get(
    url: str, headers: Mapping[str, str], *, stall_seconds: float, cancel: CancelToken
) -> Iterator[httpx2.Response]:
    """Send a GET and follow redirects; cancelling shuts the connection.

    Raises OSError, also from reading the body, with TimeoutError after stall_seconds of silence,
    UnusableAddress or Cancelled.
    """
    if not host_of(url):
        raise UnusableAddress(msg("{url} is not an address on the web", url=url))
    # Late: 150 ms.
    import httpcore2
    import httpx2

    sockets: list[socket.socket] = []

    def hang_up() -> None:
        for connection in sockets:
            with contextlib.suppress(OSError):  # closed already
                connection.shutdown(socket.SHUT_RDWR)

    def trace(event: str, info: Mapping[str, Any]) -> None:
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            sockets.append(info["return_value"].get_extra_info("socket"))
            if cancel.cancelled:
                hang_up()

    headers = {"Accept-Encoding": "identity", **headers}
    with cancel.calling(hang_up):
        try:
            with (
                _client(stall_seconds) as client,
                client.stream("GET", url, headers=headers, extensions={"trace": trace}) as response,
            ):
                yield response
        except (httpx2.UnsupportedProtocol, httpx2.InvalidURL) as error:
            raise UnusableAddress(msg("{url} is not an address on the web", url=url)) from error
        except httpx2.TooManyRedirects as error:
            raise OSError(
                msg("The server sends from one address to the next without end")
            ) from error
        except (httpx2.HTTPError, httpcore2.NetworkError, httpcore2.TimeoutException) as error:
            cause = root_cause(error)
            if isinstance(cause, OSError):
                raise cause from None
            raise OSError(network_reason(error)) from error
        finally:
            cancel.check()


def _client(timeout: float) -> httpx2.Client:
    import httpx2

    try:
        return httpx2.Client(timeout=timeout, follow_redirects=True, max_redirects=_MAX_REDIRECTS)
    except (ImportError, ValueError) as error:  # SOCKS, or an unknown kind
        proxies = [proxy for proxy in urllib.request.getproxies().values() if "://" in proxy]
        schemes = {proxy.partition("://")[0] for proxy in proxies} - {"http", "https"}
        raise UnusableAddress(
            msg(
                "A proxy of kind {scheme} is set, and only http is understood",
                scheme=", ".join(sorted(schemes)),
            )
        ) from error
