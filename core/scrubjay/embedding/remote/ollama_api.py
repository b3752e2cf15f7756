"""The embedding interface of Ollama.

Ollama's own library is not used, because it cannot be given our HTTP client, which is the one
place that keeps the local-only switch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from scrubjay.embedding.remote.api import UNREADABLE, RawVectors, RequestFailed
from scrubjay.embedding.remote.json_client import JsonClient, authorization_header
from scrubjay.messages import msg

if TYPE_CHECKING:
    import httpx2

    from scrubjay.embedding.remote.api_session import ApiConnection


class OllamaApi:
    """Ollama's own interface; it says so when a text is too long instead of cutting it."""

    def __init__(self, connection: ApiConnection, client: httpx2.Client, key: str) -> None:
        # Settings for the OpenAI-compatible interface have its path in them.
        base_url = connection.base_url.rstrip("/").removesuffix("/v1")
        self._http = JsonClient(client, base_url, authorization_header(key))
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
