"""The text cursor: it blinks while somebody types and stands still when nobody does."""

from __future__ import annotations

from PySide6.QtCore import QMetaObject, QObject, QTimer
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

BLINKS_MS = 10_000
"""As GTK has it."""


class CursorBlink(QObject):
    """Two wake-ups a second, all day, are too much for an app that mostly waits in its tray."""

    def __init__(self, app: QApplication, parent: QObject, blinks_ms: int = BLINKS_MS) -> None:
        super().__init__(parent)
        self._app = app
        self._flash_ms = app.cursorFlashTime()
        self._typing: QMetaObject.Connection | None = None
        self._rest = QTimer(self, singleShot=True, interval=blinks_ms)
        self._rest.timeout.connect(self._stand_still)
        app.focusChanged.connect(self._follow)

    def _follow(self, _before: QWidget | None, now: QWidget | None) -> None:
        if self._typing:
            QObject.disconnect(self._typing)
            self._typing = None
        if isinstance(now, QLineEdit | QPlainTextEdit | QTextEdit):
            self._typing = now.cursorPositionChanged.connect(self._blink)
            self._blink()

    def _blink(self) -> None:
        if not self._rest.isActive():
            self._app.setCursorFlashTime(self._flash_ms)
        self._rest.start()

    def _stand_still(self) -> None:
        self._flash_ms = self._app.cursorFlashTime()
        self._app.setCursorFlashTime(0)
