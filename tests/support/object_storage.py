"""An object storage on this computer, and what may come between it and who asks it."""

from __future__ import annotations

import contextlib
import http.client
import os
import random
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from scrubjay.records.shared_records import SharedPlace

_UP_S = 60.0
_LATE_S = 2.0
FAULTS = ("refused", "lost", "cut", "gone", "doubled", "halved", "late")
"""Answers with 503; 500 after it was done; none after it was done; none, and nothing was done; done
twice; half an answer; an answer some seconds later."""
KEY = "test:test"
"""Of the storage, which takes any."""


def free_port() -> int:
    """A port of this computer that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def object_storage() -> Iterator[str]:
    """Address of a server of S3 on this computer."""
    port = free_port()
    program = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "moto.server",
        "-H",
        "127.0.0.1",
        "-p",
        str(port),
    ]
    process = subprocess.Popen(
        program,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "MOTO_DISABLE_GLOBAL_CORS": "1"},
    )
    address = f"http://127.0.0.1:{port}"
    try:
        until = time.monotonic() + _UP_S
        while True:
            assert process.poll() is None
            assert time.monotonic() < until
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/moto-api/") as up:
                if up.status == 200:
                    break
            time.sleep(0.05)
        yield address
    finally:
        process.terminate()
        process.wait()


def bucket(address: str, name: str) -> SharedPlace:
    """A new bucket of a server of S3."""
    with contextlib.closing(
        urllib.request.urlopen(urllib.request.Request(f"{address}/{name}", method="PUT"))
    ):
        pass
    return bucket_at(address, name)


def bucket_at(address: str, name: str) -> SharedPlace:
    """A bucket by the address of its server, or of what stands before it."""
    options = {"aws_endpoint": address, "allow_http": "true", "aws_region": "us-east-1"}
    return SharedPlace.of(f"s3://{name}/memory", options)


class Gate(BaseHTTPRequestHandler):
    """Stands before an object storage, and does to its answers what a test wants."""

    protocol_version = "HTTP/1.1"
    target = ""
    address = ""
    shares: Mapping[str, float] = {}
    """Kind of fault -> the share of requests that it befalls."""
    planned: Mapping[int, str] = {}
    """Number of a request, counted from 0, -> the kind of fault that befalls it."""
    requests = 0
    """Number of requests since a test set it to 0."""
    on_planned: Callable[[], object] = staticmethod(lambda: None)
    """Is called at each planned fault."""
    redirected = ""
    """Address that all requests are sent on to."""
    seconds = 0.0
    """What each answer takes longer."""
    hangs = threading.Event()
    """While it is set no request is answered."""
    dice = random.Random(3)
    lock = threading.Lock()

    def answer(self) -> None:
        """Pass a request on."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        while self.hangs.is_set():
            time.sleep(0.05)
        time.sleep(self.seconds)
        fault = self._fault()
        if fault == "refused":
            self._reply(503, [], b"")
            return
        if self.redirected:
            self._reply(307, [("Location", f"{self.redirected}{self.path}")], b"")
            return
        if fault == "gone":
            self.close_connection = True
            return
        status, kept, data = self._passed_on(body)
        if fault == "doubled":
            status, kept, data = self._passed_on(body)
        if fault == "late":
            time.sleep(_LATE_S)
        if fault == "lost":
            self._reply(500, [], b"")
        elif fault == "cut":
            self.close_connection = True
        elif fault == "halved" and data:
            kept = [*kept, ("Content-Length", str(len(data)))]
            self._reply(status, kept, data[: len(data) // 2])
            self.close_connection = True
        else:
            self._reply(status, kept, data)

    def _fault(self) -> str:
        """The kind of fault that befalls this request; empty for none."""
        cls = type(self)
        with self.lock:
            number = cls.requests
            cls.requests += 1
            if kind := self.planned.get(number, ""):
                self.on_planned()
                return kind
            for kind, share in self.shares.items():
                if self.dice.random() < share:
                    return kind
        return ""

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = answer

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def _passed_on(self, body: bytes) -> tuple[int, list[tuple[str, str]], bytes]:
        """Status, headers and body of the storage's answer."""
        host = self.target.removeprefix("http://")
        connection = http.client.HTTPConnection(host, timeout=60)
        headers = {name: value for name, value in self.headers.items() if name.lower() != "host"}
        connection.request(self.command, self.path, body, {**headers, "Host": host})
        response = connection.getresponse()
        data = response.read()
        connection.close()
        return response.status, list(response.getheaders()), data

    def _reply(self, status: int, headers: list[tuple[str, str]], data: bytes) -> None:
        self.send_response(status)
        length = str(len(data))
        for name, value in headers:
            if name.lower() == "content-length":
                length = value
            elif name.lower() not in ("transfer-encoding", "connection", "date", "server"):
                self.send_header(name, value)
        self.send_header("Content-Length", length)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


@contextlib.contextmanager
def gate_before(storage: str) -> Iterator[type[Gate]]:
    """A gate at an address of its own."""

    class OwnGate(Gate):
        target = storage
        hangs = threading.Event()
        lock = threading.Lock()

    server = ThreadingHTTPServer(("127.0.0.1", 0), OwnGate)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    OwnGate.address = f"http://127.0.0.1:{server.server_port}"
    yield OwnGate
    OwnGate.hangs.clear()
    server.shutdown()
    server.server_close()
    thread.join()
