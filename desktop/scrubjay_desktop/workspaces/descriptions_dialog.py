"""The dialog in which a person describes a folder for agents."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QFrame, QPlainTextEdit, QWidget

from scrubjay.records.note_records import FolderDescription, Workspace
from scrubjay_desktop.widgets.buttons import dialog_buttons
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.layouts import DIALOG, vbox
from scrubjay_desktop.widgets.theme import GRID


class DescriptionsDialog(QDialog):
    """Descriptions of a workspace and its folders, of which one is shown at a time."""

    def __init__(self, workspace: Workspace, folders: Iterable[str], parent: QWidget) -> None:
        """Folders are those with notes; described ones can be chosen as well."""
        super().__init__(parent)
        self._workspace = workspace
        self._texts = {each.folder: each.text for each in workspace.descriptions}
        self.setWindowTitle(self.tr("Describe “{name}” for agents").format(name=workspace.name))
        explanation = muted_label(
            self.tr(
                "Say in one or two sentences what is in the folder. Agents that find notes in it "
                "get this description with the results."
            )
        )
        # The workspace itself comes first, and its folders below it.
        self.folder = QComboBox()
        self.folder.setAccessibleName(self.tr("Folder to describe"))
        self.folder.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.folder.addItem(self.tr("The whole folder"), "")
        for path in sorted({*folders, *self._texts} - {""}, key=str.casefold):
            self.folder.addItem(path, path)
        self.box = QPlainTextEdit()
        self.box.setFrameShape(QFrame.Shape.StyledPanel)
        self.box.setTabChangesFocus(True)
        self.box.setAccessibleName(self.tr("Description of the folder"))
        self.box.setPlaceholderText(self.tr("For example: Minutes of the parents' council"))
        kinds = QDialogButtonBox.StandardButton
        buttons = dialog_buttons(self, kinds.Ok | kinds.Cancel)
        vbox(explanation, self.folder, (self.box, 1), buttons, on=self, margins=DIALOG, spacing=1.5)
        self.resize(64 * GRID, 36 * GRID)
        # The text of each folder is kept while others are shown.
        self.folder.currentIndexChanged.connect(self._show)
        self.box.textChanged.connect(self._keep)
        self._show()
        self.box.setFocus()

    @property
    def chosen(self) -> Workspace:
        """The workspace with the descriptions that were typed; empty ones are dropped."""
        lines = {folder: " ".join(text.split()) for folder, text in self._texts.items()}
        described = (
            FolderDescription(folder, text) for folder, text in sorted(lines.items()) if text
        )
        return replace(self._workspace, descriptions=tuple(described))

    def _show(self) -> None:
        self.box.setPlainText(self._texts.get(self.folder.currentData(), ""))

    def _keep(self) -> None:
        self._texts[self.folder.currentData()] = self.box.toPlainText()
