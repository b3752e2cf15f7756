"""The embedding interface of Voyage AI.

Voyage's own library is not used, because it brings a tokenizer and parts of langchain.
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


class VoyageApi:
    """Voyage AI, which tells queries and documents apart by `input_type`."""

    def __init__(self, connection: ApiConnection, client: httpx2.Client, key: str) -> None:
        self._http = JsonClient(client, connection.base_url, authorization_header(key))
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
