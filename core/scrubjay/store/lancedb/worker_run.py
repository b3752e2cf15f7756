"""One run of the child process that opens shared memories."""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias, cast

from msgspec import Struct, field

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.platform import pipe_protocol
from scrubjay.platform.child_process import (
    WATCH_S,
    end_worker,
    minimal_environment,
    process_memory,
    start_worker,
)

if TYPE_CHECKING:
    import subprocess

log = logging.getLogger(__name__)

Answer: TypeAlias = tuple[dict[str, Any], bytes]
OnPending = Callable[[int], object]

MOST_MEMORY = 1536 * 1024 * 1024
"""Bytes of memory of the child; the library takes 100 MB, a table of 20 million stems 600."""
WORKER = ("-m", "scrubjay.store.lancedb.reading_worker")
"""Arguments of the interpreter that runs the child."""
_MOST_HEADER = 64 * 1024
"""Bytes of an answer beside its rows."""
_VARIABLES = (
    *("ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_DIR", "SSL_CERT_FILE"),
    *("all_proxy", "http_proxy", "https_proxy", "no_proxy"),
)
_BEGINNINGS = ("AWS_", "AZURE_", "GOOGLE_", "LANCE")
"""Beginnings of variables in which a person may have options and keys of a storage."""


class RunEnded(Exception):
    """The process ended before it answered."""

    def __init__(self, unanswered: int = 0, *, is_too_large: bool = False) -> None:
        super().__init__()
        self.unanswered = unanswered
        """Requests that it had not answered."""
        self.is_too_large = is_too_large
        """Whether it was ended because it took too much memory."""


class _Asked(Struct, eq=False):
    """A request that is not answered yet."""

    on_pending: OnPending | None = None
    answer: Future[Answer] = field(default_factory=Future)


class WorkerRun:
    """One run of the child, which answers several requests at a time. For any thread."""

    def __init__(self, most_memory: int, *, is_background: bool = False) -> None:
        """In the background it gives way to other programs. Raises OSError."""
        variables = minimal_environment(os.environ, _VARIABLES, _BEGINNINGS)
        self.process: subprocess.Popen[bytes] = start_worker(
            WORKER,
            "--reading-worker",
            {**variables, "LANCEDB_LOG": "error"},
            is_background=is_background,
        )
        self.most_memory = most_memory
        """Bytes of memory at which the child is ended."""
        self.is_alive = True
        self._is_too_large = False
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        """Held while a message is written."""
        self._numbers = itertools.count()
        self._waiting: dict[int, _Asked] = {}
        self._works = threading.Event()
        """Set while a request is not answered."""
        threading.Thread(target=self._listen, name="scrubjay-shared", daemon=True).start()
        threading.Thread(target=self._watch, name="scrubjay-limits", daemon=True).start()

    def ask(
        self, packed: bytes, cancel: CancelToken | None = None, on_pending: OnPending | None = None
    ) -> Answer:
        """The answer to a request. Raises RunEnded, or Cancelled where that came before.

        A cancel is passed on to the child, whose answer then says so.
        """
        asked = _Asked(on_pending)
        number = next(self._numbers)
        token = cancel or CancelToken()
        with token.calling(lambda: self._send({"id": number, "cancel": True})):
            with self._lock:
                if not self.is_alive:
                    raise RunEnded
                self._waiting[number] = asked
                self._works.set()
            self._send({"id": number}, packed)
            # A cancel that was sent before the request did not concern it.
            if token.cancelled:
                self._send({"id": number, "cancel": True})
            return asked.answer.result()

    def end(self) -> None:
        """End the child."""
        self.process.kill()

    def _send(self, header: dict[str, Any], packed: bytes = b"") -> None:
        # If the child has gone, the listener sees its end.
        with self._sending, contextlib.suppress(OSError, ValueError):
            pipe_protocol.send_message(cast("BinaryIO", self.process.stdin), header, packed)

    def _listen(self) -> None:
        """Take answers until the child ends, or says something that makes no sense."""
        answers = cast("BinaryIO", self.process.stdout)
        try:
            while message := pipe_protocol.receive_message(
                answers, most_header=_MOST_HEADER, most_payload=MOST_MEMORY
            ):
                self._take(message)
        except (OSError, ValueError, LookupError, TypeError) as error:
            log.warning("Ending the process that opens shared memories: %r", error)
        finally:
            self._end_all()

    def _end_all(self) -> None:
        """End the child, and all requests that it has not answered."""
        end_worker(self.process)
        with self._lock:
            self.is_alive = False
            unanswered = list(self._waiting.values())
            self._waiting.clear()
            # Lets the watching thread end.
            self._works.set()
        log.info("The process that opens shared memories ended with %s", self.process.returncode)
        for asked in unanswered:
            ended = RunEnded(len(unanswered), is_too_large=self._is_too_large)
            asked.answer.set_exception(ended)

    def _take(self, message: Answer) -> None:
        """Pass on an answer, or the progress of one. Raises LookupError for one nobody wants."""
        header = message[0]
        number = header["id"]
        if "pending" in header:
            asked = self._waiting[number]
            if asked.on_pending:
                asked.on_pending(int(header["pending"]))
            return
        with self._lock:
            asked = self._waiting.pop(number)
            if not self._waiting:
                self._works.clear()
        asked.answer.set_result(message)

    def _watch(self) -> None:
        """End the child when it takes too much memory for what it was asked."""
        while True:
            self._works.wait()
            time.sleep(WATCH_S)
            if not self.is_alive:
                return
            if process_memory(self.process.pid) > self.most_memory:
                self._is_too_large = True
                self.process.kill()
                return
