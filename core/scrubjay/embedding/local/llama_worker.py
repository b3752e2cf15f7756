"""The llama child process: owns the GGUF model and nothing else.

Started as `python -m scrubjay.embedding.local.llama_worker`. It reads requests from stdin and
answers on stdout (pipe_protocol.py). Queries have a context and their own thread, so they
never wait for a document batch; both contexts share the weights. It ends when stdin closes, when
its parent dies, or after idle seconds without a request.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import queue
import select
import sys
import threading
import time
from array import array
from collections.abc import Callable, Sequence
from io import RawIOBase
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from scrubjay.messages import serialize_sentence
from scrubjay.platform import pipe_protocol

if TYPE_CHECKING:
    from scrubjay.embedding.local.likelihood import LikelihoodContext
    from scrubjay.embedding.local.llama_model import Embeddings, LlamaContext

_Work: TypeAlias = "Callable[[dict[str, Any]], dict[str, Any] | Embeddings]"
"""Function that answers a request."""

_LOWER_BY = 10
"""Niceness that documents have beyond that with which this process was started."""
_LOWEST = 19
"""Greatest niceness of the system."""
_PR_SET_PDEATHSIG = 1
_SIGKILL = 9


def main() -> None:
    """Serve requests until stdin closes, the parent dies or the process is idle."""
    # Output of native code must not get into the protocol.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, _SIGKILL)
    if sys.platform == "win32":
        from scrubjay.platform.sandbox.windows_calls import exempt_this_thread, lower_priority

        # Threads of the library do not inherit a priority of their own there, but that of the
        # process. This thread computes the queries.
        with contextlib.suppress(OSError):
            exempt_this_thread()
            lower_priority()
    # Unbuffered: select() sees the pipe, not a request that a buffer has taken out of it already.
    _Server(os.fdopen(0, "rb", buffering=0), answers).serve()


class _LibraryUnusable(Exception):
    """The library that computes, or one that it needs, does not load; the model was not read."""


class _Server:
    def __init__(self, requests: RawIOBase, answers: BinaryIO) -> None:
        self._requests = requests
        self._answers = answers
        self._lock = threading.Lock()
        self._documents: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._work: dict[str, _Work] = {}
        """What the loaded model does at once, by the name of the request."""
        self._idle_seconds: float | None = None
        self._unanswered = 0

    def serve(self) -> None:
        while (request := self._next()) is not None:
            with self._lock:
                self._unanswered += 1
            match request["op"]:
                case "load":
                    self._answer(request, self._load)
                    if not self._work:
                        return
                case "documents":
                    self._documents.put(request)
                case name if name in self._work:
                    self._answer(request, self._work[name])
        # A running batch is not waited for: its reader has gone.
        os._exit(0)

    def _next(self) -> dict[str, Any] | None:
        # Windows cannot select on pipes; there the child stays until its parent goes.
        while self._idle_seconds is not None and sys.platform != "win32":
            ready, _, _ = select.select([self._requests], [], [], self._idle_seconds)
            if ready:
                break
            if self._unanswered == 0:
                return None
        message = pipe_protocol.receive_message(self._requests)
        if message is None:
            return None
        return message[0]

    def _load(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            if request["library"]:
                # llama.cpp asks for it by a name that the loader knows from then on.
                ctypes.CDLL(request["library"])
            from scrubjay.embedding.local.llama_model import LlamaContext, LlamaModel
        except (ImportError, OSError, RuntimeError, AttributeError) as error:
            raise _LibraryUnusable(f"{error}") from error

        model = LlamaModel(request["path"], request["context"], gpu_layers=request["gpu_layers"])
        if request["reads"]:
            # Late: it needs numpy, and embedding does not.
            from scrubjay.embedding.local.likelihood import LikelihoodContext

            reading = LikelihoodContext(model, request["threads"])
            self._work = {"read": lambda asked: _read(reading, asked)}
        else:
            # Two contexts over one set of weights, each for the thread that uses it.
            documents = LlamaContext(model, request["threads"])
            queries = LlamaContext(model, threads=1)
            self._work = {"query": lambda asked: _one_by_one(queries, asked["texts"])}
            threading.Thread(target=self._embed_documents, args=[documents], daemon=True).start()
        self._idle_seconds = request["idle_seconds"]
        return {"dimensions": model.dimensions, "context": model.context_tokens}

    def _embed_documents(self, context: LlamaContext) -> None:
        # On Linux niceness belongs to threads. On macOS queries would get it too.
        if sys.platform == "linux":
            with contextlib.suppress(OSError):
                lower = min(os.getpriority(os.PRIO_PROCESS, 0) + _LOWER_BY, _LOWEST)
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), lower)
        while True:
            self._answer(self._documents.get(), lambda asked: context.embed(asked["texts"]))

    def _answer(self, request: dict[str, Any], work: _Work) -> None:
        # Processor time of this thread alone, by which two builds are compared.
        header: dict[str, Any] = {"id": request["id"]}
        payload = b""
        began = time.thread_time()
        try:
            result = work(request)
            if isinstance(result, dict):
                header |= result
            else:
                payload = result.tobytes()
                header["thread_s"] = time.thread_time() - began
        except _LibraryUnusable as error:
            header["library_error"] = str(error)
        except (MemoryError, OSError, RuntimeError, ValueError) as error:
            header["error"] = serialize_sentence(str(error)) or type(error).__name__
        with self._lock:
            self._unanswered -= 1
            pipe_protocol.send_message(self._answers, header, payload)


def _read(context: LikelihoodContext, asked: dict[str, Any]) -> dict[str, Any]:
    """How much likelier each passage makes the question, with the tokens that this took."""
    before = context.computed
    began = time.process_time()
    ratios = context.ratios(asked["question"], asked["passages"])
    seconds = time.process_time() - began
    return {"ratios": ratios, "tokens": context.computed - before, "seconds": seconds}


def _one_by_one(context: LlamaContext, texts: Sequence[str]) -> Embeddings:
    """One row for each text. Unlike in a batch, it does not depend on the other texts."""
    rows = array("f")
    for text in texts:
        rows.extend(context.embed([text]))
    return rows


if __name__ == "__main__":
    main()
