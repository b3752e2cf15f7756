"""Pictures beside the notes: read away from the GUI thread, the small ones kept for a while."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QImage, QImageReader

from scrubjay import CancelToken
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.results.result_rows import Row

_SMALL = QSize(256, 128)
"""Pixels of a picture in a row, enough for screens of twice the density."""
_KEPT = 200


def read_picture(file: Path, within: QSize) -> QImage:
    """A picture no larger than that; a null one when it cannot be shown."""
    reader = QImageReader(str(file))
    reader.setDecideFormatFromContent(True)
    reader.setAutoTransform(True)  # cameras write down which way they were held
    size = reader.size()
    if size.isValid() and (size.width() > within.width() or size.height() > within.height()):
        reader.setScaledSize(size.scaled(within, Qt.AspectRatioMode.KeepAspectRatio))
    return reader.read()


class Thumbnails(QObject):
    """Small pictures for the rows of a list."""

    loaded = Signal()
    """A picture came that was asked for before."""

    def __init__(self, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._cancel = CancelToken()
        self._kept: OrderedDict[tuple[Path, str], QImage] = OrderedDict()

    def of(self, row: Row) -> QImage:
        """The picture of a row; a null one while it is read, and when there is none."""
        key = (row.file, row.date)
        if key not in self._kept:
            self._kept[key] = QImage()
            job = partial(read_picture, row.file, _SMALL)
            self._tasks.run(job, self._cancel, done=partial(self._keep, key))
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return self._kept[key]

    def _keep(self, key: tuple[Path, str], picture: QImage) -> None:
        if not picture.isNull():
            self._kept[key] = picture
            self.loaded.emit()
