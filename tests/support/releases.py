"""Lists of releases, signed as a publisher does, and a server that has one."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from scrubjay.updates.manifest import key_id, sealed
from support.vault import TIMEOUT

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = PRIVATE.public_key().public_bytes_raw()
NOW = dt.datetime(2026, 11, 21, 12, tzinfo=dt.UTC)


def manifest(**changes: Any) -> str:
    """A good list, with some fields in place of the usual ones."""
    usual = {
        "schema": 1,
        "product": "scrubjay",
        "sequence": 7,
        "issued": "2026-11-20T00:00:00Z",
        "expires": "2999-01-01T00:00:00Z",
        "releases": [
            {"version": "0.0.9", "date": "2026-01-01", "page": "https://example.org/old"},
            {
                "version": "99.0.1",
                "date": "2026-11-20",
                "page": "https://example.org/new",
                "summary": "Finds more.",
            },
        ],
    }
    return json.dumps({**usual, **changes})


def envelope(text: str, *keys: Ed25519PrivateKey) -> bytes:
    """The text with the signature of each key; of the usual one when none is named."""
    return sealed(
        text,
        [
            (key_id(key.public_key().public_bytes_raw()), key.sign(text.encode()))
            for key in keys or (PRIVATE,)
        ],
    )


class ReleaseServer:
    """Answers every request with the same bytes."""

    def __init__(self) -> None:
        self.sent = envelope(manifest())
        self.status = 200
        self.asked = 0
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                owner.asked += 1
                self.send_response(owner.status)
                self.send_header("Content-Length", str(len(owner.sent)))
                if owner.status == 302:
                    self.send_header("Location", "http://example.org/")
                self.end_headers()
                with contextlib.suppress(OSError):  # who has had enough hangs up
                    self.wfile.write(owner.sent)

            def log_message(self, *_: Any) -> None:
                """Stay quiet."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        serve = self._server.serve_forever
        self._thread = threading.Thread(target=serve, args=(0.005,), daemon=True)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_port}/releases.json"

    def close(self) -> None:
        """Answer no more."""
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
