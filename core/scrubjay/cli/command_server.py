"""The server of commands in the app, which answers them with the app's engine."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import socket
import threading
import time
from typing import Any

from scrubjay.cli.running_app import ACCEPTED, MAX_REQUEST, PROTOCOL, socket_path, unix_socket
from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import make_private_folder

log = logging.getLogger(__name__)

_REQUEST_S = 2.0
"""Seconds for the request, which a command sends at once, and for taking the reply."""
_PIECE = 64 * 1024
_MOST = 8
"""Commands at a time; the others answer themselves."""


class CommandServer:
    """Answers `scrubjay search` and the hooks of agents while the app runs."""

    def __init__(self, engine: Engine) -> None:
        """Nothing is listened to yet."""
        self._engine = engine
        self._pool = DaemonThreadPool("commands")
        self._slots = threading.BoundedSemaphore(_MOST)
        self._file = socket_path(engine.paths)
        self._socket: socket.socket | None = None

    def start(self) -> None:
        """Listen, unless this computer has no such sockets. Only one app of a home calls it."""
        # Windows has no such sockets, and some homes have too long a path.
        if self._file is None:
            return
        server = unix_socket()
        # Only this user may enter the folder, and only this user may write to the socket.
        try:
            make_private_folder(self._file.parent)
            self._file.unlink(missing_ok=True)  # of an app that crashed
            server.bind(os.fspath(self._file))
            self._file.chmod(0o600)
            server.listen()
        except OSError as error:
            log.warning("No socket can be opened, so commands run on their own: %s", error)
            server.close()
            return
        self._socket = server
        self._pool.submit(self._accept, server)

    def close(self) -> None:
        """Answer no other command."""
        if self._socket is None or self._file is None:
            return
        with contextlib.suppress(OSError):
            self._file.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes the thread that waits for a command
        self._socket.close()

    def _accept(self, server: socket.socket) -> None:
        """Take commands until the socket is closed."""
        while True:
            try:
                command, _ = server.accept()
            except OSError:
                return
            # A command whose connection ends without a reply answers itself.
            if self._slots.acquire(blocking=False):
                self._pool.submit(self._serve, command)
            else:
                command.close()

    def _serve(self, command: socket.socket) -> None:
        """Read one request and send its reply."""
        try:
            # A command that has gone away needs no reply.
            with command, contextlib.suppress(OSError):
                command.settimeout(_REQUEST_S)
                request = _request(command)
                if request is None:
                    return
                command.sendall(ACCEPTED)
                reply = self._reply(*request)
                if reply is not None:
                    command.sendall(json.dumps(reply).encode("utf-8", "surrogatepass"))
        finally:
            self._slots.release()

    def _reply(self, name: str, arguments: dict[str, Any]) -> Any:
        """A Reply; None for a command that has to be answered by its own process."""
        try:
            self._engine.catch_up_with_settings().result()
            # Imported late: an app whose commands nobody uses does without them.
            if name == "hook":
                from scrubjay.cli.hook_replies import reply_to_hook

                return reply_to_hook(self._engine, **arguments)
            from scrubjay.cli.note_replies import reply_to_command

            return reply_to_command(name, self._engine, arguments)
        except Exception:
            log.exception("A command was not answered")
            return None


def _request(command: socket.socket) -> tuple[str, dict[str, Any]] | None:
    """Name and arguments; None for anything else, since any program of the user may connect."""
    try:
        request = json.loads(_line(command).decode("utf-8", "surrogatepass"))
        if request["protocol"] != PROTOCOL:
            return None
        return str(request["name"]), dict(request["arguments"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _line(command: socket.socket) -> bytes:
    """The first line. Raises TimeoutError where it takes too long, ValueError if it is too long."""
    until = time.monotonic() + _REQUEST_S
    line = bytearray()
    # The time is for the whole line, so that nobody holds a place with a byte now and then.
    while not line.endswith(b"\n"):
        command.settimeout(max(until - time.monotonic(), 0.001))
        piece = command.recv(_PIECE)
        if not piece:
            break
        line += piece
        if len(line) > MAX_REQUEST:
            raise ValueError("a request that is too large")
    command.settimeout(_REQUEST_S)
    return bytes(line)
