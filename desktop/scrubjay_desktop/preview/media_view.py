"""An image with the text on it, or a recording with a button that plays it in another program."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedLayout, QWidget

from scrubjay_desktop.preview.page_canvas import PageCanvas
from scrubjay_desktop.preview.shown_page import ShownPage
from scrubjay_desktop.results.result_rows import Row
from scrubjay_desktop.text.formatting import format_number
from scrubjay_desktop.text.shortcuts import with_keys
from scrubjay_desktop.widgets.banner import EmptyState
from scrubjay_desktop.widgets.buttons import Chip, SmallButton
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.layouts import hbox


class MediaView(QWidget):
    """Shows a picture, or a button that plays a recording."""

    opened = Signal()
    """The user wants to open the file in another program."""

    def __init__(self) -> None:
        super().__init__()
        self.canvas = PageCanvas()
        self.bar = PictureBar()
        self.bar.fit.toggled.connect(self.canvas.fit)
        self.setFocusProxy(self.canvas)
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

    def show_picture(self, row: Row, picture: ShownPage) -> None:
        """Show a picture, or say that it cannot be shown."""
        self.open.setAccessibleName(self.tr("Open {name}").format(name=row.path))
        self.bar.show_lines(picture.layer.count)
        # Its text may have been read although Qt cannot draw it.
        is_shown = not picture.image.isNull()
        self.bar.fit.setEnabled(is_shown)
        if is_shown:
            name = self.tr("Picture {name}").format(name=row.found_address.path)
            self.canvas.show_page(picture, name, is_another=True)
            self._pages.setCurrentWidget(self.canvas)
        else:
            self.canvas.clear()
            self._pages.setCurrentWidget(self._strange)


class PictureBar(QWidget):
    """How much text was read on a picture, and the choice of that text.

    Where a note shows the picture, it offers to see the picture alone.
    """

    changed = Signal()
    """Signal that the user wants to see something else: the text, the picture or the note."""

    def __init__(self) -> None:
        super().__init__()
        self._is_in_note = False
        self.lines = muted_label()
        self.lines.setWordWrap(False)
        self.alone = Chip(self.tr("Picture"), self.tr("Show the picture instead of the note"))
        self.fit = Chip(self.tr("Whole picture"), self.tr("Show the whole picture"))
        self.text = Chip(self.tr("Text"), self.tr("Show the text instead of the picture"))
        self.text.setToolTip(with_keys(self.text.accessibleName(), "Ctrl+Shift+T"))
        self.alone.setToolTip(with_keys(self.alone.accessibleName(), "Ctrl+Shift+T"))
        parts = (self.lines, 1, self.fit, self.alone, self.text)
        hbox(*parts, on=self, margins=(3, 0, 2, 1), spacing=0.5)
        for chip in (self.alone, self.text):
            chip.toggled.connect(self._change)
        self.hide()

    def begin(self, *, is_in_note: bool) -> None:
        """Prepare for another row: for a picture as such, or for the note that shows it."""
        self._is_in_note = is_in_note
        # Not a wish of the user, so nothing is read for it.
        for chip in (self.alone, self.text):
            chip.blockSignals(True)
            chip.setChecked(False)
            chip.blockSignals(False)
        self.lines.clear()
        self._show_choices()
        self.setVisible(is_in_note)

    def show_lines(self, count: int) -> None:
        """Say how much text there is; without any, there is no choice."""
        sentence = self.tr("{n} {n:line|lines} of text")
        self.lines.setText(sentence.format(n=format_number(count)))
        self.setVisible(count > 0 or self._is_in_note)

    def turn_mode(self) -> None:
        """Change from the picture to its text, or from the note to its picture, or back."""
        if self._is_in_note:
            self.alone.toggle()
        else:
            self.text.toggle()

    def _change(self) -> None:
        self._show_choices()
        self.changed.emit()

    def _show_choices(self) -> None:
        self.alone.setVisible(self._is_in_note)
        self.text.setHidden(self._is_in_note)
        # A size has only what is shown as a picture.
        is_picture = self.alone.isChecked() if self._is_in_note else not self.text.isChecked()
        self.fit.setVisible(is_picture)
        self.lines.setVisible(is_picture)
