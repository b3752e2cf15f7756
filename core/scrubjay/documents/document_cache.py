"""The cache of the texts of documents, and of the reasons why others have none."""

from __future__ import annotations

import contextlib
import json
import os
import time
import zlib
from pathlib import Path
from typing import TypeAlias

from scrubjay.platform.atomic_write import PRIVATE_FILE, write_atomically
from scrubjay.platform.paths import make_private_folder
from scrubjay.platform.temporary_files import delete_temporary_files

MOST_KEPT = 256 * 2**20
"""Bytes of all texts that are kept, compressed."""
_AGAIN_S = 86_400.0
"""Seconds of a day, after which a document that took too long is tried again: the computer may
have been busy."""

DocumentAnswer: TypeAlias = tuple[str, str]
"""The words "text", "refused" or "failed", and the text or the reason."""


class DocumentCache:
    """Answers of the process that reads documents, by the hash of their bytes."""

    def __init__(self, folder: Path | None, most_kept: int) -> None:
        """Without a folder, nothing is kept."""
        self._folder = folder
        self._most_kept = most_kept
        self._kept: int | None = None
        """Bytes of the texts that are kept; None before they were counted."""

    @property
    def is_empty(self) -> bool:
        """Whether no answer is kept."""
        return self._folder is None or not self._folder.exists() or not any(self._folder.iterdir())

    def find(self, key: str) -> DocumentAnswer | None:
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

    def keep(self, key: str, answer: DocumentAnswer) -> None:
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
