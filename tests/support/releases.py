"""Lists of releases, and a server that sends them."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from support.vault import TIMEOUT

OLD = {"version": "0.0.9", "date": "2026-01-01", "page": "https://127.0.0.1/old"}
NEW = {
    "version": "99.0.1",
    "date": "2026-11-20",
    "page": "https://127.0.0.1/new",
    "summary": "Finds more.",
}


def release_list(*releases: dict[str, Any]) -> bytes:
    """The list as a publisher writes it."""
    return json.dumps({"releases": releases}).encode()


class ReleaseServer:
    """A server that answers every request with the same bytes."""

    def __init__(self) -> None:
        self.body = release_list(OLD, NEW)
        self.status = 200
        self.encoding = ""
        self.location = ""
        """Where status 302 leads to."""
        self.dripping = ""
        """`head` or `body` to send that a byte at a time, without an end."""
        self._is_closed = threading.Event()
        self.requests = 0
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.requests += 1
                if server.dripping == "head":
                    self.wfile.write(b"HTTP/1.0 200 OK\r\nX-Endless: ")
                    self.drip()
                    return
                self.send_response(server.status)
                self.send_header("Content-Length", str(len(server.body)))
                if server.location:
                    self.send_header("Location", server.location)
                if server.encoding:
                    self.send_header("Content-Encoding", server.encoding)
                self.end_headers()
                if server.dripping:
                    self.drip()
                    return
                self.wfile.write(server.body)

            def drip(self) -> None:
                with contextlib.suppress(OSError):
                    while not server._is_closed.wait(0.05):
                        self.wfile.write(b" ")

            def log_message(self, *_: Any) -> None:
                """Stay quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        serve = self._server.serve_forever
        self._thread = threading.Thread(target=serve, args=(0.005,), daemon=True)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_port}/releases.json"

    def close(self) -> None:
        """Answer no more."""
        self._is_closed.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(TIMEOUT)


class RawServer:
    """A server that answers every connection with these bytes, then with others without end."""

    def __init__(self, first: bytes, then: bytes = b"") -> None:
        self._first = first
        self._then = then
        self._is_closed = threading.Event()
        self.was_left = threading.Event()
        """Set once a client has gone that was still being answered."""
        self.requests = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}/releases.json"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self.requests += 1
                threading.Thread(target=self._answer, args=[connection], daemon=True).start()

    def _answer(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            connection.recv(65536)
            connection.sendall(self._first)
            if not self._then:
                return
            try:
                while not self._is_closed.is_set():
                    connection.sendall(self._then)
            except OSError:
                self.was_left.set()

    def close(self) -> None:
        """Answer no more."""
        self._is_closed.set()
        self._listener.close()


@contextlib.contextmanager
def release_server() -> Iterator[ReleaseServer]:
    """A server for the time of a with block."""
    server = ReleaseServer()
    try:
        yield server
    finally:
        server.close()
