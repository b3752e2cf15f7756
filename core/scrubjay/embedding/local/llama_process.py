"""One run of the llama child process, as its parent sees it."""

from __future__ import annotations

import contextlib
import itertools
import logging
import math
import os
import signal
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, wait
from typing import Any, BinaryIO, cast

import numpy as np
from msgspec import Struct, convert
from msgspec.structs import asdict

from scrubjay.errors import ProviderUnavailable
from scrubjay.messages import deserialize_sentence, safe_line
from scrubjay.platform import pipe_protocol
from scrubjay.platform.child_process import start_worker
from scrubjay.records.vectors import Vector

log = logging.getLogger(__name__)

TIMEOUTS_S: Mapping[str, float] = {"load": 300.0, "query": 300.0, "documents": 600.0, "read": 300.0}
"""Request -> seconds without an answer after which the child counts as hung. Slow computers take a
minute."""
_FAULTS = frozenset(
    -getattr(signal, name, 0) for name in ("SIGILL", "SIGSEGV", "SIGBUS", "SIGFPE", "SIGABRT")
) - {0}
"""Exit codes of a crash in native code; any other came from outside."""
_WINDOWS_FAULTS = {
    0xC000001D: "SIGILL",
    0xC0000005: "SIGSEGV",
    0xC000008E: "SIGFPE",
    0xC0000094: "SIGFPE",
    0xC0000409: "SIGABRT",
    3: "SIGABRT",
}
"""Exit codes of Windows (NTSTATUS; 3 is that of abort) for the same crashes, with the names of
their signals."""
_KILLED = -getattr(signal, "SIGKILL", signal.SIGTERM)
_NONSENSE = (ValueError, LookupError, TypeError, OverflowError)
"""Errors at an answer that no child of ours gives."""
_MOST_HEADER = 64 * 1024
"""Bytes beside the vectors of an answer: a few numbers, or an error of the library."""
_MOST_PAYLOAD = 256 * 2**20
"""Bytes of vectors; the largest batch of the longest vectors is a tenth of it."""
_MOST_ERRORS = 4_000
"""Bytes of its last errors that are kept."""
WORKER = ("-m", "scrubjay.embedding.local.llama_worker")
"""Arguments of the interpreter that runs the child."""


class ProcessEnded(Exception):
    """The child process ended before it answered."""


class LibraryUnusable(ProviderUnavailable):
    """The library that computes does not load in the child process. The message is its error."""


class LoadRequest(Struct, frozen=True):
    """The model that a child loads, and how."""

    path: str
    context: int = 0
    """Tokens; 0 for as many as the model was trained for."""
    threads: int = 1
    """Threads for documents."""
    gpu_layers: int | None = None
    """Layers that a graphics card computes; None for all, where there is a card."""
    idle_seconds: float | None = None
    """Seconds without a request after which the child ends; None: it stays."""
    library: str = ""
    """Library that computes instead of the portable build."""
    reads: bool = False
    """Whether it reads passages instead of embedding texts."""


class Likelihoods(Struct, frozen=True):
    """How much likelier passages make a question."""

    ratios: Sequence[float]
    """Nats for each passage: a sum over the tokens of the question, each within its limits."""
    tokens: int
    """Tokens that were computed for them."""
    seconds: float
    """Processor time of all threads."""


def fault_of(code: int) -> str:
    """The signal of a crash in native code, by the exit code; empty for any other end."""
    if code in _FAULTS:
        return signal.Signals(-code).name
    return _WINDOWS_FAULTS.get(code, "")


