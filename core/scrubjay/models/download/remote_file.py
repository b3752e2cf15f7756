"""A file on the web: its description, also by a model hub, and its bytes as a stream.

Proxies and certificates are those of the HTTP client, as for remote providers.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.request import getproxies

from msgspec import Struct

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import DownloadFailed
from scrubjay.messages import msg
from scrubjay.models.catalogue import KnownModel
from scrubjay.models.model_address import HubFile
from scrubjay.platform.http_access import RequestConnections, host_of, network_reason, root_cause

if TYPE_CHECKING:
    import httpx2

ENDPOINT_VARIABLE = "HF_ENDPOINT"
"""Address of a mirror, as the hub's own tools read it."""

_SHA256 = re.compile(r"[0-9a-f]{64}")
_TIMEOUT_SECONDS = 15.0
_CONNECT_SECONDS = 3.0
_PIECE_BYTES = 1 << 20
"""Bytes that are read at once at most; a quarter of this took a fifth more of a processor."""


class RemoteFile(Struct, frozen=True):
    """A file as the server describes it right now."""

    url: str
    """Address, which may be signed and expire after an hour."""
    size: int | None
    sha256: str | None
    etag: str = ""
    """Mark that changes with the content; a weak proof where there is no digest."""


class TemporaryFailure(Exception):
    """A server did not answer as it should; a new attempt may help. The text is for people."""


class Unreachable(TemporaryFailure):
    """A server to which there is no connection. The text is for people."""


class UnusableAddress(Exception):
    """An address, or a proxy, that the HTTP client does not understand. The text is for people."""


def look_up_file(model: KnownModel, cancel: CancelToken) -> RemoteFile:
    """Address, size, digest. Raises TemporaryFailure; UnusableAddress, DownloadFailed for good."""
    if isinstance(model.source, HubFile):
        remote = _on_hub(model.source)
    elif model.source:
        remote = _on_web(model.source, cancel)
    else:
        raise DownloadFailed(
            msg("{name} cannot be downloaded", name=model.name),
            "This language helper comes with Scrubjay.",
            hint="Install Scrubjay again.",
        )
    # What the catalogue knows has to be what the server offers.
    pairs = ((model.sha256, remote.sha256), (model.size_bytes, remote.size))
    if any(expected and offered and expected != offered for expected, offered in pairs):
        raise DownloadFailed(
            msg(
                "The file {name} on the server is not the one that Scrubjay expects",
                name=model.name,
            ),
            "Someone may have replaced the file. Nothing was downloaded.",
            hint="Update Scrubjay, or use a file that you trust.",
        )
    return RemoteFile(
        url=remote.url,
        size=remote.size or model.size_bytes,
        sha256=remote.sha256 or model.sha256,
        etag=remote.etag,
    )


def _on_hub(source: HubFile) -> RemoteFile:
    # The client would ask which agent runs us and tell the hub. Read when it is imported.
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    # Late, because the client costs 300 ms.
    import httpx2
    from huggingface_hub import close_session, get_hf_file_metadata, hf_hub_url
    from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled

    endpoint = os.environ.get(ENDPOINT_VARIABLE, "").rstrip("/") or None
    url = hf_hub_url(source.repository, source.file, revision=source.revision, endpoint=endpoint)
    try:
        patience: Any = httpx2.Timeout(_TIMEOUT_SECONDS, connect=_CONNECT_SECONDS)
        metadata = get_hf_file_metadata(url, timeout=patience, endpoint=endpoint)
    except OfflineModeIsEnabled as error:
        raise DownloadFailed(
            "Downloads are turned off",
            "The HF_HUB_OFFLINE setting turns off downloads on this computer.",
            hint="Ask the administrator of this computer to remove the HF_HUB_OFFLINE setting.",
        ) from error
    except HfHubHTTPError as error:
        raise status_error(error.response.status_code, url) from error
    except (httpx2.HTTPError, OSError) as error:
        raise _unreachable(url, error) from error
    finally:
        close_session()
    # For large files the hub gives their digest as the mark.
    etag = metadata.etag or ""
    sha256 = etag if _SHA256.fullmatch(etag) else None
    return RemoteFile(metadata.location, metadata.size, sha256=sha256, etag=etag)


