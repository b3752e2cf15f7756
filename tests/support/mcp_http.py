"""A server process that speaks the protocol over HTTP, and raw requests to it."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

import psutil
from anyio.from_thread import start_blocking_portal

from scrubjay.engine.engine import Engine
from scrubjay.mcp_server import http as over_http
from scrubjay.mcp_server.http_connections import HttpLimits
from scrubjay.mcp_server.server import MemoryServer
from scrubjay.mcp_server.tools import MemoryTools
from scrubjay.platform.paths import HOME_VARIABLE, Paths
from support.mcp_client import PROGRAM
from support.vault import TIMEOUT
from support.waiting import wait_until

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"},
    },
}


@dataclass(frozen=True)
class Server:
    """A server process that listens."""

    port: int
    token: str
    process: subprocess.Popen[str] | None
    """Its own; None for one in this process."""
    said: list[str] = field(default_factory=list)
    """Lines on standard error since it listens."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    def head(self, method: str = "POST", **headers: str | None) -> bytes:
        """The head of a request; a header that is None is not sent."""
        sent: dict[str, str | None] = {
            "Host": f"127.0.0.1:{self.port}",
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        lines = [f"{name}: {value}" for name, value in sent.items() if value is not None]
        return "\r\n".join([f"{method} /mcp HTTP/1.1", *lines, "", ""]).encode()

    def connected(self, data: bytes) -> socket.socket:
        """A connection on which this was sent."""
        connection = socket.create_connection(("127.0.0.1", self.port), TIMEOUT)
        connection.sendall(data)
        return connection

    def opened(self) -> str:
        """Id of a new session."""
        data = json.dumps(INITIALIZE).encode()
        with (
            self.connected(self.head(Content_Length=str(len(data))) + data) as connection,
            http.client.HTTPResponse(connection, method="POST") as answer,
        ):
            answer.begin()
            return answer.headers["mcp-session-id"]

    def post(self, body: bytes | None = None, **headers: str | None) -> tuple[int, bytes]:
        """Status and body of one request; a header that is None is not sent."""
        data = json.dumps(INITIALIZE).encode() if body is None else body
        head = self.head(**{"Content_Length": str(len(data)), **headers})
        with socket.create_connection(("127.0.0.1", self.port), TIMEOUT) as connection:
            # In one piece: a server that has refused the head closes, and a body that comes after
            # that would reset the connection before the end of the answer is read.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(head + data)
            with http.client.HTTPResponse(connection, method="POST") as answer:
                answer.begin()
                return answer.status, answer.read()


@contextlib.contextmanager
def served(shared_home: Path, descriptors: int | None = None, *more: str) -> Iterator[Server]:
    """A server process of its own, which may have so many files open."""
    command = [str(PROGRAM), "mcp", "--http", "--port", "0", *more]
    if descriptors:
        command = ["/bin/sh", "-c", f'ulimit -n {descriptors} && exec "$@"', "sh", *command]
    environ = os.environ | {HOME_VARIABLE: str(shared_home)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environ) as process:
        errors = process.stderr
        assert errors is not None
        for line in errors:
            if "listening on" in line:
                break
        file = Paths.under(shared_home).state / "agents" / "token"
        port = int(line.rsplit(":", 1)[1].split("/")[0])
        server = Server(port, file.read_text(), process)
        # A server whose errors nobody reads would wait once the pipe is full.
        Thread(target=lambda: server.said.extend(errors), daemon=True).start()
        try:
            yield server
        finally:
            process.terminate()


@contextlib.contextmanager
def served_here(home: Path, limits: HttpLimits) -> Iterator[Server]:
    """A server in this process, with limits of its own."""
    engine, secret = Engine(Paths.under(home)), "a token of sixteen"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Server(port, secret, None)

    async def serve() -> None:
        protocol = MemoryServer(MemoryTools(engine)).protocol()
        await over_http.serve_http(protocol, port, secret, limits=limits)

    def is_listening() -> bool:
        with contextlib.suppress(ConnectionRefusedError):
            return server.post(b"{}")[0] == 400
        return False

    with start_blocking_portal() as portal, contextlib.closing(engine):
        running = portal.start_task_soon(serve)
        wait_until(is_listening)
        yield server
        running.cancel()


def connections(server: Server) -> int:
    """How many connections the server has."""
    found = psutil.Process(server.process and server.process.pid).net_connections()
    return sum(each.laddr.port == server.port and each.status != "LISTEN" for each in found)
