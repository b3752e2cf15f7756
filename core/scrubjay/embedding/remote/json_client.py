"""Requests of plain JSON over HTTP, and the parts of their answers."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from scrubjay.embedding.remote.api import UNREADABLE, RequestFailed, retry_after
from scrubjay.messages import msg
from scrubjay.platform.http_access import network_reason

if TYPE_CHECKING:
    import httpx2

TIMEOUT_S = 60.0


class JsonClient:
    """Requests to one server, the key in the headers. Methods raise RequestFailed or LocalOnly."""

    def __init__(self, client: httpx2.Client, base_url: str, headers: Mapping[str, str]) -> None:
        self._base_url = base_url.rstrip("/")
        self._client = client
        self._headers = dict(headers)

    def request(
        self, method: str, path: str, timeout_s: float = TIMEOUT_S, **content: Any
    ) -> dict[str, Any]:
        """The object of an answer. Content is `json`, `data`, `files` or `params`."""
        with self._answer(method, path, timeout_s, **content) as response:
            response.read()
        try:
            answer = response.json()
        except ValueError as error:
            raise RequestFailed(UNREADABLE, msg("The response is not valid.")) from error
        if not isinstance(answer, dict):
            raise RequestFailed(UNREADABLE, msg("The response is not valid."))
        return answer

    def lines(self, path: str, timeout_s: float) -> Iterator[str]:
        """The lines of a file, as they arrive."""
        with self._answer("GET", path, timeout_s) as response:
            yield from response.iter_lines()

    @contextlib.contextmanager
    def _answer(
        self, method: str, path: str, timeout_s: float, **content: Any
    ) -> Iterator[httpx2.Response]:
        import httpx2

        url = f"{self._base_url}{path}"
        try:
            with self._client.stream(
                method, url, headers=self._headers, timeout=timeout_s, **content
            ) as response:
                if not response.is_success:
                    # The reason in the body, as far as it is in one of the usual places.
                    response.read()
                    reason = response.text
                    with contextlib.suppress(ValueError):
                        reason = error_message(json.loads(reason)) or reason
                    reason = reason or response.reason_phrase
                    wait = retry_after(response.headers)
                    raise RequestFailed(response.status_code, reason, wait)
                yield response
        except httpx2.TransportError as error:
            raise RequestFailed(0, network_reason(error)) from error


def authorization_header(key: str) -> dict[str, str]:
    """The header that carries a key; none without one."""
    if not key:
        return {}
    return {"Authorization": f"Bearer {key}"}


def error_message(body: Any) -> str:
    """The message of an error object, in any of the usual places; empty if there is none."""
    if not isinstance(body, dict):
        return ""
    # A text, an object with a message, or something else that is shown as it is.
    for key in ("detail", "error", "message"):
        message = body.get(key)
        if isinstance(message, dict):
            message = message.get("message")
        if isinstance(message, str) and message:
            return message
        if message:
            return json.dumps(message)
    return ""


def text_field(fields: Mapping[str, Any], key: str) -> str:
    """A field that has to be there. Raises RequestFailed."""
    value = fields.get(key)
    if not isinstance(value, str) or not value:
        raise RequestFailed(UNREADABLE, msg("The response does not contain {key}.", key=key))
    return value
