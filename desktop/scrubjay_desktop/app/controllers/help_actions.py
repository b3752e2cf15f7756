"""Help, licences, diagnostics, and what is shown of a bug."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, qVersion
from PySide6.QtGui import QGuiApplication

from scrubjay import (
    CancelToken,
    CrashReports,
    Engine,
    Paths,
    report_text,
)
from scrubjay_desktop.bridge.bridge import Failed, Tasks
from scrubjay_desktop.text.formatting import translate
from scrubjay_desktop.widgets.message_boxes import bug_box, help_box
from scrubjay_desktop.windows.main_window import MainWindow

if TYPE_CHECKING:
    from scrubjay_desktop.health.help_dialogs import LicencesPage

log = logging.getLogger("scrubjay.desktop")


class HelpActions(QObject):
    """Opens the dialogs that help a person, or those who help them."""

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
        self._crashes = CrashReports(paths)

    def show_help(self) -> None:
        """The keys, where things are, and who can help."""
        self._window.present()
        box = help_box(self._window, self._paths, self.show_licences, self.ask_for_diagnostics)
        box.open()

    def show_licences(self) -> LicencesPage:
        """What the app is made of."""
        from scrubjay_desktop.health.help_dialogs import LicencesPage

        page = LicencesPage(self._tasks, self._window)
        page.open()
        return page

    def show_bug(self, error: BaseException) -> None:
        """Report an unexpected exception."""
        log.error("Unexpected", exc_info=error)
        text = report_text(error, f"Qt {qVersion()}")
        file = self._crashes.write(text)
        if not self._life.cancelled:
            bug_box(self._window, text, file).open()

    def tell_of_crash(self, report: str) -> None:
        """Show what the last run left when it ended in native code."""
        title = translate("Desktop", "Scrubjay ended unexpectedly the last time.")
        bug_box(self._window, report, self._crashes.folder, title=title).open()

    def ask_for_diagnostics(self) -> None:
        """Show what helps to find a fault, before it is saved."""
        platform = QGuiApplication.platformName()
        future = self._engine.diagnostics(f"Qt {qVersion()}, {platform}")
        self._tasks.watch(future, self._life, done=self._show_diagnostics, failed=self._failed)

    def _show_diagnostics(self, text: str) -> None:
        from scrubjay_desktop.health.help_dialogs import DiagnosticsDialog

        dialog = DiagnosticsDialog(text, self._window)
        dialog.announced.connect(self._window.tell)
        dialog.open()
