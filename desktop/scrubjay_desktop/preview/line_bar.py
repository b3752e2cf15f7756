"""A box for one line to add at the end of the note that is shown."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from scrubjay_desktop.text.shortcuts import with_keys
from scrubjay_desktop.widgets.buttons import IconButton
from scrubjay_desktop.widgets.layouts import hbox


class LineBar(QWidget):
    """The box, below the note. What was typed stays until it is written or another note comes."""

    entered = Signal(str)
    """A text to add to the note."""
    left = Signal()
    """The box had the keys, and was closed."""

    def __init__(self) -> None:
        super().__init__()
        text = self.tr("Add a line to this note")
        self.box = QLineEdit(placeholderText=text)
        self.box.setAccessibleName(text)
        self.add = IconButton("plus", with_keys(self.tr("Add line"), "Enter"))
        close = IconButton("close", with_keys(self.tr("Close"), "Esc"))
        hbox((self.box, 1), self.add, close, on=self, margins=(3, 1, 2, 1), spacing=0.5)
        self.add.clicked.connect(self._enter)
        close.clicked.connect(self.close_bar)
        self.hide()

    def open_bar(self) -> None:
        """Show the box, ready to type."""
        self.show()
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def close_bar(self) -> None:
        """Hide the box, and give the keys away."""
        had_keys = self.isAncestorOf(self.focusWidget() or self.box.window())
        self.hide()
        if had_keys:
            self.left.emit()

    def empty(self) -> None:
        """Empty the box: its line is written, or meant for a note that is no longer shown."""
        self.box.clear()
        self.show_busy(is_busy=False)
        self.close_bar()

    def show_busy(self, *, is_busy: bool) -> None:
        """Let nothing be changed while the line is being written."""
        self.box.setReadOnly(is_busy)
        self.add.setEnabled(not is_busy)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: D102
        match event.key():
            case Qt.Key.Key_Escape:
                self.close_bar()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._enter()
            case _:
                super().keyPressEvent(event)

    def _enter(self) -> None:
        if self.box.text().strip() and self.add.isEnabled():
            self.show_busy(is_busy=True)
            self.entered.emit(self.box.text())
