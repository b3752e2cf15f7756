"""OpenAI's interface, which many services offer, through its official library.

Importing that library takes almost a second, so it happens at the first request.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import openai

from scrubjay.embedding.remote.api import UNREADABLE, RawVectors, RequestFailed, retry_after
from scrubjay.errors import LocalOnly
from scrubjay.messages import msg
from scrubjay.platform.http_access import network_reason

if TYPE_CHECKING:
    import httpx2

    from scrubjay.embedding.remote.api_session import ApiConnection

_NO_KEY = "none"
"""Word in place of a key, which is not sent: without one the library takes that of the environment,
which is for OpenAI alone."""


class OpenAiApi:
    """OpenAI, Mistral and every compatible endpoint."""

    def __init__(self, connection: ApiConnection, client: httpx2.Client, key: str) -> None:
        self._client = openai.OpenAI(
            api_key=key or _NO_KEY,
            base_url=connection.base_url,
            http_client=client,
            # Our own ones know the batch, and stop when the program does.
            max_retries=0,
        )
        self._no_key = None if key else {"Authorization": openai.Omit()}
        self._model = connection.model
        dimensions = connection.dimensions
        self._dimensions = openai.omit if dimensions is None else dimensions

    def embed(self, texts: Sequence[str], timeout_s: float, *, is_query: bool) -> RawVectors:
        """Vectors in the order of the texts. Raises RequestFailed, or LocalOnly."""
        # OpenAI's models have no kinds, and for others the texts have their prompts already.
        del is_query
        try:
            answer = self._client.embeddings.create(
                input=list(texts),
                model=self._model,
                dimensions=self._dimensions,
                # The format that all compatible servers know.
                encoding_format="float",
                extra_headers=self._no_key,
                timeout=timeout_s,
            )
            rows = sorted(answer.data, key=lambda row: row.index)
            return [row.embedding for row in rows]
        except openai.APIStatusError as error:
            reason = error.message
            if isinstance(error.body, dict) and isinstance(error.body.get("message"), str):
                reason = error.body["message"]
            wait = retry_after(error.response.headers)
            raise RequestFailed(error.status_code, reason, wait) from error
        except openai.APIConnectionError as error:
            if isinstance(error.__cause__, LocalOnly):
                raise error.__cause__ from None
            raise RequestFailed(0, network_reason(error)) from error
        except (openai.APIError, ValueError, TypeError, AttributeError) as error:
            raise RequestFailed(UNREADABLE, msg("The response is empty.")) from error
