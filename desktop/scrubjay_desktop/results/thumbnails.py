"""Pictures beside the notes: read off the GUI thread, small ones cached."""

from __future__ import annotations

from collections import OrderedDict
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QImage, QImageReader

from scrubjay.concurrency.cancel import CancelToken
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.results.result_rows import Row

_SMALL = QSize(256, 128)
"""Pixels of a picture in a row, enough for screens of twice the density."""
_MAX_CACHED = 200


def read_picture(file: Path, within: QSize) -> QImage:
    """A picture within a size in pixels; a null one when it cannot be read."""
    reader = QImageReader(str(file))
    reader.setDecideFormatFromContent(True)
    reader.setAutoTransform(True)  # the orientation that cameras record
    size = reader.size()
    if size.isValid() and (size.width() > within.width() or size.height() > within.height()):
        reader.setScaledSize(size.scaled(within, Qt.AspectRatioMode.KeepAspectRatio))
    return reader.read()


class Thumbnails(QObject):
    """Small pictures for the rows of a list."""

    loaded = Signal()
    """A requested picture was read."""

    def __init__(self, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._cancel = CancelToken()
        self._cache: OrderedDict[tuple[Path, str], QImage] = OrderedDict()

    def of(self, row: Row) -> QImage:
        """The picture of a row; a null one while it is read, and when there is none."""
        key = (row.file, row.date)
        if key not in self._cache:
            self._cache[key] = QImage()
            job = partial(read_picture, row.file, _SMALL)
            self._tasks.run(job, self._cancel, done=partial(self._store, key))
            if len(self._cache) > _MAX_CACHED:
                self._cache.popitem(last=False)
        return self._cache[key]

    def _store(self, key: tuple[Path, str], picture: QImage) -> None:
        if not picture.isNull():
            self._cache[key] = picture
            self.loaded.emit()
