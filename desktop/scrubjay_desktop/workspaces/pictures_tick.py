"""The tick that lets the text on the pictures of a folder be read."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import ScrubjayError
from scrubjay.records.status_records import PictureCount
from scrubjay_desktop.text.formatting import (
    format_duration,
    format_number,
    join_words,
    translate,
    translated,
)
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.layouts import NONE, vbox


def pictures_label(count: PictureCount | None, *, with_scans: bool = True) -> str:
    """`Also read 214 pictures and 12 scanned PDFs in the background (about 9 min)`.

    Without a count, it says that the pictures are being counted.
    """
    if count is None:
        return translate("Workspaces", "Also read text in &pictures (counting…)")
    pictures = named_pictures(count, with_scans=with_scans)
    if not pictures and count.kept:
        return translate("Workspaces", "Also read text in &pictures (already read)")
    if not pictures:
        return translate("Workspaces", "Also read text in &pictures (0 in this folder)")
    if count.scans and not with_scans:
        # The time is that of both.
        sentence = translate("Workspaces", "Also read {pictures} in the background")
        return sentence.format(pictures=pictures)
    sentence = translate("Workspaces", "Also read {pictures} in the background ({time})")
    return sentence.format(pictures=pictures, time=format_duration(count.seconds))


def named_pictures(count: PictureCount, *, with_scans: bool) -> str:
    """`214 pictures and 12 scanned PDFs`; kinds of which there are none are not named."""
    pieces = []
    if count.pictures:
        pictures = translate("Workspaces", "{n} {n:picture|pictures}")
        pieces.append(pictures.format(n=format_number(count.pictures)))
    if count.scans and with_scans:
        scans = translate("Workspaces", "{n} scanned {n:PDF|PDFs}")
        pieces.append(scans.format(n=format_number(count.scans)))
    return join_words(pieces)


class PicturesTick(QWidget):
    """A check box with the number of pictures, once it is known, or the reason why none is read."""

    def __init__(self, *, is_read: bool, with_scans: bool) -> None:
        """Scanned pages are read only where documents are."""
        super().__init__()
        self._count: PictureCount | None = None
        self._is_counting = True
        self._with_scans = with_scans
        self.counting = CancelToken()
        """Token of the count, which takes a while."""
        self.box = QCheckBox(pictures_label(None))
        self.box.setChecked(is_read)
        self.obstacle = muted_label()
        self.obstacle.hide()
        self.setFocusProxy(self.box)
        vbox(self.box, self.obstacle, on=self, margins=NONE, spacing=0.5)

    @property
    def is_ticked(self) -> bool:
        """Whether pictures are to be read."""
        return self.box.isChecked()

    def show_count(self, count: PictureCount) -> None:
        """Show how many pictures there are, or why they cannot be read here."""
        self._count = count
        self.show_scans(self._with_scans)
        self._show_reason(translated(count.obstacle))
        # A choice of another computer can be taken back.
        self.box.setEnabled(self.is_ticked or not count.obstacle)

    def end_count(self) -> None:
        """Show that no number is to be expected any more, unless it is shown next."""
        self._is_counting = False
        self.show_scans(self._with_scans)

    def show_mistake(self, error: ScrubjayError) -> None:
        """Say why the pictures were not counted; they may be read all the same."""
        self._show_reason(translated(str(error)))

    def _show_reason(self, reason: str) -> None:
        self.obstacle.setText(reason)
        self.obstacle.setVisible(bool(reason))
        self.box.setAccessibleDescription(reason)

    def show_scans(self, with_scans: bool) -> None:
        """Count scanned documents, or only pictures."""
        self._with_scans = with_scans
        text = translate("Workspaces", "Also read text in &pictures")
        if self._count or self._is_counting:
            text = pictures_label(self._count, with_scans=with_scans)
        self.box.setText(text)
