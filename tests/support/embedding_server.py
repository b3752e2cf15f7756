"""A server on this computer that embeds words, and speaks as each remote provider documents it."""

from __future__ import annotations

import base64
import contextlib
import json
import re
import threading
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest

from support.batch_desk import HUNG, LOST, Answer, BatchDesk, is_about_batches
from support.providers import WordProvider
from support.vault import TIMEOUT

KEY = "sk-marked-7f3a9c51e2d84b60-jays"
"""A key that can be looked for in files."""

FAR_HOST = "embeddings.example"
"""Nobody's; reserved for examples."""

PROVIDERS = ("openai", "gemini", "voyage", "mistral", "ollama")


@dataclass(frozen=True)
class Request:
    """One request as it arrived."""

    provider: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    at: float

    @property
    def texts(self) -> list[str]:
        """What was to be embedded."""
        if self.provider == "gemini":
            parts = [one["content"]["parts"] for one in self.body["requests"]]
            return [_seen(part) for [part] in parts]
        return list(self.body["input"])

    @property
    def media(self) -> list[tuple[str, bytes]]:
        """(MIME type, bytes) of images and recordings."""
        if self.provider != "gemini":
            return []
        parts = [part for one in self.body["requests"] for part in one["content"]["parts"]]
        # Google's interfaces take both spellings of a field.
        media = [part["inline_data"] for part in parts if "inline_data" in part]
        return [(one["mime_type"], base64.b64decode(one["data"])) for one in media]


def _seen(part: dict[str, Any]) -> str:
    """The text of a part; of a picture the words that stand in its bytes."""
    if "text" in part:
        return str(part["text"])
    data = base64.b64decode(part["inline_data"]["data"])
    return " ".join(re.findall(r"[a-z]{4,}", data.decode("latin-1")))


@dataclass(frozen=True)
class Refuse:
    """Answer with an error, in the words of the provider that is spoken."""

    status: int
    message: str = "no"
    headers: dict[str, str] = field(default_factory=dict)
    retry_delay: str = ""
    """Gemini's way of asking to wait."""


@dataclass(frozen=True)
class Drop:
    """Close the connection instead of answering."""


@dataclass(frozen=True)
class CutShort:
    """Promise more than is sent."""


@dataclass(frozen=True)
class Say:
    """Answer 200 with this text."""

    text: str


@dataclass(frozen=True)
class LoseOne:
    """Answer with one vector fewer than there are texts."""


@dataclass(frozen=True)
class OfLength:
    """Answer with vectors of a length that those of the server do not have."""

    dimensions: int


@dataclass(frozen=True)
class Hang:
    """Answer nothing until released, at most some seconds."""

    released: threading.Event


Fault = Refuse | Drop | CutShort | Say | LoseOne | OfLength | Hang | None


def far_url(provider: str) -> str:
    """Address of the provider elsewhere; only a server that is the proxy can answer there."""
    return f"http://{FAR_HOST}/{_path(provider)}"


def _path(provider: str) -> str:
    return provider if provider in ("gemini", "ollama") else f"{provider}/v1"


