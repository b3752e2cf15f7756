"""Knows when a Linux desktop can show tray icons.

Qt looks for a StatusNotifier host once, when the first icon is made, and never again. An
app that starts with the session is often there before the panel, so the icon has to wait for it.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import logging

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication

log = logging.getLogger("scrubjay.desktop")

_WATCHER = "org.kde.StatusNotifierWatcher"
_LOOK_MS = 3000
"""Milliseconds between two looks."""
_LOOKS = 200
"""Looks at most, over ten minutes; a panel on D-Bus is noticed later, too."""


class TrayHost(QObject):
    """Announces the first moment when an icon can be shown."""

    appeared = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._looks = 0
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._watcher: QObject | None = None

    def wait(self) -> None:
        """Announce a host: at once when there is one, otherwise when it comes."""
        # Offscreen there is none to wait for.
        if QGuiApplication.platformName() == "offscreen" or _has_host():
            self._announce()
            return
        from PySide6.QtDBus import QDBusConnection, QDBusServiceWatcher

        # The bus announces a host at once; polling finds one from meanwhile or off the bus.
        # All at once: `addWatchedService` of a watcher that was made without its service waits for
        # the bus while it holds Python's lock, and never returns.
        mode = QDBusServiceWatcher.WatchModeFlag.WatchForRegistration
        watcher = QDBusServiceWatcher(_WATCHER, QDBusConnection.sessionBus(), mode, self)
        watcher.serviceRegistered.connect(lambda _: self._announce())
        self._watcher = watcher
        self._timer.start()

    def close(self) -> None:
        """Stop looking and announcing."""
        self._timer.stop()
        if self._watcher is not None:
            self._watcher.deleteLater()
            self._watcher = None

    def _look(self) -> None:
        self._looks += 1
        if _has_host():
            self._announce()
        elif self._looks >= _LOOKS:
            self._timer.stop()

    def _announce(self) -> None:
        self.close()
        self.appeared.emit()


def _has_host() -> bool:
    return _has_notifier_host() or _has_xembed_host()


def _has_notifier_host() -> bool:
    from PySide6.QtDBus import QDBusConnection

    bus = QDBusConnection.sessionBus()
    if not bus.isConnected():
        return False
    return bool(bus.interface().isServiceRegistered(_WATCHER).value())


def _has_xembed_host() -> bool:
    """Whether a tray owns the selection; asked with Xlib, since Qt would settle it for good."""
    if QGuiApplication.platformName() != "xcb":
        return False
    x11 = _xlib()
    if x11 is None:
        log.info("No libX11: Qt decides about the tray")
        return True
    # The connection is closed at once: it is needed for one question.
    display = x11.XOpenDisplay(None)
    if not display:
        return False
    try:
        atom = x11.XInternAtom(display, b"_NET_SYSTEM_TRAY_S0", 0)
        return bool(x11.XGetSelectionOwner(display, atom))
    finally:
        x11.XCloseDisplay(display)


@functools.cache
def _xlib() -> ctypes.CDLL | None:
    """The library Xlib, loaded once: finding a library starts a program of the system."""
    try:
        x11 = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
    except OSError:
        return None
    # Without these ctypes would cut pointers to 32 bits.
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XInternAtom.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
    x11.XInternAtom.restype = ctypes.c_ulong
    x11.XGetSelectionOwner.argtypes = [ctypes.c_void_p, ctypes.c_ulong]
    x11.XGetSelectionOwner.restype = ctypes.c_ulong
    x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
    return x11
