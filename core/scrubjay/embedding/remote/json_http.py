"""One JSON request over HTTP, with failures as RequestFailed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from scrubjay.embedding.remote.api import UNREADABLE, RequestFailed, retry_after
from scrubjay.messages import msg
from scrubjay.platform.http_access import network_reason

if TYPE_CHECKING:
    import httpx2


def asked(
    client: httpx2.Client,
    method: str,
    url: str,
    headers: Mapping[str, str],
    timeout_s: float,
    **content: Any,
) -> dict[str, Any]:
    """The object that a server answers with. Content is `json`, `data`, `files` or `params`."""
    import httpx2

    try:
        response = client.request(method, url, headers=dict(headers), timeout=timeout_s, **content)
    except httpx2.TransportError as error:
        raise RequestFailed(0, network_reason(error)) from error
    check_status(response)
    try:
        answer = response.json()
    except ValueError as error:
        raise RequestFailed(UNREADABLE, msg("The answer is not JSON.")) from error
    if not isinstance(answer, dict):
        raise RequestFailed(UNREADABLE, msg("The answer is no object."))
    return answer


def lines_of(
    client: httpx2.Client, url: str, headers: Mapping[str, str], timeout_s: float
) -> Iterator[str]:
    """The lines of a file, as they arrive."""
    import httpx2

    try:
        with client.stream("GET", url, headers=dict(headers), timeout=timeout_s) as response:
            if not response.is_success:
                response.read()
                check_status(response)
            yield from response.iter_lines()
    except httpx2.TransportError as error:
        raise RequestFailed(0, network_reason(error)) from error


def check_status(response: httpx2.Response) -> None:
    """Raise RequestFailed for anything but a success. The body has been read."""
    if not response.is_success:
        reason = said(response.text) or response.reason_phrase
        raise RequestFailed(response.status_code, reason, retry_after(response.headers))


def said(text: str) -> str:
    """What an error body says, in whichever of the usual places."""
    try:
        body = json.loads(text)
    except ValueError:
        return text
    return message_of(body) or text


def message_of(body: Any) -> str:
    """The message of an error object; empty when there is none."""
    for key in ("detail", "error", "message"):
        found = body.get(key) if isinstance(body, dict) else None
        if isinstance(found, dict):
            found = found.get("message")
        if found:
            return found if isinstance(found, str) else json.dumps(found)
    return ""


def text_of(found: Mapping[str, Any], key: str) -> str:
    """A field that has to be there. Raises RequestFailed."""
    value = found.get(key)
    if not isinstance(value, str) or not value:
        raise RequestFailed(UNREADABLE, msg("The answer has no {key}.", key=key))
    return value


def objects_of(found: Any) -> list[dict[str, Any]]:
    """The objects of a list; none of anything else."""
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def object_of(found: Mapping[str, Any], key: str) -> dict[str, Any]:
    """A field that is an object; an empty one instead of anything else."""
    value = found.get(key)
    return value if isinstance(value, dict) else {}