class EmbeddingServer:
    """Real HTTP on loopback. Faults are taken one a request; None in between means: answer."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.faults: deque[Fault] = deque()
        self.always: Fault = None
        self.dimensions = 32
        self.ignores_dimensions = False
        self.max_items = 10_000
        self.items_complaint = "At most {limit} inputs can be in one batch."
        self.max_characters = 10_000_000
        self.media_types = {"image/png", "image/jpeg", "audio/mpeg", "audio/wav"}
        self.batches = BatchDesk(_vector)
        self.peak = 0
        """The most requests that were under way at the same time."""
        self._busy = 0
        self._lock = threading.Lock()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Head and body go one by one; the second would wait 40 ms to be asked for.
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                server._handle(self)

            do_GET = do_DELETE = do_POST

            def log_message(self, *_: object) -> None:
                """Silence."""

        class Quiet(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                """Clients that hang up are what some tests are about."""

        self._server = Quiet(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.005,))
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def base_url(self, provider: str) -> str:
        """What belongs into remote.baseUrl."""
        return f"{self.url}/{_path(provider)}"

    @property
    def as_proxy(self) -> dict[str, str]:
        """Environment in which this server stands for every host: it answers as if it were it."""
        return {"HTTP_PROXY": self.url, "http_proxy": self.url, "NO_PROXY": "", "no_proxy": ""}

    def stand_for_all(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Answer for every host there is, in this test and what it starts."""
        for name, value in self.as_proxy.items():
            monkeypatch.setenv(name, value)

    def close(self) -> None:
        self.batches.released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def texts(self) -> list[str]:
        """Everything that arrived."""
        return [text for request in self.requests for text in request.texts]

    # -- on the threads of the server ---------------------------------------------------------

    def _handle(self, handler: BaseHTTPRequestHandler) -> None:
        data = handler.rfile.read(int(handler.headers["Content-Length"] or 0))
        # A proxy gets the whole address.
        path = urlsplit(handler.path).path
        provider = path.split("/")[1]
        if is_about_batches(path):
            self._handle_batch(handler, provider, path, data)
            return
        body = json.loads(data)
        headers = {name.lower(): value for name, value in handler.headers.items()}
        request = Request(provider, path, headers, body, time.monotonic())
        with self._lock:
            self.requests.append(request)
            self._busy += 1
            self.peak = max(self.peak, self._busy)
            fault = self.faults.popleft() if self.faults else self.always
        try:
            with contextlib.suppress(OSError):
                self._answer(handler, request, fault or self._refusal(request))
        finally:
            with self._lock:
                self._busy -= 1

    def _handle_batch(
        self, handler: BaseHTTPRequestHandler, provider: str, path: str, data: bytes
    ) -> None:
        sent = handler.headers.get("Authorization") or handler.headers.get("x-goog-api-key", "")
        query = dict(parse_qsl(urlsplit(handler.path).query))
        below = path.removeprefix(f"/{provider}")
        with self._lock:
            if sent.removeprefix("Bearer ") != KEY:
                answer = Answer(401, json.dumps({"error": {"message": "Incorrect API key"}}))
            else:
                answer = self.batches.handle(
                    provider, handler.command, below, query, handler.headers, data
                )
        if answer.status == HUNG:
            self.batches.released.wait(TIMEOUT)
        if answer.status in (LOST, HUNG):
            handler.close_connection = True
            return
        with contextlib.suppress(OSError):
            _send(handler, answer.status, answer.text)

    def _answer(self, handler: BaseHTTPRequestHandler, request: Request, fault: Fault) -> None:
        match fault:
            case Refuse():
                _send(handler, fault.status, _error(request.provider, fault), fault.headers)
            case Drop():
                handler.close_connection = True
            case CutShort():
                handler.send_response(200)
                handler.send_header("Content-Length", "1000")
                handler.end_headers()
                handler.wfile.write(b'{"data": [')
                handler.close_connection = True
            case Say():
                _send(handler, 200, fault.text)
            case Hang():
                fault.released.wait(TIMEOUT)
                handler.close_connection = True
            case LoseOne():
                _send(handler, 200, self._vectors(request, request.texts[1:]))
            case OfLength():
                _send(handler, 200, self._vectors(request, request.texts, fault.dimensions))
            case _:
                _send(handler, 200, self._vectors(request, request.texts))

    def _refusal(self, request: Request) -> Refuse | None:
        """What the real provider would not accept."""
        sent = request.headers.get("authorization") or request.headers.get("x-goog-api-key", "")
        if request.provider != "ollama" and sent.removeprefix("Bearer ") != KEY:
            # Some servers repeat the key that they refuse.
            return Refuse(401, f"Incorrect API key provided: {sent}")
        allowed, required = _FIELDS[request.provider]
        if unknown := set(request.body) - allowed:
            return Refuse(422, f"Extra inputs are not permitted: {sorted(unknown)}")
        if missing := required - set(request.body):
            return Refuse(422, f"Field required: {sorted(missing)}")
        if len(request.texts) > self.max_items:
            return Refuse(400, self.items_complaint.format(limit=self.max_items))
        if any(kind not in self.media_types for kind, _ in request.media):
            return Refuse(400, "Unsupported MIME type.")
        if max(map(len, request.texts)) > self.max_characters:
            return Refuse(400, "This model's maximum context length is exceeded.")
        return None

    def _vectors(self, request: Request, texts: list[str], dimensions: int = 0) -> str:
        wanted = dimensions or self.dimensions
        if not self.ignores_dimensions:
            wanted = _asked_dimensions(request) or wanted
        rows = [_vector(text, wanted) for text in texts]
        match request.provider:
            case "gemini":
                return json.dumps({"embeddings": [{"values": row} for row in rows]})
            case "ollama":
                return json.dumps({"model": request.body["model"], "embeddings": rows})
        data = [{"object": "embedding", "index": n, "embedding": row} for n, row in enumerate(rows)]
        # The index counts, not the order.
        data.reverse()
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        answer = {"object": "list", "data": data, "model": request.body["model"], "usage": usage}
        return json.dumps(answer)


