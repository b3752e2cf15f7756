"""The child process that opens shared memories, whose content is untrusted.

Started as `python -m scrubjay.store.lancedb.reading_worker`, once for searches and once for
publications. LanceDB unpacks a value, a list of files or the rows of a search completely before
their size can be checked, so it does that in a process whose memory the parent limits. Threads
answer the requests, in any order. The process ends when stdin closes.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import traceback
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeAlias, Union

import msgspec
from msgspec import Struct

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import Cancelled, ScrubjayError
from scrubjay.messages import serialize_sentence
from scrubjay.platform import pipe_protocol
from scrubjay.store.lancedb.checked_rows import TooManyBytes
from scrubjay.store.lancedb.publishing_requests import PublishingRequest
from scrubjay.store.lancedb.shared_store import TOO_LARGE, storage_error_reason
from scrubjay.store.lancedb.table_reads import LocalTable, TableRead, connect_database, find_table

if TYPE_CHECKING:
    import pyarrow as pa
    from lancedb.db import DBConnection

    from scrubjay.store.lancedb.publishing_worker import PublishingWorker

_MOST_TABLES = 16
"""Tables that stay open, each of one version."""
_THREADS = 16
"""Requests that are answered at a time; those of storages that hang take threads, too."""
_MOST_FAULT = 4_000
"""Characters of an unexpected error that the parent is told of."""


class OpenRequest(Struct, frozen=True, tag="open"):
    """A request for the current version of a table and its columns."""

    connection: dict[str, Any]
    name: str


class CountRequest(Struct, frozen=True, tag="count"):
    """A request for the number of rows that meet a condition."""

    connection: dict[str, Any]
    name: str
    version: int
    where: str


class RowsRequest(Struct, frozen=True, tag="rows"):
    """A request for rows of a table."""

    connection: dict[str, Any]
    name: str
    version: int
    read: TableRead
    most_bytes: int


ReadingRequest: TypeAlias = Union[OpenRequest, CountRequest, RowsRequest]  # noqa: UP007
Request: TypeAlias = Union[ReadingRequest, PublishingRequest]  # noqa: UP007


def main() -> None:
    """Serve requests until stdin closes."""
    # Output of native code must not get into the protocol.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _write_no_core()
    worker = _Worker(answers)
    requests = os.fdopen(0, "rb")
    pool = ThreadPoolExecutor(_THREADS)
    message = pipe_protocol.receive_message(requests)
    while message is not None:
        header, packed = message
        if "cancel" in header:
            worker.cancel(header["id"])
        else:
            worker.begin(header["id"])
            pool.submit(worker.answer, header["id"], packed)
        message = pipe_protocol.receive_message(requests)
    # A thread that waits for a storage would keep the process.
    os._exit(0)


def _write_no_core() -> None:
    """Let no file be written of the memory of this process, in which keys are, when it breaks."""
    if sys.platform != "win32":
        import resource

        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class _Worker:
    def __init__(self, answers: Any) -> None:
        self._answers = answers
        self._decoder = msgspec.msgpack.Decoder(Request)
        self._lock = threading.Lock()
        """Held while something is sent, or kept for other requests."""
        self._connections: dict[bytes, DBConnection] = {}
        self._tables: OrderedDict[tuple[bytes, str, int], LocalTable] = OrderedDict()
        self._publications: PublishingWorker | None = None
        self._tokens: dict[int, CancelToken] = {}

    def begin(self, number: int) -> None:
        """Take a request, which can be cancelled from now on."""
        self._tokens[number] = CancelToken()

    def cancel(self, number: int) -> None:
        """Cancel a request, if it is not answered yet."""
        token = self._tokens.get(number)
        if token:
            token.cancel()

    def answer(self, number: int, packed: bytes) -> None:
        """Answer one request, whatever happens."""
        payload = b""
        try:
            header, payload = self._answered(number, self._decoder.decode(packed))
        except Cancelled:
            header = {"cancelled": True}
        except (TooManyBytes, MemoryError):
            header = {"raised": _words(TOO_LARGE)}
        except ScrubjayError as error:
            header = {"raised": _words(error.title, error.message, error.hint)}
        except BaseException as error:  # as the library likes
            fault = traceback.format_exc()[-_MOST_FAULT:]
            header = {"raised": _words(storage_error_reason(error)), "fault": fault}
        del self._tokens[number]
        self._send({**header, "id": number}, payload)

    def _send(self, header: dict[str, Any], payload: bytes = b"") -> None:
        with self._lock:
            pipe_protocol.send_message(self._answers, header, payload)

    def _answered(self, number: int, request: Request) -> tuple[dict[str, Any], bytes]:
        if not isinstance(request, PublishingRequest):
            return self._read(request)
        # Late, since most processes only read.
        from scrubjay.store.lancedb.publishing_worker import PublishingWorker

        if self._publications is None:
            self._publications = PublishingWorker()
        answer = self._publications.answer(
            request,
            self._tokens[number],
            lambda pending: self._send({"id": number, "pending": pending}),
        )
        return {}, msgspec.msgpack.encode(answer)

    def _read(self, request: ReadingRequest) -> tuple[dict[str, Any], bytes]:
        place = msgspec.msgpack.encode(request.connection)
        match request:
            case OpenRequest():
                found = find_table(self._connection(place, request.connection), request.name)
                if found is None:
                    return {"is_missing": True}, b""
                table = LocalTable(found)
                self._keep((place, request.name, table.version), table)
                return {"version": table.version}, table.schema.serialize().to_pybytes()
            case CountRequest():
                return {"count": self._table(place, request).count_rows(request.where)}, b""
        return {}, _as_bytes(self._table(place, request).read(request.read, request.most_bytes))

    def _connection(self, place: bytes, connection: dict[str, Any]) -> DBConnection:
        with self._lock:
            if place not in self._connections:
                self._connections[place] = connect_database(connection)
            return self._connections[place]

    def _table(self, place: bytes, request: CountRequest | RowsRequest) -> LocalTable:
        """The table at its version, opened again where it was closed meanwhile."""
        key = (place, request.name, request.version)
        with self._lock:
            table = self._tables.get(key)
            if table:
                self._tables.move_to_end(key)
                return table
        found = find_table(self._connection(place, request.connection), request.name)
        if found is None:
            raise FileNotFoundError("Not found")
        if found.version != request.version:
            found.checkout(request.version)
        table = LocalTable(found)
        self._keep(key, table)
        return table

    def _keep(self, key: tuple[bytes, str, int], table: LocalTable) -> None:
        with self._lock:
            self._tables.setdefault(key, table)
            self._tables.move_to_end(key)
            while len(self._tables) > _MOST_TABLES:
                self._tables.popitem(last=False)


def _words(title: str, message: str = "", hint: str = "") -> list[str]:
    """Title, message and hint of an error, as they are sent."""
    return [serialize_sentence(title), serialize_sentence(message), serialize_sentence(hint)]


def _as_bytes(rows: pa.Table) -> bytes:
    """Rows as Arrow sends them."""
    import pyarrow as pa

    stream = BytesIO()
    with pa.ipc.new_stream(stream, rows.schema) as writer:
        writer.write_table(rows)
    return stream.getvalue()


if __name__ == "__main__":
    main()
