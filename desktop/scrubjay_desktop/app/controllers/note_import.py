"""Imports notes from exports: the plan, the user's consent, progress, the way back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.event_bus import Event
from scrubjay.events import NoteImportProgressed
from scrubjay_desktop.bridge.bridge import PageRequests, Tasks
from scrubjay_desktop.text.formatting import (
    abbreviate_home,
    format_note_count,
    format_number,
    join_words,
    translated,
)
from scrubjay_desktop.widgets.banner import NEWS, Offer

if TYPE_CHECKING:
    from scrubjay.errors import ScrubjayError
    from scrubjay.note_import.note_import import NoteImportResult, NoteImportUndoResult
    from scrubjay.note_import.plan import NotePlan
    from scrubjay_desktop.workspaces.note_import_dialog import NoteImportDialog

_NAMED = 5
"""Changed files that are named at most."""


class NoteImports(QObject):
    """Imports one export at a time."""

    announced = Signal(str, object)
    """Signal with a sentence, and an Offer to undo the import, NEWS or None."""
    workspaces_changed = Signal()

    def __init__(self, engine: Engine, tasks: Tasks, window: QWidget) -> None:
        super().__init__(window)
        self._engine = engine
        self._requests = PageRequests(tasks, self.announced)
        self._window = window
        self._dialog: NoteImportDialog | None = None

    def choose(self) -> None:
        """Let the user choose an export."""
        from scrubjay_desktop.workspaces.note_import_dialog import file_or_folder_question

        box = file_or_folder_question(self._window)
        box.buttonClicked.connect(lambda button: self._choose(button.objectName()))
        box.open()

    def _choose(self, kind: str) -> None:
        from scrubjay.note_import.formats import SUFFIXES

        if not kind:
            return
        dialog = QFileDialog(self._window, self.tr("Choose exported notes"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        # The user chooses among files of known kinds, or takes any.
        if kind == "folder":
            dialog.setFileMode(QFileDialog.FileMode.Directory)
        else:
            dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
            endings = " ".join(sorted(f"*{suffix}" for suffix in SUFFIXES))
            exports = self.tr("Exported notes")
            every = self.tr("All files")
            dialog.setNameFilters((f"{exports} ({endings})", f"{every} (*)"))
        dialog.fileSelected.connect(lambda path: self.present(Path(path)))
        dialog.open()

    def present(self, export: Path) -> None:
        """Show the plan for an export."""
        if self._dialog is not None:
            self._dialog.raise_()
            return
        self.announced.emit(self.tr("Reading {file}…").format(file=export.name), NEWS)
        self._requests.watch(self._engine.note_import.plan(export), self._show)

    def on_event(self, event: Event) -> None:
        """Show how far writing has come."""
        if isinstance(event, NoteImportProgressed) and self._dialog is not None:
            self._dialog.show_progress(event.done)

    def close(self) -> None:
        """Stop showing anything."""
        self._requests.cancel()

    def _show(self, plan: NotePlan) -> None:
        from scrubjay_desktop.workspaces.note_import_dialog import NoteImportDialog

        dialog = NoteImportDialog(plan, self._window)
        self._dialog = dialog
        dialog.finished.connect(self._forget_dialog)
        dialog.target_chosen.connect(lambda target: self._change(dialog, target))
        dialog.confirmed.connect(lambda: self._apply(dialog))
        dialog.open()

    def _forget_dialog(self) -> None:
        self._dialog = None

    def _change(self, dialog: NoteImportDialog, target: Path) -> None:
        def show(plan: NotePlan) -> None:
            if self._dialog is dialog:
                dialog.show_plan(plan)

        self._requests.watch(self._engine.note_import.plan(dialog.plan.export, target), show)

    def _apply(self, dialog: NoteImportDialog) -> None:
        cancel = CancelToken()
        plan = dialog.plan

        def stop() -> None:
            cancel.cancel()
            text = self.tr("The import was stopped. The notes imported so far are in {folder}.")
            self._announce(text.format(folder=abbreviate_home(plan.target)))

        def done(brought: NoteImportResult) -> None:
            # The dialog may have been closed while notes were written.
            if self._dialog is dialog:
                dialog.finish()
            self.workspaces_changed.emit()
            text = self.tr("Scrubjay imported {notes} into {folder}.")
            text = text.format(
                notes=format_note_count(brought.notes), folder=abbreviate_home(brought.target)
            )
            if brought.failed:
                first = brought.failed[0]
                failed = self.tr(
                    "{n} {n:item was|items were} not imported. {n:Item|First item}: {what}. "
                    "{reason}"
                )
                text += " " + failed.format(
                    n=format_number(len(brought.failed)),
                    what=translated(first.what),
                    reason=translated(first.reason),
                )
            self._announce(text)

        def failed(error: ScrubjayError) -> None:
            if self._dialog is dialog:
                dialog.finish()
            self._requests.fail(error)

        dialog.stopped.connect(stop)
        dialog.start()
        self._requests.watch(self._engine.note_import.apply(plan, cancel), done, failed)

    def _announce(self, text: str) -> None:
        self.announced.emit(text, Offer(self.tr("Undo"), self._undo, is_lasting=True))

    def _undo(self) -> None:
        def done(taken: NoteImportUndoResult) -> None:
            self.workspaces_changed.emit()
            text = self.tr(
                "The import was undone, and {n} {n:file was|files were} removed from {folder}."
            )
            text = text.format(n=format_number(taken.removed), folder=abbreviate_home(taken.target))
            # Notes that a person has changed since are not taken away.
            if taken.changed:
                stay = self.tr(
                    "These files were kept because they were changed after the import: {files}."
                )
                text += " " + stay.format(files=join_words(list(taken.changed[:_NAMED])))
            self.announced.emit(text, NEWS)

        self._requests.watch(self._engine.note_import.undo(), done)
