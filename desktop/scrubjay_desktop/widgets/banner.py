"""Messages: a banner over the window, an empty state in place of rows, an announcement."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFont,
    QFontMetrics,
    QGuiApplication,
)
from PySide6.QtWidgets import QFrame, QPushButton, QToolButton, QToolTip, QWidget

from scrubjay_desktop.text.formatting import translate
from scrubjay_desktop.widgets.buttons import IconButton
from scrubjay_desktop.widgets.labels import IconLabel, bold_label, muted_label, plain_label
from scrubjay_desktop.widgets.layouts import TOP, hbox, vbox
from scrubjay_desktop.widgets.theme import GRID, set_style_property, sized_font

_MAX_LINE_WIDTH = 56 * GRID
"""Pixels of a line at most: longer ones are hard to read."""
BRIEF_MS = 10_000
"""Milliseconds after which a message goes by itself, unless it has a cause that lasts."""
_CENTER = Qt.AlignmentFlag.AlignHCenter


def announce(speaker: QWidget, sentence: str) -> None:
    """Let a screen reader speak a sentence that is visible on speaker."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(speaker, sentence))


def copy_to_clipboard(text: str, beside: QWidget, area: QRect | None = None) -> None:
    """Put text on the clipboard, and say so for a moment below an area of a widget.

    The tip stays inside the window. Qt shows it to the lower right of the point that it gets.
    """
    QGuiApplication.clipboard().setText(text)
    copied = translate("Copy", "Copied")
    window = beside.window()
    # The size of the tip is not known before it is shown, so it is estimated.
    metrics = QFontMetrics(QToolTip.font())
    room = QSize(metrics.horizontalAdvance(copied) + 5 * GRID, metrics.height() + 5 * GRID)
    corner = beside.mapTo(window, (area or beside.rect()).bottomLeft()) - QPoint(0, 2 * GRID)
    most = window.rect().bottomRight() - QPoint(room.width(), room.height())
    x = max(0, min(corner.x(), most.x()))
    y = max(0, min(corner.y(), most.y()))
    QToolTip.showText(window.mapToGlobal(QPoint(x, y)), copied, window)
    announce(window, copied)


class Offer(Struct, frozen=True):
    """An action that a banner offers."""

    text: str
    act: Callable[[], object]
    is_lasting: bool = False
    """Whether it stays until it is taken or closed, also with good news."""


NEWS = Offer("", lambda: None)
"""Stand-in for an offer, with a sentence that is not a failure and cannot be undone."""


class Message(Struct, frozen=True):
    """A message as a banner shows it."""

    sentence: str
    offer: Offer | None
    is_good: bool
    cause: str
    """Name of the state that it is about; empty if it is about none."""

    @property
    def is_brief(self) -> bool:
        """Whether it goes by itself."""
        return not (self.cause or (self.offer and self.offer.is_lasting))


