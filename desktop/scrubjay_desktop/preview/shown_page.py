"""A picture or a page as it is shown: its pixels, its text, and what was found on it."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage

from scrubjay.records.page_picture import Mark, PagePicture
from scrubjay.records.picture_text import PictureText
from scrubjay_desktop.preview.marks import Corners, TextMarks
from scrubjay_desktop.preview.text_layer import TextLayer


class Sought(Struct, frozen=True):
    """What is marked on a picture."""

    words: tuple[str, ...] = ()
    passage: str = ""


class ShownPage(Struct, frozen=True):
    """A picture, or the page of a document."""

    image: QImage
    text: str
    marks: TextMarks = TextMarks()
    layer: TextLayer = TextLayer()
    """Text that was read on the picture; empty where the page has a text of its own."""
    page: int = 0
    """Number of the page; 0 for a picture."""
    page_count: int = 0
    """Number of pages of the whole document."""
    pixels: bytes = b""
    """Memory of the image, if it does not have its own."""

    @property
    def width(self) -> int:
        """Pixels of a line of the image."""
        return self.image.width()


def shown_page(picture: PagePicture, text: PictureText | None, sought: Sought) -> ShownPage:
    """The page of a PDF; if it was scanned, the text was read on it."""
    # The pixels are not copied.
    form = QImage.Format.Format_RGB32
    image = QImage(picture.pixels, picture.width, picture.height, 4 * picture.width, form)
    layer = TextLayer(text)
    # The process that draws pages finds the words of a text that the file itself has.
    page = ShownPage(
        image,
        picture.text,
        TextMarks(tuple(map(_corners, picture.words)), tuple(map(_corners, picture.passage))),
        page=picture.page,
        page_count=picture.pages,
        pixels=picture.pixels,
    )
    if not layer.count:
        return page
    # What was read on a scanned page counts more than a text that makes no sense.
    return replace(page, text=layer.text, marks=text_marks(layer, sought), layer=layer)


def shown_picture(image: QImage, text: PictureText | None, sought: Sought) -> ShownPage:
    """A picture of its own."""
    layer = TextLayer(text)
    return ShownPage(image, layer.text, marks=text_marks(layer, sought), layer=layer)


def text_marks(layer: TextLayer, sought: Sought) -> TextMarks:
    """Where the text of a picture has what is sought."""
    words = tuple(map(layer.area, layer.words(sought.words)))
    return TextMarks(words, tuple(map(layer.area, layer.passage(sought.passage))))


def _corners(mark: Mark) -> Corners:
    return (
        QPointF(mark.left, mark.top),
        QPointF(mark.right, mark.top),
        QPointF(mark.right, mark.bottom),
        QPointF(mark.left, mark.bottom),
    )
