"""What a Linux desktop asks over the session bus: to open the app, or one of its actions.

The package installs a file that makes the bus start the app when somebody asks for its name. A
second start without the bus still comes through the socket of single_instance.py.
"""

from __future__ import annotations

import os
from typing import Any

from PySide6.QtCore import ClassInfo, QObject, Signal, Slot
from PySide6.QtDBus import QDBusConnection

from scrubjay_desktop.app.start_request import StartRequest

NAME = "org.scrubjay.Scrubjay"
_PATH = "/org/scrubjay/Scrubjay"
_TOKENS = {"activation-token": "XDG_ACTIVATION_TOKEN", "desktop-startup-id": "DESKTOP_STARTUP_ID"}
"""What the asker says -> where Qt looks for it: the right to come to the front."""


# The names of the slots are those of the interface, which the Desktop Entry Specification defines.
@ClassInfo({"D-Bus Interface": "org.freedesktop.Application"})  # type: ignore[call-arg]
class BusActivation(QObject):  # type: ignore[operator]
    """The app on the session bus, where there is one; without it nothing is lost."""

    wished = Signal(object)
    """A Wish."""

    def __init__(self, bus: QDBusConnection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bus = bus
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
