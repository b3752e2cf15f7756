"""One Scrubjay for each home: its lock, and the two ways that later starts reach it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import ClassInfo, QLockFile, QObject, Signal, Slot
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from scrubjay_desktop.app.start_request import Meeting, StartRequest

if TYPE_CHECKING:
    from PySide6.QtDBus import QDBusConnection

NAME = "org.scrubjay.Scrubjay"
_PATH = "/org/scrubjay/Scrubjay"
_TOKENS = {"activation-token": "XDG_ACTIVATION_TOKEN", "desktop-startup-id": "DESKTOP_STARTUP_ID"}
"""What the asker says -> where Qt looks for it: the right to come to the front."""


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


# The names of the slots are those of the interface, which the Desktop Entry Specification defines.
@ClassInfo({"D-Bus Interface": "org.freedesktop.Application"})  # type: ignore[call-arg]
class BusActivation(QObject):  # type: ignore[operator]
    """The app on the session bus, where there is one; without it nothing is lost."""

    wished = Signal(object)
    """A Wish."""

    def __init__(self, bus: QDBusConnection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bus = bus
        from PySide6.QtDBus import QDBusConnection

        everything = QDBusConnection.RegisterOption.ExportAllSlots
        self.is_listening = bus.isConnected() and bus.registerObject(_PATH, self, everything)
        if self.is_listening:
            # Taken already by the Scrubjay of another home: then that one is what the bus knows.
            bus.registerService(NAME)

    def close(self) -> None:
        """Be on the bus no longer."""
        if self.is_listening:
            self._bus.unregisterService(NAME)
            self._bus.unregisterObject(_PATH)

    @Slot("QVariantMap")
    def Activate(self, said: dict[str, Any]) -> None:
        """Come to the front."""
        self._wish(StartRequest.WINDOW, said)

    @Slot("QStringList", "QVariantMap")
    def Open(self, files: list[str], said: dict[str, Any]) -> None:
        """Come to the front; the desktop entry promises to open no files."""
        self._wish(StartRequest.WINDOW, said)

    @Slot(str, "QVariantList", "QVariantMap")
    def ActivateAction(self, action: str, given: list[Any], said: dict[str, Any]) -> None:
        """Do what an action of the desktop entry promises; others are not known here."""
        if action == StartRequest.QUICK_SEARCH:
            self._wish(StartRequest.QUICK_SEARCH, said)

    def _wish(self, wish: StartRequest, said: dict[str, Any]) -> None:
        for key, variable in _TOKENS.items():
            if isinstance(token := said.get(key), str) and token:
                os.environ[variable] = token
        self.wished.emit(wish)
