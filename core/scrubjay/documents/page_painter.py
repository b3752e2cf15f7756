"""Pictures of the pages of PDF files, drawn by a child process of their own."""

from __future__ import annotations

from msgspec.structs import asdict

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents.document_child import DocumentChild
from scrubjay.documents.document_kinds import ConversionFailed
from scrubjay.messages import msg
from scrubjay.records.page_picture import Mark, PagePicture, PageWanted

MOST_SECONDS = 20.0
"""For one page, while a user looks on; most take less than a tenth of a second."""


class PagePainter:
    """Pictures of pages. For any thread; one page is drawn at a time.

    The process is another one than that of the texts, which may read for minutes.
    """

    def __init__(self, most_seconds: float = MOST_SECONDS) -> None:
        self.child = DocumentChild(most_seconds)

    def draw(self, data: bytes, wanted: PageWanted, cancel: CancelToken) -> PagePicture:
        """A page of a PDF file.

        Raises DocumentRefused, ConversionFailed, Cancelled, or OSError without a process.
        """
        request = {"ending": ".pdf", "page": asdict(wanted)}
        header, pixels = self.child.ask(request, data, cancel)
        width, height = header["size"]
        # The process read a stranger's file, so its word is not taken for the size of the memory.
        if len(pixels) != 4 * width * height:
            raise ConversionFailed(msg("The program that reads it broke down at it."))
        return PagePicture(
            header["page"],
            header["pages"],
            width,
            height,
            pixels,
            header["text"],
            tuple(Mark(*mark) for mark in header["words"]),
            tuple(Mark(*mark) for mark in header["passage"]),
        )

    def close(self) -> None:
        """End the process unless it works."""
        self.child.close()


painter = PagePainter()
"""The one of this process."""
