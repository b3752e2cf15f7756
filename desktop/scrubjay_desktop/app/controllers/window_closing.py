"""What closing the window means."""

from __future__ import annotations

import sys

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from scrubjay_desktop.settings.preferences import OnClose, Preferences
from scrubjay_desktop.text.formatting import translate
from scrubjay_desktop.widgets.message_boxes import question_box


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


def close_question(parent: QWidget, *, has_tray: bool, system: str = sys.platform) -> QMessageBox:
    """The question before the window closes: Accept keeps running, Destructive quits."""
    how = translate(
        "Close",
        "In the background, Scrubjay reads changed notes unless reading is paused. To "
        "reopen the window, click the tray icon.",
    )
    if system == "darwin":
        how = translate(
            "Close",
            "In the background, Scrubjay reads changed notes unless reading is paused. To "
            "reopen the window, click Scrubjay in the Dock.",
        )
    elif not has_tray:
        how = translate(
            "Close",
            "In the background, Scrubjay reads changed notes unless reading is paused. "
            "Because this desktop does not show tray icons, start Scrubjay "
            "again to reopen the window.",
        )
    box = question_box(
        parent,
        translate("Close", "Close Scrubjay"),
        text=translate("Close", "Keep Scrubjay running in the background?"),
        details=how + " " + translate("Close", "You can change this later in the settings."),
    )
    # The names of the buttons say what was chosen.
    keep = box.addButton(translate("Close", "&Keep running"), QMessageBox.ButtonRole.AcceptRole)
    keep.setObjectName("keep")
    leave = box.addButton(translate("Close", "&Quit"), QMessageBox.ButtonRole.DestructiveRole)
    leave.setObjectName("quit")
    box.setEscapeButton(box.addButton(QMessageBox.StandardButton.Cancel))
    box.setDefaultButton(keep)
    return box
