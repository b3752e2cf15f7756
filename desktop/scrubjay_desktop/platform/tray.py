"""Where the platform keeps icons of programs that run in the background."""

from __future__ import annotations

import sys
from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QSystemTrayIcon

from scrubjay_desktop.platform.tray_host import TrayHost
from scrubjay_desktop.text.formatting import plain_notice, translate


class SystemTray:
    """One icon with a menu, in the tray of Windows and macOS, which is always there."""

    def __init__(self, parent: QObject, *, opens_menu: bool) -> None:
        """With opens_menu a click opens the menu by itself and is nothing else, as on macOS."""
        self._parent = parent
        self._opens_menu = opens_menu
        self._look = (QIcon(), "")
        self._icon: QSystemTrayIcon | None = None

    @property
    def is_visible(self) -> bool:
        """Whether the person can see the icon."""
        return self._icon is not None and QSystemTrayIcon.isSystemTrayAvailable()

    def show(
        self, menu: QMenu, clicked: Callable[[], None], middle_clicked: Callable[[], None]
    ) -> None:
        """Appear at once."""
        kinds = QSystemTrayIcon.ActivationReason

        # A double click comes as a click on some platforms and as itself on others.
        def activated(reason: QSystemTrayIcon.ActivationReason) -> None:
            if reason == kinds.MiddleClick:
                middle_clicked()
            elif reason in (kinds.Trigger, kinds.DoubleClick) and not self._opens_menu:
                clicked()

        self._icon = QSystemTrayIcon(self._parent)
        self._icon.setContextMenu(menu)
        self._icon.activated.connect(activated)
        self.draw(*self._look)
        self._icon.show()

    def draw(self, icon: QIcon, tooltip: str) -> None:
        """Look like this from now on."""
        self._look = (icon, tooltip)
        if self._icon is not None:
            self._icon.setIcon(icon)
            self._icon.setToolTip(tooltip)

    def notify(self, title: str, text: str) -> None:
        """Show a notification, which every platform turns into its own kind."""
        if self._icon is not None and QSystemTrayIcon.supportsMessages():
            self._icon.showMessage(
                title, plain_notice(text), QSystemTrayIcon.MessageIcon.Information
            )
            _name_balloon()

    def close(self) -> None:
        """Disappear at once and for good."""
        if self._icon is not None:
            self._icon.hide()


class LinuxTray(SystemTray):
    """The tray of a panel, which may come later than the app, or never."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent, opens_menu=False)
        self._host = TrayHost(parent)

    def show(
        self, menu: QMenu, clicked: Callable[[], None], middle_clicked: Callable[[], None]
    ) -> None:
        """Appear as soon as there is a tray."""
        appear = super().show
        self._host.appeared.connect(lambda: appear(menu, clicked, middle_clicked))
        self._host.wait()

    def close(self) -> None:
        """Disappear at once and for good."""
        self._host.close()
        super().close()


def create_tray(parent: QObject) -> SystemTray:
    """The tray of this platform."""
    match sys.platform:
        case "linux":
            return LinuxTray(parent)
        case system:
            return SystemTray(parent, opens_menu=system == "darwin")


def _name_balloon() -> None:
    """Name the button that closes a notification where Qt draws it itself."""
    for top in QApplication.topLevelWidgets():
        if top.inherits("QBalloonTip"):
            for button in top.findChildren(QAbstractButton):
                button.setAccessibleName(translate("News", "Close"))
