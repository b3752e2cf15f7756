"""What closing the window means."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from scrubjay_desktop.settings.preferences import OnClose, Preferences
from scrubjay_desktop.widgets.message_boxes import close_question


class CloseController(QObject):
    """Hides the window or asks to quit, as the person once chose."""

    quit_requested = Signal()

    def __init__(self, window: QWidget, preferences: Preferences) -> None:
        super().__init__(window)
        self._window = window
        self._preferences = preferences

    def close_window(self, *, has_tray: bool) -> None:
        """Do what closing means: the close button of the window was pressed."""
        match self._preferences.on_close:
            case OnClose.QUIT:
                self.quit_requested.emit()
            case OnClose.KEEP_RUNNING:
                self._window.hide()
            case OnClose.ASK:
                # The answer is remembered as the user's choice.
                box = close_question(self._window, has_tray=has_tray)
                box.buttonClicked.connect(lambda button: self._answered(button.objectName()))
                box.open()

    def _answered(self, name: str) -> None:
        if name == "quit":
            self._preferences.on_close = OnClose.QUIT
            self.quit_requested.emit()
        elif name == "keep":
            self._preferences.on_close = OnClose.KEEP_RUNNING
            self._window.hide()
