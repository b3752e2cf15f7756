"""One Scrubjay for each home: a second start hands its wish to the first and ends.

Only QtCore and QtNetwork are imported here: a second start should cost next to nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QLockFile, QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from scrubjay import Paths

_LONGEST_SOCKET = 90
"""Bytes; Unix allows 108, and Qt adds some while it listens."""
_CONNECT_MS = 200
_ANSWER_MS = 1000
_PATIENCE_S = 1.0
"""A first instance that holds the lock but does not listen yet is given this long."""
_ANSWER = b"ok\n"


class Wish(StrEnum):
    """What a start asks of the instance that runs already."""

    WINDOW = "window"
    QUICK_SEARCH = "quick-search"
    BACKGROUND = "background"
    """Be there; nothing to show."""
    SAMPLE = "sample"
    QUIT = "quit"


@dataclass(frozen=True, slots=True)
class Meeting:
    """Where the instances of one home find each other."""

    lock: str
    """Path of the lock file."""
    socket: str
    """Name or path of the local socket."""


def meeting_point(paths: Paths) -> Meeting:
    """Differs for each home, because each has a state folder of its own."""
    paths.state.mkdir(parents=True, exist_ok=True)
    socket = paths.state / "desktop.socket"
    name = str(socket)
    if os.name == "nt" or len(os.fsencode(name)) > _LONGEST_SOCKET:
        digest = hashlib.sha256(os.fsencode(name)).hexdigest()[:16]
        name = f"scrubjay-{digest}"
    return Meeting(str(paths.state / "desktop.lock"), name)


def claim(meeting: Meeting) -> QLockFile | None:
    """The lock of the first instance; None when another one holds it."""
    lock = QLockFile(meeting.lock)
    # Only a dead owner makes it stale: a laptop may sleep for longer than any time limit.
    lock.setStaleLockTime(0)
    return lock if lock.tryLock(0) else None


def hand_over(meeting: Meeting, wish: Wish) -> bool:
    """Ask the running instance; True when it heard."""
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        socket = QLocalSocket()
        socket.connectToServer(meeting.socket)
        if socket.waitForConnected(_CONNECT_MS):
            return _ask(socket, wish)
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)


def _ask(socket: QLocalSocket, wish: Wish) -> bool:
    # Wayland lets a window come to the front only with a token of the click that wanted it.
    token = os.environ.get("XDG_ACTIVATION_TOKEN", "")
    socket.write(json.dumps({"wish": wish, "token": token}).encode() + b"\n")
    heard = socket.waitForReadyRead(_ANSWER_MS)
    socket.disconnectFromServer()
    return heard


class InstanceServer(QObject):
    """Hears what later starts wish."""

    wished = Signal(object)
    """A Wish."""

    def __init__(self, meeting: Meeting, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._connected)
        # The lock is ours, so whoever left a socket here is dead.
        QLocalServer.removeServer(meeting.socket)
        self.is_listening = self._server.listen(meeting.socket)

    def close(self) -> None:
        """Hear nothing any more."""
        self._server.close()

    def _connected(self) -> None:
        socket = self._server.nextPendingConnection()
        socket.readyRead.connect(lambda: self._read(socket))
        socket.disconnected.connect(socket.deleteLater)
        if socket.canReadLine():
            self._read(socket)

    def _read(self, socket: QLocalSocket) -> None:
        if not socket.canReadLine():
            return
        wish, token = _parsed(bytes(socket.readLine().data()))
        if wish is None:
            socket.disconnectFromServer()
            return
        socket.write(_ANSWER)
        socket.flush()
        if token:
            os.environ["XDG_ACTIVATION_TOKEN"] = token
        self.wished.emit(wish)


def _parsed(line: bytes) -> tuple[Wish | None, str]:
    """Anybody on this account may write to the socket, so nothing about the line is certain."""
    try:
        message = json.loads(line)
        return Wish(message["wish"]), str(message.get("token", ""))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None, ""
