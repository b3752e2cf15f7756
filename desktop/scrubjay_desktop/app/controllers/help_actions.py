"""Help, licences and diagnostics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, qVersion
from PySide6.QtGui import QGuiApplication

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay_desktop.bridge.bridge import Failed, Tasks
from scrubjay_desktop.widgets.message_boxes import help_box
from scrubjay_desktop.windows.main_window import MainWindow

if TYPE_CHECKING:
    from scrubjay_desktop.health.help_dialogs import LicencesDialog


class HelpActions(QObject):
    """Opens the dialogs for help, licences and diagnostics."""

    def __init__(
        self,
        engine: Engine,
        tasks: Tasks,
        paths: Paths,
        window: MainWindow,
        life: CancelToken,
        failed: Failed,
    ) -> None:
        """Failed is told when the diagnostics cannot be had."""
        super().__init__(window)
        self._engine = engine
        self._tasks = tasks
        self._paths = paths
        self._window = window
        self._life = life
        self._failed = failed

    def show_help(self) -> None:
        """Show the keys and the paths of files."""
        self._window.present()
        box = help_box(self._window, self._paths, self.show_licences, self.ask_for_diagnostics)
        box.open()

    def show_licences(self) -> LicencesDialog:
        """The dialog with the licences of all components, opened."""
        from scrubjay_desktop.health.help_dialogs import LicencesDialog

        page = LicencesDialog(self._tasks, self._window)
        page.open()
        return page

    def ask_for_diagnostics(self) -> None:
        """Show the diagnostics, before they are saved."""
        platform = QGuiApplication.platformName()
        future = self._engine.diagnostics(f"Qt {qVersion()}, {platform}")
        self._tasks.watch(future, self._life, done=self._show_diagnostics, failed=self._failed)

    def _show_diagnostics(self, text: str) -> None:
        from scrubjay_desktop.health.help_dialogs import DiagnosticsDialog

        dialog = DiagnosticsDialog(text, self._window)
        dialog.announced.connect(self._window.tell)
        dialog.open()
