"""The box to type a question in."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit

from scrubjay_desktop.widgets.buttons import IconButton
from scrubjay_desktop.widgets.labels import Picture
from scrubjay_desktop.widgets.painting import paint_box, smooth_painter
from scrubjay_desktop.widgets.theme import GRID, colors_of, sized


class SearchBox(QFrame):
    """A line edit with an icon before it and a button that clears it."""

    def __init__(self, placeholder: str, name: str, clear: str, *, height: int = 44) -> None:
        super().__init__()
        self.edit = QLineEdit(placeholderText=placeholder)
        self.edit.setAccessibleName(name)
        self.edit.setFrame(False)
        self.edit.setFont(sized(self.font(), 2.5))
        self.edit.setStyleSheet("background: transparent")
        clear_button = IconButton("close", clear)
        clear_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        clear_button.hide()
        self.setFixedHeight(height)
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID * 3 // 2, 0, GRID, 0)
        row.setSpacing(GRID)
        row.addWidget(Picture("search", 20))
        row.addWidget(self.edit, 1)
        row.addWidget(clear_button)
        self.setFocusProxy(self.edit)
        self.edit.installEventFilter(self)
        self.edit.textChanged.connect(lambda text: clear_button.setVisible(bool(text)))
        clear_button.clicked.connect(self.clear)

    def clear(self) -> None:
        """Empty the box as if the user had done it."""
        self.edit.clear()
        self.edit.textEdited.emit("")
        self.edit.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: D102
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = colors_of(self.palette())
        is_focused = self.edit.hasFocus()
        border, width = (colors.accent, 2.0) if is_focused else (colors.border, 1.0)
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        paint_box(smooth_painter(self), area, colors.surface, border, GRID, width)
