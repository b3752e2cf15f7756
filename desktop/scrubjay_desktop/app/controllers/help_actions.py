"""Help, licences and diagnostics: their dialogs, over the window of the app."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication

if TYPE_CHECKING:
    from scrubjay_desktop.app.application import Desktop
    from scrubjay_desktop.health.help_dialogs import LicencesDialog


def show_help(app: Desktop) -> None:
    """Show how to search, the keys and the paths of files."""
    # Imported late, as all dialogs of the help: few people open them.
    from scrubjay_desktop.health.help_dialogs import HelpDialog

    app.window.present()
    keys = app.window.window_actions.keys()
    dialog = HelpDialog(
        app.paths,
        keys,
        show_licences=lambda: show_licences(app),
        show_diagnostics=lambda: show_diagnostics(app),
        parent=app.window,
    )
    dialog.open()


def show_licences(app: Desktop) -> LicencesDialog:
    """The dialog with the licences of all components, opened."""
    from scrubjay_desktop.health.help_dialogs import LicencesDialog

    dialog = LicencesDialog(app.tasks, app.window)
    dialog.open()
    return dialog


def show_diagnostics(app: Desktop) -> None:
    """Show the diagnostics, before they are saved."""
    from scrubjay_desktop.health.help_dialogs import DiagnosticsDialog

    # The diagnostics are gathered first, and shown when they are complete.
    def show(text: str) -> None:
        dialog = DiagnosticsDialog(text, app.preferences.stored, app.window)
        dialog.announced.connect(app.window.tell)
        dialog.open()

    future = app.engine.diagnostics(f"Qt {qVersion()}, {QGuiApplication.platformName()}")
    app.tasks.watch(future, app.life, done=show, failed=app.late.actions.fail)
