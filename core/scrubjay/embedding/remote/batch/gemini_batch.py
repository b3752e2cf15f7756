"""Batches of Gemini: one request holds all texts, and the batch or a file holds the answers.

Its library calls this experimental, warns at each use and loses the errors of single requests.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from scrubjay.embedding.remote.api import RequestFailed
from scrubjay.embedding.remote.batch.batch_jobs import LABEL, PAGES, UPLOAD_TIMEOUT_S, BatchProgress
from scrubjay.embedding.remote.json_api import (
    JsonClient,
    error_message,
    object_field,
    objects,
    text_field,
)
from scrubjay.embedding.remote.service import takes_task_types
from scrubjay.messages import msg

if TYPE_CHECKING:
    import httpx2

_API = "/v1beta"


class GeminiBatchApi:
    """Gemini's embedding models."""

    def __init__(
        self, client: httpx2.Client, base_url: str, key: str, model: str, dimensions: int | None
    ) -> None:
        self._http = JsonClient(client, base_url, {"x-goog-api-key": key})
        self._model = f"models/{model.removeprefix('models/')}"
        self._options: dict[str, Any] = {"model": self._model}
        if takes_task_types(model):
            self._options["taskType"] = "RETRIEVAL_DOCUMENT"
        if dimensions:
            self._options["outputDimensionality"] = dimensions

    def submit(self, label: str, texts: Sequence[str]) -> str:
        """Begin a batch with the texts in it."""
        requests = [
            {
                "request": self._options | {"content": {"parts": [{"text": text}]}},
                "metadata": {"key": str(number)},
            }
            for number, text in enumerate(texts)
        ]
        batch = {
            "displayName": f"{LABEL}-{label}",
            "inputConfig": {"requests": {"requests": requests}},
        }
        path = f"{_API}/{self._model}:asyncBatchEmbedContent"
        answer = self._http.request("POST", path, timeout_s=UPLOAD_TIMEOUT_S, json={"batch": batch})
        return text_field(answer, "name")

    def find(self, label: str) -> str:
        """Look through the newest batches."""
        params: dict[str, Any] = {"pageSize": 100}
        for _ in range(PAGES):
            page = self._http.request("GET", f"{_API}/batches", params=params)
            for row in objects(page.get("operations")):
                if object_field(row, "metadata").get("displayName") == f"{LABEL}-{label}":
                    return text_field(row, "name")
            if not page.get("nextPageToken"):
                break
            params["pageToken"] = page["nextPageToken"]
        return ""

    def progress(self, batch: str) -> BatchProgress:
        """Progress of a batch."""
        # When it is over, this brings all vectors.
        operation = self._http.request("GET", f"{_API}/{batch}", timeout_s=UPLOAD_TIMEOUT_S)
        metadata = object_field(operation, "metadata")
        state = (
            str(metadata.get("state", "")).removeprefix("BATCH_STATE_").removeprefix("JOB_STATE_")
        )
        over = ("SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED", "PARTIALLY_SUCCEEDED")
        is_over = operation.get("done") is True or state in over
        trouble = error_message(operation)
        if is_over and not trouble and state in ("FAILED", "CANCELLED", "EXPIRED"):
            trouble = msg("The batch is {status}.", status=state.lower())
        done = str(object_field(metadata, "batchStats").get("successfulRequestCount", "0"))
        return BatchProgress(int(done) if done.isdecimal() else 0, is_over, trouble)

    def rows(self, batch: str) -> Iterator[tuple[int, Any]]:
        """Vectors of the answers, which come in the order of the requests."""
        for place, row in enumerate(self._answers(self._output(batch))):
            number = str(object_field(row, "metadata").get("key", row.get("key", place)))
            # In a file a row may be the response itself.
            response = object_field(row, "response") or row
            values = object_field(response, "embedding").get("values")
            if values and number.isdecimal():
                yield int(number), values

    def cancel(self, batch: str) -> None:
        """Stop it."""
        self._http.request("POST", f"{_API}/{batch}:cancel", json={})

    def delete(self, batch: str) -> None:
        """Delete it with its texts, and the file of its vectors."""
        if file := self._output(batch).get("responsesFile"):
            # The provider deletes it by itself after two days.
            with contextlib.suppress(RequestFailed):
                self._http.request("DELETE", f"{_API}/{file}")
        self._http.request("DELETE", f"{_API}/{batch}")

    def _output(self, batch: str) -> dict[str, Any]:
        operation = self._http.request("GET", f"{_API}/{batch}", timeout_s=UPLOAD_TIMEOUT_S)
        metadata = object_field(operation, "metadata")
        return object_field(metadata, "output") or object_field(operation, "response")

    def _answers(self, output: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if file := output.get("responsesFile"):
            path = f"/download{_API}/{file}:download?alt=media"
            for line in self._http.lines(path, UPLOAD_TIMEOUT_S):
                yield _row(line)
            return
        answers = object_field(output, "inlinedResponses") or object_field(
            output, "inlinedEmbedContentResponses"
        )
        yield from objects(answers.get("inlinedResponses"))


def _row(line: str) -> dict[str, Any]:
    """A line of a file; empty for one that makes no sense, so that the others keep places."""
    try:
        row = json.loads(line)
    except ValueError:
        return {}
    return row if isinstance(row, dict) else {}
