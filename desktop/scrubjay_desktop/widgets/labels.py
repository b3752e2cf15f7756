"""Labels: titles, explanations, one-line texts that are elided, and icons."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QLabel, QProgressBar, QSizePolicy, QWidget

from scrubjay_desktop.text.formatting import plain_tip
from scrubjay_desktop.widgets.icons import pixmap
from scrubjay_desktop.widgets.layouts import NONE, vbox
from scrubjay_desktop.widgets.painting import draw_elided
from scrubjay_desktop.widgets.theme import GRID, palette_colors, sized_font

_JOINED = " · "
"""Sign between the day and the place of a note."""
_INTO = " › "
"""Sign between a folder and what is in it."""


def bold_label(text: str = "", points: float = 0) -> QLabel:
    """A title, so many points larger than other text."""
    label = QLabel(text, textFormat=Qt.TextFormat.PlainText)
    label.setFont(sized_font(label.font(), points, QFont.Weight.DemiBold))
    return label


def page_title(text: str) -> QLabel:
    """The title at the top of a page, as high as the buttons that some have beside it."""
    label = bold_label(text, 5)
    label.setMinimumHeight(4 * GRID)
    return label


def plain_label(text: str = "", points: float = 0, kind: type[QLabel] = QLabel) -> QLabel:
    """Wrapped text that is never read as markup."""
    label = kind(text, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
    if points:
        label.setFont(sized_font(label.font(), points))
    return label


def muted_label(text: str = "", points: float = 0, kind: type[QLabel] = QLabel) -> QLabel:
    """An explanation: plain text in the colour of placeholders."""
    label = plain_label(text, points, kind)
    label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
    return label


def progress_bar(name: str) -> QProgressBar:
    """A thin bar without text; name is for screen readers."""
    bar = QProgressBar(textVisible=False)
    bar.setAccessibleName(name)
    bar.setFixedHeight(GRID)
    return bar


class LinkedLabel(QLabel):
    """A label with a link. Qt gives a link the colour of the theme at the time its text is set."""

    def __init__(self) -> None:
        super().__init__(textFormat=Qt.TextFormat.RichText)

    def changeEvent(self, event: QEvent) -> None:  # noqa: D102
        super().changeEvent(event)
        text = self.text()
        # The same text, set again, gets the colour of the new theme.
        if event.type() == QEvent.Type.PaletteChange and text:
            self.setText("")
            self.setText(text)


class IconLabel(QWidget):
    """A line icon without a function."""

    def __init__(self, name: str, size: int) -> None:
        super().__init__()
        self.setFixedSize(size, size)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.draw(name)

    def draw(self, name: str, color: str = "muted") -> None:
        """Draw another icon, in the colour of the theme that has this name."""
        self._name = name
        self._color = color
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        colors = palette_colors(self.palette())
        # The bird keeps its own colours.
        color = None
        if self._name != "app":
            color = getattr(colors, self._color)
        scale = self.devicePixelRatioF()
        image = pixmap(self._name, color, size=self.width(), scale=scale)
        QPainter(self).drawPixmap(0, 0, image)


class ElidedLabel(QLabel):
    """One quiet line of plain text, elided where it has little room; its tooltip has all of it."""

    def __init__(self, points: float) -> None:
        super().__init__(textFormat=Qt.TextFormat.PlainText)
        self.setFont(sized_font(self.font(), points))
        # It takes the room that is left, and asks for none.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.path = ""
        """Path in the text that is cut in its middle before the rest of the text is cut."""

    def setText(self, text: str) -> None:
        """Show another text."""
        super().setText(text)
        self.setToolTip(plain_tip(text))
        self.setAccessibleName(text)

    def minimumSizeHint(self) -> QSize:  # noqa: D102
        return QSize(0, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        painter = QPainter(self)
        # Qt's own label would cut the text without an ellipsis.
        painter.setPen(self.palette().color(self.foregroundRole()))
        draw_elided(painter, self.rect(), self.shortened(self.width()))

    def shortened(self, width: int) -> str:
        """The text with as much of its path as has room; all of it without a path."""
        if not self.path:
            return self.text()
        before, path, after = self.text().partition(self.path)
        metrics = self.fontMetrics()
        room = width - metrics.horizontalAdvance(before + after)
        if room < metrics.horizontalAdvance("…"):
            return self.text()
        return before + metrics.elidedText(path, Qt.TextElideMode.ElideMiddle, room) + after


class DetailsLabel(ElidedLabel):
    """The day and the place of a note; where there is little room, the folders are cut first.

    The end of a path says which file it is.
    """

    def __init__(self) -> None:
        super().__init__(-1)
        self._day = ""
        self._short_day = ""
        self._place = ""

    def setText(self, text: str) -> None:
        """Show a text without a day."""
        self.show_details("", text)

    def show_details(self, day: str, place: str, short_day: str = "") -> None:
        """Show a day and a place, each of which may be empty; a short day has fewer words."""
        self._day = day
        self._short_day = short_day or day
        self._place = place
        super().setText(_JOINED.join(filter(None, (day, place))))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        # The short day where not all has room, and the place in what is left.
        room = self.fontMetrics().horizontalAdvance
        day = self._day
        if room(self.text()) > self.width() and room(self._short_day) < room(day):
            day = self._short_day
        if day and self._place:
            day += _JOINED
        draw_elided(painter, self.rect(), day)
        rest = self.rect().adjusted(room(day), 0, 0, 0)
        draw_elided(painter, rest, self._place_in(rest.width()), mode=Qt.TextElideMode.ElideMiddle)

    def _place_in(self, width: int) -> str:
        """The place, with an ellipsis for folders where the name of the file has room after it."""
        metrics = self.fontMetrics()
        folders, sign, name = self._place.rpartition(_INTO)
        left = width - metrics.horizontalAdvance(sign + name)
        if left < metrics.horizontalAdvance("…"):
            return self._place
        return metrics.elidedText(folders, Qt.TextElideMode.ElideRight, left) + sign + name


class NoteHeading(QWidget):
    """The name of a note above a line of details."""

    def __init__(self) -> None:
        super().__init__()
        self.title = WrappingLabel(wordWrap=True)
        self.details = DetailsLabel()
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setFont(sized_font(self.title.font(), 1, QFont.Weight.DemiBold))
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        # What is too high, as for the buttons beside it, is empty below both.
        vbox(self.title, self.details, 1, on=self, margins=NONE, spacing=0.25)


class WrappingLabel(QLabel):
    """Wrapped text with room for all its lines, also where a form would give it fewer."""

    def setText(self, text: str) -> None:
        """Show another text."""
        super().setText(text)
        self._fit_height()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: D102
        super().resizeEvent(event)
        self._fit_height()

    def _fit_height(self) -> None:
        # Qt never gives fewer lines than the least height, which is that of the text before.
        self.setMinimumHeight(0)
        # Without a width yet there is no height either: -1.
        self.setMinimumHeight(max(0, self.heightForWidth(self.width())))
