"""The child process that reads shared memories, whose content is untrusted.

Started as `python -m scrubjay.store.lancedb.reading_worker`. LanceDB unpacks a value, a list of
files or the rows of a search completely before their size can be checked, so it does that in a
process whose memory the system limits. Threads answer the requests, in any order. The process ends
when stdin closes.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeAlias, Union

import msgspec
from msgspec import Struct

from scrubjay.errors import SharedUnavailable
from scrubjay.messages import stored
from scrubjay.platform import pipe_protocol
from scrubjay.store.lancedb.checked_rows import TooManyBytes
from scrubjay.store.lancedb.shared_store import TOO_LARGE, reason_of
from scrubjay.store.lancedb.table_reads import LocalTable, TableRead, connected, table_of

if TYPE_CHECKING:
    import pyarrow as pa
    from lancedb.db import DBConnection

MOST_MEMORY = 1536 * 1024 * 1024
"""Bytes of data; the library takes 100 MB, a table of 20 million stems 600."""
_MOST_TABLES = 16
"""Tables that stay open, each of one version."""
_THREADS = 16
"""Requests that are answered at a time; those of storages that hang take threads, too."""


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


Request: TypeAlias = Union[OpenRequest, CountRequest, RowsRequest]  # noqa: UP007


def main() -> None:
    """Serve requests until stdin closes."""
    # Output of native code must not get into the protocol.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _limit_memory()
    worker = _Worker(answers)
    requests = os.fdopen(0, "rb")
    pool = ThreadPoolExecutor(_THREADS)
    message = pipe_protocol.receive(requests)
    while message is not None:
        pool.submit(worker.answer, message[0]["id"], message[1])
        message = pipe_protocol.receive(requests)
    # A thread that waits for a storage would keep the process.
    os._exit(0)


def _limit_memory() -> None:
    """Let the system refuse more memory. Only Linux has a limit of data that it enforces."""
    if sys.platform == "win32":
        return
    import resource

    for what, most in ((resource.RLIMIT_DATA, MOST_MEMORY), (resource.RLIMIT_CORE, 0)):
        try:
            resource.setrlimit(what, (most, most))
        except (OSError, ValueError):  # another limit is lower already
            continue


class _Worker:
    def __init__(self, answers: Any) -> None:
        self._answers = answers
        self._decoder = msgspec.msgpack.Decoder(Request)
        self._lock = threading.Lock()
        self._connections: dict[bytes, DBConnection] = {}
        self._tables: OrderedDict[tuple[bytes, str, int], LocalTable] = OrderedDict()

    def answer(self, number: int, packed: bytes) -> None:
        """Answer one request, whatever happens."""
        payload = b""
        try:
            header, payload = self._answered(self._decoder.decode(packed))
        except (TooManyBytes, MemoryError):
            header = {"error": stored(TOO_LARGE)}
        except SharedUnavailable as error:
            header = {"error": stored(str(error))}
        except BaseException as error:  # as the library likes
            header = {"error": stored(reason_of(error))}
        with self._lock:
            pipe_protocol.send(self._answers, {**header, "id": number}, payload)

    def _answered(self, request: Request) -> tuple[dict[str, Any], bytes]:
        place = msgspec.msgpack.encode(request.connection)
        match request:
            case OpenRequest():
                found = table_of(self._connection(place, request.connection), request.name)
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
                self._connections[place] = connected(connection)
            return self._connections[place]

    def _table(self, place: bytes, request: CountRequest | RowsRequest) -> LocalTable:
        """The table at its version, opened again where it was closed meanwhile."""
        key = (place, request.name, request.version)
        with self._lock:
            table = self._tables.get(key)
            if table:
                self._tables.move_to_end(key)
                return table
        found = table_of(self._connection(place, request.connection), request.name)
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


def _as_bytes(rows: pa.Table) -> bytes:
    """Rows as Arrow sends them."""
    import pyarrow as pa

    stream = BytesIO()
    with pa.ipc.new_stream(stream, rows.schema) as writer:
        writer.write_table(rows)
    return stream.getvalue()


if __name__ == "__main__":
    main()
