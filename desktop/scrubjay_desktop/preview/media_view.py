"""An image as it is, or a recording with a button that plays it in another program."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QStackedLayout, QWidget

from scrubjay_desktop.results.result_rows import Row
from scrubjay_desktop.widgets.banner import EmptyState
from scrubjay_desktop.widgets.buttons import SmallButton
from scrubjay_desktop.widgets.painting import inset
from scrubjay_desktop.widgets.theme import GRID


class MediaView(QWidget):
    """Shows a picture, or a button that plays a recording."""

    opened = Signal()
    """The user wants to open the file in another program."""

    def __init__(self) -> None:
        super().__init__()
        self.canvas = PictureCanvas()
        # A recording is played elsewhere, and so is a picture that Qt cannot read.
        self._recording = EmptyState(
            "play", self.tr("Recording"), self.tr("The recording opens in another program.")
        )
        self.play = SmallButton(self.tr("Play"))
        self._recording.add_button(self.play)
        self._strange = EmptyState(
            "open",
            self.tr("Scrubjay cannot show this picture"),
            self.tr("Another program on this computer may be able to show the picture."),
        )
        self.open = SmallButton(self.tr("Open in another program"))
        self._strange.add_button(self.open)
        # Both buttons open the file; only one of the three pages is seen.
        for button in (self.play, self.open):
            button.clicked.connect(self.opened)
        self._pages = QStackedLayout(self)
        for page in (self.canvas, self._recording, self._strange):
            self._pages.addWidget(page)

    def show_recording(self, row: Row) -> None:
        """Offer to play a recording."""
        self.play.setAccessibleName(self.tr("Play {name}").format(name=row.path))
        self._pages.setCurrentWidget(self._recording)

    def show_picture(self, row: Row, picture: QImage) -> None:
        """Show a picture, or say that it cannot be shown."""
        self.open.setAccessibleName(self.tr("Open {name}").format(name=row.path))
        self.canvas.show_picture(picture, self.tr("Picture {name}").format(name=row.path))
        page: QWidget = self.canvas
        if picture.isNull():
            page = self._strange
        self._pages.setCurrentWidget(page)


class PictureCanvas(QWidget):
    """One picture, as large as there is room, never larger than it is."""

    def __init__(self) -> None:
        super().__init__()
        self.picture = QImage()

    def show_picture(self, picture: QImage, name: str) -> None:
        """Show another picture."""
        self.picture = picture
        self.setAccessibleName(name)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        super().paintEvent(event)
        if self.picture.isNull():
            return
        room = inset(self.rect(), across=2 * GRID, down=2 * GRID)
        # A small picture keeps its size: enlarged it would only be blurred.
        size = self.picture.size()
        if size.width() > room.width() or size.height() > room.height():
            size = size.scaled(room.size(), Qt.AspectRatioMode.KeepAspectRatio)
        area = QRect(room.topLeft(), size)
        area.moveCenter(room.center())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(area, self.picture)
