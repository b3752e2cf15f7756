"""The changes that connect or disconnect an agent, with a tick for each part."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QFrame, QWidget

from scrubjay.agents.connect.connection_records import ConnectionChange, ConnectionPart
from scrubjay.records.journal_records import DiffLine, LineKind
from scrubjay_desktop.text.formatting import abbreviate_home, translated
from scrubjay_desktop.timeline.diff_view import DiffText
from scrubjay_desktop.widgets.buttons import dialog_buttons
from scrubjay_desktop.widgets.labels import muted_label, plain_label
from scrubjay_desktop.widgets.layouts import DIALOG, NONE, vbox
from scrubjay_desktop.widgets.theme import GRID


class ChangeDialog(QDialog):
    """The lines that would change in the files of another program."""

    parts_changed = Signal(object)
    """Signal with the parts that are ticked, for which the change is to be planned again."""

    def __init__(self, change: ConnectionChange, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.change = change
        """The change that is shown, which is made when the dialog is accepted."""
        title = self.tr("Connect {agent}")
        if change.is_undo:
            title = self.tr("Disconnect {agent}")
        self.setWindowTitle(title.format(agent=change.name))
        self.resize(90 * GRID, 66 * GRID)
        # Each part can be left out; an agent is disconnected as a whole.
        self.ticks: dict[ConnectionPart, QCheckBox] = {}
        """Boxes by the part that they switch."""
        ticks = QWidget()
        if not change.is_undo:
            self._make_ticks(change)
        vbox(*self.ticks.values(), on=ticks, margins=NONE, spacing=0.5)
        ticks.setVisible(bool(self.ticks))
        self.lacks = muted_label()
        self._files = plain_label()
        # The exact lines are shown before anything is written.
        self.diff = DiffText()
        self.diff.setFrameShape(QFrame.Shape.StyledPanel)
        self.diff.setAccessibleName(self.tr("Planned changes"))
        buttons = dialog_buttons(self, QDialogButtonBox.StandardButton.Cancel)
        self.write = buttons.addButton(
            self.tr("&Apply changes"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        parts = (ticks, self.lacks, self._files, (self.diff, 1), buttons)
        vbox(*parts, on=self, margins=DIALOG, spacing=1.5)
        self.show_change(change)

    def show_change(self, change: ConnectionChange) -> None:
        """Show a change, also one for other parts than before."""
        self.change = change
        # What this agent cannot do, in case a person waits for it.
        self.lacks.setText(" ".join(translated(sentence) for sentence in change.lacks))
        self.lacks.setVisible(bool(change.lacks) and not change.is_undo)
        text = self.tr("Scrubjay will change these lines. A copy of each file will be kept.")
        if not change.is_needed:
            text = self.tr("The agent's settings do not need to be changed.")
        self._files.setText(text)
        self.diff.show_lines(list(_lines(change)))
        self.write.setEnabled(change.is_needed)

    def _make_ticks(self, change: ConnectionChange) -> None:
        # A tick says what the part does for a person, not what it is called.
        texts = {
            ConnectionPart.SERVER: self.tr("Let {agent} search your notes"),
            ConnectionPart.HOOKS: self.tr(
                "Recall notes before answers, and keep finished conversations"
            ),
            ConnectionPart.INSTRUCTIONS: self.tr("Tell {agent} when to search and what to keep"),
        }
        for part in change.available:
            box = QCheckBox(texts[part].format(agent=change.name))
            box.setChecked(part in change.parts)
            box.toggled.connect(self._toggle)
            self.ticks[part] = box

    def _toggle(self) -> None:
        ticked = frozenset(part for part, box in self.ticks.items() if box.isChecked())
        # The lines on the screen are no longer those that would be written.
        self.write.setEnabled(False)
        self.parts_changed.emit(ticked)


def _lines(change: ConnectionChange) -> Iterator[DiffLine]:
    """The lines of all files, each file below its path."""
    # A blank line divides the files.
    for number, planned in enumerate(change.files):
        if number:
            yield DiffLine(LineKind.SAME, "", 0)
        yield DiffLine(LineKind.SAME, abbreviate_home(planned.file), 0)
        yield from planned.lines
