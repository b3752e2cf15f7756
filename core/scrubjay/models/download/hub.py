"""Looks up a file on a model hub: its address, size and digest."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import urlsplit

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import DownloadFailed
from scrubjay.messages import msg
from scrubjay.models.catalogue import KnownModel, Source
from scrubjay.models.download import http_stream
from scrubjay.platform.http_access import network_reason

ENDPOINT_VARIABLE = "HF_ENDPOINT"
"""Address of a mirror, as the hub's own tools read it."""

_SHA256 = re.compile(r"[0-9a-f]{64}")
_TIMEOUT_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file as the server describes it right now."""

    url: str
    """May be signed and expire after an hour."""
    size: int | None
    sha256: str | None
    etag: str = ""
    """Changes with the content; a weak proof where there is no digest."""


class TemporaryFailure(Exception):
    """A server did not answer as it should; a new attempt may help. The text is for people."""


def look_up(model: KnownModel, cancel: CancelToken) -> RemoteFile:
    """Address, size and digest of a model's file.

    Raises TemporaryFailure, or DownloadFailed when a new attempt is useless.
    """
    if isinstance(model.source, Source):
        remote = _on_hub(model.source)
    elif model.source:
        remote = _on_web(model.source, cancel)
    else:
        raise DownloadFailed(
            msg("{name} cannot be downloaded", name=model.name),
            "It comes with Scrubjay.",
            hint="Install Scrubjay again, or run `make setup` in a checkout.",
        )
    pairs = ((model.sha256, remote.sha256), (model.size_bytes, remote.size))
    if any(expected and offered and expected != offered for expected, offered in pairs):
        raise DownloadFailed(
            msg("The hub offers another file than the {name} that Scrubjay knows", name=model.name),
            "It may have been replaced.",
            hint="Update Scrubjay, or import a file that is known to be good.",
        )
    size, sha256 = remote.size or model.size_bytes, remote.sha256 or model.sha256
    return RemoteFile(remote.url, size, sha256, remote.etag)


def _on_hub(source: Source) -> RemoteFile:
    # The client would ask which agent runs us and tell the hub. Read when it is imported.
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    # Late, because the client costs 300 ms.
    import httpx2
    from huggingface_hub import close_session, get_hf_file_metadata, hf_hub_url
    from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled

    endpoint = os.environ.get(ENDPOINT_VARIABLE, "").rstrip("/") or None
    url = hf_hub_url(source.repository, source.file, revision=source.revision, endpoint=endpoint)
    try:
        metadata = get_hf_file_metadata(url, timeout=_TIMEOUT_SECONDS, endpoint=endpoint)
    except OfflineModeIsEnabled as error:
        raise DownloadFailed(
            "Downloads are switched off", "HF_HUB_OFFLINE is set.", hint="Unset it and try again."
        ) from error
    except HfHubHTTPError as error:
        raise status_error(error.response.status_code, url) from error
    except (httpx2.HTTPError, OSError) as error:
        raise _unreachable(url, error) from error
    finally:
        close_session()
    etag = metadata.etag or ""
    return RemoteFile(
        metadata.location, metadata.size, etag if _SHA256.fullmatch(etag) else None, etag
    )


def _on_web(url: str, cancel: CancelToken) -> RemoteFile:
    try:
        with http_stream.get(url, {}, stall_seconds=_TIMEOUT_SECONDS, cancel=cancel) as response:
            if response.status_code != HTTPStatus.OK:
                raise status_error(response.status_code, url)
            etag = response.headers.get("etag", "") or response.headers.get("last-modified", "")
            return RemoteFile(url, http_stream.content_length(response), None, etag)
    except OSError as error:
        raise _unreachable(url, error) from error
    except http_stream.UnusableAddress as error:
        raise DownloadFailed("This cannot be downloaded", msg("{error}.", error=error)) from error


def status_error(status: int, url: str) -> TemporaryFailure | DownloadFailed:
    """The error for a status that is no success."""
    host = urlsplit(url).hostname
    if status in (401, 403):
        return DownloadFailed(
            msg("{host} does not let everybody have this model", host=host),
            msg("It answered {status}.", status=str(status)),
            hint="Get the file in a web browser, then import it.",
        )
    if status in (404, 410):
        return DownloadFailed(
            msg("{host} does not have this model", host=host),
            msg("{file} is not there.", file=url),
            hint="Check its name, or choose another model.",
        )
    return TemporaryFailure(
        msg("The server {host} answered {status}", host=host, status=str(status))
    )


def _unreachable(url: str, error: Exception) -> TemporaryFailure:
    return TemporaryFailure(
        msg(
            "The server {host} cannot be reached ({error})",
            host=urlsplit(url).hostname,
            error=network_reason(error),
        )
    )
