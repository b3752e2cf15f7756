"""Text of documents: created once by the child process, then cached by the hash of the bytes."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import threading
import time
import zlib
from pathlib import Path

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.documents.document_errors import ConversionFailed, DocumentRefused
from scrubjay.documents.document_process import BROKE_DOWN, DocumentChild
from scrubjay.messages import deserialize_sentence, serialize_sentence
from scrubjay.platform.atomic_write import PRIVATE_FILE, write_atomically
from scrubjay.platform.paths import make_private_folder
from scrubjay.platform.temporary_files import delete_temporary_files

VERSION = 3
"""Number that changes whenever equal bytes may give another text."""
MOST_SECONDS = 120.0
"""Seconds for one document; a thousand pages take some four."""
MOST_KEPT = 256 * 2**20
"""Bytes of all texts that are kept, compressed."""
_AGAIN_S = 86_400.0
"""Seconds of a day, after which a document that took too long is tried again: the computer may
have been busy."""


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
        self._folder = folder
        self._most_kept = most_kept
        self._lock = threading.Lock()
        self._kept: int | None = None
        """Bytes of the texts that are kept; None before they were counted."""

    def text_of(self, data: bytes, name: str, cancel: CancelToken | None = None) -> str:
        """Text of a document, by the ending of its name.

        Raises DocumentRefused, ConversionFailed, Cancelled, or OSError without a process.
        """
        ending = os.path.splitext(name)[1].lower()  # noqa: PTH122
        digest = hashlib.sha256(f"{VERSION}{ending}\0".encode())
        digest.update(data)
        key = digest.hexdigest()
        answer = self._remembered(key)
        if answer is None:
            with self._lock:
                # Another thread may have asked for the same one.
                answer = self._remembered(key) or self._asked(data, ending, cancel or CancelToken())
                self._keep(key, answer)
        kind, text = answer
        if kind == "refused":
            raise DocumentRefused(deserialize_sentence(text))
        if kind == "failed":
            raise ConversionFailed(deserialize_sentence(text))
        return text

    def close(self) -> None:
        """End the process unless it works."""
        self.child.close()

    def _asked(self, data: bytes, ending: str, cancel: CancelToken) -> tuple[str, str]:
        """The child's answer: "text", "refused" or "failed", and the words."""
        # All three are kept, since a document that is refused once is refused each time.
        try:
            _, text = self.child.ask({"ending": ending}, data, cancel)
        except DocumentRefused as error:
            return "refused", serialize_sentence(error.args[0])
        except ConversionFailed as error:
            return "failed", serialize_sentence(error.args[0])
        try:
            return "text", text.decode("utf-8")
        except UnicodeDecodeError:
            self.child.close()
            return "failed", serialize_sentence(BROKE_DOWN)

    def _remembered(self, key: str) -> tuple[str, str] | None:
        """The answer that is kept; None if there is none, or it has to be tried again."""
        if self._folder is None:
            return None
        # A file that is damaged or of another version counts as none.
        try:
            file = self._folder / key
            kind, text = json.loads(zlib.decompress(file.read_bytes()))
            if kind == "failed" and time.time() - file.stat().st_mtime > _AGAIN_S:
                return None
            if kind == "text":
                os.utime(file)
        except (OSError, ValueError, zlib.error):
            return None
        return kind, text

    def _keep(self, key: str, answer: tuple[str, str]) -> None:
        """Write an answer; what was not used for longest makes room. A full disk keeps nothing."""
        if self._folder is None:
            return
        with contextlib.suppress(OSError):
            # The first answer of a process counts those of earlier ones.
            make_private_folder(self._folder)
            content = zlib.compress(json.dumps(answer).encode(), level=1)
            write_atomically(self._folder / key, content, PRIVATE_FILE)
            if self._kept is None:
                delete_temporary_files(self._folder)
            else:
                self._kept += len(content)
            if self._kept is None or self._kept > self._most_kept:
                self._make_room(self._folder)

    def _make_room(self, folder: Path) -> None:
        """Delete the texts that were not used for longest, beyond the most that are kept."""
        files = [
            (entry.stat().st_mtime, entry.stat().st_size, entry.path)
            for entry in os.scandir(folder)
        ]
        # Texts that are used get a new time, so the oldest are those nobody needs.
        self._kept = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if self._kept <= self._most_kept:
                return
            os.unlink(path)  # noqa: PTH108
            self._kept -= size
