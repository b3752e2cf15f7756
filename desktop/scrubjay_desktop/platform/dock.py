"""The icon of the app in the Dock of a Mac.

See `applicationShouldHandleReopen` in Apple's documentation of NSApplicationDelegate. Qt announces
it as one more activation of the app (`qcocoaapplicationdelegate.mm`).
"""

from __future__ import annotations

import os
import sys
from collections.abc import MutableMapping

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QApplication

STAY_BEHIND = "QT_MAC_DISABLE_FOREGROUND_APPLICATION_TRANSFORM"
"""Variable by which Qt leaves the app that the person works with in front."""


class DockIcon(QObject):
    """Announces a click while no window of the app is open.

    The Finder does the same when an app that runs already is opened.
    """

    clicked = Signal()

    def __init__(self, app: QApplication, parent: QObject | None = None) -> None:
        super().__init__(parent)
        app.applicationStateChanged.connect(self._look)

    def _look(self, state: Qt.ApplicationState) -> None:
        # The popup shows itself before it activates the app, and macOS restores what is minimised.
        is_open = any(window.isVisible() for window in QApplication.topLevelWidgets())
        if state == Qt.ApplicationState.ApplicationActive and not is_open:
            self.clicked.emit()


def stay_behind(
    environ: MutableMapping[str, str] = os.environ,
    *,
    system: str = sys.platform,
    is_bundle: bool | None = None,
) -> None:
    """Let Qt not bring an app to the front that starts when the person logs in.

    Outside of a bundle Qt needs to, since the app would have neither keys nor a menu.
    """
    # PyInstaller marks the programs that it makes.
    if is_bundle is None:
        is_bundle = getattr(sys, "frozen", False)
    if system == "darwin" and is_bundle:
        environ[STAY_BEHIND] = "1"
