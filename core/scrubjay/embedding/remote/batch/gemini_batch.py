"""Batches of Gemini: one request holds all texts, and the batch or a file holds the answers.

Its library calls this experimental, warns at each use and loses the errors of single requests.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from scrubjay.embedding.batch_jobs import BulkProgress
from scrubjay.embedding.remote.api import RequestFailed
from scrubjay.embedding.remote.batch.batch_protocol import LABEL, PAGES, TIMEOUT_S, UPLOAD_TIMEOUT_S
from scrubjay.embedding.remote.json_http import (
    asked,
    lines_of,
    message_of,
    object_of,
    objects_of,
    text_of,
)
from scrubjay.embedding.remote.services import takes_task_types
from scrubjay.messages import msg

if TYPE_CHECKING:
    import httpx2


class GeminiBulkApi:
    """Gemini's embedding models."""

    def __init__(
        self, client: httpx2.Client, base_url: str, key: str, model: str, dimensions: int | None
    ) -> None:
        self._client = client
        self._server = base_url.rstrip("/")
        self._base = f"{self._server}/v1beta"
        self._headers = {"x-goog-api-key": key}
        self._model = f"models/{model.removeprefix('models/')}"
        self._fixed: dict[str, Any] = {"model": self._model}
        if takes_task_types(model):
            self._fixed["taskType"] = "RETRIEVAL_DOCUMENT"
        if dimensions:
            self._fixed["outputDimensionality"] = dimensions

    def submit(self, label: str, texts: Sequence[str]) -> str:
        """Begin a batch with the texts in it."""
        requests = [
            {
                "request": self._fixed | {"content": {"parts": [{"text": text}]}},
                "metadata": {"key": str(number)},
            }
            for number, text in enumerate(texts)
        ]
        batch = {
            "displayName": f"{LABEL}-{label}",
            "inputConfig": {"requests": {"requests": requests}},
        }
        path = f"/{self._model}:asyncBatchEmbedContent"
        answer = self._asked("POST", path, timeout_s=UPLOAD_TIMEOUT_S, json={"batch": batch})
        return text_of(answer, "name")

    def find(self, label: str) -> str:
        """Look through the newest batches."""
        params: dict[str, Any] = {"pageSize": 100}
        for _ in range(PAGES):
            page = self._asked("GET", "/batches", params=params)
            for row in objects_of(page.get("operations")):
                if object_of(row, "metadata").get("displayName") == f"{LABEL}-{label}":
                    return text_of(row, "name")
            if not page.get("nextPageToken"):
                break
            params["pageToken"] = page["nextPageToken"]
        return ""

    def look(self, batch: str) -> BulkProgress:
        """How far it is."""
        # When it is over, this brings all vectors.
        found = self._asked("GET", f"/{batch}", timeout_s=UPLOAD_TIMEOUT_S)
        about = object_of(found, "metadata")
        state = str(about.get("state", "")).removeprefix("BATCH_STATE_").removeprefix("JOB_STATE_")
        over = ("SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED", "PARTIALLY_SUCCEEDED")
        is_over = found.get("done") is True or state in over
        trouble = message_of(found)
        if is_over and not trouble and state in ("FAILED", "CANCELLED", "EXPIRED"):
            trouble = msg("The batch is {status}.", status=state.lower())
        done = str(object_of(about, "batchStats").get("successfulRequestCount", "0"))
        return BulkProgress(int(done) if done.isdecimal() else 0, is_over, trouble)

    def rows(self, batch: str) -> Iterator[tuple[int, Any]]:
        """Vectors of the answers, which come in the order of the requests."""
        for place, row in enumerate(self._answers(self._output(batch))):
            number = str(object_of(row, "metadata").get("key", row.get("key", place)))
            # In a file a row may be the response itself.
            response = object_of(row, "response") or row
            values = object_of(response, "embedding").get("values")
            if values and number.isdecimal():
                yield int(number), values

    def cancel(self, batch: str) -> None:
        """Stop it."""
        self._asked("POST", f"/{batch}:cancel", json={})

    def forget(self, batch: str) -> None:
        """Delete it with its texts, and the file of its vectors."""
        if file := self._output(batch).get("responsesFile"):
            # What stays there is deleted by the provider after two days.
            with contextlib.suppress(RequestFailed):
                self._asked("DELETE", f"/{file}")
        self._asked("DELETE", f"/{batch}")

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def _output(self, batch: str) -> dict[str, Any]:
        found = self._asked("GET", f"/{batch}", timeout_s=UPLOAD_TIMEOUT_S)
        return object_of(object_of(found, "metadata"), "output") or object_of(found, "response")

    def _answers(self, output: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if file := output.get("responsesFile"):
            url = f"{self._server}/download/v1beta/{file}:download?alt=media"
            for line in lines_of(self._client, url, self._headers, UPLOAD_TIMEOUT_S):
                yield _row(line)
            return
        answers = object_of(output, "inlinedResponses") or object_of(
            output, "inlinedEmbedContentResponses"
        )
        yield from objects_of(answers.get("inlinedResponses"))

    def _asked(
        self, method: str, path: str, timeout_s: float = TIMEOUT_S, **content: Any
    ) -> dict[str, Any]:
        url = f"{self._base}{path}"
        return asked(self._client, method, url, self._headers, timeout_s, **content)


def _row(line: str) -> dict[str, Any]:
    """A line of a file; an empty object for one that makes no sense, so that others keep places."""
    try:
        row = json.loads(line)
    except ValueError:
        return {}
    return row if isinstance(row, dict) else {}
