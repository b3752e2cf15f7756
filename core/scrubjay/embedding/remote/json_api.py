"""Interfaces of plain JSON over HTTP, for providers whose own libraries fit less well.

Voyage's library brings a tokenizer and langchain parts, Ollama's cannot be given our client, which
is the one place that keeps the local-only switch. Each interface is one request.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from scrubjay.embedding.remote.api import (
    UNREADABLE,
    Kind,
    RawVectors,
    RequestFailed,
    retry_after,
)

if TYPE_CHECKING:
    import httpx2


class VoyageApi:
    """Voyage AI, which tells queries and documents apart by `input_type`."""

    def __init__(
        self, client: httpx2.Client, base_url: str, key: str, model: str, dimensions: int | None
    ) -> None:
        self._client = client
        self._url = f"{base_url.rstrip('/')}/embeddings"
        self._headers = {"Authorization": f"Bearer {key}"}
        self._fixed: dict[str, Any] = {"model": model, "truncation": False}
        if dimensions:
            self._fixed["output_dimension"] = dimensions

    def embed(self, texts: Sequence[str], kind: Kind, timeout_s: float) -> RawVectors:
        """Vectors in the order of the texts. Raises RequestFailed."""
        input_type = "query" if kind is Kind.QUERY else "document"
        body = self._fixed | {"input": list(texts), "input_type": input_type}
        answer = _post(self._client, self._url, body, self._headers, timeout_s)
        return by_index(answer.get("data"))

    def close(self) -> None:
        """Close all connections."""
        self._client.close()


class OllamaApi:
    """Ollama's own interface; it says so when a text is too long instead of cutting it."""

    def __init__(
        self, client: httpx2.Client, base_url: str, key: str, model: str, dimensions: int | None
    ) -> None:
        self._client = client
        # Who comes from the OpenAI-compatible interface has its path in the settings.
        self._url = f"{base_url.rstrip('/').removesuffix('/v1')}/api/embed"
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._fixed: dict[str, Any] = {"model": model, "truncate": False}
        if dimensions:
            self._fixed["dimensions"] = dimensions

    def embed(self, texts: Sequence[str], kind: Kind, timeout_s: float) -> RawVectors:
        """Vectors in the order of the texts. Raises RequestFailed."""
        del kind  # its models want prompts, which the texts have already
        body = self._fixed | {"input": list(texts)}
        answer = _post(self._client, self._url, body, self._headers, timeout_s)
        vectors = answer.get("embeddings")
        if not isinstance(vectors, list):
            raise RequestFailed(UNREADABLE, "The answer holds no vectors.")
        return vectors

    def close(self) -> None:
        """Close all connections."""
        self._client.close()


def by_index(rows: Any) -> RawVectors:
    """Vectors of `[{index, embedding}]` in the order of their index. Raises RequestFailed."""
    try:
        ordered = sorted(rows, key=lambda row: row["index"])
        return [row["embedding"] for row in ordered]
    except (TypeError, KeyError) as error:
        raise RequestFailed(UNREADABLE, "The answer holds no vectors.") from error


def _post(
    client: httpx2.Client,
    url: str,
    body: Mapping[str, Any],
    headers: Mapping[str, str],
    timeout_s: float,
) -> dict[str, Any]:
    import httpx2

    try:
        response = client.post(url, json=body, headers=headers, timeout=timeout_s)
    except httpx2.TransportError as error:
        raise RequestFailed(0, str(error) or type(error).__name__) from error
    if not response.is_success:
        reason = _reason(response.text) or response.reason_phrase
        raise RequestFailed(response.status_code, reason, retry_after(response.headers))
    try:
        answer = response.json()
    except ValueError as error:
        raise RequestFailed(UNREADABLE, "The answer is not JSON.") from error
    if not isinstance(answer, dict):
        raise RequestFailed(UNREADABLE, "The answer holds no vectors.")
    return answer


def _reason(text: str) -> str:
    """What an error body says, in whichever of the usual places."""
    try:
        body = json.loads(text)
    except ValueError:
        return text
    for key in ("detail", "error", "message"):
        said = body.get(key) if isinstance(body, dict) else None
        if isinstance(said, dict):
            said = said.get("message")
        if said:
            return said if isinstance(said, str) else json.dumps(said)
    return text
