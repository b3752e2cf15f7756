"""Connections of the HTTP server, with limits on their number and on how long each may wait.

The server library closes a connection five seconds after an answer, and can limit the number of
requests. It does not limit the time that a request takes to arrive or an answer to be read, it
counts connections that never send a request, and it accepts a long head that comes all at once.
"""

from __future__ import annotations

import asyncio
import errno
import re
import socket
import sys
from typing import Any

import h11
import uvicorn
from msgspec import Struct, field
from uvicorn.protocols.http.h11_impl import H11Protocol

# The numbers are for the agents of one computer, each with a few connections, and for clients that
# fail or mean harm: whatever they do, the others are answered.
_MOST = 512
"""Connections at once where the system allows more; agents of one computer need some dozens."""
_SHARE = 2
"""One of so many descriptors is for a connection; the others are for indexes and notes."""
_BURST_SHARE = 8
"""One of so many connections may be accepted before the requests of the others are read, so that
a request that comes at once is read before its connection would have to give way."""
_QUEUE = 1024
"""Connections that the system holds for us; in a short queue a client would wait for seconds."""
_MOST_HEAD = 16 * 1024
"""Bytes of a request line with its headers; agents send less than one kB."""
_HEAD_END = re.compile(rb"\n\r?\n")
_REASON = b"The request headers are longer than 16 kB.\n"
_HEAD_REFUSAL = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
    b"Content-Type: text/plain; charset=utf-8\r\n"
    b"Content-Length: %d\r\nConnection: close\r\n\r\n%b"
) % (len(_REASON), _REASON)
"""Answer to a longer head."""
_MOST_AHEAD = 1024 * 1024
"""Bytes of further requests before an answer; the library would take more and more of them."""
_SHORTAGES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
"""Errors of a system that has no more descriptors or memory to give."""
_TELL_EVERY_S = 60.0
"""Seconds between two complaints about a shortage, which asyncio reports for each connection."""
_SHUTDOWN_S = 5
"""Seconds in which clients read their last answers."""
_TICKS = 10
"""Calls of `on_tick` in a second."""


def max_connections() -> int:
    """Half of the files that this process may have open, or fewer."""
    most = _MOST
    if sys.platform != "win32":
        import resource

        descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        if descriptors != resource.RLIM_INFINITY:
            most = max(2, min(most, descriptors // _SHARE))
    return most


class HttpLimits(Struct, frozen=True):
    """Limits of the server over HTTP."""

    connections: int = field(default_factory=max_connections)
    request_s: float = 10.0
    """Seconds for a whole request, from the connection or from the answer before it."""
    answer_s: float = 30.0
    """Seconds in which a client reads what was sent to it."""
    sessions: int = 200
    """Clients at once; another one is refused until one ends."""
    session_idle_s: float = 30 * 60.0
    """Seconds without a request after which the session of a client ends."""


class HttpConnection(H11Protocol):
    """A connection that gives way to a newer one while its client owes it a request."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the place of the connection that has waited longest if there is no other place."""
        super().connection_made(transport)
        # Both clocks begin now: for the first request, and for a client that reads nothing.
        self.waiting_since = self.loop.time()
        self.read_at = self.waiting_since
        if self.limit_concurrency is None or len(self.connections) < self.limit_concurrency:
            return
        # A connection whose client has yet to ask is worth less than one that is being answered.
        waiting = [
            other
            for other in self.connections
            if isinstance(other, HttpConnection) and other is not self and other.is_waiting
        ]
        # Where each has a request that is being answered, the library refuses the new one (503).
        if waiting:
            min(waiting, key=lambda other: other.waiting_since).abort()

    def data_received(self, data: bytes) -> None:
        """Take what came; close if a client sends on and on before its answer."""
        super().data_received(data)
        if self.flow.read_paused and len(self.conn.trailing_data[0]) > _MOST_AHEAD:
            self.abort()

    def handle_events(self) -> None:
        """Refuse a head that is too long, whether it came at once or not; take any other."""
        # The library has what arrived, and takes a request out of it once its head is complete.
        if self.conn.their_state is h11.IDLE:
            data = self.conn.trailing_data[0]
            end = _HEAD_END.search(data)
            size = end.start() if end else len(data)
            if size > _MOST_HEAD:
                self.transport.write(_HEAD_REFUSAL)
                self.transport.close()
                return
        super().handle_events()

    def on_response_complete(self) -> None:
        """Wait for another request."""
        self.waiting_since = self.loop.time()
        super().on_response_complete()

    @property
    def is_waiting(self) -> bool:
        """Whether the client has yet to send a request, or the rest of one."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY)

    def close_if_overdue(self, limits: HttpLimits) -> None:
        """Close if the client neither sends a whole request nor reads its answer in time."""
        now = self.loop.time()
        # An empty buffer means that the client has read everything so far.
        if self.transport.get_write_buffer_size() == 0:
            self.read_at = now
        is_late = self.is_waiting and now - self.waiting_since > limits.request_s
        if is_late or now - self.read_at > limits.answer_s:
            self.abort()

    def abort(self) -> None:
        """Close at once, whatever the client has not read."""
        self.connections.discard(self)
        self.transport.abort()


class ConnectionServer(uvicorn.Server):
    """A server whose connections have limits."""

    def __init__(self, app: Any, limits: HttpLimits) -> None:
        self._limits = limits
        self._told_at = float("-inf")
        config = uvicorn.Config(
            app,
            http=HttpConnection,
            ws="none",  # such a connection would have no limits
            limit_concurrency=limits.connections,
            backlog=max(1, limits.connections // _BURST_SHARE),
            log_config=None,
            log_level="error",  # any client can cause a warning, with each request
            access_log=False,
            lifespan="on",
            timeout_graceful_shutdown=_SHUTDOWN_S,
        )
        super().__init__(config)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and let the system hold more connections than are accepted at a time."""
        asyncio.get_running_loop().set_exception_handler(self._tell)
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(_QUEUE)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer the requests that have arrived; nobody waits for the rest of the others."""
        for connection in self._connections():
            if connection.is_waiting:
                connection.abort()
        await super().shutdown(sockets)

    async def on_tick(self, counter: int) -> bool:
        """Whether to end; once a second, overdue connections are closed."""
        if counter % _TICKS == 0:
            for connection in self._connections():
                connection.close_if_overdue(self._limits)
        return await super().on_tick(counter)

    def _connections(self) -> list[HttpConnection]:
        connections = self.server_state.connections
        return [connection for connection in connections if isinstance(connection, HttpConnection)]

    def _tell(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Report an error of the event loop; a shortage in one sentence, and seldom."""
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in _SHORTAGES:
            loop.default_exception_handler(context)
        elif loop.time() - self._told_at > _TELL_EVERY_S:
            self._told_at = loop.time()
            print(  # noqa: T201
                f"scrubjay: new connections have to wait: {error.strerror}. Close other programs,"
                " or raise the limit of open files (`ulimit -n`).",
                file=sys.stderr,
                flush=True,
            )
