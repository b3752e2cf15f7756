"""A server process that speaks the protocol over HTTP, and raw requests to it."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from scrubjay.platform.paths import HOME_VARIABLE, Paths
from support.mcp_client import PROGRAM
from support.vault import TIMEOUT

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
    process: subprocess.Popen[str]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    def post(self, body: bytes | None = None, **headers: str | None) -> tuple[int, bytes]:
        """Status and body of one request; a header that is None is not sent."""
        sent: dict[str, str | None] = {
            "Host": f"127.0.0.1:{self.port}",
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        data = json.dumps(INITIALIZE).encode() if body is None else body
        sent["Content-Length"] = str(len(data))
        lines = [f"{name}: {value}" for name, value in sent.items() if value is not None]
        head = "\r\n".join(["POST /mcp HTTP/1.1", *lines, "", ""]).encode()
        with socket.create_connection(("127.0.0.1", self.port), TIMEOUT) as connection:
            # In one piece: a server that has refused the head closes, and a body that comes after
            # that would reset the connection before the end of the answer is read.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                connection.sendall(head + data)
            with http.client.HTTPResponse(connection, method="POST") as answer:
                answer.begin()
                return answer.status, answer.read()


@contextlib.contextmanager
def served(shared_home: Path) -> Iterator[Server]:
    """A server process of its own."""
    command = [str(PROGRAM), "mcp", "--http", "--port", "0"]
    environ = os.environ | {HOME_VARIABLE: str(shared_home)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "listening on" in line:
                break
        # A server whose errors nobody reads would wait once the pipe is full.
        Thread(target=process.stderr.read, daemon=True).start()
        file = Paths.under(shared_home).state / "agents" / "token"
        port = int(line.rsplit(":", 1)[1].split("/")[0])
        yield Server(port, file.read_text(), process)
        process.terminate()
