"""The parent's end of the child process that reads shared memories."""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import threading
import weakref
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias, cast

import msgspec

from scrubjay.messages import restored
from scrubjay.platform import pipe_protocol
from scrubjay.platform.child_process import named_variables, start_worker
from scrubjay.store.lancedb.reading_worker import CountRequest, OpenRequest, Request, RowsRequest
from scrubjay.store.lancedb.shared_store import TOO_LARGE, ReadFailed
from scrubjay.store.lancedb.table_reads import Connection, TableRead

if TYPE_CHECKING:
    import subprocess

    import pyarrow as pa

log = logging.getLogger(__name__)

_Answer: TypeAlias = tuple[dict[str, Any], bytes]

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


class _Ended(Exception):
    """The process ended before it answered."""

    def __init__(self, unanswered: int = 0) -> None:
        super().__init__()
        self.unanswered = unanswered
        """Requests that it had not answered."""


class ReadingProcess:
    """Opens tables in one child process, which is started when it is needed and not running.

    For any thread. The process ends with this object.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._alone = threading.Lock()
        self._run: _Run | None = None

    @property
    def pid(self) -> int | None:
        """The id of the child; None before the first question, and after its end."""
        run = self._run
        if run is None or not run.is_alive:
            return None
        return run.process.pid

    def open(self, connection: Connection, name: str) -> ProcessTable | None:
        """A table as it is now; None if there is none. Raises ReadFailed."""
        import pyarrow as pa

        header, payload = self.ask(OpenRequest(dict(connection), name))
        if header.get("is_missing"):
            return None
        schema = pa.ipc.read_schema(pa.py_buffer(payload))
        return ProcessTable(self, connection, name, version=header["version"], schema=schema)

    def ask(self, request: Request) -> _Answer:
        """The answer to a request. Raises ReadFailed."""
        packed = msgspec.msgpack.encode(request)
        try:
            header, payload = self._running().ask(packed)
        except _Ended as ended:
            # Loads the library for the next question.
            self._running()
            if ended.unanswered == 1:
                raise ReadFailed(TOO_LARGE) from None
            # Another request may have ended it, so each that was not answered is tried by itself.
            with self._alone:
                header, payload = self._asked_alone(packed)
        reason = header.get("error")
        if reason is not None:
            raise ReadFailed(restored(str(reason)))
        return header, payload

    def _asked_alone(self, packed: bytes) -> _Answer:
        """The answer of a new run to a request that no other one is beside. Raises ReadFailed."""
        try:
            return self._running().ask(packed)
        except _Ended:
            self._running()
            raise ReadFailed(TOO_LARGE) from None

    def _running(self) -> _Run:
        """The run of the child, a new one where it has ended."""
        with self._lock:
            if self._run is None or not self._run.is_alive:
                self._run = _Run()
                weakref.finalize(self, self._run.end)
            return self._run


class ProcessTable:
    """A table at one version that the child reads."""

    def __init__(
        self,
        process: ReadingProcess,
        connection: Connection,
        name: str,
        *,
        version: int,
        schema: pa.Schema,
    ) -> None:
        self._process = process
        self._connection = dict(connection)
        self._name = name
        self.version = version
        self.schema = schema

    def count_rows(self, where: str = "") -> int:
        """The number of rows that fulfil a condition. Raises ReadFailed."""
        request = CountRequest(self._connection, self._name, self.version, where=where)
        return int(self._process.ask(request)[0]["count"])

    def read(self, read: TableRead, most_bytes: int) -> pa.Table:
        """The rows. Raises ReadFailed."""
        import pyarrow as pa

        request = RowsRequest(
            self._connection, self._name, self.version, read=read, most_bytes=most_bytes
        )
        _, payload = self._process.ask(request)
        with pa.ipc.open_stream(pa.py_buffer(payload)) as stream:
            return stream.read_all()


class _Run:
    """One run of the child."""

    def __init__(self) -> None:
        variables = named_variables(os.environ, _VARIABLES, _BEGINNINGS)
        self.process: subprocess.Popen[bytes] = start_worker(
            WORKER, "--reading-worker", {**variables, "LANCEDB_LOG": "error"}
        )
        self.is_alive = True
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._waiting: dict[int, Future[_Answer]] = {}
        threading.Thread(target=self._listen, name="scrubjay-shared", daemon=True).start()

    def ask(self, packed: bytes) -> _Answer:
        """The answer to a request. Raises _Ended."""
        answer: Future[_Answer] = Future()
        with self._lock:
            if not self.is_alive:
                raise _Ended
            number = next(self._numbers)
            self._waiting[number] = answer
            with contextlib.suppress(OSError):  # the listener sees its end
                pipe_protocol.send(cast("BinaryIO", self.process.stdin), {"id": number}, packed)
        return answer.result()

    def end(self) -> None:
        """End the child."""
        self.process.kill()

    def _listen(self) -> None:
        """Take answers until the child ends."""
        answers = cast("BinaryIO", self.process.stdout)
        with contextlib.suppress(OSError, ValueError, LookupError):
            while message := pipe_protocol.receive(answers, most_header=_MOST_HEADER):
                with self._lock:
                    waiting = self._waiting.pop(message[0]["id"])
                waiting.set_result(message)
        self.process.kill()
        with self._lock:
            self.is_alive = False
            unanswered = list(self._waiting.values())
            self._waiting.clear()
        log.info("The process that reads shared memories ended with %s", self.process.wait())
        for stream in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                cast("BinaryIO", stream).close()
        for each in unanswered:
            each.set_exception(_Ended(len(unanswered)))
