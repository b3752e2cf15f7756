"""The server of commands in the app, which answers them with the app's engine."""

from __future__ import annotations

import contextlib
import json
import logging
import threading
from typing import Any

from scrubjay.cli.running_app import ACCEPTED, MAX_REQUEST, PROTOCOL, command_channel
from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.engine.engine import Engine
from scrubjay.platform.local_channel.channel import Connection, Listener, pieces

log = logging.getLogger(__name__)

_REQUEST_S = 2.0
"""Seconds for the request, which a command sends at once, and for taking the reply."""
_MOST = 8
"""Commands at a time; the others answer themselves."""


class CommandServer:
    """Answers `scrubjay search` and the hooks of agents while the app runs."""

    def __init__(self, engine: Engine) -> None:
        """Nothing is listened to yet."""
        self._engine = engine
        self._pool = DaemonThreadPool("commands")
        self._slots = threading.BoundedSemaphore(_MOST)
        self._channel = command_channel(engine.paths)
        self._listener: Listener | None = None

    def start(self) -> None:
        """Listen, where the system lets this app. Only one app of a home calls it."""
        try:
            listener = self._channel.listen()
        except OSError as error:
            log.warning("The app cannot listen, so commands run on their own: %s", error)
            return
        self._listener = listener
        self._pool.submit(self._accept, listener)

    def close(self) -> None:
        """Answer no other command."""
        if self._listener is not None:
            self._listener.close()

    def _accept(self, listener: Listener) -> None:
        """Take commands until the listener is closed."""
        while True:
            try:
                command = listener.accept()
            except OSError:
                return
            # A command whose connection ends without a reply answers itself.
            if self._slots.acquire(blocking=False):
                self._pool.submit(self._serve, command)
            else:
                command.close()

    def _serve(self, command: Connection) -> None:
        """Read one request and send its reply."""
        try:
            # A command that has gone away needs no reply.
            with contextlib.closing(command), contextlib.suppress(OSError):
                request = _request(command)
                if request is None:
                    return
                command.send(ACCEPTED, _REQUEST_S)
                reply = self._reply(*request)
                if reply is not None:
                    answer = json.dumps(reply).encode("utf-8", "surrogatepass")
                    command.send(answer, _REQUEST_S)
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


def _request(command: Connection) -> tuple[str, dict[str, Any]] | None:
    """Name and arguments; None for anything else, since any program of the user may connect."""
    try:
        request = json.loads(_line(command).decode("utf-8", "surrogatepass"))
        if request["protocol"] != PROTOCOL:
            return None
        return str(request["name"]), dict(request["arguments"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _line(command: Connection) -> bytes:
    """The first line. Raises TimeoutError where it takes too long, ValueError if it is too long."""
    line = bytearray()
    for piece in pieces(command, MAX_REQUEST, _REQUEST_S):
        line += piece
        if line.endswith(b"\n"):
            break
    return bytes(line)
