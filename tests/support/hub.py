"""A model hub on this computer: real HTTP, with the faults that real lines and servers have."""

from __future__ import annotations

import array
import contextlib
import hashlib
import re
import select
import socket
import struct
import sys
import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar, Self
from urllib.parse import urlsplit

if sys.platform != "win32":
    import fcntl
    import termios

_PIECE = 1 << 14
_RANGE = re.compile(r"bytes=(\d+)-")
_RESOLVE = re.compile(r"/(?P<repository>[^/]+/[^/]+)/resolve/(?P<revision>[^/]+)/(?P<file>.+)")
_LINGER = "hh" if sys.platform == "win32" else "ii"
"""How the system wants what it is told about unsent bytes."""
_LOGIN_PAGE = b"<html><body>Welcome to the hotel. Please log in.</body></html>"


class Fault(StrEnum):
    """What goes wrong with one answer."""

    CUT = "the line is closed in the middle"
    RESET = "the line is reset in the middle"
    STALL = "nothing more comes after the middle"
    BUSY = "503"
    EXPIRED = "403, as for a signed address that is too old"
    WHOLE = "the range is ignored and everything sent"
    SHIFTED = "another range than the one that was asked for"
    LOGIN = "a page to log in, as hotels send it"
    WRONG = "wrong bytes"


@dataclass(frozen=True)
class Trouble:
    """A fault, and after which share of what was asked for it comes."""

    fault: Fault
    after: float = 0.5
    retry_after: str = ""


@dataclass
class Hub:
    """Serves files by repository and name, and remembers what it was asked for."""

    files: dict[str, bytes] = field(default_factory=dict)
    """ "owner/repository/file.gguf" -> content."""
    troubles: deque[Trouble] = field(default_factory=deque)
    """One for each answer with content, from the left; none when it is empty."""
    is_down: bool = False
    """Every question about a file is answered with 503."""
    digest: str | None = None
    """Told instead of the true SHA-256."""
    pace: threading.Event | None = None
    """While it is set in place but not fired, answers stop half-way and wait."""
    ranges: list[int] = field(default_factory=list)
    """First byte of every answer with content."""
    reached: int = 0
    """The furthest byte that a client has received."""
    repeated: int = 0
    """Bytes that a client asked for although it had received them, wrong ones not counted."""
    questions: list[str] = field(default_factory=list)
    """Method and path of every request."""
    address: str = ""
    storage: str = ""
    """Where it says that its files are; empty for itself under another name."""

    @classmethod
    @contextlib.contextmanager
    def running(cls) -> Iterator[Self]:
        """A hub that answers at its address."""
        hub = cls()
        closing = threading.Event()
        handler = type("Handler", (_Handler,), {"hub": hub, "closing": closing})
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            server.daemon_threads = True
            server.block_on_close = True
            hub.address = f"http://127.0.0.1:{server.server_port}"
            thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
            thread.start()
            try:
                yield hub
            finally:
                closing.set()
                if hub.pace:
                    hub.pace.set()
                server.shutdown()
                thread.join()

    def add(self, repository: str, file: str, content: bytes) -> None:
        """Offer a file."""
        self.files[f"{repository}/{file}"] = content


