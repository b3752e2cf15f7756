"""The box to type a question in."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from scrubjay_desktop.widgets.buttons import IconButton
from scrubjay_desktop.widgets.labels import Picture
from scrubjay_desktop.widgets.layouts import hbox
from scrubjay_desktop.widgets.theme import sized


class SearchBox(QLineEdit):
    """A line edit with an icon in front and a button that empties it."""

    def __init__(self, placeholder: str, name: str, clear: str, *, height: int = 44) -> None:
        super().__init__(placeholderText=placeholder)
        self.setAccessibleName(name)
        self.setFont(sized(self.font(), 2.5))
        self.setFixedHeight(height)
        clear_button = IconButton("close", clear)
        clear_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        clear_button.setCursor(Qt.CursorShape.ArrowCursor)
        clear_button.hide()
        hbox(Picture("search", 20), 1, clear_button, on=self, margins=(1.5, 0, 1, 0))
        self.textChanged.connect(lambda text: clear_button.setVisible(bool(text)))
        clear_button.clicked.connect(self.empty)

    def empty(self) -> None:
        """Clear the text as if the user had done it."""
        self.clear()
        self.textEdited.emit("")
        self.setFocus()
