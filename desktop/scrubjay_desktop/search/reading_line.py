"""How a question was read where it may have been meant otherwise, and two ways on."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from scrubjay.records.search_records import QueryReading
from scrubjay_desktop.text.status_sentences import reading_sentence
from scrubjay_desktop.widgets.buttons import SmallButton
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.layouts import NONE, hbox, vbox


class ReadingLine(QWidget):
    """What was excluded, with a button that includes it, and operators that do not exist."""

    included = Signal(str)
    """Signal with the question without its exclusions."""
    tips_requested = Signal()
    """Signal that the user wants to see the operators."""

    def __init__(self) -> None:
        super().__init__()
        self._reading = QueryReading()
        # A sentence, and below it, where there is room in any language, a button for each way on.
        self.sentence = muted_label("", -1)
        self.include = SmallButton()
        self.include.clicked.connect(self.include_excluded)
        self.tips = SmallButton(self.tr("Search tips"))
        self.tips.clicked.connect(self.tips_requested)
        buttons = hbox(self.include, self.tips, 1, margins=NONE, spacing=1)
        vbox(self.sentence, buttons, on=self, margins=NONE, spacing=0.5)
        self.show_reading(self._reading)

    @property
    def has_excluded(self) -> bool:
        """Whether the question excludes something beside what it looks for."""
        return bool(self._reading.plain)

    def show_reading(self, reading: QueryReading) -> None:
        """Show how a question was read; nothing where it can only be meant so."""
        self._reading = reading
        sentence = reading_sentence(reading)
        self.sentence.setText(sentence)
        # A button is only there where it has an effect.
        self.include.set_text(self.tr("Include"), ", ".join(reading.excluded))
        self.include.setVisible(self.has_excluded)
        self.tips.setVisible(bool(reading.unknown))
        self.setVisible(bool(sentence))

    def include_excluded(self) -> None:
        """Have the question asked again without its exclusions."""
        if self.has_excluded:
            self.included.emit(self._reading.plain)
