"""What tells a person something: a banner over the window, a page where rows will be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFont,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
)
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from scrubjay_desktop.widgets.buttons import IconButton
from scrubjay_desktop.widgets.labels import Picture
from scrubjay_desktop.widgets.theme import GRID, colors_of, sized

_READABLE = 56 * GRID
"""Longer lines are hard to read."""


def announce(speaker: QWidget, sentence: str) -> None:
    """Let a screen reader say a sentence that the eye finds on speaker."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(speaker, sentence))


@dataclass(frozen=True, slots=True)
class Offer:
    """Something that can be done about what a banner says."""

    text: str
    act: Callable[[], object]


Told = tuple[str, Offer | None, bool]
"""A sentence, what can be done about it, and whether it is good news."""


class Banner(QFrame):
    """One thing a person should know, with a button that closes it."""

    closed = Signal()

    def __init__(self, close: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = QLabel()
        self._words.setWordWrap(True)
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._shown: Told | None = None
        self._covered: Told | None = None
        self.offer = QToolButton()
        self.offer.setAutoRaise(True)
        self.offer.setFont(sized(self.font(), 0, QFont.Weight.DemiBold))
        self.offer.clicked.connect(self._take_offer)
        self.offer.hide()
        button = IconButton("close", close)
        button.clicked.connect(self._close)
        row = QHBoxLayout(self)
        row.setContentsMargins(GRID * 3 // 2, 2 * GRID, GRID, GRID)
        self.is_good = False
        """Whether it tells of something that went well."""
        self._picture = Picture("warning", 20)
        row.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._words, 1)
        row.addWidget(self.offer, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self.hide()

    @property
    def words(self) -> str:
        """What it says."""
        return self._words.text()

    def tell(self, sentence: str, offer: Offer | None = None, *, is_good: bool = False) -> None:
        """Show a sentence until it is closed, with what can be done about it.

        What is good news looks like it. An offer that another sentence covers comes back when that
        is closed: it may be the only way to undo something.
        """
        covered = self._shown if self._shown and self._shown[1] else self._covered
        self._covered = None if offer else covered
        self._shown = (sentence, offer, is_good)
        self._words.setText(sentence)
        self.is_good = is_good
        self._picture.setVisible(not is_good)
        self.update()
        self.offer.setVisible(offer is not None)
        if offer is not None:
            self.offer.setText(offer.text)
            self.offer.setAccessibleName(offer.text)
            self.offer.setAccessibleDescription(sentence)
        self.show()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(colors.good if self.is_good else colors.warning, 1))
        painter.setBrush(colors.good_soft if self.is_good else colors.warning_soft)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, GRID, -1, -1), GRID, GRID)

    def _take_offer(self) -> None:
        offer = self._shown[1] if self._shown else None
        self._close()
        if offer is not None:
            offer.act()

    def _close(self) -> None:
        covered, self._covered, self._shown = self._covered, None, None
        if covered is not None:
            sentence, offer, is_good = covered
            self.tell(sentence, offer, is_good=is_good)
            return
        self.hide()
        self.closed.emit()


class EmptyState(QWidget):
    """What stands where rows will be: a picture, a sentence, what to do."""

    def __init__(self, picture: str, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = QLabel(title)
        self._title.setFont(sized(self.font(), 4, QFont.Weight.DemiBold))
        self._text = QLabel(text)
        for label in (self._title, self._text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.setWordWrap(True)
            label.setMaximumWidth(_READABLE)
        self._text.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._buttons = QVBoxLayout()
        self._buttons.setSpacing(GRID)
        column = QVBoxLayout(self)
        column.setContentsMargins(4 * GRID, 2 * GRID, 4 * GRID, 2 * GRID)
        column.setSpacing(GRID)
        column.addStretch(2)
        size = 12 * GRID if picture == "app" else 5 * GRID
        column.addWidget(Picture(picture, size), 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(GRID)
        for label in (self._title, self._text):
            row = QHBoxLayout()
            row.addWidget(label)
            column.addLayout(row)
        column.addSpacing(GRID)
        column.addLayout(self._buttons)
        column.addStretch(3)

    def show_message(self, title: str, text: str) -> None:
        """Show another title and text."""
        self._title.setText(title)
        self._text.setText(text)
        self.setAccessibleName(f"{title}. {text}")

    def add_widget(self, widget: QWidget) -> None:
        """Something between or below the buttons."""
        self._buttons.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)

    def add_button(self, button: QPushButton) -> None:
        """Something to do, below the words."""
        button.setFixedWidth(max(28 * GRID, button.sizeHint().width() + 2 * GRID))
        self._buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
