"""The parent's end of the child process that reads documents."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

import msgspec
from msgspec import Struct

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents.document_errors import ConversionFailed, DocumentRefused
from scrubjay.documents.document_limits import MOST_MEMORY, NEEDS_MORE_MEMORY
from scrubjay.messages import Sentence, deserialize_sentence, fill_template, msg
from scrubjay.platform import pipe_protocol
from scrubjay.platform.child_process import (
    WorkerProcess,
    end_worker,
    kill_after_timeout,
    start_sandboxed_worker,
)

log = logging.getLogger(__name__)

_MOST_HEADER = 2**22
"""Bytes of JSON; the text of a page and the marks on it have a fifth of it."""
_MOST_ANSWER = 2**27
"""Bytes of an answer; the longest text has nearly as many, the largest picture 48 MB."""
_KILLED = -9
"""Code of a process that was killed, on Linux and macOS. Its own crashes have other codes."""
_ENDS_S = 0.5
"""Seconds in which a process ends after it closed its pipe; one that was taken over may not."""
BROKE_DOWN = msg("The program that reads the document crashed.")


class Worker(Struct, frozen=True):
    """A program that reads what strangers made, and what is said where it does not."""

    module: str
    switch: str
    """Argument of a bundle's program instead of the module."""
    broke_down: Sentence
    needs_more_memory: Sentence
    took_too_long: Sentence
    """Sentence with {n} for the seconds."""


DOCUMENTS = Worker(
    module="scrubjay.documents.document_worker",
    switch="--document-worker",
    broke_down=BROKE_DOWN,
    needs_more_memory=NEEDS_MORE_MEMORY,
    took_too_long=msg("Reading the document took more than {n} seconds."),
)


class DocumentChild:
    """One child process, started when needed. For any thread. It answers one request at a time."""

    def __init__(
        self, most_seconds: float, most_memory: int = MOST_MEMORY, *, worker: Worker = DOCUMENTS
    ) -> None:
        """An answer that takes longer, or more bytes, is given up, and its process ended."""
        self._seconds = most_seconds
        self._most_memory = most_memory
        self._worker = worker
        self._lock = threading.Lock()
        self.process: WorkerProcess | None = None
        """Process that reads; None before the first document, and after the end."""

    def ask(
        self, request: dict[str, Any], data: bytes, cancel: CancelToken, *, share: float = 1.0
    ) -> tuple[dict[str, Any], bytes]:
        """The answer about a document: a header and bytes, within a share of the time for one.

        Raises DocumentRefused, ConversionFailed, Cancelled, or OSError without a process, also
        for one that was killed.
        """
        with self._lock:
            return self._asked({**request, "seconds": self._seconds * share}, data, cancel)

    def close(self) -> None:
        """End the process unless it works."""
        if self._lock.acquire(blocking=False):
            try:
                self._end()
            finally:
                self._lock.release()

    @contextlib.contextmanager
    def checking(self) -> Iterator[None]:
        """Inside, an answer that makes no sense ends the process and raises ConversionFailed.

        The process reads what strangers made, so it may say anything.
        """
        try:
            yield
        except msgspec.DecodeError as error:
            self.close()
            raise ConversionFailed(self._worker.broke_down) from error

    def _asked(
        self, request: dict[str, Any], data: bytes, cancel: CancelToken
    ) -> tuple[dict[str, Any], bytes]:
        """The answer, from a second process where the first one ended without one."""
        for _ in range(2):
            process = self._running()
            message = None
            code = None
            # Whatever happens meanwhile, a process whose answer did not come is ended.
            try:
                with (
                    kill_after_timeout(
                        process, request["seconds"], cancel, most_memory=self._most_memory
                    ) as overrun,
                    contextlib.suppress(OSError, ValueError),
                ):
                    pipe_protocol.send_message(cast("BinaryIO", process.stdin), request, data)
                    answers = cast("BinaryIO", process.stdout)
                    message = pipe_protocol.receive_message(
                        answers, most_header=_MOST_HEADER, most_payload=_MOST_ANSWER
                    )
            finally:
                if message is None:
                    code = _exit_code(process)
                    self._end()
            cancel.check()
            if message is not None:
                # A document may have taken the process over, so it may say anything.
                refused = message[0].get("refused")
                if refused:
                    raise DocumentRefused(deserialize_sentence(str(refused)))
                return message
            if overrun.is_too_large:
                raise DocumentRefused(self._worker.needs_more_memory)
            if overrun.is_late:
                seconds = {"n": str(int(self._seconds))}
                raise ConversionFailed(fill_template(self._worker.took_too_long, seconds))
            # Another program, or a system without memory, says nothing about the document.
            if code == _KILLED:
                raise ChildProcessError(self._worker.broke_down)
            # A child that was idle ends with 0 just when a document comes.
            if process.returncode:
                log.warning("Reading a document ended with code %s", process.returncode)
                break
        raise ConversionFailed(self._worker.broke_down)

    def _end(self) -> None:
        """End the process; the next document starts another one."""
        if self.process is not None:
            end_worker(self.process)
            self.process = None

    def _running(self) -> WorkerProcess:
        """The process, started where there is none. May raise OSError."""
        if self.process is not None and self.process.poll() is None:
            return self.process
        self._end()
        self.process = start_sandboxed_worker(("-m", self._worker.module), self._worker.switch)
        return self.process


def _exit_code(process: WorkerProcess) -> int | None:
    """The exit code of a process that ends by itself; None for one that goes on."""
    until = time.monotonic() + _ENDS_S
    while process.poll() is None and time.monotonic() < until:
        time.sleep(_ENDS_S / 50)
    return process.poll()