class Banner(QFrame):
    """One message to the user: it goes with its cause, or after ten seconds, or by a click."""

    closed = Signal()

    def __init__(self, close: str, *, brief_ms: int = BRIEF_MS) -> None:
        super().__init__()
        self._words = plain_label()
        self._words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._message: Message | None = None
        self._covered: Message | None = None
        self._closed_causes: dict[str, str] = {}
        """Sentences that the person closed although their cause is still there, by cause."""
        # The offer looks like a link, and the message stays while the pointer is on it.
        self.offer = QToolButton()
        self.offer.setAutoRaise(True)
        self.offer.setFont(sized_font(self.font(), 0, QFont.Weight.DemiBold))
        self.offer.clicked.connect(self._take_offer)
        self.offer.hide()
        button = IconButton("close", close)
        button.clicked.connect(self._dismiss)
        self._rest = QTimer(self, singleShot=True, interval=brief_ms)
        self._rest.timeout.connect(self._fade)
        self._picture = IconLabel("warning", 20)
        # The picture is lower than the buttons, and stands in the middle of their line.
        picture = vbox(self._picture, margins=(0, 0.375, 0, 0))
        parts = ((picture, TOP), (self._words, 1), (self.offer, TOP), (button, TOP))
        hbox(*parts, on=self, margins=(1.25, 0.875, 0.75, 0.75))
        self.hide()

    @property
    def words(self) -> str:
        """The sentence."""
        return self._words.text()

    def tell(
        self, sentence: str, offer: Offer | None = None, *, is_good: bool = False, cause: str = ""
    ) -> bool:
        """Show a sentence, with an offer; one that has a cause stays until `end`.

        The result is False for what is already there, or was closed and has the same cause still:
        something that is tried again fails in the same way again. What another sentence covers
        comes back when that is closed if it has an offer, which may be the only way to undo a
        change, or a cause, which is still there.
        """
        if cause and sentence in (self._closed_causes.get(cause), self._told(cause)):
            return False
        # An offer or a cause that covers another takes its place for good.
        if offer is not None or cause:
            self._covered = None
        elif self._message and (self._message.offer or self._message.cause):
            self._covered = self._message
        self._show(Message(sentence, offer, is_good, cause))
        return True

    def _told(self, cause: str) -> str:
        """What is said of a cause, or is covered; empty if nothing is."""
        for message in (self._message, self._covered):
            if message and message.cause == cause:
                return message.sentence
        return ""

    def ask_again(self) -> None:
        """Show failures again that were closed, since the person asked for another attempt."""
        self._closed_causes.clear()

    def end(self, cause: str) -> None:
        """Close the message about a cause, which is no longer there."""
        self._closed_causes.pop(cause, None)
        if self._covered and self._covered.cause == cause:
            self._covered = None
        if self._message and self._message.cause == cause:
            self._close()

    def _show(self, message: Message) -> None:
        self._message = message
        if message.is_brief:
            self._rest.start()
        else:
            self._rest.stop()
        # Good news have another colour, and no warning sign.
        self._words.setText(message.sentence)
        set_style_property(self, "good", message.is_good)
        self._picture.setVisible(not message.is_good)
        offer = message.offer
        self.offer.setVisible(offer is not None)
        if offer is not None:
            self.offer.setText(offer.text)
            self.offer.setAccessibleName(offer.text)
            self.offer.setAccessibleDescription(message.sentence)
        self.show()

    def _fade(self) -> None:
        # Otherwise the person has not seen it, or is about to use it.
        is_done = self.isActiveWindow() and not self.underMouse() and not self.offer.hasFocus()
        if is_done:
            self._close()
        else:
            self._rest.start()

    def _take_offer(self) -> None:
        # The message is closed first, since the action may show another one.
        message = self._message
        self._close()
        if message and message.offer:
            message.offer.act()

    def _dismiss(self) -> None:
        if self._message and self._message.cause:
            self._closed_causes[self._message.cause] = self._message.sentence
        self._close()

    def _close(self) -> None:
        self._rest.stop()
        # What was covered is shown again before anything is announced.
        covered = self._covered
        self._covered = None
        self._message = None
        if covered is not None:
            self._show(covered)
            return
        self.hide()
        self.closed.emit()


class EmptyState(QWidget):
    """A picture, a message and buttons in place of rows."""

    def __init__(self, picture: str, title: str, text: str) -> None:
        super().__init__()
        self._title = bold_label(title, 4)
        self._text = muted_label(text)
        for label in (self._title, self._text):
            label.setAlignment(_CENTER)
            label.setWordWrap(True)
            label.setMaximumWidth(_MAX_LINE_WIDTH)
        self._buttons = vbox(spacing=1)
        size = 5 * GRID
        if picture in ("app", "agents-and-notes"):
            size = 12 * GRID
        # The message stands a little above the middle.
        image = vbox((IconLabel(picture, size), _CENTER), margins=(0, 0, 0, 1))
        text_row = hbox(self._text, margins=(0, 0, 0, 1))
        parts = (2, image, hbox(self._title), text_row, self._buttons, 3)
        vbox(*parts, on=self, margins=(4, 2, 4, 2), spacing=1)

    def show_message(self, title: str, text: str) -> None:
        """Show another title and text."""
        self._title.setText(title)
        self._text.setText(text)
        self.setAccessibleName(f"{title}. {text}")

    def add_widget(self, widget: QWidget) -> None:
        """Add a widget between or below the buttons."""
        self._buttons.addWidget(widget, 0, _CENTER)

    def add_button(self, button: QPushButton) -> None:
        """Add a button below the text."""
        button.setFixedWidth(max(28 * GRID, button.sizeHint().width() + 2 * GRID))
        self.add_widget(button)
