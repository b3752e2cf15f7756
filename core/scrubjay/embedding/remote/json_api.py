"""Requests of plain JSON over HTTP, and the providers whose own libraries fit less well.

Voyage's library brings a tokenizer and langchain parts, Ollama's cannot be given our client, which
is the one place that keeps the local-only switch.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scrubjay.embedding.remote.api import UNREADABLE, RawVectors, RequestFailed, retry_after
from scrubjay.messages import msg
from scrubjay.platform.http_access import network_reason

if TYPE_CHECKING:
    import httpx2

    from scrubjay.embedding.remote.api_session import Connection

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


def bearer(key: str) -> dict[str, str]:
    """The header that carries a key; none without one."""
    if not key:
        return {}
    return {"Authorization": f"Bearer {key}"}


class VoyageApi:
    """Voyage AI, which tells queries and documents apart by `input_type`."""

    def __init__(self, connection: Connection, client: httpx2.Client, key: str) -> None:
        self._http = JsonClient(client, connection.base_url, bearer(key))
        self._options: dict[str, Any] = {"model": connection.model, "truncation": False}
        if connection.dimensions:
            self._options["output_dimension"] = connection.dimensions

    def embed(self, texts: Sequence[str], timeout_s: float, *, is_query: bool) -> RawVectors:
        """Vectors in the order of the texts. Raises RequestFailed."""
        input_type = "query" if is_query else "document"
        body = self._options | {"input": list(texts), "input_type": input_type}
        answer = self._http.request("POST", "/embeddings", timeout_s=timeout_s, json=body)
        # The rows may come in another order than the texts.
        try:
            ordered = sorted(answer["data"], key=lambda row: row["index"])
            return [row["embedding"] for row in ordered]
        except (TypeError, KeyError) as error:
            raise RequestFailed(UNREADABLE, msg("The response is empty.")) from error


class OllamaApi:
    """Ollama's own interface; it says so when a text is too long instead of cutting it."""

    def __init__(self, connection: Connection, client: httpx2.Client, key: str) -> None:
        # Settings for the OpenAI-compatible interface have its path in them.
        base_url = connection.base_url.rstrip("/").removesuffix("/v1")
        self._http = JsonClient(client, base_url, bearer(key))
        self._options: dict[str, Any] = {"model": connection.model, "truncate": False}
        if connection.dimensions:
            self._options["dimensions"] = connection.dimensions

    def embed(self, texts: Sequence[str], timeout_s: float, *, is_query: bool) -> RawVectors:
        """Vectors in the order of the texts. Raises RequestFailed."""
        # Its models want prompts, which the texts have already.
        del is_query
        body = self._options | {"input": list(texts)}
        answer = self._http.request("POST", "/api/embed", timeout_s=timeout_s, json=body)
        vectors = answer.get("embeddings")
        if not isinstance(vectors, list):
            raise RequestFailed(UNREADABLE, msg("The response is empty."))
        return vectors


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


def object_field(fields: Mapping[str, Any], key: str) -> dict[str, Any]:
    """A field that is an object; an empty one instead of anything else."""
    value = fields.get(key)
    return value if isinstance(value, dict) else {}


def objects(rows: Any) -> list[dict[str, Any]]:
    """The objects of a list; none of anything else."""
    if not isinstance(rows, list):
        return []
    return [row for row in rows if isinstance(row, dict)]
