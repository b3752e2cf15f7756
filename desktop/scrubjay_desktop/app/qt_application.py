"""Qt's part of the app, which hears what the system asks of it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QApplication


class QtApplication(QApplication):
    """Announces that the system asks the app to quit.

    A Mac asks at the end of a session and in the menu of the icon in the Dock. Qt would first close
    each window, and one that stays in the background when it is closed would refuse for the app.
    See `applicationShouldTerminate` in Apple's documentation of NSApplicationDelegate.
    """

    quit_requested = Signal()
    _may_quit = False

    def let_quit(self) -> None:
        """End the event loop at the next request, since the app has closed its parts."""
        self._may_quit = True

    def event(self, event: QEvent) -> bool:  # noqa: D102
        # The same event comes at the end of the app's own quit.
        if event.type() == QEvent.Type.Quit and not self._may_quit:
            self.quit_requested.emit()
            return True
        return super().event(event)
