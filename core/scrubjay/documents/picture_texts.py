"""Texts of pictures and of scanned pages, read once and then taken from the state folder."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents.document_cache import DocumentCache
from scrubjay.documents.document_errors import ConversionFailed, DocumentRefused
from scrubjay.documents.picture_limits import NEEDS_MORE_MEMORY
from scrubjay.messages import Sentence, deserialize_sentence, serialize_sentence
from scrubjay.platform.state_file import StateFile
from scrubjay.records.page_picture import DrawnPicture, PageWanted
from scrubjay.records.picture_text import PictureText

if TYPE_CHECKING:
    from scrubjay.documents.pdf_page_client import PdfPageClient
    from scrubjay.documents.picture_reader import PictureReader

DEFAULT_SECONDS = 2.0
"""Seconds for a picture on a computer that has not read any yet."""
MOST_KEPT = 256 * 2**20
"""Bytes of all texts that are kept, compressed: of some 200,000 pictures."""
_PAGE_PIXELS = 1_700
"""Width in which a page is drawn for reading: some 200 dots an inch on A4."""
_LONGEST = 600.0
"""Seconds that no picture takes; a file that says more is damaged."""
_STEADY = 0.8
"""Share of the former pace in a new one, so that one difficult picture changes it little."""


class PictureTexts:
    """What is written on pictures. For any thread; one picture is read at a time."""

    def __init__(
        self,
        folder: Path | None,
        reader: PictureReader,
        *,
        pages: PdfPageClient,
        pace: StateFile | None = None,
    ) -> None:
        """Texts are kept in the folder, or not at all. Processes start with the first picture."""
        self._cache = DocumentCache(folder, MOST_KEPT)
        self._reader = reader
        self._pages = pages
        self._pace = pace
        self._lock = threading.Lock()
        self.begun = 0
        """Number of the pictures that were begun so far. For any thread."""

    @property
    def seconds_each(self) -> float:
        """Seconds that a picture takes on this computer."""
        if self._pace is None:
            return DEFAULT_SECONDS
        with contextlib.suppress(OSError):
            seconds = self._pace.read().get("seconds")
            if isinstance(seconds, int | float) and 0 < seconds < _LONGEST:
                return float(seconds)
        return DEFAULT_SECONDS

    @property
    def is_empty(self) -> bool:
        """Whether nothing is kept."""
        return self._cache.is_empty

    def obstacle(self) -> Sentence | None:
        """Why pictures cannot be read here; None if they can."""
        return self._reader.obstacle()

    def find(self, key: str) -> PictureText | None:
        """A text that is kept; None if there is none.

        Raises DocumentRefused or ConversionFailed for a picture that could not be read.
        """
        answer = self._cache.find(key)
        if answer is None:
            return None
        # The cache has texts, refusals and failures, as of documents.
        kind, text = answer
        if kind == "refused":
            raise DocumentRefused(deserialize_sentence(text))
        if kind == "failed":
            raise ConversionFailed(deserialize_sentence(text))
        try:
            return msgspec.json.decode(text, type=PictureText)
        except msgspec.DecodeError:
            return None

    def is_kept(self, key: str) -> bool:
        """Whether there is a text under a key, or the reason why there is none."""
        return self._cache.find(key) is not None

    def find_list(self, key: str) -> str | None:
        """What `keep_list` has kept under a key; None for nothing.

        Raises ConversionFailed for a document whose pictures could not be listed.
        """
        answer = self._cache.find(key)
        if answer is None:
            return None
        kind, text = answer
        if kind == "failed":
            raise ConversionFailed(deserialize_sentence(text))
        return text

    def keep_list(self, key: str, pictures: str) -> None:
        """Keep the list of the pictures in a document."""
        self._cache.keep(key, ("text", pictures))

    def keep_failure(self, key: str, reason: Sentence) -> None:
        """Keep the reason why something could not be read, for as long as it may fail again."""
        self._cache.keep(key, ("failed", serialize_sentence(reason)))

    def read_picture(
        self, key: str, data: bytes, cancel: CancelToken, *, page: int = 1
    ) -> PictureText:
        """The text of a picture, or of a page of a TIFF file, read where none is kept.

        Raises DocumentRefused, ConversionFailed, Cancelled, or OSError without a process.
        """
        return self._read(key, lambda reader: reader.read(data, cancel, page=page))

    def draw(self, data: bytes, side: int, cancel: CancelToken, *, page: int) -> DrawnPicture:
        """A picture file as a viewer shows it. Raises as `read_picture`."""
        return self._reader.draw(data, side, cancel, page=page)

    def read_page(self, key: str, data: bytes, page: int, cancel: CancelToken) -> PictureText:
        """The text on a page of a PDF file as it is drawn. Raises as `read_picture`."""

        def read(reader: PictureReader) -> PictureText:
            drawn = self._pages.draw(data, PageWanted(page, _PAGE_PIXELS), cancel)
            pixels = bytearray(3 * drawn.width * drawn.height)
            # From blue, green, red and nothing to red, green and blue.
            for colour in range(3):
                pixels[colour::3] = drawn.pixels[2 - colour :: 4]
            return reader.read_pixels(
                bytes(pixels), width=drawn.width, height=drawn.height, cancel=cancel
            )

        return self._read(key, read)

    def close(self) -> None:
        """End the processes unless they work."""
        self._reader.close()
        self._pages.close()

    def _read(self, key: str, read: Callable[[PictureReader], PictureText]) -> PictureText:
        """The text under a key. What was read or refused is kept; a lack of memory is not.

        Raises as `read_picture`.
        """
        with self._lock:
            known = self.find(key)
            if known is not None:
                return known
            # What fails once would fail again, so failures are kept as well.
            began = time.monotonic()
            self.begun += 1
            try:
                text = read(self._reader)
            except DocumentRefused as error:
                # Later there may be more memory.
                if error.args[0] == NEEDS_MORE_MEMORY:
                    raise ConversionFailed(NEEDS_MORE_MEMORY) from error
                self._cache.keep(key, ("refused", serialize_sentence(error.args[0])))
                raise
            except ConversionFailed as error:
                self.keep_failure(key, error.args[0])
                raise
            self._cache.keep(key, ("text", msgspec.json.encode(text).decode()))
            self._measure(time.monotonic() - began)
            return text

    def _measure(self, seconds: float) -> None:
        """Take the time of one picture into the pace."""
        if self._pace is None:
            return
        # A full disk costs only the pace.
        pace = _STEADY * self.seconds_each + (1 - _STEADY) * seconds
        with contextlib.suppress(OSError), self._pace.changed() as state:
            state["seconds"] = round(pace, 3)
