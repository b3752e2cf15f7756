"""Lists of releases, and a server that sends them."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from support.vault import TIMEOUT

OLD = {"version": "0.0.9", "date": "2026-01-01", "page": "https://example.org/old"}
NEW = {
    "version": "99.0.1",
    "date": "2026-11-20",
    "page": "https://example.org/new",
    "summary": "Finds more.",
}


def release_list(*releases: dict[str, str]) -> bytes:
    """The list as a publisher writes it."""
    return json.dumps({"releases": releases}).encode()


class ReleaseServer:
    """A server that answers every request with the same bytes."""

    def __init__(self) -> None:
        self.body = release_list(OLD, NEW)
        self.status = 200
        self.encoding = ""
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
                if server.status == 302:
                    self.send_header("Location", "http://example.org/")
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


@contextlib.contextmanager
def release_server() -> Iterator[ReleaseServer]:
    """A server for the time of a with block."""
    server = ReleaseServer()
    try:
        yield server
    finally:
        server.close()
