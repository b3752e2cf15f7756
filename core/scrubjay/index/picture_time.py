"""The time that the pictures that wait take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scrubjay.documents.document_limits import PAGES_WITHOUT_TEXT
from scrubjay.documents.picture_limits import FEWEST_BYTES
from scrubjay.documents.picture_texts import PictureTexts
from scrubjay.messages import as_sentence
from scrubjay.notes.scan import FoundFile
from scrubjay.records.status_records import SkippedFile
from scrubjay.text.printable import printable_label


class PictureTime:
    """Time for the pictures of one workspace. For the index thread."""

    def __init__(self, texts: PictureTexts) -> None:
        self._texts = texts
        self._first = ""
        """Label of the file that is being read."""
        self._before = 0
        """Number of the pictures that had been read before it."""

    def left(self, files: Sequence[FoundFile], skipped: Iterable[SkippedFile]) -> float:
        """Seconds for the files that wait, the next one first, by the pace of this computer.

        A scan counts as many pictures as it has pages; its reason among the skipped files tells.
        Icons take no time, since only their sizes are read.
        """
        labels = [file.label for file in files if file.size >= FEWEST_BYTES]
        if not labels:
            return 0.0
        if labels[0] != self._first:
            self._first = labels[0]
            self._before = self._texts.begun
        pages = scanned_pages(skipped)
        pictures = [pages.get(printable_label(label), 1) for label in labels]
        # Pages of the scan that is being read.
        done = min(self._texts.begun - self._before, pictures[0] - 1)
        return (sum(pictures) - done) * self._texts.seconds_each


def scanned_pages(skipped: Iterable[SkippedFile]) -> dict[str, int]:
    """Number of the pages of each PDF file that is skipped because it has no text, by its path."""
    pages: dict[str, int] = {}
    for each in skipped:
        reason = as_sentence(each.reason)
        number = reason.values.get("n")
        if reason.template == PAGES_WITHOUT_TEXT and isinstance(number, int):
            pages[each.path] = max(1, number)
    return pages
