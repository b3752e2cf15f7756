"""Interfaces of plain JSON over HTTP, for providers whose own libraries fit less well.

Voyage's library brings a tokenizer and langchain parts, Ollama's cannot be given our client, which
is the one place that keeps the local-only switch. Each interface is one request.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from scrubjay.embedding.remote.api import UNREADABLE, Kind, RawVectors, RequestFailed
from scrubjay.embedding.remote.json_http import asked
from scrubjay.messages import msg

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
        answer = asked(self._client, "POST", self._url, self._headers, timeout_s, json=body)
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
        answer = asked(self._client, "POST", self._url, self._headers, timeout_s, json=body)
        vectors = answer.get("embeddings")
        if not isinstance(vectors, list):
            raise RequestFailed(UNREADABLE, msg("The answer holds no vectors."))
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
        raise RequestFailed(UNREADABLE, msg("The answer holds no vectors.")) from error
