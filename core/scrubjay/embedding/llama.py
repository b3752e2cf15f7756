"""The local model, as its parent process sees it."""

from __future__ import annotations

import hashlib
import itertools
import logging
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from scrubjay.embedding import wire
from scrubjay.embedding.prompts import PromptProfile, profile_for
from scrubjay.embedding.provider import Passage
from scrubjay.errors import ModelMissing, ProviderUnavailable
from scrubjay.vectors import Vector

log = logging.getLogger(__name__)

_HEAD_AND_TAIL = 1 << 20
_BEGINNING = 4096
_GENERAL_NAME = re.compile(rb"general\.name\x08\0\0\0(.{8})(.*)", re.DOTALL)
"""Key, type and length of a string in a GGUF file, and what follows."""
_STOP_SECONDS = 0.5
_WORKER = "scrubjay.embedding.llama_worker"


class _ChildGone(Exception):
    """The child ended before it answered."""


class LlamaChild:
    """One run of the child process."""

    def __init__(
        self,
        model: Path,
        *,
        context: int,
        threads: int,
        gpu_layers: int | None,
        idle_seconds: float,
        begun: Callable[[LlamaChild], None] = lambda _child: None,
    ) -> None:
        """Start it and load the model; begun is told before the loading, which may take long."""
        environment = {**os.environ, "OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": str(threads)}
        self._process = subprocess.Popen(
            _command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            # Ctrl-C in a terminal is for the parent, which then closes the pipe.
            start_new_session=True,
        )
        self._waiting: dict[int, Future[tuple[dict[str, Any], bytes]]] = {}
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        self._is_gone = False
        self._is_stopped = False
        self._listener = threading.Thread(target=self._listen, name="scrubjay-llama", daemon=True)
        self._listener.start()
        begun(self)
        load = {"op": "load", "path": str(model), "context": context, "threads": threads}
        try:
            header, _ = self.ask(load | {"gpu_layers": gpu_layers, "idle_seconds": idle_seconds})
        except BaseException:
            self.stop()
            raise
        self.dimensions: int = header["dimensions"]

    @property
    def pid(self) -> int:
        """Process id, for status and tests."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """False once it has ended, for whatever reason."""
        return not self._is_gone

    def embed(self, kind: str, texts: Sequence[str]) -> list[Vector]:
        """Vectors of texts; kind is "query" or "documents"."""
        _, payload = self.ask({"op": kind, "texts": list(texts)})
        matrix = np.frombuffer(payload, dtype=np.float32).reshape(len(texts), -1)
        return list(matrix)

    def ask(self, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        """Send a request and wait. Raises _ChildGone, or ProviderUnavailable with its words."""
        answer: Future[tuple[dict[str, Any], bytes]] = Future()
        with self._lock:
            if self._is_gone:
                raise _ChildGone
            number = next(self._numbers)
            self._waiting[number] = answer
            try:
                wire.send(cast("BinaryIO", self._process.stdin), {**request, "id": number})
            except OSError as error:
                raise _ChildGone from error
        header, payload = answer.result()
        if reason := header.get("error"):
            raise ProviderUnavailable("The local model refused", str(reason))
        return header, payload

    def stop(self) -> None:
        """End the child now. It holds nothing that could be lost."""
        self._is_stopped = True
        self._process.kill()
        self._process.wait(_STOP_SECONDS)
        if threading.current_thread() is not self._listener:
            self._listener.join(_STOP_SECONDS)

    def _listen(self) -> None:
        answers = cast("BinaryIO", self._process.stdout)
        while (message := wire.receive(answers)) is not None:
            header, payload = message
            with self._lock:
                answer = self._waiting.pop(header["id"])
            answer.set_result((header, payload))
        with self._lock:
            self._is_gone = True
            unanswered = list(self._waiting.values())
            self._waiting.clear()
        code = self._process.wait()
        if code and not self._is_stopped:
            log.warning("The local model's process ended with code %s", code)
        for stream in (self._process.stdin, self._process.stdout):
            try:
                cast("BinaryIO", stream).close()
            except OSError:  # unsent bytes to a dead process
                log.debug("The pipe to the local model was broken")
        for answer in unanswered:
            answer.set_exception(_ChildGone())


class LocalProvider:
    """Embeds with a GGUF file in a child process that is started when it is needed."""

    name = "local"
    is_local = True
    host = ""
    bulk = None
    media = None

    def __init__(
        self,
        model_file: Path,
        *,
        context: int = 0,
        threads: int = 0,
        gpu_layers: int | None = None,
        idle_seconds: float = 300.0,
        changed: Callable[[str], None] = lambda _reason: None,
    ) -> None:
        """0 lets the model and the computer decide; no gpu_layers means all, where there is a card.

        Changed is told why the model stopped, and "" when it runs.
        """
        self.model = model_file.stem
        self.file = model_file
        self._profile: PromptProfile = profile_for(f"{model_file.name} {_own_name(model_file)}")
        self._context = context
        self._threads = threads or spare_cores()
        self._gpu_layers = gpu_layers
        self._idle_seconds = idle_seconds
        self._changed = changed
        self._lock = threading.Lock()
        self._child: LlamaChild | None = None
        self._loading: LlamaChild | None = None
        self._known: tuple[str, int] | None = None
        self._is_closed = False

    @property
    def child_pid(self) -> int | None:
        """Process id of the running child, None while the model is unloaded."""
        child = self._child
        return child.pid if child and child.is_alive else None

    def identity(self) -> str:
        """Family, content of the file, dimensions and prompts."""
        return self._facts()[0]

    def dimensions(self) -> int:
        """Length of every vector."""
        return self._facts()[1]

    def embed_query(self, text: str) -> Vector:
        """Embed a query; never waits for a document batch."""
        return self._embed("query", [self._profile.for_query(text)])[0]

    def embed_documents(self, passages: Sequence[Passage]) -> list[Vector]:
        """Embed a batch of chunks at low priority."""
        return self._embed(
            "documents", [self._profile.for_document(one.title, one.text) for one in passages]
        )

    def close(self) -> None:
        """Stop the child and start no other."""
        self._is_closed = True
        # Not under the lock, which is held while a model loads.
        if loading := self._loading:
            loading.stop()
        with self._lock:
            child, self._child = self._child, None
        if child:
            child.stop()

    def _begun(self, child: LlamaChild) -> None:
        self._loading = child
        if self._is_closed:
            child.stop()

    def _embed(self, kind: str, texts: Sequence[str]) -> list[Vector]:
        if not texts:
            return []
        try:
            return self._running().embed(kind, texts)
        except _ChildGone:
            # It may have gone idle at this very moment, or crashed: one more try tells.
            log.info("Starting the local model again")
        try:
            return self._running().embed(kind, texts)
        except _ChildGone as error:
            reason = "It ended while it was working; search by words goes on."
            self._changed(reason)
            raise ProviderUnavailable(
                "The local model stopped", reason, hint="Try again, or choose another model."
            ) from error

    def _running(self) -> LlamaChild:
        with self._lock:
            if self._is_closed:
                raise ProviderUnavailable("The local model is switched off")
            if self._child is None or not self._child.is_alive:
                self._child = self._start()
                self._changed("")
            return self._child

    def _start(self) -> LlamaChild:
        if not self.file.is_file():
            raise ModelMissing(
                "The model is not on this computer",
                f"{self.file} is not there.",
                hint="Run the set-up again, or choose another model.",
            )
        try:
            return LlamaChild(
                self.file,
                context=self._context,
                threads=self._threads,
                gpu_layers=self._gpu_layers,
                idle_seconds=self._idle_seconds,
                begun=self._begun,
            )
        except (_ChildGone, ProviderUnavailable, OSError) as error:
            if self._is_closed:
                raise ProviderUnavailable("The local model is switched off") from error
            reason = f"{self.file.name} cannot be loaded"
            if isinstance(error, ProviderUnavailable):
                reason += f" ({error.message})"
            self._changed(f"{reason}.")
            raise ProviderUnavailable(
                "The local model does not start",
                f"{reason}; it may be damaged.",
                hint="Delete the file and get the model again.",
            ) from error

    def _facts(self) -> tuple[str, int]:
        """(identity, dimensions), asked of the child once."""
        if self._known is None:
            dimensions = self._running().dimensions
            content = content_id(self.file)
            profile = self._profile.identity
            self._known = f"local:{content}:{dimensions}:{profile}", dimensions
        return self._known


def _command() -> list[str]:
    """How to start the child: a bundle has no interpreter, only the program itself."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "--llama-worker"]
    return [sys.executable, "-m", _WORKER]


def spare_cores() -> int:
    """Threads for documents: physical cores but one, which stays with the window."""
    import psutil  # late: only who runs a model needs it

    return max(1, (psutil.cpu_count(logical=False) or os.cpu_count() or 2) - 1)


def _own_name(file: Path) -> str:
    """What a model calls itself, whatever its file is called; empty when it does not say.

    Reading the whole head takes a moment, since the vocabulary is in it.
    """
    try:
        with file.open("rb") as stream:
            found = _GENERAL_NAME.search(stream.read(_BEGINNING))
    except OSError:
        return ""
    return (
        found[2][: int.from_bytes(found[1], "little")].decode("utf-8", "replace") if found else ""
    )


def content_id(file: Path) -> str:
    """Short digest of a model's size, header and last weights.

    The path and name are not part of it; reading all of a large model would cost seconds.
    """
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        size = stream.seek(0, os.SEEK_END)
        digest.update(str(size).encode())
        stream.seek(0)
        digest.update(stream.read(_HEAD_AND_TAIL))
        stream.seek(max(0, size - _HEAD_AND_TAIL))
        digest.update(stream.read())
    return digest.hexdigest()[:16]
