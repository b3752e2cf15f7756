"""Client of the child process that draws pages of PDF files (`pdf_renderer`)."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec.structs import asdict

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents.document_process import DocumentChild
from scrubjay.records.page_picture import Mark, PagePicture, PageWanted

MOST_SECONDS = 20.0
"""Seconds for one page while a user waits; most take less than a tenth of a second."""

_Part = Annotated[float, msgspec.Meta(ge=-30_000, le=30_000)]
"""Part of the width or height of a page, never NaN; text may stand far beside its page."""
_Rectangle = tuple[_Part, _Part, _Part, _Part]
_Count = Annotated[int, msgspec.Meta(ge=1)]


class _Drawn(msgspec.Struct, frozen=True):
    """Description of a picture by the process that drew it."""

    page: _Count
    pages: _Count
    size: tuple[_Count, _Count]
    text: str
    words: list[_Rectangle]
    passage: list[_Rectangle]


class PdfPageClient:
    """Pictures of pages. For any thread; one page is drawn at a time.

    It has its own process, because the process for texts may be busy for minutes.
    """

    def __init__(self, most_seconds: float = MOST_SECONDS) -> None:
        self.child = DocumentChild(most_seconds)

    def draw(self, data: bytes, wanted: PageWanted, cancel: CancelToken) -> PagePicture:
        """A page of a PDF file.

        Raises DocumentRefused, ConversionFailed, Cancelled, or OSError without a process.
        """
        request = {"ending": ".pdf", "page": asdict(wanted)}
        header, pixels = self.child.ask(request, data, cancel)
        with self.child.checking():
            drawn = msgspec.convert(header, _Drawn)
            width, height = drawn.size
            if len(pixels) != 4 * width * height:
                raise msgspec.ValidationError("another number of pixels")
        return PagePicture(
            page=drawn.page,
            pages=drawn.pages,
            width=width,
            height=height,
            pixels=pixels,
            text=drawn.text,
            words=tuple(Mark(*mark) for mark in drawn.words),
            passage=tuple(Mark(*mark) for mark in drawn.passage),
        )

    def close(self) -> None:
        """End the process unless it works."""
        self.child.close()