class _Handler(BaseHTTPRequestHandler):
    hub: ClassVar[Hub]
    closing: ClassVar[threading.Event]
    protocol_version = "HTTP/1.1"
    # What follows a head would wait 40 ms to be asked for.
    disable_nagle_algorithm = True

    def do_HEAD(self) -> None:
        """Say what a file is, and where the storage has it, as the hub does."""
        self.hub.questions.append(f"HEAD {self.path}")
        found = _RESOLVE.fullmatch(urlsplit(self.path).path)
        key = f"{found['repository']}/{found['file']}" if found else ""
        if self.hub.is_down:
            self._short(503)
        elif key not in self.hub.files:
            self._short(404)
        else:
            content = self.hub.files[key]
            digest = self.hub.digest or hashlib.sha256(content).hexdigest()
            port = urlsplit(self.hub.address).port
            self.send_response(302)
            # Another host name, so that the client does not take it for the hub itself.
            storage = self.hub.storage or f"http://localhost:{port}"
            self.send_header("Location", f"{storage}/storage/{key}?signature=1")
            self.send_header("X-Repo-Commit", "0" * 40)
            self.send_header("X-Linked-Size", str(len(content)))
            self.send_header("X-Linked-ETag", f'"{digest}"')
            self.send_header("Content-Length", "0")
            self.end_headers()

    def do_GET(self) -> None:
        """Send content, or what the next trouble makes of it."""
        self.hub.questions.append(f"GET {self.path}")
        content = self.hub.files.get(urlsplit(self.path).path.removeprefix("/storage/"))
        if content is None:
            self._short(404)
            return
        trouble = self.hub.troubles.popleft() if self.hub.troubles else None
        match trouble.fault if trouble else None:
            case Fault.BUSY:
                self._short(503, trouble.retry_after if trouble else "")
            case Fault.EXPIRED:
                self._short(403)
            case Fault.LOGIN:
                self._start(200, len(_LOGIN_PAGE))
                self._push(_LOGIN_PAGE)
            case _:
                self._send(content, trouble)

    def _send(self, content: bytes, trouble: Trouble | None) -> None:
        asked = _RANGE.fullmatch(self.headers.get("Range", ""))
        first = int(asked[1]) if asked else 0
        if first >= len(content) > 0:
            self._short(416)
            return
        fault = trouble.fault if trouble else None
        if fault is Fault.WHOLE:
            asked, first = None, 0
        if fault is Fault.SHIFTED and asked:
            first //= 2
        body = content[first:]
        if asked:
            self._start(206, len(body), f"bytes {first}-{len(content) - 1}/{len(content)}")
        else:
            self._start(200, len(body))
        is_honest = fault not in (Fault.WHOLE, Fault.SHIFTED)
        if is_honest:
            self.hub.ranges.append(first)
            self.hub.repeated += max(0, self.hub.reached - first)
        middle = int(len(body) * (trouble.after if trouble else 0.5))
        if fault is Fault.WRONG:
            body = body[:middle] + bytes(len(body) - middle)
        self._push(body[:middle])
        if is_honest and fault is not Fault.WRONG:
            self.hub.reached = max(self.hub.reached, first + middle)
        if self.hub.pace:
            self.hub.pace.wait()
            if self._is_gone():
                self.close_connection = True
                return
        match fault:
            case Fault.CUT:
                self.close_connection = True
            case Fault.RESET:
                linger = struct.pack(_LINGER, 1, 0)
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.close_connection = True
            case Fault.STALL:
                self._wait_for_the_end()
            case _:
                self._push(body[middle:])
                if is_honest and fault is not Fault.WRONG:
                    self.hub.reached = len(content)
        if fault is Fault.WRONG:
            self.hub.reached = 0

    def _start(self, status: int, length: int, content_range: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(length))
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("ETag", '"storage"')
        if content_range:
            self.send_header("Content-Range", content_range)
        self.end_headers()
        self.wfile.flush()

    def _push(self, data: bytes) -> None:
        """Send, and return once the other side has it all: a reset would take the rest back."""
        try:
            for at in range(0, len(data), _PIECE):
                self.wfile.write(data[at : at + _PIECE])
            while self._unsent() and not self.closing.wait(0.001):
                pass
        except OSError:  # the client has had enough
            self.close_connection = True

    def _unsent(self) -> int:
        """Bytes that the other side does not have yet; Windows does not tell them."""
        if sys.platform == "win32":
            return 0
        unsent = array.array("i", [0])
        fcntl.ioctl(self.connection.fileno(), termios.TIOCOUTQ, unsent)
        return unsent[0]

    def _is_gone(self) -> bool:
        """True when the client has hung up."""
        readable, _, _ = select.select([self.connection], [], [], 0)
        try:
            return bool(readable) and not self.connection.recv(1, socket.MSG_PEEK)
        except OSError:
            return True

    def _wait_for_the_end(self) -> None:
        """Until the client gives up."""
        self.connection.settimeout(0.01)
        while not self.closing.is_set():
            try:
                if not self.connection.recv(1):
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        self.close_connection = True

    def _short(self, status: int, retry_after: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        if retry_after:
            self.send_header("Retry-After", retry_after)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Keep quiet."""
