"""Batch interfaces of OpenAI, Voyage and Gemini."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from scrubjay.embedding.remote.api import RequestFailed
from scrubjay.embedding.remote.batch_jobs import BatchProgress
from scrubjay.embedding.remote.json_client import (
    JsonClient,
    authorization_header,
    error_message,
    text_field,
)
from scrubjay.embedding.remote.service_catalogue import takes_task_types
from scrubjay.messages import msg
from scrubjay.text.json_values import json_object, json_objects

if TYPE_CHECKING:
    import httpx2

    from scrubjay.embedding.remote.api_session import ApiConnection

_LABEL = "scrubjay"
"""Key of the label in the metadata of a batch."""

_UPLOAD_TIMEOUT_S = 600.0
_PAGES = 20
"""Pages of a list that are read before a batch counts as not there."""

_GEMINI = "/v1beta"


class OpenAiBatchApi:
    """OpenAI and compatible servers: texts are uploaded and vectors downloaded as files."""

    window = "24h"

    def __init__(self, connection: ApiConnection, client: httpx2.Client, key: str) -> None:
        self._http = JsonClient(client, connection.base_url, authorization_header(key))
        self._model = connection.model
        self._dimensions = connection.dimensions

    def submit(self, label: str, texts: Sequence[str]) -> str:
        """Upload the texts, then begin a batch over them."""
        # A file with a line for each text.
        lines = (json.dumps(self._line(n, text)) for n, text in enumerate(texts))
        file = ("scrubjay.jsonl", "\n".join(lines).encode(), "application/jsonl")
        content: dict[str, Any] = {"data": {"purpose": "batch"}, "files": {"file": file}}
        uploaded = self._http.request("POST", "/files", _UPLOAD_TIMEOUT_S, **content)
        file_id = text_field(uploaded, "id")
        # The batch itself, with the label by which it is found again.
        request = {
            "input_file_id": file_id,
            "endpoint": "/v1/embeddings",
            "completion_window": self.window,
            "metadata": {_LABEL: label},
            **self._shared_options(),
        }
        try:
            return text_field(self._http.request("POST", "/batches", json=request), "id")
        except RequestFailed as failure:
            if not failure.is_temporary:
                self._delete_files([file_id])
            raise

    def find(self, label: str) -> str:
        """Look through the newest batches."""
        params: dict[str, Any] = {"limit": 100}
        for _ in range(_PAGES):
            page = self._http.request("GET", "/batches", params=params)
            rows = json_objects(page.get("data"))
            for row in rows:
                if (row.get("metadata") or {}).get(_LABEL) == label:
                    return text_field(row, "id")
            if not rows or not page.get("has_more"):
                break
            params["after"] = text_field(rows[-1], "id")
        return ""

    def progress(self, batch: str) -> BatchProgress:
        """Progress of a batch."""
        answer = self._http.request("GET", f"/batches/{batch}")
        status = str(answer.get("status"))
        done = json_object(answer.get("request_counts")).get("completed")
        if not isinstance(done, int):
            done = 0
        is_over = status in ("completed", "failed", "expired", "cancelled")
        # The first error stands for all.
        trouble = ""
        if is_over and status != "completed":
            errors = (answer.get("errors") or {}).get("data") or [{}]
            trouble = error_message(errors[0]) or msg(
                "The service reported the status “{status}”.", status=status
            )
        return BatchProgress(done, is_over=is_over, trouble=trouble)

    def rows(self, batch: str) -> Iterator[tuple[int, Any]]:
        """Vectors of the output file, line by line as they arrive."""
        file = self._http.request("GET", f"/batches/{batch}").get("output_file_id")
        if not file:
            return
        for line in self._http.lines(f"/files/{file}/content", _UPLOAD_TIMEOUT_S):
            # A line that makes no sense is a text that failed.
            with contextlib.suppress(
                *(ValueError, TypeError, LookupError, AttributeError, RecursionError)
            ):
                row = json.loads(line)
                [embedded] = row["response"]["body"]["data"]
                yield int(row["custom_id"]), embedded["embedding"]

    def cancel(self, batch: str) -> None:
        """Stop it."""
        self._http.request("POST", f"/batches/{batch}/cancel")

    def delete(self, batch: str) -> None:
        """Delete the uploaded and the output files."""
        answer = self._http.request("GET", f"/batches/{batch}")
        names = ("input_file_id", "output_file_id", "error_file_id")
        self._delete_files([answer[name] for name in names if answer.get(name)])

    def _line(self, number: int, text: str) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self._model, "input": text, "encoding_format": "float"}
        if self._dimensions:
            body["dimensions"] = self._dimensions
        return {"custom_id": str(number), "method": "POST", "url": "/v1/embeddings", "body": body}

    def _shared_options(self) -> dict[str, Any]:
        """Fields of the batch that count for all lines."""
        return {}

    def _delete_files(self, files: Iterable[str]) -> None:
        for file in files:
            # The provider deletes it by itself after some weeks.
            with contextlib.suppress(RequestFailed):
                self._http.request("DELETE", f"/files/{file}")


class VoyageBatchApi(OpenAiBatchApi):
    """Voyage, where model and kind stand once for the whole batch."""

    window = "12h"

    def _line(self, number: int, text: str) -> dict[str, Any]:
        return {"custom_id": str(number), "body": {"input": [text]}}

    def _shared_options(self) -> dict[str, Any]:
        options: dict[str, Any] = {"model": self._model, "input_type": "document"}
        if self._dimensions:
            options["output_dimension"] = self._dimensions
        return {"request_params": options}


class GeminiBatchApi:
    """Gemini, where one request holds all texts, and the batch or a file holds the answers.

    Its library calls this experimental, warns at each use and loses the errors of single requests.
    """

    def __init__(self, connection: ApiConnection, client: httpx2.Client, key: str) -> None:
        self._http = JsonClient(client, connection.base_url, {"x-goog-api-key": key})
        self._model = f"models/{connection.model.removeprefix('models/')}"
        self._options: dict[str, Any] = {"model": self._model}
        if takes_task_types(connection.model):
            self._options["taskType"] = "RETRIEVAL_DOCUMENT"
        if connection.dimensions:
            self._options["outputDimensionality"] = connection.dimensions

    def submit(self, label: str, texts: Sequence[str]) -> str:
        """Begin a batch with the texts in it."""
        # The key tells the position of a text, should the answers come in another order.
        requests = [
            {
                "request": self._options | {"content": {"parts": [{"text": text}]}},
                "metadata": {"key": str(number)},
            }
            for number, text in enumerate(texts)
        ]
        batch = {
            "displayName": f"{_LABEL}-{label}",
            "inputConfig": {"requests": {"requests": requests}},
        }
        path = f"{_GEMINI}/{self._model}:asyncBatchEmbedContent"
        answer = self._http.request(
            "POST", path, timeout_s=_UPLOAD_TIMEOUT_S, json={"batch": batch}
        )
        return text_field(answer, "name")

    def find(self, label: str) -> str:
        """Look through the newest batches."""
        params: dict[str, Any] = {"pageSize": 100}
        for _ in range(_PAGES):
            page = self._http.request("GET", f"{_GEMINI}/batches", params=params)
            for row in json_objects(page.get("operations")):
                if json_object(row.get("metadata")).get("displayName") == f"{_LABEL}-{label}":
                    return text_field(row, "name")
            if not page.get("nextPageToken"):
                break
            params["pageToken"] = page["nextPageToken"]
        return ""

    def progress(self, batch: str) -> BatchProgress:
        """Progress of a batch."""
        # When it is over, this brings all vectors.
        operation = self._http.request("GET", f"{_GEMINI}/{batch}", timeout_s=_UPLOAD_TIMEOUT_S)
        metadata = json_object(operation.get("metadata"))
        _, _, state = str(metadata.get("state", "")).rpartition("_STATE_")
        over = ("SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED", "PARTIALLY_SUCCEEDED")
        is_over = operation.get("done") is True or state in over
        trouble = error_message(operation)
        if is_over and not trouble and state in ("FAILED", "CANCELLED", "EXPIRED"):
            trouble = msg("The service reported the status “{status}”.", status=state.lower())
        done = str(json_object(metadata.get("batchStats")).get("successfulRequestCount", "0"))
        count = int(done) if done.isdecimal() else 0
        return BatchProgress(count, is_over=is_over, trouble=trouble)

    def rows(self, batch: str) -> Iterator[tuple[int, Any]]:
        """Vectors of the answers, which come in the order of the requests."""
        output = self._output(batch)
        file = output.get("responsesFile")
        if file:
            path = f"/download{_GEMINI}/{file}:download?alt=media"
            lines = self._http.lines(path, _UPLOAD_TIMEOUT_S)
            answers: Iterable[dict[str, Any]] = map(_row, lines)
        else:
            inlined = json_object(output.get("inlinedResponses")) or json_object(
                output.get("inlinedEmbedContentResponses")
            )
            answers = json_objects(inlined.get("inlinedResponses"))
        for position, row in enumerate(answers):
            # The key tells the position, in one of two fields; without one the order does.
            number = str(json_object(row.get("metadata")).get("key", row.get("key", position)))
            # In a file a row may be the response itself.
            response = json_object(row.get("response")) or row
            values = json_object(response.get("embedding")).get("values")
            if values and number.isdecimal():
                yield int(number), values

    def cancel(self, batch: str) -> None:
        """Stop it."""
        self._http.request("POST", f"{_GEMINI}/{batch}:cancel", json={})

    def delete(self, batch: str) -> None:
        """Delete it with its texts, and the file of its vectors."""
        file = self._output(batch).get("responsesFile")
        if file:
            # The provider deletes it by itself after two days.
            with contextlib.suppress(RequestFailed):
                self._http.request("DELETE", f"{_GEMINI}/{file}")
        self._http.request("DELETE", f"{_GEMINI}/{batch}")

    def _output(self, batch: str) -> dict[str, Any]:
        # The answers are in one of two places.
        operation = self._http.request("GET", f"{_GEMINI}/{batch}", timeout_s=_UPLOAD_TIMEOUT_S)
        metadata = json_object(operation.get("metadata"))
        return json_object(metadata.get("output")) or json_object(operation.get("response"))


def _row(line: str) -> dict[str, Any]:
    """A line of a file; empty for one that makes no sense, so that others keep their positions."""
    try:
        row = json.loads(line)
    except ValueError:
        return {}
    return row if isinstance(row, dict) else {}