_FIELDS: dict[str, tuple[set[str], set[str]]] = {
    "openai": ({"model", "input", "encoding_format", "dimensions", "user"}, {"model", "input"}),
    "mistral": ({"model", "input", "encoding_format"}, {"model", "input"}),
    "voyage": (
        {"model", "input", "input_type", "truncation", "output_dimension"},
        {"model", "input", "input_type"},
    ),
    "gemini": ({"requests"}, {"requests"}),
    "ollama": ({"model", "input", "truncate", "dimensions"}, {"model", "input"}),
}
"""(what a provider knows, what it wants)"""

_PROMPTS = re.compile(
    r"^(search_query|search_document|query|passage|task: search result \| query"
    r"|title: .* \| text): "
)


def _vector(text: str, dimensions: int) -> list[float]:
    """Twice as long as a unit, so that someone has to normalise it."""
    vector = WordProvider(dimensions=dimensions).embed_queries([_PROMPTS.sub("", text)])[0]
    return [float(value) for value in np.asarray(vector) * 2]


def _asked_dimensions(request: Request) -> int:
    body = request.body["requests"][0] if request.provider == "gemini" else request.body
    names = ("dimensions", "output_dimension", "outputDimensionality")
    return next((int(body[name]) for name in names if name in body), 0)


def _error(provider: str, fault: Refuse) -> str:
    message, status = fault.message, fault.status
    match provider:
        case "gemini":
            error: dict[str, Any] = {"code": status, "message": message, "status": "REFUSED"}
            if fault.retry_delay:
                kind = "type.googleapis.com/google.rpc.RetryInfo"
                error["details"] = [{"@type": kind, "retryDelay": fault.retry_delay}]
            return json.dumps({"error": error})
        case "voyage":
            return json.dumps({"detail": message})
        case "mistral":
            return json.dumps({"object": "error", "message": message, "type": "refused"})
        case "ollama":
            return json.dumps({"error": message})
    return json.dumps({"error": {"message": message, "type": "refused", "code": None}})


def _send(
    handler: BaseHTTPRequestHandler, status: int, text: str, headers: dict[str, str] | None = None
) -> None:
    data = text.encode()
    handler.send_response(status)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(data)))
    for name, value in (headers or {}).items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(data)


@contextlib.contextmanager
def serving() -> Iterator[EmbeddingServer]:
    """A server until the end of the block."""
    server = EmbeddingServer()
    try:
        yield server
    finally:
        server.close()
