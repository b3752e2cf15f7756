"""Imports set-ups of other programs: first the plan, then the user's consent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from scrubjay.concurrency.futures import gather_futures
from scrubjay.engine.engine import Engine
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay_desktop.bridge.bridge import PageRequests, Tasks
from scrubjay_desktop.text.formatting import format_number, join_words, translated
from scrubjay_desktop.widgets.banner import NEWS, Offer

if TYPE_CHECKING:
    from scrubjay.onboarding.foreign_setups import Setup
    from scrubjay.onboarding.setup_import import Plan, SetupImportResult


class SetupImport(QObject):
    """Looks for set-ups, shows the plan, applies it, takes it back."""

    setups_found = Signal(str)
    """Signal with the names of the programs that have something for us, for a button."""
    announced = Signal(str, object)
    """Signal with a sentence, and an Offer to undo the import or None."""
    workspaces_changed = Signal()

    def __init__(self, engine: Engine, tasks: Tasks, window: QWidget) -> None:
        super().__init__(window)
        self._engine = engine
        self._requests = PageRequests(tasks, self.announced)
        self._window = window

    def look(self) -> None:
        """Find out quietly whether there is something to import."""

        def show(setups: tuple[Setup, ...]) -> None:
            if setups:
                apps = dict.fromkeys(setup.app for setup in setups)
                self.setups_found.emit(join_words(list(apps)))

        self._requests.watch(self._engine.importer.find(), show)

    def present(self) -> None:
        """Show the plan, or say that there is no set-up."""

        def plan(setups: tuple[Setup, ...]) -> None:
            if not setups:
                text = self.tr("No OpenClaw, ClawCode or QMD settings were found on this computer.")
                self.announced.emit(text, NEWS)
                return
            # All plans are shown in one dialog, whichever is ready first.
            plans = gather_futures([self._engine.importer.plan(setup) for setup in setups])
            self._requests.watch(plans, self._show)

        self._requests.watch(self._engine.importer.find(), plan)

    def close(self) -> None:
        """Stop showing anything."""
        self._requests.cancel()

    def _show(self, plans: tuple[Plan, ...]) -> None:
        from scrubjay_desktop.workspaces.setup_import_dialog import SetupImportDialog

        dialog = SetupImportDialog(plans, self._engine.settings_editor.all(), self._window)
        dialog.confirmed.connect(lambda with_models: self._apply(plans, with_models=with_models))
        dialog.open()

    def _apply(self, plans: tuple[Plan, ...], *, with_models: bool) -> None:
        def done(brought: SetupImportResult) -> None:
            self.workspaces_changed.emit()
            text = self.tr("{n} {n:item was|items were} imported.").format(
                n=format_number(len(brought.done))
            )
            # What could not be imported is named with its reason.
            for item, reason in brought.failed:
                text += " " + self.tr("{what} was not imported: {reason}").format(
                    what=translated(item.what), reason=translated(reason)
                )
            self.announced.emit(text, Offer(self.tr("Undo"), self._undo))

        future = self._engine.importer.apply(plans, with_models=with_models)
        self._requests.watch(future, done)

    def _undo(self) -> None:
        def remove(workspaces: tuple[WorkspaceId, ...]) -> None:
            # Folders that were added are removed first, so that the list is right when it is shown.
            listed = [each for each in self._engine.workspaces() if each.id in workspaces]
            removals = [self._engine.folders.remove(workspace) for workspace in listed]
            self._requests.watch(gather_futures(removals), done)

        def done(_: object) -> None:
            self.workspaces_changed.emit()
            text = self.tr(
                "The import was undone. The files of the other program were not changed."
            )
            self.announced.emit(text, NEWS)

        self._requests.watch(self._engine.importer.undo(), remove)
