"""Pictures and other files of notes: found in their folder; pictures are read and drawn to fit."""

from __future__ import annotations

import contextlib
import os
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote

from msgspec import Struct
from PySide6.QtCore import QRect, QRectF, QSize, QSizeF, Signal
from PySide6.QtGui import (
    QImage,
    QImageIOHandler,
    QPagedPaintDevice,
    QPainter,
    QPyTextObject,
    QTextDocument,
    QTextFormat,
    QTextTable,
)
from PySide6.QtWidgets import QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.errors import DriveSilent
from scrubjay.notes.note_files import walk_folders
from scrubjay.notes.note_links import LinkTargets
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.canvas_picture import CANVAS, canvas_picture, canvas_size, is_canvas
from scrubjay_desktop.preview.marks import PictureMarks, TextMarks
from scrubjay_desktop.results.thumbnails import picture_reader, read_picture
from scrubjay_desktop.widgets.theme import GRID, LIGHT, Colors, palette_colors

T = TypeVar("T")

_SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp")
_OTHER_SUFFIXES = (".svg", ".heic", ".heif", ".avif", ".tif", ".tiff")
_MAX_BYTES = 40 * 2**20
"""Bytes of a file up to which it is read."""
_MAX_PIXELS = 50_000_000
"""Pixels of a picture up to which it is drawn."""
_MAX_FILES = 200
"""Different pictures of one note."""
_MAX_CACHED_BYTES = 200 * 2**20
"""Bytes of all pictures that are kept in memory."""
_ON_PAPER = 3
"""Pixels of a printed picture for one of the text."""
_BAR_WIDTH = 5 * GRID
"""Room that a bar beside a quotation takes, or a cell of a table, at most."""


class NotePicture(Struct, frozen=True):
    """A file with a picture, and the size in which it is shown where there is room."""

    file: Path
    size: QSize
    """Size in which it is shown where there is room; empty where the file cannot be shown."""


def is_picture(target: str) -> bool:
    """Whether a link names a picture."""
    return target.lower().endswith((*_SUFFIXES, *_OTHER_SUFFIXES, CANVAS))


