"""Pictures and scans of a folder, counted before a person lets them be read."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeout
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.documents.document_errors import ConversionFailed, DocumentRefused
from scrubjay.documents.picture_converter import PictureConverter
from scrubjay.documents.picture_limits import FEWEST_BYTES
from scrubjay.documents.picture_texts import PictureTexts
from scrubjay.index.scan_diff import IndexSettings, scan_workspace
from scrubjay.notes.note_reader import NoteUnreadable, read_file, read_or_timeout
from scrubjay.notes.scan import FoundFile
from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import PictureCount
from scrubjay.text.file_kinds import PDF, document_kind

MOST_SECONDS = 10.0
"""Seconds for which files are looked into; the others count as those do."""


class _Counted(Struct, frozen=True):
    """Files of one kind."""

    unread: int = 0
    """Number of files with pictures that are still to be read."""
    pictures: int = 0
    """Number of these pictures."""
    kept: int = 0
    """Number of files whose pictures were read before."""


def count_pictures(
    workspace: Workspace,
    texts: PictureTexts,
    converter: PictureConverter,
    *,
    io_timeout: IoTimeout,
    cancel: CancelToken,
    most_seconds: float = MOST_SECONDS,
) -> PictureCount:
    """The pictures of a workspace, and its PDF files with pages that are pictures.

    What was read before is not counted. Raises Cancelled.
    """
    settings = IndexSettings.of(MemorySearch(), replace(workspace, documents=True, pictures=True))
    # As the folder would be read with both settings.
    scan = scan_workspace(workspace.root, settings, cancel=cancel, io_timeout=io_timeout)
    pictures = [f for f in scan.files.values() if f.is_read_picture and f.size >= FEWEST_BYTES]
    documents = [file for file in scan.files.values() if document_kind(file.label) == PDF]

    def kept(file: FoundFile) -> Sequence[bool]:
        # A file that cannot be read has no pictures, for all that is known.
        try:
            note = read_or_timeout(partial(read_file, file.path, file.label), io_timeout, cancel)
            return converter.kept_pictures(note.data, file.label, cancel)
        except (NoteUnreadable, DocumentRefused, ConversionFailed, OSError):
            return ()

    counted = _Counted(len(pictures), len(pictures))
    # A picture has to be read to know whether its text is kept.
    if not texts.is_empty:
        counted = _count(pictures, kept, most_seconds / 2)
    scans = _count(documents, kept, most_seconds / 2)
    return PictureCount(
        pictures=counted.unread,
        scans=scans.unread,
        seconds=(counted.pictures + scans.pictures) * texts.seconds_each,
        kept=counted.kept + scans.kept,
    )


def _count(
    files: Sequence[FoundFile], kept: Callable[[FoundFile], Sequence[bool]], seconds: float
) -> _Counted:
    """The files with pictures: of those that the time suffices for, and in the same shares."""
    # Those of one folder are alike, so they are taken in any order.
    order = random.Random(0).sample(files, len(files))
    until = time.monotonic() + seconds
    unread = 0
    pictures = 0
    whole = 0
    looked = 0
    for file in order:
        if looked and time.monotonic() >= until:
            break
        found = kept(file)
        looked += 1
        unread += not all(found)
        pictures += found.count(False)
        whole += bool(found) and all(found)
    share = len(files) / max(1, looked)
    return _Counted(round(unread * share), round(pictures * share), round(whole * share))
