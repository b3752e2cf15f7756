"""Asks a model hub what a file is: its address, size and digest."""

from __future__ import annotations

import http.client
import os
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import DownloadFailed
from scrubjay.messages import msg
from scrubjay.models.catalogue import KnownModel, Source
from scrubjay.models.download import http_stream
from scrubjay.platform.http_access import network_reason

ENDPOINT_VARIABLE = "HF_ENDPOINT"
"""Address of a mirror, as the hub's own tools read it."""

_DIGEST = re.compile(r"[0-9a-f]{64}")
_ASK_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file as the server describes it right now."""

    url: str
    """May be signed and expire after an hour."""
    size: int | None
    sha256: str | None
    etag: str = ""
    """Changes with the content; a weak proof where there is no digest."""


class HubTrouble(Exception):
    """The hub did not answer as it should; asking again may help. The text is for people."""


def look_up(model: KnownModel, cancel: CancelToken) -> RemoteFile:
    """Where the file of a model is, and what it has to be.

    Raises HubTrouble, or DownloadFailed when asking again is useless.
    """
    if isinstance(model.source, Source):
        found = _on_hub(model.source)
    elif model.source:
        found = _on_web(model.source, cancel)
    else:
        raise DownloadFailed(
            msg("{name} cannot be downloaded", name=model.name),
            "It comes with Scrubjay.",
            hint="Install Scrubjay again, or run `make setup` in a checkout.",
        )
    _compare(model, found)
    return RemoteFile(
        found.url, found.size or model.size_bytes, found.sha256 or model.sha256, found.etag
    )


def _on_hub(source: Source) -> RemoteFile:
    # The client would ask which agent runs us and tell the hub. Read when it is imported.
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    # Late, because the client costs 300 ms.
    import httpx2
    from huggingface_hub import close_session, get_hf_file_metadata, hf_hub_url
    from huggingface_hub.errors import HfHubHTTPError, OfflineModeIsEnabled

    endpoint = os.environ.get(ENDPOINT_VARIABLE, "").rstrip("/") or None
    address = hf_hub_url(
        source.repository, source.file, revision=source.revision, endpoint=endpoint
    )
    try:
        found = get_hf_file_metadata(address, timeout=_ASK_SECONDS, endpoint=endpoint)
    except OfflineModeIsEnabled as error:
        raise DownloadFailed(
            "Downloads are switched off", "HF_HUB_OFFLINE is set.", hint="Unset it and try again."
        ) from error
    except HfHubHTTPError as error:
        raise refusal(error.response.status_code, address) from error
    except (httpx2.HTTPError, OSError) as error:
        raise HubTrouble(_unreachable(address, error)) from error
    finally:
        close_session()
    etag = found.etag or ""
    digest = etag if _DIGEST.fullmatch(etag) else None
    return RemoteFile(found.location, found.size, digest, etag)


def _on_web(address: str, cancel: CancelToken) -> RemoteFile:
    try:
        with http_stream.get(address, {}, stall_seconds=_ASK_SECONDS, cancel=cancel) as answer:
            if answer.status != http.client.OK:
                raise refusal(answer.status, address)
            etag = answer.headers.get("etag", "") or answer.headers.get("last-modified", "")
            return RemoteFile(address, answer.length, None, etag)
    except (OSError, http.client.HTTPException) as error:
        raise HubTrouble(_unreachable(address, error)) from error
    except ValueError as error:
        raise DownloadFailed("This cannot be downloaded", msg("{error}.", error=error)) from error


def refusal(status: int, address: str) -> HubTrouble | DownloadFailed:
    """The error for a status that is no success."""
    host = urlsplit(address).hostname
    if status in (401, 403):
        return DownloadFailed(
            msg("{host} does not let everybody have this model", host=host),
            msg("It answered {status}.", status=str(status)),
            hint="Get the file in a web browser, then import it.",
        )
    if status in (404, 410):
        return DownloadFailed(
            msg("{host} does not have this model", host=host),
            msg("{file} is not there.", file=address),
            hint="Check its name, or choose another model.",
        )
    return HubTrouble(msg("The server {host} answered {status}", host=host, status=str(status)))


def _unreachable(address: str, error: Exception) -> str:
    return msg(
        "The server {host} cannot be reached ({error})",
        host=urlsplit(address).hostname,
        error=network_reason(error),
    )


def _compare(model: KnownModel, found: RemoteFile) -> None:
    pairs = ((model.sha256, found.sha256), (model.size_bytes, found.size))
    if any(known and told and known != told for known, told in pairs):
        raise DownloadFailed(
            msg("The hub offers another file than the {name} that Scrubjay knows", name=model.name),
            "It may have been replaced.",
            hint="Update Scrubjay, or import a file that is known to be good.",
        )
