"""One Scrubjay for each home: the lock of the first, and the server that hears later starts."""

from __future__ import annotations

import json
import os

from PySide6.QtCore import QLockFile, QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from scrubjay_desktop.app.start_request import Meeting, StartRequest


def claim(meeting: Meeting) -> QLockFile | None:
    """The lock of the first instance; None when another one holds it."""
    lock = QLockFile(meeting.lock)
    # Only a dead owner makes it stale: a laptop may sleep for longer than any time limit.
    lock.setStaleLockTime(0)
    return lock if lock.tryLock(0) else None


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
        socket.write(b"ok\n")
        socket.flush()
        if token:
            os.environ["XDG_ACTIVATION_TOKEN"] = token
        self.wished.emit(wish)


def _parsed(line: bytes) -> tuple[StartRequest | None, str]:
    """Anybody on this account may write to the socket, so nothing about the line is certain."""
    try:
        message = json.loads(line)
        return StartRequest(message["wish"]), str(message.get("token", ""))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None, ""
