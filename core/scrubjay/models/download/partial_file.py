"""A download that is not complete: the bytes that have arrived, and their description."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Iterator
from functools import partial
from io import FileIO
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from msgspec.structs import replace

from scrubjay.errors import DownloadFailed
from scrubjay.messages import msg
from scrubjay.models.download.remote_file import RemoteFile
from scrubjay.models.verification import StoredRecord
from scrubjay.platform.atomic_write import PRIVATE_FILE, TEMPORARY_PREFIX, when_released
from scrubjay.platform.paths import make_private_folder

PARTS = "*.gguf.part"
"""Pattern of what has arrived; other programs name theirs similarly in the same folder."""
LOCKS = ".*.gguf.lock"
"""Pattern of the lock files of downloads."""
IMPORT_PREFIX = ".import-"
"""Beginning of the names of folders with a copy that is not complete yet."""

_STALE_SECONDS = 3_600
"""Seconds after which such a copy is a leftover."""
_LOCK_SECONDS = 0.5
"""Seconds that a download waits for the lock; longer than is_locked holds it."""


class PartialFileState(StoredRecord, frozen=True):
    """Description of a partial file, kept beside it so that a restart can resume."""

    model: str
    """Id in the catalogue, or the reference that a person wrote."""
    size: int | None = None
    sha256: str | None = None
    etag: str = ""
    is_paused: bool = False
    """Whether a person stopped it: then only a person resumes it."""


class PartialFile:
    """The files beside a model that is being downloaded."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self.file = target.with_name(f"{target.name}.part")
        self._state = target.with_name(f"{target.name}.part.json")
        self._lock = target.with_name(f".{target.name}.lock")

    @property
    def size(self) -> int:
        """Bytes that have arrived."""
        try:
            return self.file.stat().st_size
        except OSError:
            return 0

    @property
    def exists(self) -> bool:
        """True when a download was begun and neither finished nor cancelled."""
        return self._state.is_file()

    def state(self) -> PartialFileState | None:
        """The stored description; None if there is none that can be read."""
        return PartialFileState.read(self._state)

    def update(self, **changes: Any) -> None:
        """Change the stored description, all of it or nothing. Raises OSError."""
        replace(self.state() or PartialFileState(""), **changes).write(self._state)

    def prepare_for(self, remote: RemoteFile, *, keeps_bytes: bool) -> hashlib._Hash:
        """SHA-256 of the bytes that are kept, ready for more. Raises OSError."""
        # A link is not ours, and would be written through.
        if not keeps_bytes or self.file.is_symlink():
            self.file.unlink(missing_ok=True)
        self.update(size=remote.size, sha256=remote.sha256, etag=remote.etag)
        if not self.size:
            return hashlib.sha256()
        with self.file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256")

    def opened(self) -> FileIO:
        """The file to add bytes to, which only its owner may read. Raises OSError for a link."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        flags |= getattr(os, "O_NOFOLLOW", 0)
        return FileIO(os.open(self.file, flags, PRIVATE_FILE), "ab")

    def discard(self) -> None:
        """Delete the bytes and the description."""
        for file in (self._state, self.file):
            when_released(partial(file.unlink, missing_ok=True), file)

    def finish(self) -> Path:
        """Make the model appear under its name, complete and on the disk."""
        with self.file.open("rb+") as stream:
            os.fsync(stream.fileno())
        when_released(lambda: self.file.replace(self.target), self.file)
        when_released(partial(self._state.unlink, missing_ok=True), self._state)
        return self.target

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Inside, no other process touches the partial file. Raises DownloadFailed if one does."""
        make_private_folder(self.target.parent)
        lock = FileLock(self._lock, timeout=_LOCK_SECONDS, mode=PRIVATE_FILE)
        try:
            lock.acquire()
        except Timeout as error:
            raise DownloadFailed(
                msg("{name} is already being downloaded", name=self.target.stem),
                "Another copy of Scrubjay is downloading this file.",
                hint="Wait until the download has finished.",
            ) from error
        try:
            yield
        finally:
            if not self.exists:
                # Before the release: a process that opened the file meanwhile sees that it is
                # gone, and makes another. Windows deletes no open file; there it stays until
                # delete_stale_locks.
                with contextlib.suppress(OSError):
                    self._lock.unlink()
            lock.release()

    def is_locked(self) -> bool:
        """True while some process downloads it."""
        if not self._lock.is_file():
            return False
        try:
            with FileLock(self._lock, timeout=0, mode=PRIVATE_FILE):
                return False
        except Timeout:
            return True


def partial_files(folder: Path) -> list[PartialFile]:
    """All downloads in a folder that were begun and not finished."""
    return [
        PartialFile(state.with_name(state.name.removesuffix(".part.json")))
        for state in sorted(folder.glob("*.part.json"))
    ]


def delete_stale_locks(folder: Path) -> None:
    """Delete the lock files of downloads that were killed."""
    for lock in folder.glob(LOCKS):
        part = PartialFile(lock.with_name(lock.name.removeprefix(".").removesuffix(".lock")))
        if not part.exists:
            # Leaving the lock deletes its file.
            with contextlib.suppress(DownloadFailed), part.locked():
                continue


def leftovers(folder: Path) -> list[Path]:
    """Files of downloads and imports that cannot be resumed except those being written."""
    # Bytes without a description, and copies that nobody has written to for a while.
    resumable = {part.file for part in partial_files(folder)}
    strays = [file for file in sorted(folder.glob(PARTS)) if file not in resumable]
    oldest = time.time() - _STALE_SECONDS
    for pattern in (f"{IMPORT_PREFIX}*/*", f"{TEMPORARY_PREFIX}*"):
        for file in sorted(folder.glob(pattern)):
            with contextlib.suppress(OSError):
                if file.stat().st_mtime < oldest:
                    strays.append(file)
    return strays
