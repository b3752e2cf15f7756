"""Uninstalling from the app: first what other programs keep, then the app quits, then its files."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMessageBox

from scrubjay.engine.engine import Engine
from scrubjay.engine.uninstallation import Inventory, Part
from scrubjay_desktop.health.uninstall_dialog import UninstallDialog
from scrubjay_desktop.text.formatting import translate, translated

if TYPE_CHECKING:
    from scrubjay.errors import ScrubjayError
    from scrubjay_desktop.app.ui import Ui

log = logging.getLogger("scrubjay.desktop")


def show_uninstall(ui: Ui, quit_and_delete: Callable[[Collection[Part]], object]) -> None:
    """Show what is stored, once it is known; the app quits with the parts that are removed."""

    def fail(error: ScrubjayError) -> None:
        ui.window.tell(translated(str(error)))

    def show(inventory: Inventory) -> None:
        ui.window.present()
        dialog = UninstallDialog(inventory, ui.window)
        dialog.confirmed.connect(lambda parts: remove(dialog, parts))
        dialog.open()

    # Entries in other programs go while the app can still say what went wrong.
    def remove(dialog: UninstallDialog, parts: Collection[Part]) -> None:
        def go_on(problems: tuple[str, ...]) -> None:
            if problems:
                dialog.show_problems(problems)
            else:
                dialog.close()
                quit_and_delete(parts)

        removed = ui.engine.uninstall.remove_entries(parts)
        # The dialog can be used again whatever went wrong.
        ui.tasks.watch(
            removed,
            ui.life,
            done=go_on,
            failed=lambda error: dialog.show_problems((str(error),)),
            settled=lambda: dialog.setEnabled(True),
        )

    ui.tasks.watch(ui.engine.uninstall.look(), ui.life, done=show, failed=fail)


def delete_files(engine: Engine, parts: Collection[Part], *, is_closed: bool) -> None:
    """Delete the files of the parts that were chosen, unless the engine did not close."""
    # An engine that still runs has files open, and would write others again.
    if not is_closed:
        log.error("The engine did not close in time, so no files were deleted")
        title = translate("Uninstalling", "No files were deleted")
        text = translate(
            "Uninstalling",
            "Scrubjay did not finish its work in time, so its files may still "
            "be in use. Start Scrubjay and try to uninstall it again, or run "
            "`scrubjay uninstall`.",
        )
        QMessageBox.warning(None, title, text)
        return
    problems = engine.uninstall.delete_files(parts)
    if problems:
        title = translate("Uninstalling", "Some files could not be deleted")
        QMessageBox.warning(None, title, "\n".join(map(translated, problems)))
