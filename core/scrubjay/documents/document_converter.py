"""Text of documents, created once by the child process and then taken from the cache."""

from __future__ import annotations

import hashlib
import os
import threading
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents.document_cache import MOST_KEPT, DocumentAnswer, DocumentCache
from scrubjay.documents.document_errors import ConversionFailed, DocumentRefused
from scrubjay.documents.document_limits import NEEDS_MORE_MEMORY
from scrubjay.documents.document_process import BROKE_DOWN, DocumentChild
from scrubjay.messages import deserialize_sentence, serialize_sentence
from scrubjay.text.file_kinds import MAIL, document_kind

VERSION = 8
"""Number that changes whenever equal bytes may give another text."""
MOST_SECONDS = 120.0
"""Seconds for one document; a thousand pages take some four."""
_LETTER_ALONE = 0.5
"""Share of them that is left for a letter without its attachments, where these cost too much."""


class Converted(Struct, frozen=True):
    """The text of a document."""

    text: str
    has_pictures: bool = False
    """Whether what is written on its pictures is part of it."""


class TextSource(Protocol):
    """Texts of documents."""

    def convert(self, data: bytes, name: str, cancel: CancelToken | None = None) -> Converted:
        """Text of a document, by the ending of its name.

        Raises DocumentRefused, ConversionFailed, Cancelled, or OSError without a process.
        """


class Converter:
    """Texts of documents. For any thread; one document is read at a time."""

    def __init__(
        self,
        folder: Path | None = None,
        *,
        most_seconds: float = MOST_SECONDS,
        most_kept: int = MOST_KEPT,
    ) -> None:
        """Texts are kept in the folder, or not at all. The process starts with a document."""
        self.child = DocumentChild(most_seconds)
        self._cache = DocumentCache(folder, most_kept)
        self._lock = threading.Lock()

    def text_of(self, data: bytes, name: str, cancel: CancelToken | None = None) -> str:
        """Text of a document, by the ending of its name.

        Raises DocumentRefused, ConversionFailed, Cancelled, or OSError without a process.
        """
        ending = os.path.splitext(name)[1].lower()  # noqa: PTH122
        digest = hashlib.sha256(f"{VERSION}{ending}\0".encode())
        digest.update(data)
        key = digest.hexdigest()
        answer = self._cache.find(key)
        if answer is None:
            with self._lock:
                # Another thread may have asked for the same one.
                answer = self._cache.find(key) or self._asked(data, ending, cancel or CancelToken())
                self._cache.keep(key, answer)
        kind, text = answer
        if kind == "refused":
            raise DocumentRefused(deserialize_sentence(text))
        if kind == "failed":
            raise ConversionFailed(deserialize_sentence(text))
        return text

    def convert(self, data: bytes, name: str, cancel: CancelToken | None = None) -> Converted:
        """As `text_of`; pictures are not read."""
        return Converted(self.text_of(data, name, cancel))

    def close(self) -> None:
        """End the process unless it works."""
        self.child.close()

    def _asked(self, data: bytes, ending: str, cancel: CancelToken) -> DocumentAnswer:
        """The child's answer."""
        # All three are kept, since a document that is refused once is refused each time.
        try:
            text = self._text(data, ending, cancel)
        except DocumentRefused as error:
            return "refused", serialize_sentence(error.args[0])
        except ConversionFailed as error:
            return "failed", serialize_sentence(error.args[0])
        try:
            return "text", text.decode("utf-8")
        except UnicodeDecodeError:
            self.child.close()
            return "failed", serialize_sentence(BROKE_DOWN)

    def _text(self, data: bytes, ending: str, cancel: CancelToken) -> bytes:
        """The text from the child, in two attempts for mail. Raises what it raises."""
        request = {"ending": ending}
        if document_kind(f"x{ending}") != MAIL:
            return self.child.ask(request, data, cancel)[1]
        try:
            return self.child.ask(request, data, cancel, share=1 - _LETTER_ALONE)[1]
        except (ConversionFailed, DocumentRefused) as error:
            is_costly = isinstance(error, ConversionFailed) or error.args[0] == NEEDS_MORE_MEMORY
            if not is_costly:
                raise
        # What is attached may be what costs too much, and the letter itself can be read.
        alone = {**request, "withoutAttachments": True}
        return self.child.ask(alone, data, cancel, share=_LETTER_ALONE)[1]
