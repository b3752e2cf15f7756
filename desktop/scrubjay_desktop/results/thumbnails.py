"""Pictures beside the notes: read off the GUI thread, small ones cached."""

from __future__ import annotations

import math
import re
from base64 import b64decode
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

from PySide6.QtCore import QBuffer, QObject, QSize, Qt, Signal
from PySide6.QtGui import QColorConstants, QImage, QImageReader

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents.media_types import sniff_media_type
from scrubjay.engine.note_commands import NoteCommands
from scrubjay.records.page_picture import DrawnPicture
from scrubjay_desktop.bridge.bridge import Failed, Tasks
from scrubjay_desktop.results.result_rows import Row

_SMALL = QSize(256, 128)
"""Pixels of a picture in a row, enough for screens of twice the density."""
_MAX_CACHED = 200
"""Small pictures that are kept in memory."""
_FORMATS = frozenset({b"png", b"jpeg", b"gif", b"webp", b"bmp", b"tiff", b"heic", b"heif"})
"""Formats without scripts and without links to other files."""
_MAX_DRAWING_BYTES = 4 * 2**20
"""Bytes of a drawing up to which it is read."""
_MAX_DRAWN = 100_000
"""Elements of a drawing, each as often as others repeat it."""
_PART = re.compile(r"#([^\s\"')]+)")
_DATA = re.compile(r"data:image/[\w.+-]+;base64,", re.IGNORECASE)


def read_picture(file: Path, within: QSize, *, page: int = 0) -> QImage:
    """A picture within a size in pixels; a null one when it cannot be read.

    Page is the number of a page of a TIFF file, from 1.
    """
    reader = picture_reader(file)
    if reader is None:
        return QImage()
    if page > 1:
        reader.jumpToImage(page - 1)
    # The orientation that cameras record.
    reader.setAutoTransform(True)
    size = reader.size()
    if size.isValid() and (size.width() > within.width() or size.height() > within.height()):
        reader.setScaledSize(size.scaled(within, Qt.AspectRatioMode.KeepAspectRatio))
    return reader.read()


class PictureLoader:
    """Loads the pictures of rows off the GUI thread."""

    def __init__(self, tasks: Tasks, notes: NoteCommands) -> None:
        self._tasks = tasks
        self._notes = notes

    def load(
        self,
        row: Row,
        within: QSize,
        cancel: CancelToken,
        *,
        done: Callable[[QImage], None],
        failed: Failed,
        page: int = 0,
    ) -> None:
        """Hand over a picture within a size in pixels; a null one if it cannot be decoded.

        Page is the number of a page of a TIFF file, from 1.
        """

        def take(image: QImage) -> None:
            if not image.isNull() or row.is_elsewhere:
                done(image)
                return
            # The process that reads pictures knows more formats than Qt.
            side = within.width()
            drawn = self._notes.draw_picture(row.found_address, side, cancel, page=page or 1)
            self._tasks.watch(
                drawn, cancel, done=lambda made: done(_image_of(made)), failed=lambda _: done(image)
            )

        file = row.found_file
        job = partial(read_picture, file, within, page=page)
        self._tasks.run(job, cancel, done=take, failed=failed, folder=file.parent)


def _image_of(drawn: DrawnPicture) -> QImage:
    """A picture that another process drew, with pixels of its own."""
    form = QImage.Format.Format_RGB888
    return QImage(drawn.pixels, drawn.width, drawn.height, 3 * drawn.width, form).copy()


def picture_reader(file: Path) -> QImageReader | None:
    """A reader of a picture; None for what is not one, and for what could lead to other files."""
    if file.suffix.lower() != ".svg":
        reader = QImageReader(str(file))
        reader.setDecideFormatFromContent(True)
        if bytes(reader.format().data()) not in _FORMATS:
            return None
        return reader
    drawing = _Drawing(file)
    # Most are drawn for white paper.
    drawing.setBackgroundColor(QColorConstants.White)
    return drawing


class _Drawing(QImageReader):
    """A reader of an SVG file, of which Qt sees neither links nor endless repetitions."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._buffer = QBuffer()
        self._buffer.setData(_safe_drawing(file))
        self.setDevice(self._buffer)
        self.setFormat(b"svg")


def _safe_drawing(file: Path) -> bytes:
    """A drawing without links to files; empty where it cannot be shown."""
    try:
        if file.stat().st_size > _MAX_DRAWING_BYTES:
            return b""
        root = ElementTree.fromstring(file.read_bytes())
        # Elements that others repeat by their names.
        parts: dict[str, ElementTree.Element] = {}
        for element in root.iter():
            part = element.get("id")
            if part:
                parts[part] = element
        costs: dict[ElementTree.Element, float] = {}
        for element in root.iter():
            # Links within the drawing stay, and an element with another link is drawn as a group.
            for key in [key for key in element.attrib if key.endswith("href")]:
                link = element.attrib.pop(key)
                if link.startswith("#") or _is_picture_data(link):
                    element.set("href", link)
                else:
                    element.tag = "g"
            # A style is for many elements: what it repeats is not counted.
            styled = (parts.get(part) for part in _PART.findall(element.text or ""))
            if any(each is not None and not each.tag.endswith("Gradient") for each in styled):
                return b""
        if _drawn(root, parts, costs) > _MAX_DRAWN:
            return b""
        return ElementTree.tostring(root)
    except (OSError, SyntaxError, ValueError, RecursionError):
        return b""


def _is_picture_data(link: str) -> bool:
    """Whether a link holds a picture itself, and no drawing in the drawing."""
    head = _DATA.match(link)
    return head is not None and sniff_media_type(b64decode(link[head.end() :])).startswith("image/")


def _drawn(
    element: ElementTree.Element,
    parts: Mapping[str, ElementTree.Element],
    known: dict[ElementTree.Element, float],
) -> float:
    """The number of elements that are drawn for one, with those that it repeats."""
    if element not in known:
        # An element that repeats itself has no end.
        known[element] = math.inf
        links = (part for value in element.attrib.values() for part in _PART.findall(value))
        repeated = (parts[part] for part in links if part in parts)
        known[element] = 1 + sum(_drawn(each, parts, known) for each in (*element, *repeated))
    return known[element]


class Thumbnails(QObject):
    """Small pictures for the rows of a list."""

    loaded = Signal()
    """Signal that a requested picture was read."""

    def __init__(self, tasks: Tasks, notes: NoteCommands, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pictures = PictureLoader(tasks, notes)
        self._cancel = CancelToken()
        self._cache: OrderedDict[tuple[Path, str], QImage] = OrderedDict()

    def of(self, row: Row) -> QImage:
        """The picture of a row; a null one while it is read, and when there is none."""
        key = (row.found_file, row.date)
        if key not in self._cache:
            # A null picture holds the place, so that each is asked for once.
            self._cache[key] = QImage()
            self._pictures.load(
                row,
                _SMALL,
                self._cancel,
                done=partial(self._store, key),
                # A row whose picture cannot be read stays without.
                failed=lambda _: None,
            )
            if len(self._cache) > _MAX_CACHED:
                self._cache.popitem(last=False)
        return self._cache[key]

    def _store(self, key: tuple[Path, str], picture: QImage) -> None:
        if not picture.isNull():
            self._cache[key] = picture
            self.loaded.emit()
