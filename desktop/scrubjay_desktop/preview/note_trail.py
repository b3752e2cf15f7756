"""The way back to notes that links led away from, and forward again."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from scrubjay_desktop.results.result_rows import Row
from scrubjay_desktop.widgets.buttons import IconButton
from scrubjay_desktop.widgets.layouts import NONE, hbox


class TrailStop(Struct, frozen=True):
    """A note, and the place of its scroll bar."""

    row: Row
    scroll: int


class NoteTrail(QWidget):
    """Two buttons, Back and Forward, shown once a link was followed."""

    chosen = Signal(int)
    """Signal with -1 for the note before, 1 for the one after."""

    def __init__(self) -> None:
        super().__init__()
        self._before: list[TrailStop] = []
        self._behind: list[TrailStop] = []
        self.back = IconButton("earlier", self.tr("Back (Alt+Left)"))
        self.forward = IconButton("later", self.tr("Forward (Alt+Right)"))
        for button, key, by in ((self.back, "Alt+Left", -1), (self.forward, "Alt+Right", 1)):
            button.setShortcut(key)
            button.clicked.connect(lambda _=False, by=by: self.chosen.emit(by))
        hbox(self.back, self.forward, on=self, margins=NONE, spacing=0)
        self._show()

    @property
    def origin(self) -> Row | None:
        """The note that the first link was in; None before a link was followed."""
        if not self._before:
            return None
        return self._before[0].row

    def leave(self, stop: TrailStop) -> None:
        """Remember a note that a link leads away from."""
        self._before.append(stop)
        self._behind.clear()
        self._show()

    def turn(self, by: int, here: TrailStop) -> TrailStop | None:
        """The note before (-1) or after (1) the one that is here; None without one."""
        # The note here goes onto the one pile, and the last of the other one comes back.
        taken, filled = (self._before, self._behind)[::-by]
        if not taken:
            return None
        filled.append(here)
        stop = taken.pop()
        self._show()
        return stop

    def clear(self) -> None:
        """Forget the way: another note was chosen."""
        self._before.clear()
        self._behind.clear()
        self._show()

    def _show(self) -> None:
        self.back.setEnabled(bool(self._before))
        self.forward.setEnabled(bool(self._behind))
        self.setVisible(bool(self._before or self._behind))


MOUSE_STEPS = {Qt.MouseButton.BackButton: -1, Qt.MouseButton.ForwardButton: 1}
"""Buttons at the side of a mouse -> steps."""
