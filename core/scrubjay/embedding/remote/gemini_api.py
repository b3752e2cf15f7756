"""Google's Gemini interface through its official library, whose import takes a second."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import httpx2
from google import genai
from google.genai import errors, types

from scrubjay.embedding.remote.api import (
    UNREADABLE,
    RawVector,
    RawVectors,
    RequestFailed,
    retry_after,
)
from scrubjay.embedding.remote.service_catalogue import takes_task_types
from scrubjay.messages import msg
from scrubjay.platform.http_access import network_reason

if TYPE_CHECKING:
    from scrubjay.embedding.remote.api_session import ApiConnection

_DELAY = re.compile(r"(\d+(?:\.\d+)?)s")


_VERSION = "v1beta"
"""Version of the interface, which has all models; proxies of OpenClaw's users speak it alone."""


class GeminiApi:
    """Gemini's embedding models."""

    def __init__(self, connection: ApiConnection, client: httpx2.Client, key: str) -> None:
        if not key:
            # The library would take that of the environment, which is for Google alone.
            drop = [lambda request: request.headers.pop("x-goog-api-key", None)]
            client.event_hooks = {"request": [*drop, *client.event_hooks["request"]]}
        # Without vertexai=False an environment variable could send the notes to another service.
        self._client = genai.Client(
            api_key=key or "none",
            vertexai=False,
            http_options=types.HttpOptions(
                base_url=connection.base_url, api_version=_VERSION, httpx_client=client
            ),
        )
        self._model = connection.model
        self._dimensions = connection.dimensions
        # The second generation has prompts instead of task types.
        self._has_tasks = takes_task_types(connection.model)

    def embed(self, texts: Sequence[str], timeout_s: float, *, is_query: bool) -> RawVectors:
        """Vectors in the order of the texts. Raises RequestFailed, or LocalOnly."""
        # Of plain strings the library makes one content, and the model one vector, for all.
        contents = [types.Content(parts=[types.Part(text=text)]) for text in texts]
        task = None
        if self._has_tasks:
            task = "RETRIEVAL_QUERY" if is_query else "RETRIEVAL_DOCUMENT"
        return self._vectors(contents, task, timeout_s)

    def embed_media(self, kind: str, data: bytes, timeout_s: float) -> RawVector:
        """The vector of a file of this MIME type. Raises RequestFailed, or LocalOnly."""
        part = types.Part.from_bytes(data=data, mime_type=kind)
        vectors = self._vectors([types.Content(parts=[part])], None, timeout_s)
        if len(vectors) != 1:
            raise RequestFailed(
                UNREADABLE,
                msg(
                    "The service returned {n} responses for a single file instead of one.",
                    n=len(vectors),
                ),
            )
        return vectors[0]

    def _vectors(
        self, contents: list[types.Content], task: str | None, timeout_s: float
    ) -> RawVectors:
        config = types.EmbedContentConfig(
            output_dimensionality=self._dimensions,
            task_type=task,
            http_options=types.HttpOptions(timeout=int(timeout_s * 1000)),
        )
        try:
            answer = self._client.models.embed_content(
                model=self._model, contents=contents, config=config
            )
        except errors.APIError as error:
            headers = getattr(error.response, "headers", None) or {}
            wait = retry_after(headers) or _retry_delay(error.details)
            raise RequestFailed(error.code, error.message or str(error.status), wait) from error
        except httpx2.TransportError as error:
            raise RequestFailed(0, network_reason(error)) from error
        except (ValueError, TypeError, AttributeError) as error:
            raise RequestFailed(UNREADABLE, msg("The response is empty.")) from error
        return [embedding.values or [] for embedding in answer.embeddings or []]


def _retry_delay(details: Any) -> float | None:
    """Seconds of the RetryInfo that Google puts into the body instead of a header."""
    if not isinstance(details, dict):
        return None
    for detail in details.get("error", {}).get("details", ()):
        if not isinstance(detail, dict):
            continue
        match = _DELAY.fullmatch(str(detail.get("retryDelay")))
        if match:
            return float(match[1])
    return None
