"""Pictures and scans of a folder, counted before a person lets them be read."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeout
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.documents.document_limits import PAGES_WITHOUT_TEXT
from scrubjay.index.scan_diff import IndexSettings, scan_workspace
from scrubjay.messages import as_sentence
from scrubjay.notes.scan import FoundFile
from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import PictureCount, SkippedFile
from scrubjay.text.file_kinds import is_picture
from scrubjay.text.printable import printable_label

_FEWEST_BYTES = 2_048
"""Bytes of a picture file; a smaller one is an icon."""


def count_pictures(
    workspace: Workspace,
    skipped: Iterable[SkippedFile],
    *,
    seconds_each: float,
    io_timeout: IoTimeout,
    cancel: CancelToken,
) -> PictureCount:
    """The pictures of a workspace, and the PDF files that are skipped because they have no text.

    Raises Cancelled.
    """
    settings = IndexSettings.of(MemorySearch(), replace(workspace, documents=True, pictures=True))
    # As the folder would be read with both settings.
    scan = scan_workspace(workspace.root, settings, cancel=cancel, io_timeout=io_timeout)
    pictures = sum(_is_large(file) for file in scan.files.values())
    pages = _scanned_pages(skipped, {printable_label(label) for label in scan.files})
    return PictureCount(
        pictures=pictures, scans=len(pages), seconds=(pictures + sum(pages)) * seconds_each
    )


def _is_large(file: FoundFile) -> bool:
    return is_picture(file.label) and file.size >= _FEWEST_BYTES


def _scanned_pages(skipped: Iterable[SkippedFile], present: Collection[str]) -> list[int]:
    """Number of the pages of each PDF file that has no text."""
    # The reason of each skipped file has the number of its pages.
    pages: list[int] = []
    for each in skipped:
        reason = as_sentence(each.reason)
        number = reason.values.get("n")
        is_scan = reason.template == PAGES_WITHOUT_TEXT and each.path in present
        if is_scan and isinstance(number, int):
            pages.append(number)
    return pages
