"""The two ways in which later starts reach the Scrubjay of a home."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import ClassInfo, QObject, Signal, Slot
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from scrubjay_desktop.app.start_request import InstanceAddress, StartRequest

if TYPE_CHECKING:
    from PySide6.QtDBus import QDBusConnection

NAME = "org.scrubjay.Scrubjay"
_PATH = "/org/scrubjay/Scrubjay"
_TOKENS = {"activation-token": "XDG_ACTIVATION_TOKEN", "desktop-startup-id": "DESKTOP_STARTUP_ID"}
"""Key of the request -> variable that Qt reads: the right to come to the front."""


class InstanceServer(QObject):
    """Receives the requests of later starts over a local socket."""

    requested = Signal(object)
    """A StartRequest."""

    def __init__(self, address: InstanceAddress, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._connected)
        # This process holds the lock, so a socket left here belongs to a dead one.
        QLocalServer.removeServer(address.socket)
        self.is_listening = self._server.listen(address.socket)

    def close(self) -> None:
        """Receive nothing any more."""
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
        request, token = _parsed(bytes(socket.readLine().data()))
        if request is None:
            socket.disconnectFromServer()
            return
        socket.write(b"ok\n")
        socket.flush()
        if token:
            os.environ["XDG_ACTIVATION_TOKEN"] = token
        self.requested.emit(request)


def _parsed(line: bytes) -> tuple[StartRequest | None, str]:
    """Request and token; None for a malformed line, since any process may write to the socket."""
    try:
        message = json.loads(line)
        return StartRequest(message["wish"]), str(message.get("token", ""))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None, ""


# The names of the slots are those of the interface, which the Desktop Entry Specification defines.
@ClassInfo({"D-Bus Interface": "org.freedesktop.Application"})  # type: ignore[call-arg]
class BusActivation(QObject):  # type: ignore[operator]
    """The app on the session bus, where there is one; without it nothing is lost."""

    requested = Signal(object)
    """A StartRequest."""

    def __init__(self, bus: QDBusConnection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bus = bus
        from PySide6.QtDBus import QDBusConnection

        everything = QDBusConnection.RegisterOption.ExportAllSlots
        self.is_listening = bus.isConnected() and bus.registerObject(_PATH, self, everything)
        if self.is_listening:
            # Refused when the Scrubjay of another home has the name: then the bus knows that one.
            bus.registerService(NAME)

    def close(self) -> None:
        """Be on the bus no longer."""
        if self.is_listening:
            self._bus.unregisterService(NAME)
            self._bus.unregisterObject(_PATH)

    @Slot("QVariantMap")
    def Activate(self, platform_data: dict[str, Any]) -> None:
        """Come to the front."""
        self._request(StartRequest.WINDOW, platform_data)

    @Slot("QStringList", "QVariantMap")
    def Open(self, files: list[str], platform_data: dict[str, Any]) -> None:
        """Come to the front; the desktop entry promises to open no files."""
        self._request(StartRequest.WINDOW, platform_data)

    @Slot(str, "QVariantList", "QVariantMap")
    def ActivateAction(
        self, action: str, parameters: list[Any], platform_data: dict[str, Any]
    ) -> None:
        """Do an action of the desktop entry; others are ignored."""
        if action == StartRequest.QUICK_SEARCH:
            self._request(StartRequest.QUICK_SEARCH, platform_data)

    def _request(self, request: StartRequest, platform_data: dict[str, Any]) -> None:
        for key, variable in _TOKENS.items():
            if isinstance(token := platform_data.get(key), str) and token:
                os.environ[variable] = token
        self.requested.emit(request)
