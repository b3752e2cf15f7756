"""The parent's end of the child process that reads shared memories."""

from __future__ import annotations

import threading
import weakref
from typing import TYPE_CHECKING

import msgspec

from scrubjay.errors import Cancelled, ScrubjayError
from scrubjay.messages import as_sentence, deserialize_sentence
from scrubjay.store.lancedb.reading_worker import (
    CountRequest,
    OpenRequest,
    ReadingRequest,
    RowsRequest,
)
from scrubjay.store.lancedb.shared_store import TOO_LARGE, ReadFailed
from scrubjay.store.lancedb.table_reads import Connection, TableRead
from scrubjay.store.lancedb.worker_run import MOST_MEMORY, Answer, RunEnded, WorkerRun

if TYPE_CHECKING:
    import pyarrow as pa


class ReadingProcess:
    """Opens tables in one child process, which is started when it is needed and not running.

    For any thread. The process ends with this object, or when it is closed.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._alone = threading.Lock()
        self._most_memory = MOST_MEMORY
        self._run: WorkerRun | None = None
        self._is_closed = False

    @property
    def pid(self) -> int | None:
        """The id of the child; None before the first question, and after its end."""
        run = self._run
        if run is None or not run.is_alive:
            return None
        return run.process.pid

    def limit(self, most_memory: int) -> None:
        """Let the child take so many bytes of memory from now on."""
        with self._lock:
            self._most_memory = most_memory
            if self._run:
                self._run.most_memory = most_memory

    def open(self, connection: Connection, name: str) -> ProcessTable | None:
        """A table as it is now; None if there is none. Raises ReadFailed."""
        import pyarrow as pa

        header, payload = self.ask(OpenRequest(dict(connection), name))
        if header.get("is_missing"):
            return None
        schema = pa.ipc.read_schema(pa.py_buffer(payload))
        return ProcessTable(self, connection, name, version=header["version"], schema=schema)

    def ask(self, request: ReadingRequest) -> Answer:
        """The answer to a request. Raises ReadFailed, or Cancelled after the end."""
        packed = msgspec.msgpack.encode(request)
        try:
            header, payload = self._running().ask(packed)
        except RunEnded as ended:
            # Loads the library for the next question.
            self._running()
            if ended.unanswered == 1:
                raise ReadFailed(TOO_LARGE) from None
            # Another request may have ended it, so each that was not answered is tried by itself.
            with self._alone:
                header, payload = self._asked_alone(packed)
        if "raised" in header:
            title, message, _ = map(deserialize_sentence, header["raised"])
            raise ReadFailed(as_sentence(str(ScrubjayError(title, message))))
        return header, payload

    def close(self) -> None:
        """End the child, and start none again."""
        with self._lock:
            self._is_closed = True
            if self._run:
                self._run.end()

    def _asked_alone(self, packed: bytes) -> Answer:
        """The answer of a new run to a request that no other one is beside. Raises ReadFailed."""
        try:
            return self._running().ask(packed)
        except RunEnded:
            self._running()
            raise ReadFailed(TOO_LARGE) from None

    def _running(self) -> WorkerRun:
        """The run of the child, a new one where it has ended. Raises Cancelled after the end."""
        with self._lock:
            if self._is_closed:
                raise Cancelled
            if self._run is None or not self._run.is_alive:
                self._run = WorkerRun(self._most_memory)
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
