"""The batch interfaces of OpenAI, Voyage and Gemini, as they document them."""

from __future__ import annotations

import json
import re
import threading
from collections import defaultdict, deque
from dataclasses import dataclass, field
from email import message_from_bytes
from typing import Any

LOST = 599
"""Stands for an answer that never came although the request did its work."""

HUNG = 598
"""The same, while the connection stays open until `released`."""


@dataclass
class Batch:
    """One batch at the provider."""

    id: str
    provider: str
    label: str
    texts: dict[str, str]
    """By the id that the client gave."""
    input_file: str = ""
    output_file: str = ""
    error_file: str = ""
    status: str = "in_progress"
    looks: int = 0
    embedded: dict[str, list[float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """What goes over the wire."""

    status: int
    text: str


class BatchDesk:
    """Keeps files and batches in memory. What a request is about is called its step."""

    def __init__(self, embed: Any) -> None:
        """Embed(text, dimensions) gives the vector of a text."""
        self._embed = embed
        self.batches: dict[str, Batch] = {}
        self.files: dict[str, str] = {}
        self.paid: list[str] = []
        """Texts of all batches that were ever begun."""
        self.steps: list[str] = []
        """Every request, by its name."""
        self.refusals: dict[str, deque[tuple[int, str]]] = defaultdict(deque)
        """(status, message) for the next requests of a step."""
        self.released = threading.Event()
        self.looks_until_done = 1
        self.is_held = False
        """While true, batches stay in progress."""
        self.ends_as = "completed"
        self.failing: set[str] = set()
        """Texts whose requests fail."""
        self.garbled: dict[str, str] = {}
        """Lines of the output that are replaced, by the text they were for."""
        self.gives_file = False
        """Gemini: the answers are in a file instead of in the batch."""
        self.page_size = 2
        self._count = 0

    def handle(
        self,
        provider: str,
        method: str,
        path: str,
        query: dict[str, str],
        headers: Any,
        data: bytes,
    ) -> Answer:
        """Answer one request under the provider's own address."""
        rest = re.sub(r"^(/download)?/(v1beta|v1)", "", path)
        step, name = _step(method, rest)
        self.steps.append(step)
        refusal = self.refusals[step].popleft() if self.refusals[step] else None
        if refusal and refusal[0] not in (LOST, HUNG):
            return self._refused(provider, *refusal)
        answer = self._handled(provider, step, name, query, headers, data)
        return Answer(refusal[0], "") if refusal else answer

    def _handled(
        self, provider: str, step: str, name: str, query: dict[str, str], headers: Any, data: bytes
    ) -> Answer:
        match step:
            case "upload":
                return self._upload(headers, data)
            case "create" if provider == "gemini":
                return self._create_gemini(name, json.loads(data))
            case "create":
                return self._create(provider, json.loads(data))
            case "list":
                return self._list(provider, query)
            case "content":
                return (
                    Answer(200, self.files[name]) if name in self.files else self._unknown(provider)
                )
            case "delete file":
                gone = self.files.pop(name, None)
                return Answer(200 if gone is not None else 404, json.dumps({"deleted": True}))
        batch = self.batches.get(name)
        if batch is None:
            return self._unknown(provider)
        if step == "cancel":
            batch.status = "cancelling" if batch.status == "in_progress" else batch.status
        elif step == "delete batch":
            del self.batches[name]
            return Answer(200, "{}")
        else:
            self._advance(batch)
        return Answer(200, json.dumps(self._shown(batch)))

    # -- files and batches --------------------------------------------------------------------

    def _upload(self, headers: Any, data: bytes) -> Answer:
        head = f"Content-Type: {headers['Content-Type']}\r\n\r\n".encode()
        parts = {
            part.get_param("name", header="content-disposition"): part.get_payload(decode=True)
            for part in message_from_bytes(head + data).get_payload()
        }
        assert parts["purpose"] == b"batch"
        name = self._new("file")
        self.files[name] = parts["file"].decode()
        return Answer(200, json.dumps({"id": name, "object": "file", "purpose": "batch"}))

    def _create(self, provider: str, wanted: dict[str, Any]) -> Answer:
        assert wanted["endpoint"] == "/v1/embeddings"
        assert wanted["completion_window"] == {"openai": "24h", "voyage": "12h"}[provider]
        texts: dict[str, str] = {}
        vectors: dict[str, list[float]] = {}
        for line in self.files[wanted["input_file_id"]].splitlines():
            row = json.loads(line)
            fields = row["body"]
            if provider == "openai":
                assert (row["method"], row["url"]) == ("POST", "/v1/embeddings")
                assert set(fields) <= {"model", "input", "encoding_format", "dimensions"}
            else:
                assert set(fields) == {"input"}
                fields = fields | wanted["request_params"]
                assert fields["input_type"] == "document"
            [text] = [fields["input"]] if provider == "openai" else fields["input"]
            assert row["custom_id"] not in texts
            texts[row["custom_id"]] = text
            size = fields.get("dimensions") or fields.get("output_dimension") or 32
            vectors[row["custom_id"]] = self._embed(text, size)
        label = wanted["metadata"]["scrubjay"]
        return self._begun(provider, label, texts, vectors, wanted["input_file_id"])

    def _create_gemini(self, model: str, wanted: dict[str, Any]) -> Answer:
        texts: dict[str, str] = {}
        vectors: dict[str, list[float]] = {}
        for row in wanted["batch"]["inputConfig"]["requests"]["requests"]:
            request = row["request"]
            assert request["model"] == model
            [part] = request["content"]["parts"]
            texts[row["metadata"]["key"]] = part["text"]
            size = request.get("outputDimensionality") or 32
            vectors[row["metadata"]["key"]] = self._embed(part["text"], size)
        return self._begun("gemini", wanted["batch"]["displayName"], texts, vectors)

    def _begun(
        self,
        provider: str,
        label: str,
        texts: dict[str, str],
        vectors: dict[str, list[float]],
        file: str = "",
    ) -> Answer:
        name = f"batches/{self._new('b')}" if provider == "gemini" else self._new("batch")
        batch = Batch(name, provider, label, texts, file, embedded=vectors)
        self.batches[name] = batch
        self.paid += texts.values()
        return Answer(200, json.dumps(self._shown(batch)))

    def _list(self, provider: str, query: dict[str, str]) -> Answer:
        mine = [one for one in reversed(self.batches.values()) if one.provider == provider]
        after = query.get("after") or query.get("pageToken")
        names = [one.id for one in mine]
        start = names.index(after) + 1 if after else 0
        page = mine[start : start + self.page_size]
        has_more = start + self.page_size < len(mine)
        shown = [self._shown(one, is_short=True) for one in page]
        if provider == "gemini":
            token = {"nextPageToken": page[-1].id} if has_more else {}
            return Answer(200, json.dumps({"operations": shown, **token}))
        return Answer(200, json.dumps({"object": "list", "data": shown, "has_more": has_more}))

    def _advance(self, batch: Batch) -> None:
        batch.looks += 1
        if batch.status == "cancelling":
            self._finish(batch, "cancelled")
        elif self._is_due(batch):
            self._finish(batch, self.ends_as)

    def _is_due(self, batch: Batch) -> bool:
        is_running = batch.status == "in_progress" and not self.is_held
        return is_running and batch.looks >= self.looks_until_done

    def _finish(self, batch: Batch, status: str) -> None:
        batch.status = status
        lines, errors = [], []
        ids = list(batch.texts)
        if status == "failed":
            return
        if status in ("expired", "cancelled"):
            ids = ids[: len(ids) // 2]
        for number in reversed(ids):  # the order is nobody's promise
            if batch.texts[number] in self.failing:
                error = {"status_code": 400, "body": {"error": {"message": "bad text"}}}
                errors.append({"custom_id": number, "response": error, "error": None})
                continue
            data = [{"object": "embedding", "index": 0, "embedding": batch.embedded[number]}]
            body = {"object": "list", "data": data, "model": "m"}
            response = {"status_code": 200, "request_id": "r", "body": body}
            lines.append({"id": "x", "custom_id": number, "response": response, "error": None})
        if batch.provider == "gemini":
            return
        if lines:
            batch.output_file = self._new("file")
            said = [self.garbled.get(batch.texts[line["custom_id"]]) for line in lines]
            written = [bad or json.dumps(line) for bad, line in zip(said, lines, strict=True)]
            self.files[batch.output_file] = "\n".join(written) + "\n"
        if errors:
            batch.error_file = self._new("file")
            self.files[batch.error_file] = "\n".join(map(json.dumps, errors)) + "\n"

    # -- how each shows it --------------------------------------------------------------------

    def _shown(self, batch: Batch, *, is_short: bool = False) -> dict[str, Any]:
        if batch.provider == "gemini":
            return self._operation(batch, is_short=is_short)
        failed = {"data": [{"code": "invalid_json", "message": "Line 1 is not JSON.", "line": 1}]}
        return {
            "id": batch.id,
            "object": "batch",
            "endpoint": "/v1/embeddings",
            "status": batch.status,
            "errors": failed if batch.status == "failed" else None,
            "input_file_id": batch.input_file,
            "output_file_id": batch.output_file or None,
            "error_file_id": batch.error_file or None,
            "request_counts": {"total": len(batch.texts), "completed": batch.looks, "failed": 0},
            "metadata": {"scrubjay": batch.label},
        }

    def _operation(self, batch: Batch, *, is_short: bool) -> dict[str, Any]:
        states = {"in_progress": "RUNNING", "completed": "SUCCEEDED", "cancelling": "RUNNING"}
        state = states.get(batch.status, batch.status.upper())
        about: dict[str, Any] = {
            "@type": "type.googleapis.com/google.ai.generativelanguage.v1main.EmbedContentBatch",
            "displayName": batch.label,
            "state": f"BATCH_STATE_{state}",
            "batchStats": {"requestCount": str(len(batch.texts))},
        }
        shown: dict[str, Any] = {"name": batch.id, "metadata": about}
        if state == "RUNNING" or is_short:
            return shown
        shown["done"] = True
        if batch.status == "failed":
            return shown | {"error": {"code": 3, "message": "Line 1 is not JSON."}}
        ids = list(batch.texts)
        if batch.status in ("expired", "cancelled"):
            ids = ids[: len(ids) // 2]
        rows = [
            {"metadata": {"key": n}, "error": {"code": 3, "message": "bad text"}}
            if batch.texts[n] in self.failing
            else {"metadata": {"key": n}, "response": {"embedding": {"values": batch.embedded[n]}}}
            for n in ids
        ]
        output: dict[str, Any] = {"inlinedResponses": {"inlinedResponses": rows}}
        if self.gives_file:
            batch.output_file = batch.output_file or f"files/{self._new('out')}"
            lines = [
                self.garbled.get(batch.texts[n]) or _file_line(row)
                for n, row in zip(ids, rows, strict=True)
            ]
            self.files.setdefault(batch.output_file, "\n".join(lines) + "\n")
            output = {"responsesFile": batch.output_file}
        about["output"] = output
        return shown | {"response": output}

    def _new(self, kind: str) -> str:
        self._count += 1
        return f"{kind}-{self._count}"

    def _unknown(self, provider: str) -> Answer:
        return self._refused(provider, 404, "No such thing.")

    def _refused(self, provider: str, status: int, message: str) -> Answer:
        if provider == "voyage":
            return Answer(status, json.dumps({"detail": message}))
        error = {"message": message, "code": status, "status": "REFUSED"}
        return Answer(status, json.dumps({"error": error}))


def _file_line(row: dict[str, Any]) -> str:
    """A row as Gemini documents it for files: the response alone, in the order of the requests."""
    return json.dumps(row.get("response") or {"error": row["error"]})


def _step(method: str, path: str) -> tuple[str, str]:
    """Name of a request, and what it is about."""
    for pattern, verb, step in _STEPS:
        if method == verb and (found := re.fullmatch(pattern, path)):
            return step, found[1] if found.groups() else ""
    raise AssertionError(f"{method} {path} is nothing that a provider knows")


_STEPS = (
    (r"/files", "POST", "upload"),
    (r"/files/([^/]+)/content", "GET", "content"),
    (r"/(files/out-[^/:]+):download", "GET", "content"),
    (r"/(files/out-[^/]+)", "DELETE", "delete file"),
    (r"/files/([^/]+)", "DELETE", "delete file"),
    (r"/batches", "POST", "create"),
    (r"/(models/[^/:]+):asyncBatchEmbedContent", "POST", "create"),
    (r"/batches", "GET", "list"),
    (r"/(batches/b-[^/:]+):cancel", "POST", "cancel"),
    (r"/batches/(batch-[^/]+)/cancel", "POST", "cancel"),
    (r"/(batches/b-[^/:]+)", "GET", "look"),
    (r"/(batches/b-[^/:]+)", "DELETE", "delete batch"),
    (r"/batches/(batch-[^/]+)", "GET", "look"),
)


def is_about_batches(path: str) -> bool:
    """True for a path below a provider that belongs to its batch interface."""
    return bool(re.search(r"/(files|batches)(/|$|\?)|:asyncBatchEmbedContent|/batches/", path))
