"""The two ways in which later starts reach the Scrubjay of a home."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import ClassInfo, QObject, QTimer, Signal, Slot
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from scrubjay.platform.installation import APP_ID
from scrubjay_desktop.app.start_request import InstanceAddress, StartRequest

if TYPE_CHECKING:
    from PySide6.QtDBus import QDBusConnection

_PATH = "/org/scrubjay/Scrubjay"
_TOKENS = {"activation-token": "XDG_ACTIVATION_TOKEN", "desktop-startup-id": "DESKTOP_STARTUP_ID"}
"""Key of the request -> variable that Qt reads: the right to come to the front."""
_MOST_BYTES = 16 * 1024
"""Bytes of a request at most, which is a word and a token."""
_MOST_CONNECTIONS = 16
_REQUEST_MS = 5_000
"""Milliseconds that a connection lasts at least; a start writes its request and reads a line at
once."""
_LONGEST_TOKEN = 1_000


class InstanceServer(QObject):
    """Receives the requests of later starts over a local socket."""

    requested = Signal(object)
    """Signal with a StartRequest."""

    def __init__(
        self,
        address: InstanceAddress,
        parent: QObject | None = None,
        *,
        request_ms: int = _REQUEST_MS,
    ) -> None:
        super().__init__(parent)
        # A timer ends connections that neither ask nor leave; each gets one or two of its
        # intervals.
        self._new: set[QLocalSocket] = set()
        self._old: set[QLocalSocket] = set()
        self._timer = QTimer(self, interval=request_ms)
        self._timer.timeout.connect(self._end_old)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._connected)
        # This process holds the lock, so a socket left here belongs to a dead one.
        QLocalServer.removeServer(address.socket)
        self.is_listening = self._server.listen(address.socket)

    def close(self) -> None:
        """Stop receiving requests."""
        self._server.close()
        self._end_old()
        self._end_old()

    def _connected(self) -> None:
        socket = self._server.nextPendingConnection()
        # Methods and not lambdas, which would keep this object alive until a socket is deleted, and
        # with it its parent once more.
        socket.disconnected.connect(self._forget)
        if len(self._new) + len(self._old) >= _MOST_CONNECTIONS:
            socket.abort()
            return
        self._new.add(socket)
        if not self._timer.isActive():
            self._timer.start()
        # A request that is longer than it may be is never read to its end.
        socket.setReadBufferSize(_MOST_BYTES)
        socket.readyRead.connect(self._read)
        if socket.bytesAvailable():
            socket.readyRead.emit()

    def _end_old(self) -> None:
        """End the connections that were here at the call before; each gets one or two intervals."""
        for socket in list(self._old):
            socket.abort()
        self._old = self._new
        self._new = set()
        if not self._old:
            self._timer.stop()

    def _forget(self) -> None:
        """Let go of a socket before it is deleted, which Python would not notice."""
        socket = self._socket()
        self._new.discard(socket)
        self._old.discard(socket)
        socket.deleteLater()

    def _socket(self) -> QLocalSocket:
        """The one whose signal is being received."""
        return cast("QLocalSocket", self.sender())

    def _read(self) -> None:
        socket = self._socket()
        if not socket.canReadLine():
            if socket.bytesAvailable() >= _MOST_BYTES:
                socket.abort()
            return
        # The answer goes out before the request is fulfilled, which may take a while.
        request, token = _parsed(bytes(socket.readLine().data()))
        if request is None:
            socket.disconnectFromServer()
            return
        socket.write(b"ok\n")
        socket.flush()
        _pass_on("XDG_ACTIVATION_TOKEN", token)
        self.requested.emit(request)


def _parsed(line: bytes) -> tuple[StartRequest | None, str]:
    """Request and token; None for a malformed line, since any process may write to the socket."""
    try:
        message = json.loads(line)
        return StartRequest(message["wish"]), str(message.get("token", ""))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None, ""


def _pass_on(variable: str, token: object) -> None:
    """Give Qt a token of the desktop; whatever cannot be one is ignored."""
    is_token = isinstance(token, str) and token.isascii() and token.isprintable()
    if is_token and 0 < len(str(token)) <= _LONGEST_TOKEN:
        os.environ[variable] = str(token)


# The names of the slots are those of the interface, which the Desktop Entry Specification defines.
@ClassInfo({"D-Bus Interface": "org.freedesktop.Application"})  # type: ignore[call-arg]
class BusActivation(QObject):  # type: ignore[operator]
    """The app on the session bus, where there is one; without it nothing is lost."""

    requested = Signal(object)
    """Signal with a StartRequest."""

    def __init__(self, bus: QDBusConnection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bus = bus
        from PySide6.QtDBus import QDBusConnection

        everything = QDBusConnection.RegisterOption.ExportAllSlots
        self.is_listening = bus.isConnected() and bus.registerObject(_PATH, self, everything)
        if self.is_listening:
            # Refused when the Scrubjay of another home has the name: then the bus knows that one.
            bus.registerService(APP_ID)

    def close(self) -> None:
        """Leave the bus."""
        if self.is_listening:
            self._bus.unregisterService(APP_ID)
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
            _pass_on(variable, platform_data.get(key))
        self.requested.emit(request)
