"""The choice of a program that opens files of one kind from now on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSettings, QSize, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from scrubjay_desktop.platform.programs import Program, program_file_command
from scrubjay_desktop.text.formatting import plain_tip
from scrubjay_desktop.widgets.buttons import SmallButton, dialog_buttons
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.layouts import DIALOG, hbox, vbox
from scrubjay_desktop.widgets.message_boxes import open_where_it_was
from scrubjay_desktop.widgets.theme import GRID

_COMMAND = Qt.ItemDataRole.UserRole


class ProgramDialog(QDialog):
    """A list of programs, those first that open such files; any other file can be chosen too."""

    def __init__(
        self,
        kind: str,
        programs: Sequence[Program],
        chosen: str,
        stored: QSettings,
        parent: QWidget,
    ) -> None:
        """The kind is the end of a file's name, such as `.md`; chosen is its command until now."""
        super().__init__(parent)
        self._stored = stored
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Choose a program"))
        # The sentence says for which files the choice holds.
        sentence = self.tr(
            "Files whose names end in {kind} will open with this program until "
            "you choose another one."
        )
        if not kind:
            sentence = self.tr(
                "Files without an extension will open with this program until you choose "
                "another one."
            )
        about = muted_label(sentence.format(kind=kind))
        about.setWordWrap(True)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Programs"))
        self._add(self.tr("Default program"), "")
        # Programs that open such files come first, and the order of the others stays.
        for program in sorted(programs, key=lambda program: not program.opens(kind)):
            self._add(program.name, program.command)
        self._choose(chosen)
        self.list.itemActivated.connect(self.accept)
        # A program that is not in the list is chosen as a file.
        self.another = SmallButton(self.tr("&Another program…"))
        self.another.clicked.connect(self._ask_for_file)
        kinds = QDialogButtonBox.StandardButton
        buttons = dialog_buttons(self, kinds.Ok | kinds.Cancel)
        vbox(
            about,
            (self.list, 1),
            hbox(self.another, 1, buttons),
            on=self,
            margins=DIALOG,
            spacing=1,
        )
        self.resize(56 * GRID, 56 * GRID)
        self.list.setFocus()

    @property
    def command(self) -> str:
        """The command of the chosen program; empty for the default one."""
        return str(self.list.currentItem().data(_COMMAND))

    def choose_file(self, file: Path) -> None:
        """Choose the program of a file."""
        self._choose(program_file_command(file), file.stem)

    def _choose(self, command: str, name: str = "") -> None:
        """Choose a command, which may not be in the list yet."""
        items = (self.list.item(row) for row in range(self.list.count()))
        item = next((item for item in items if item.data(_COMMAND) == command), None)
        self.list.setCurrentItem(item or self._add(name or command, command))

    def _add(self, name: str, command: str) -> QListWidgetItem:
        item = QListWidgetItem(name, self.list)
        item.setData(_COMMAND, command)
        item.setToolTip(plain_tip(command))
        item.setSizeHint(QSize(0, 4 * GRID))
        return item

    def _ask_for_file(self) -> None:
        dialog = QFileDialog(self, self.tr("Choose a program"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda file: self.choose_file(Path(file)))
        open_where_it_was(dialog, self._stored, "program")
