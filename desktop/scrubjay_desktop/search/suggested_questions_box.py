"""Questions to try under the empty box, and the key that searches from any program."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QWidget

from scrubjay_desktop.widgets.buttons import Chip, IconButton
from scrubjay_desktop.widgets.flow_layout import FlowLayout
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.layouts import NONE, TOP, hbox, vbox

COUNT = 3
"""Questions that are shown at once."""


class SuggestedQuestionsBox(QWidget):
    """Three questions of the user's own notes, each a click; hidden until there are any."""

    chosen = Signal(str)
    closed = Signal()
    """Signal that the user no longer wants to see them."""

    def __init__(self) -> None:
        super().__init__()
        self._questions: tuple[str, ...] = ()
        self.chips = [Chip("", "") for _ in range(COUNT)]
        for chip in self.chips:
            # A click searches, and chooses nothing that stays.
            chip.setCheckable(False)
            chip.clicked.connect(lambda _=False, chip=chip: self.chosen.emit(chip.text()))
        row = QWidget()
        row.setLayout(FlowLayout(muted_label(self.tr("Try:")), *self.chips))
        close = IconButton("close", self.tr("Hide the suggested questions"))
        close.clicked.connect(self.closed)
        # As high as the first line of questions, so that it stands in its middle.
        close.setFixedHeight(self.chips[0].sizeHint().height())
        self.keys = muted_label("")
        self.keys.hide()
        lines = vbox(row, self.keys, margins=NONE, spacing=0.5)
        hbox((lines, 1), (close, TOP), on=self, margins=NONE, spacing=1)
        self.hide()

    def show_questions(self, questions: Sequence[str]) -> None:
        """Offer these; the widget hides without any."""
        for chip, text in zip(self.chips, (*questions, *[""] * COUNT), strict=False):
            chip.setText(text)
            chip.setAccessibleName(self.tr("Search for {text}").format(text=text))
            chip.setVisible(bool(text))
        self.setVisible(bool(questions))

    def show_quick_keys(self, keys: QKeySequence) -> None:
        """Tell the key that opens the popup, if there is one."""
        name = keys.toString(QKeySequence.SequenceFormat.NativeText)
        sentence = self.tr("Press {keys} to search from any other program.")
        self.keys.setText(sentence.format(keys=name))
        self.keys.setVisible(bool(name))