class AttachmentFinder:
    """The pictures and other files that one note names. Reads the disk: not for the GUI thread."""

    def __init__(self, root: Path, note: Path, drives: IoTimeouts) -> None:
        self._root = root
        self._note = note
        self._drives = drives
        self._found: dict[str, NotePicture | None] = {}
        self._files: dict[str, Path | None] = {}

    def beside(self, label: str) -> AttachmentFinder:
        """The files that another note of the folder names."""
        other = AttachmentFinder(self._root, self._root / label, self._drives)
        if "_labels" in self.__dict__:
            other.__dict__["_labels"] = self._labels
        return other

    def file(self, target: str) -> Path | None:
        """A file of the folder, without links in its path; None where there is none."""
        if target not in self._files and len(self._files) < _MAX_FILES:
            self._files[target] = self._asked(lambda: self._file(target))
        return self._files.get(target)

    def text(self, target: str, most: int) -> str:
        """The text of such a file, which has at most so many bytes; empty where there is none."""
        file = self.file(target)
        if file is None:
            return ""
        return self._asked(lambda: _text(file, most)) or ""

    def _file(self, target: str) -> Path | None:
        file = self._look(target)
        return file and self._inside(file)

    def label(self, file: Path) -> str:
        """The path of such a file as the folder's notes write it."""
        return file.relative_to(self._real_root).as_posix()

    def picture(self, target: str, width: str = "") -> NotePicture | None:
        """A local picture, as wide as its link says; None where there is none."""
        if target not in self._found:
            # Beyond so many files a picture counts as one that cannot be shown.
            picture = None
            if len(self._found) >= _MAX_FILES:
                picture = NotePicture(self._root, QSize())
            else:
                picture = self._asked(lambda: self._picture_at(self._look(target)))
            self._found[target] = picture
        picture = self._found[target]
        # A width in the link is the width on screen, and the height follows it.
        size = re.match(r"(\d{1,4})(?:x\d+)?$", width)
        if picture is None or picture.size.isEmpty() or size is None or not int(size[1]):
            return picture
        wide = int(size[1])
        high = max(1, wide * picture.size.height() // picture.size.width())
        return NotePicture(picture.file, QSize(wide, high))

    def _asked(self, question: Callable[[], T | None]) -> T | None:
        """The answer of the folder's drive; None as well where it gives none."""
        with contextlib.suppress(DriveSilent):
            return self._drives.ask(self._root, question)
        return None

    def _look(self, target: str) -> Path | None:
        # A link may be written as an address, and from the note's folder or from the root.
        for written in dict.fromkeys((target, unquote(target))):
            name = written.replace("\\", "/")
            # Windows would ask another computer for `//server/x`, and another drive for `d:x`.
            if re.match(r"//|[A-Za-z]:", name):
                return None
            name = name.lstrip("/")
            for file in (self._note.parent / name, self._root / name):
                if os.path.isfile(file):  # noqa: PTH113  (is_file raises for a long name)
                    return file
            # Obsidian finds a file by its name alone, in whatever folder it is.
            if self._note.is_relative_to(self._root):
                source = self._note.relative_to(self._root).as_posix()
                label = self._labels.find(name, source)
                if label:
                    return self._root / label
        return None

    @cached_property
    def _real_root(self) -> Path:
        return self._root.resolve()

    @cached_property
    def _labels(self) -> LinkTargets:
        labels = []
        for folder, names in walk_folders(self._root, lambda name: not name.startswith(".")):
            labels += [f"{folder}{name}" for name in names]
        return LinkTargets(labels)

    def _inside(self, file: Path) -> Path | None:
        try:
            # A link may lead out of the folder.
            file = file.resolve(strict=True)
        except (OSError, RuntimeError):
            return None
        if not file.is_relative_to(self._real_root):
            return None
        return file

    def _picture_at(self, file: Path | None) -> NotePicture | None:
        file = file and self._inside(file)
        if file is None:
            return None
        try:
            if file.stat().st_size > _MAX_BYTES:
                return NotePicture(file, QSize())
            if is_canvas(file.name):
                return NotePicture(file, canvas_size(file))
            reader = picture_reader(file)
        except OSError:
            return None
        if reader is None:
            return NotePicture(file, QSize())
        # The size is that of the file, before a camera's note that it lies on its side.
        size = reader.size()
        if reader.transformation() & QImageIOHandler.Transformation.TransformationRotate90:
            size.transpose()
        if size.width() * size.height() > _MAX_PIXELS:
            size = QSize()
        return NotePicture(file, size)


class NotePictures(QPyTextObject):
    """Draws the pictures of a text as wide as there is room, each read once it is seen."""

    changed = Signal()
    """A picture can be drawn now."""

    def __init__(self, tasks: Tasks, view: QWidget) -> None:
        super().__init__(view)
        self._view = view
        self._tasks = tasks
        self._cancel = CancelToken()
        self._pictures: Mapping[str, NotePicture] = {}
        self._images: OrderedDict[str, tuple[int, QImage]] = OrderedDict()
        """Name -> the longer side that was asked for, and the picture; null while it is read."""
        self._marked: tuple[Path, TextMarks] | None = None
        """The picture that was found, and what was found on it."""
        self._marks: dict[str, PictureMarks] = {}
        """Name of each place of that picture -> its marks as they are painted."""

    def mark(self, file: Path, marks: TextMarks) -> str:
        """Mark what was found on a picture; its name in the text, empty where it is not shown."""
        self._marked = (file, marks)
        self._marks.clear()
        self.changed.emit()
        names = (name for name, picture in self._pictures.items() if picture.file == file)
        return next(names, "")

    def unmark(self) -> None:
        """Forget what was found; the same note in other colours or letters keeps its marks."""
        self._marked = None

    def show(self, pictures: Mapping[str, NotePicture]) -> None:
        """Forget the pictures of the former note; these are the next one's, by name."""
        self._cancel.cancel()
        self._cancel = CancelToken()
        self._pictures = pictures
        self._images.clear()
        self._marks.clear()

    def intrinsicSize(  # noqa: D102
        self, document: QTextDocument, position: int, form: QTextFormat
    ) -> QSizeF:
        picture = self._pictures.get(_name(form))
        if picture is None:
            return QSizeF()
        width = min(picture.size.width(), _room(document, position))
        return QSizeF(width, width * picture.size.height() / picture.size.width())

    def drawObject(  # noqa: D102
        self,
        painter: QPainter,
        rect: QRectF | QRect,
        document: QTextDocument,
        position: int,
        form: QTextFormat,
    ) -> None:
        name = _name(form)
        picture = self._pictures.get(name)
        if picture is None:
            return
        if isinstance(painter.device(), QPagedPaintDevice):
            # Paper is not painted a second time, and needs more pixels than a screen.
            most = round(_ON_PAPER * max(rect.width(), rect.height()))
            read = partial(_read, picture.file, QSize(most, most))
            with contextlib.suppress(DriveSilent):
                painter.drawImage(rect, self._tasks.drives.ask(picture.file.parent, read))
            return
        # A picture is read again where it gets larger or smaller; until then the former one is
        # drawn.
        scale = painter.device().devicePixelRatio()
        side = round(max(rect.width(), rect.height()) * scale)
        colors = palette_colors(self._view.palette())
        asked, image = self._images.get(name, (0, QImage()))
        if asked != side:
            self._images[name] = (side, image)
            self._tasks.run(
                partial(_read, picture.file, QSize(side, side), colors=colors),
                self._cancel,
                done=partial(self._store, name, side),
                # The place of a picture that cannot be read stays empty.
                failed=lambda _: None,
                folder=picture.file.parent,
            )
        self._images.move_to_end(name)
        if image.isNull():
            painter.fillRect(rect, colors.hover)
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(rect, image)
        if self._marked is not None and self._marked[0] == picture.file:
            if name not in self._marks:
                self._marks[name] = PictureMarks(image, self._marked[1])
            self._marks[name].paint(painter, QRectF(rect))

    def _store(self, name: str, side: int, image: QImage) -> None:
        if self._images.get(name, (0,))[0] != side:
            return
        self._images[name] = (side, image)
        self._marks.pop(name, None)
        # Those that were seen longest ago are read again when they are seen again.
        size = sum(each.sizeInBytes() for _, each in self._images.values())
        while size > _MAX_CACHED_BYTES and len(self._images) > 1:
            size -= self._images.popitem(last=False)[1][1].sizeInBytes()
        self.changed.emit()


def _text(file: Path, most: int) -> str:
    try:
        if file.stat().st_size > most:
            return ""
        return file.read_text("utf-8")
    except (OSError, ValueError):
        return ""


def _read(file: Path, within: QSize, colors: Colors = LIGHT) -> QImage:
    if is_canvas(file.name):
        return canvas_picture(file, within, colors)
    return read_picture(file, within)


def _name(form: QTextFormat) -> str:
    return form.toImageFormat().name()


def _room(document: QTextDocument, position: int) -> float:
    """Pixels between the margins at a position of a text."""
    # Not by a QTextCursor: it would ask for the layout that asks for this.
    items = document.findBlock(position).textList()
    frame = document.frameAt(position)
    indent = 0.0
    if items:
        indent = items.format().indent() * document.indentWidth()
    # Each cell of a table around it takes a share of the width and some pixels.
    room = document.textWidth() - 2 * document.documentMargin()
    narrowing = 1
    while isinstance(frame, QTextTable):
        narrowing *= frame.columns()
        room -= _BAR_WIDTH
        frame = frame.parentFrame()
    return max(2.0 * GRID, room / narrowing - indent)