def _on_web(url: str, cancel: CancelToken) -> RemoteFile:
    try:
        with open_response(url, {}, stall_seconds=_TIMEOUT_SECONDS, cancel=cancel) as response:
            if response.status_code != HTTPStatus.OK:
                raise status_error(response.status_code, url)
            etag = response.headers.get("etag", "") or response.headers.get("last-modified", "")
            return RemoteFile(url, content_length(response), sha256=None, etag=etag)
    except OSError as error:
        raise _unreachable(url, error) from error


def status_error(status: int, url: str) -> TemporaryFailure | DownloadFailed:
    """The error for a status that is not a success."""
    host = host_of(url)
    if status in (401, 403):
        return DownloadFailed(
            msg("{host} restricts access to this language helper", host=host),
            msg("The server responded with error {status}.", status=str(status)),
            hint="Download the file in a web browser, then choose “Add from file”.",
        )
    if status in (404, 410):
        return DownloadFailed(
            msg("{host} does not have this language helper", host=host),
            msg("{file} does not exist.", file=url),
            hint="Check the name, or choose another language helper.",
        )
    return TemporaryFailure(
        msg("The server {host} responded with error {status}", host=host, status=str(status))
    )


def _unreachable(url: str, error: Exception) -> Unreachable:
    host, reason = host_of(url), network_reason(error)
    return Unreachable(msg("The server {host} cannot be reached. {error}", host=host, error=reason))


def content_length(response: httpx2.Response) -> int | None:
    """Bytes of the body; None if the server does not say."""
    text = response.headers.get("content-length", "")
    if not text.isdecimal():
        return None
    return int(text)


def iterate_body(response: httpx2.Response) -> Iterator[bytes]:
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
def open_response(
    url: str, headers: Mapping[str, str], *, stall_seconds: float, cancel: CancelToken
) -> Iterator[httpx2.Response]:
    """Send a GET and follow redirects; cancelling shuts the connection.

    Raises OSError, also from reading the body, with TimeoutError after stall_seconds of silence,
    UnusableAddress or Cancelled.
    """
    if not host_of(url):
        raise UnusableAddress(msg("{url} is not a web address", url=url))
    # Late: 150 ms.
    import httpcore2
    import httpx2

    try:
        client = httpx2.Client(timeout=stall_seconds, follow_redirects=True)
    except (ImportError, ValueError) as error:
        # A proxy of another kind, such as SOCKS.
        schemes = {proxy.partition("://")[0] for proxy in getproxies().values() if "://" in proxy}
        kinds = ", ".join(sorted(schemes - {"http", "https"}))
        raise UnusableAddress(
            msg("Scrubjay does not support this network's proxy ({scheme})", scheme=kinds)
        ) from error
    # All connections, also those of redirects, so that a cancel ends a read at once.
    connections = RequestConnections()
    headers = {"Accept-Encoding": "identity", **headers}
    with client, cancel.calling(connections.hang_up):
        try:
            with client.stream(
                "GET", url, headers=headers, extensions=connections.extensions
            ) as response:
                yield response
        except (httpx2.UnsupportedProtocol, httpx2.InvalidURL) as error:
            raise UnusableAddress(msg("{url} is not a web address", url=url)) from error
        except httpx2.TooManyRedirects as error:
            raise OSError(msg("The server keeps redirecting Scrubjay")) from error
        except (httpx2.HTTPError, httpcore2.NetworkError, httpcore2.TimeoutException) as error:
            cause = root_cause(error)
            if isinstance(cause, OSError):
                raise cause from None
            raise OSError(network_reason(error)) from error
        finally:
            cancel.check()
