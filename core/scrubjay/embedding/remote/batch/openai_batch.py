"""Batches as OpenAI introduced them: lines go up as a file and come back as one."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from scrubjay.embedding.remote.api import RequestFailed
from scrubjay.embedding.remote.batch.batch_jobs import LABEL, PAGES, UPLOAD_TIMEOUT_S, BatchProgress
from scrubjay.embedding.remote.json_api import (
    JsonClient,
    bearer,
    error_message,
    objects,
    text_field,
)
from scrubjay.messages import msg

if TYPE_CHECKING:
    import httpx2


class OpenAiBatchApi:
    """OpenAI, and servers that speak as it does."""

    window = "24h"

    def __init__(
        self, client: httpx2.Client, base_url: str, key: str, model: str, dimensions: int | None
    ) -> None:
        self._http = JsonClient(client, base_url, bearer(key))
        self._model = model
        self._dimensions = dimensions

    def submit(self, label: str, texts: Sequence[str]) -> str:
        """Upload the texts, then begin a batch over them."""
        lines = (json.dumps(self._line(n, text)) for n, text in enumerate(texts))
        file = ("scrubjay.jsonl", "\n".join(lines).encode(), "application/jsonl")
        uploaded = self._http.request(
            "POST",
            "/files",
            timeout_s=UPLOAD_TIMEOUT_S,
            data={"purpose": "batch"},
            files={"file": file},
        )
        request = {
            "input_file_id": text_field(uploaded, "id"),
            "endpoint": "/v1/embeddings",
            "completion_window": self.window,
            "metadata": {LABEL: label},
            **self._shared_options(),
        }
        try:
            return text_field(self._http.request("POST", "/batches", json=request), "id")
        except RequestFailed as failure:
            if not failure.is_temporary:
                self._delete_files([text_field(uploaded, "id")])
            raise

    def find(self, label: str) -> str:
        """Look through the newest batches."""
        params: dict[str, Any] = {"limit": 100}
        for _ in range(PAGES):
            page = self._http.request("GET", "/batches", params=params)
            rows = objects(page.get("data"))
            for row in rows:
                if (row.get("metadata") or {}).get(LABEL) == label:
                    return text_field(row, "id")
            if not rows or not page.get("has_more"):
                break
            params["after"] = text_field(rows[-1], "id")
        return ""

    def progress(self, batch: str) -> BatchProgress:
        """Progress of a batch."""
        answer = self._http.request("GET", f"/batches/{batch}")
        status, counts = str(answer.get("status")), answer.get("request_counts") or {}
        done = counts.get("completed") if isinstance(counts, dict) else 0
        is_over = status in ("completed", "failed", "expired", "cancelled")
        trouble = ""
        if is_over and status != "completed":
            errors = (answer.get("errors") or {}).get("data") or [{}]
            trouble = error_message(errors[0]) or msg("The batch is {status}.", status=status)
        return BatchProgress(done if isinstance(done, int) else 0, is_over, trouble)

    def rows(self, batch: str) -> Iterator[tuple[int, Any]]:
        """Vectors of the output file, line by line as they arrive."""
        file = self._http.request("GET", f"/batches/{batch}").get("output_file_id")
        if not file:
            return
        for line in self._http.lines(f"/files/{file}/content", UPLOAD_TIMEOUT_S):
            with contextlib.suppress(ValueError, TypeError, KeyError, IndexError, AttributeError):
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
