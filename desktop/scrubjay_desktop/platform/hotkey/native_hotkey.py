"""The shared part of hotkeys that the operating system gives or refuses at once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from PySide6.QtCore import QAbstractNativeEventFilter, QTimer
from PySide6.QtGui import QGuiApplication, QKeySequence

from scrubjay_desktop.platform.hotkey.hotkey import HotkeyRefused


class NativeHotkey(QAbstractNativeEventFilter):
    """One key of the whole session. Subclasses grab it, and see its events while it is grabbed."""

    unavailable = ""
    """Always empty: nothing is in the way here."""

    def __init__(self) -> None:
        super().__init__()
        self._pressed: Callable[[], None] | None = None

    def bind(
        self,
        keys: QKeySequence,
        pressed: Callable[[], None],
        refused: Callable[[HotkeyRefused], None],
    ) -> None:
        """Have these keys in place of earlier ones. Raises HotkeyRefused; then there are none."""
        # The system refuses at once.
        del refused
        self.release()
        self._grab(keys)
        self._pressed = pressed
        app = QGuiApplication.instance()
        if app is not None:
            app.installNativeEventFilter(self)

    def release(self) -> None:
        """Give up the keys."""
        if self._pressed is None:
            return
        self._pressed = None
        self._let_go()
        # At the end the filter may outlive the app.
        app = QGuiApplication.instance()
        if app is not None:
            app.removeNativeEventFilter(self)

    @abstractmethod
    def _grab(self, keys: QKeySequence) -> None:
        """Take the keys from the system. Raises HotkeyRefused."""

    @abstractmethod
    def _let_go(self) -> None:
        """Give them back."""

    def _press(self) -> None:
        """Call the function that was bound, once the event has been handled."""
        if self._pressed is not None:
            QTimer.singleShot(0, self._pressed)
