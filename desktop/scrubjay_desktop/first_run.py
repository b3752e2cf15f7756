"""What the window shows before there is a folder of notes."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from scrubjay_desktop.controls import Button
from scrubjay_desktop.notices import EmptyState


class FirstRun(QWidget):
    """A friendly beginning: add a folder, drop one, or try the sample."""

    folder_asked = Signal()
    sample_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        state = EmptyState(
            "app",
            self.tr("Find what you wrote down"),
            self.tr(
                "Add a folder of Markdown notes, or drop one here. Scrubjay searches it by words "
                "and by meaning, on this computer only, and never changes your notes."
            ),
        )
        self.add = Button(self.tr("&Add a folder…"), is_primary=True)
        self.sample = Button(self.tr("&Try the sample notes"))
        for button in (self.add, self.sample):
            state.add_button(button)
        column = QVBoxLayout(self)
        column.addWidget(state)
        self.add.clicked.connect(self.folder_asked)
        self.sample.clicked.connect(self.sample_asked)
