"""A dialog with the plan to import notes, and how far writing them has come."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHeaderView,
    QMessageBox,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from scrubjay.note_import.plan import NotePlan
from scrubjay_desktop.text.formatting import (
    abbreviate_home,
    format_number,
    plain_tip,
    translate,
    translated,
)
from scrubjay_desktop.widgets.buttons import SmallButton, dialog_buttons
from scrubjay_desktop.widgets.labels import bold_label, muted_label, progress_bar
from scrubjay_desktop.widgets.layouts import DIALOG, hbox, vbox
from scrubjay_desktop.widgets.message_boxes import question_box
from scrubjay_desktop.widgets.theme import GRID

_SHOWN = 200
"""Parts that are not imported and named, at most."""


def file_or_folder_question(parent: QWidget) -> QMessageBox:
    """The question whether an export is a file or an unpacked folder: no file dialog takes both."""
    details = translate(
        "Export",
        "Scrubjay imports notes from Evernote, Notion, Google Keep, "
        "Joplin, Simplenote, Day One and Bear, conversations from ChatGPT "
        "and Claude, and web pages exported from programs such as Apple "
        "Notes and OneNote. You can choose a zip file or the unpacked "
        "folder.",
    )
    box = question_box(
        parent,
        translate("Export", "Import notes"),
        text=translate("Export", "Is the export a file or a folder?"),
        details=details,
    )
    # The names of the buttons say what was chosen.
    file = box.addButton(translate("Export", "A &file…"), QMessageBox.ButtonRole.AcceptRole)
    file.setObjectName("file")
    folder = box.addButton(translate("Export", "A f&older…"), QMessageBox.ButtonRole.AcceptRole)
    folder.setObjectName("folder")
    box.setEscapeButton(box.addButton(QMessageBox.StandardButton.Cancel))
    box.setDefaultButton(file)
    return box


class NoteImportDialog(QDialog):
    """What an export holds, the folder for its notes, and a bar while they are written."""

    confirmed = Signal()
    target_chosen = Signal(object)
    """Signal with another folder for the notes."""
    stopped = Signal()
    """Signal that the user wants the writing of notes to stop."""

    def __init__(self, plan: NotePlan, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.plan = plan
        self._is_writing = False
        program = translated(plan.program)
        self.setWindowTitle(self.tr("Import notes from {program}").format(program=program))
        self.resize(80 * GRID, 56 * GRID)
        # What would happen, and where the notes would go.
        words = self.tr(
            "Scrubjay will copy the notes, attachments and dates from {file} to the folder "
            "shown here. The export will not change, and you can undo the import."
        )
        intro = muted_label(words.format(file=plan.export.name))
        self.folder = bold_label()
        self.folder.setTextFormat(Qt.TextFormat.PlainText)
        self.folder.setWordWrap(True)
        self.folder.setAccessibleName(self.tr("Folder for the notes"))
        self.other = SmallButton(self.tr("&Another folder…"))
        self.other.clicked.connect(self._choose)
        # The plan as a tree, of which only what cannot be imported has branches.
        self.tree = QTreeWidget()
        self.tree.setHeaderHidden(True)
        self.tree.setColumnCount(2)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        self.tree.setAccessibleName(self.windowTitle())
        # A bar takes the place of nothing until writing begins.
        self.progress = progress_bar(self.tr("Notes imported so far"))
        self.progress.hide()
        buttons = dialog_buttons(self, QDialogButtonBox.StandardButton.Cancel)
        self.bring = buttons.addButton(self.tr("&Import"), QDialogButtonBox.ButtonRole.ActionRole)
        self.bring.setDefault(True)
        self.bring.clicked.connect(self._confirm)
        self._cancel = buttons.button(QDialogButtonBox.StandardButton.Cancel)
        target = hbox((self.folder, 1), self.other, spacing=1)
        parts = (intro, target, (self.tree, 1), self.progress, buttons)
        vbox(*parts, on=self, margins=DIALOG, spacing=1.5)
        self.show_plan(plan)
        self.bring.setFocus()

    def show_plan(self, plan: NotePlan) -> None:
        """Show the counts, and the folder that they are for."""
        self.plan = plan
        self.folder.setText(abbreviate_home(plan.target))
        self.bring.setEnabled(bool(plan.labels))
        self.tree.clear()
        # Numbers first, then each thing that is not imported, with its reason.
        for title, count in (
            (self.tr("New notes"), len(plan.labels)),
            (self.tr("Already imported"), len(plan.known)),
            (self.tr("Attachments"), plan.attachments),
            (self.tr("Tags"), plan.tags),
        ):
            self._add(title, format_number(count))
        total = len(plan.obstacles) + plan.more_obstacles
        if total:
            group = self._add(self.tr("Not imported"), format_number(total))
            for each in plan.obstacles[:_SHOWN]:
                what = translated(each.what)
                why = translated(each.reason)
                item = QTreeWidgetItem(group, [what, why])
                item.setToolTip(1, plain_tip(why))
            if total > _SHOWN:
                more = self.tr("and {n} more").format(n=format_number(total - _SHOWN))
                QTreeWidgetItem(group, [more])
            group.setExpanded(True)

    def start(self) -> None:
        """Show the bar; from now on the dialog stops the import."""
        self._is_writing = True
        self.progress.setRange(0, len(self.plan.labels))
        self.progress.setValue(0)
        self.progress.show()
        # While it is written, the import can only be stopped.
        for button in (self.bring, self.other):
            button.setEnabled(False)
        self._cancel.setText(self.tr("Stop"))
        self._cancel.setFocus()

    def show_progress(self, done: int) -> None:
        """Show that so many notes are written."""
        self.progress.setValue(done)

    def finish(self) -> None:
        """Close because all notes are written."""
        self._is_writing = False
        self.accept()

    def reject(self) -> None:
        """Stop writing, or close without."""
        if self._is_writing:
            self._is_writing = False
            self.stopped.emit()
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: D102
        self.reject()
        super().closeEvent(event)

    def _add(self, title: str, value: str) -> QTreeWidgetItem:
        return QTreeWidgetItem(self.tree, [title, value])

    def _confirm(self) -> None:
        self.confirmed.emit()

    def _choose(self) -> None:
        dialog = QFileDialog(self, self.tr("Choose the folder for the notes"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(lambda folder: self.target_chosen.emit(Path(folder)))
        dialog.open()