class LlamaProcess:
    """One run of the child process."""

    def __init__(
        self,
        load: LoadRequest,
        *,
        on_start: Callable[[LlamaProcess], None] = lambda _child: None,
        worker: Sequence[str] = WORKER,
        timeouts_s: Mapping[str, float] = TIMEOUTS_S,
        stop_seconds: float = 0.5,
    ) -> None:
        """Start; on_start precedes loading. Raises ProcessEnded, ProviderUnavailable or OSError."""
        self.load = load
        self.is_alive = True
        """Whether it has not ended yet, for whatever reason."""
        self.fault = ""
        """Name of the signal with which its own code ended it."""
        self.failure = ""
        """Last line of what it printed before it ended by itself without a fault."""
        self.is_killed = False
        """Whether the system or a person ended it, as for lack of memory."""
        self._worker = worker
        self._timeouts_s = timeouts_s
        self._stop_seconds = stop_seconds
        # Requests have numbers, since a query may be answered before earlier documents.
        self._waiting: dict[int, Future[tuple[dict[str, Any], bytes]]] = {}
        self._numbers = itertools.count()
        self._lock = threading.Lock()
        self._is_stopped = False
        self._errors = b""
        # The child dies with the thread that starts it, so that is the thread that outlives it.
        started: Future[subprocess.Popen[bytes]] = Future()
        self._listener = threading.Thread(
            target=self._run, args=(load.threads, started), name="scrubjay-llama", daemon=True
        )
        self._listener.start()
        self._process = started.result()
        self.pid = self._process.pid
        on_start(self)
        try:
            header, _ = self.ask({"op": "load", **asdict(load)})
            self.dimensions = int(header["dimensions"])
        except _NONSENSE as error:
            self.stop()
            raise ProcessEnded from error
        except BaseException:
            self.stop()
            raise

    def embed(self, kind: str, texts: Sequence[str]) -> tuple[list[Vector], float]:
        """Vectors of texts, float32 of shape (dimensions,); kind is "query" or "documents".

        With the processor time in seconds of the thread that computed them.
        """
        header, payload = self.ask({"op": kind, "texts": list(texts)})
        try:
            vectors = np.frombuffer(payload, dtype=np.float32)
            return list(vectors.reshape(len(texts), self.dimensions)), float(header["thread_s"])
        except _NONSENSE as error:
            self.stop()
            raise ProcessEnded from error

    def read(self, question: str, passages: Sequence[tuple[str, int]]) -> Likelihoods:
        """The likelihoods of a question after passages: their text and where the best line is."""
        header, _ = self.ask({"op": "read", "question": question, "passages": list(passages)})
        try:
            read = convert(header, Likelihoods)
            if len(read.ratios) != len(passages) or not all(map(math.isfinite, read.ratios)):
                raise ValueError("not a number for each passage")
        except _NONSENSE as error:
            self.stop()
            raise ProcessEnded from error
        return read

    def ask(self, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        """Header and payload, or the child is ended. Raises ProcessEnded, ProviderUnavailable."""
        seconds = self._timeouts_s[request["op"]]
        timer: threading.Timer | None = None
        if request["op"] != "query":
            # Sending more than the pipe holds blocks when the child does not read, so the clock
            # runs before that. A query is short, and starting a thread takes as long as sending it.
            timer = threading.Timer(seconds, self._end_hung)
            timer.daemon = True
            timer.start()
        answer: Future[tuple[dict[str, Any], bytes]] = Future()
        try:
            with self._lock:
                if not self.is_alive:
                    raise ProcessEnded
                number = next(self._numbers)
                self._waiting[number] = answer
                pipe_protocol.send_message(
                    cast("BinaryIO", self._process.stdin), {**request, "id": number}
                )
            if not timer and not wait([answer], seconds).done:
                self._end_hung()
            header, payload = answer.result()
        except OSError as error:
            # Until the listener has seen its end, a second try would go to the same child.
            self._listener.join(self._stop_seconds)
            raise ProcessEnded from error
        finally:
            if timer:
                timer.cancel()
        library_error = header.get("library_error")
        if library_error:
            raise LibraryUnusable("The language helper could not start", safe_line(library_error))
        reason = header.get("error")
        if reason:
            raise ProviderUnavailable(
                "The language helper refused the request", deserialize_sentence(str(reason))
            )
        return header, payload

    def _end_hung(self) -> None:
        log.warning("The local model's process did not answer in time")
        self.stop()

    def stop(self) -> None:
        """End the process now. It holds nothing that could be lost."""
        self._is_stopped = True
        self._process.kill()
        # A busy system, or one that reads the model from a drive that hangs, takes longer.
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(self._stop_seconds)
        if threading.current_thread() is not self._listener:
            self._listener.join(self._stop_seconds)

    def _run(self, threads: int, started: Future[subprocess.Popen[bytes]]) -> None:
        variables = {"OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": str(threads)}
        try:
            process = start_worker(self._worker, "--llama-worker", variables, keeps_errors=True)
        except OSError as error:
            started.set_exception(error)
            return
        started.set_result(process)
        self._listen(process)

    def _keep_errors(self, stream: BinaryIO) -> None:
        """Keep the end of what the child prints until it ends, so that it never waits to print."""
        with stream:
            while part := os.read(stream.fileno(), _MOST_ERRORS):
                self._errors = (self._errors + part)[-_MOST_ERRORS:]

    def _take_answers(self, answers: BinaryIO) -> None:
        """Take answers until the child ends. Raises an error of _NONSENSE."""
        while message := pipe_protocol.receive_message(
            answers, most_header=_MOST_HEADER, most_payload=_MOST_PAYLOAD
        ):
            with self._lock:
                answer = self._waiting.pop(message[0]["id"])
            answer.set_result(message)

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        errors = threading.Thread(
            target=self._keep_errors,
            args=(process.stderr,),
            name="scrubjay-llama-errors",
            daemon=True,
        )
        errors.start()
        try:
            self._take_answers(cast("BinaryIO", process.stdout))
        except _NONSENSE as error:
            log.warning("The local model's process answered nonsense: %s", error)
            self._is_stopped = True
            process.kill()
        # From now on nothing is asked.
        with self._lock:
            self.is_alive = False
            unanswered = list(self._waiting.values())
            self._waiting.clear()
        # Why it ended has to be known before those who wait hear of it.
        code = process.wait()
        if not self._is_stopped:
            errors.join(self._stop_seconds)
            self._note_end(code)
        for stream in (process.stdin, process.stdout):
            try:
                cast("BinaryIO", stream).close()
            except OSError:
                # Bytes to a dead process were not sent.
                log.debug("The pipe to the local model was broken")
        for answer in unanswered:
            answer.set_exception(ProcessEnded())

    def _note_end(self, code: int) -> None:
        """Note why the child ended by itself."""
        self.fault = fault_of(code)
        self.is_killed = code == _KILLED
        if not code:
            return
        printed = self._errors.decode("utf-8", "replace").strip()
        log.warning("The local model's process ended with code %s: %s", code, printed or "no words")
        if code > 0 and not self.fault:
            self.failure = safe_line(printed.rpartition("\n")[2]) or f"{code:#x}"
