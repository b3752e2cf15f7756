"""A small box for one thing to remember: it becomes the end of today's file."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QLabel, QPlainTextEdit, QWidget

from scrubjay.records.note_records import Workspace
from scrubjay_desktop.text.shortcuts import with_keys
from scrubjay_desktop.widgets.banner import Banner, Offer, announce
from scrubjay_desktop.widgets.buttons import Button
from scrubjay_desktop.widgets.labels import bold_label, muted_label
from scrubjay_desktop.widgets.layouts import DIALOG, hbox, vbox
from scrubjay_desktop.widgets.theme import GRID


class QuickNoteBox(QDialog):
    """A box for a note and its folder. Unfinished text stays when the box is closed."""

    remembered = Signal(object, str)
    """Signal with a Workspace and a text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_busy = False
        self._workspaces: Sequence[Workspace] = ()
        self.setWindowTitle(self.tr("Remember this"))
        self.resize(60 * GRID, 30 * GRID)
        # The button follows the text: an empty note cannot be kept.
        self._build()
        self.text.textChanged.connect(self._show_possible)
        self.keep.clicked.connect(self._keep)
        self._show_possible()

    def show_workspaces(self, workspaces: tuple[Workspace, ...], chosen: str) -> None:
        """Offer these folders, first the one with the chosen id; with one there is no choice."""
        self._workspaces = workspaces
        self.workspace.clear()
        for workspace in workspaces:
            self.workspace.addItem(workspace.name, workspace.id)
        self.workspace.setCurrentIndex(max(0, self.workspace.findData(chosen)))
        for widget in (self.workspace, self._workspace_label):
            widget.setVisible(len(workspaces) > 1)

    def show_busy(self, *, is_busy: bool) -> None:
        """Let nothing be changed while it is being written."""
        self._is_busy = is_busy
        self.text.setReadOnly(is_busy)
        self._show_possible()

    def tell(self, sentence: str, offer: Offer | None = None, *, is_good: bool = False) -> None:
        """Show the result in the open box, with an offer to act on it."""
        self.show_busy(is_busy=False)
        self.banner.tell(sentence, offer, is_good=is_good)
        announce(self.banner, sentence)

    def be_empty(self) -> None:
        """Become ready for the next thing, since this one is written."""
        self.show_busy(is_busy=False)
        self.text.clear()

    def present(self) -> None:
        """Come to the front, ready to type."""
        self.banner.hide()
        self.show()
        self.raise_()
        self.activateWindow()
        self.text.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: D102
        is_return = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_return and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._keep()
            return
        super().keyPressEvent(event)

    def _build(self) -> None:
        # The box has its own title, and a line below it that says where the text goes.
        title = bold_label(self.tr("What should Scrubjay remember?"), 1)
        self.text = QPlainTextEdit()
        self.text.setAccessibleName(title.text())
        self.text.setTabChangesFocus(True)
        title.setBuddy(self.text)
        hint = muted_label(
            self.tr("Your text will be added to the end of today's file. Nothing else will change.")
        )
        # The folder is shown only where there is a choice.
        self.workspace = QComboBox()
        self.workspace.setAccessibleName(self.tr("Folder for the new text"))
        self._workspace_label = QLabel(self.tr("Save &in"), textFormat=Qt.TextFormat.PlainText)
        self._workspace_label.setBuddy(self.workspace)
        self.banner = Banner(self.tr("Close this message"))
        self.keep = Button(self.tr("&Remember"), is_primary=True)
        self.keep.setToolTip(with_keys(self.tr("Remember"), "Ctrl+Enter"))
        # In the order of the platform; the box closes when it is written.
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.addButton(self.keep, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.rejected.connect(self.reject)
        controls = (self._workspace_label, (self.workspace, 1), 1, buttons)
        row = hbox(*controls, spacing=1)
        lines = (self.banner, title, self.text, hint, row)
        vbox(*lines, on=self, margins=DIALOG, spacing=1)

    def _show_possible(self) -> None:
        self.keep.setEnabled(bool(self.text.toPlainText().strip()) and not self._is_busy)

    def _keep(self) -> None:
        if self.keep.isEnabled():
            self.banner.hide()
            self.show_busy(is_busy=True)
            workspace = self._workspaces[self.workspace.currentIndex()]
            self.remembered.emit(workspace, self.text.toPlainText())
