"""Help, licences and diagnostics: their dialogs, over the window of the app."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication

from scrubjay_desktop.text.formatting import translated

if TYPE_CHECKING:
    from scrubjay.errors import ScrubjayError
    from scrubjay_desktop.app.ui import Ui
    from scrubjay_desktop.health.help_dialogs import LicencesDialog


def show_help(ui: Ui) -> None:
    """Show how to search, the keys and the paths of files."""
    # Imported late, as all dialogs of the help: few people open them.
    from scrubjay_desktop.health.help_dialogs import HelpDialog

    ui.window.present()
    keys = ui.window.window_actions.keys()
    dialog = HelpDialog(ui.engine.paths, keys, ui.window)
    dialog.licences_requested.connect(lambda: show_licences(ui))
    dialog.diagnostics_requested.connect(lambda: show_diagnostics(ui))
    dialog.open()


def show_licences(ui: Ui) -> LicencesDialog:
    """The dialog with the licences of all components, opened."""
    from scrubjay_desktop.health.help_dialogs import LicencesDialog

    dialog = LicencesDialog(ui.tasks, ui.window)
    dialog.open()
    return dialog


def show_diagnostics(ui: Ui) -> None:
    """Show the diagnostics, before they are saved."""
    from scrubjay_desktop.health.help_dialogs import DiagnosticsDialog

    # The diagnostics are gathered first, and shown when they are complete.
    def show(text: str) -> None:
        dialog = DiagnosticsDialog(text, ui.preferences.stored, ui.window)
        dialog.announced.connect(ui.window.show_message)
        dialog.open()

    def fail(error: ScrubjayError) -> None:
        ui.window.tell(translated(str(error)))

    future = ui.engine.diagnostics(f"Qt {qVersion()}, {QGuiApplication.platformName()}")
    ui.tasks.watch(future, ui.life, done=show, failed=fail)
