"""A download that is not complete: the bytes that have arrived, and their description."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from scrubjay.errors import DownloadFailed
from scrubjay.messages import msg, restored, stored
from scrubjay.models.download.hub import RemoteFile

IMPORT_PREFIX = ".import-"
"""Begins the names of copies that are not complete yet."""

_STALE_SECONDS = 3_600
_LOCK_SECONDS = 0.5
"""Longer than is_locked holds the lock."""


@dataclass(frozen=True, slots=True)
class PartialFileState:
    """Description of a partial file, kept beside it so that a restart can resume."""

    model: str
    """Id in the catalogue, or the reference that a person wrote."""
    size: int | None = None
    sha256: str | None = None
    etag: str = ""
    is_paused: bool = False
    """A person stopped it: only a person resumes it."""
    failure: str = ""
    """Why it stopped by itself, in words; empty while it runs or when it was interrupted."""

    def is_of(self, remote: RemoteFile) -> bool:
        """True when the bytes belong to the file that the server offers now."""
        if self.sha256 and remote.sha256:
            return self.sha256 == remote.sha256
        return self.size == remote.size and self.etag == remote.etag


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
        """The stored description; None when there is none that can be read."""
        try:
            values: Any = json.loads(self._state.read_bytes())
            if not isinstance(values, dict):
                return None
            state = PartialFileState(**values)
            return replace(state, failure=restored(state.failure))
        except (OSError, ValueError, TypeError):
            return None

    def write_state(self, state: PartialFileState) -> None:
        """Store the description, all of it or nothing. Raises OSError."""
        self.target.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._state.with_suffix(".new")
        values = asdict(replace(state, failure=stored(state.failure)))
        fresh.write_text(json.dumps(values), encoding="utf-8")
        fresh.replace(self._state)

    def digest(self) -> hashlib._Hash:
        """SHA-256 of the bytes that have arrived, ready for more. Raises OSError."""
        if not self.size:
            return hashlib.sha256()
        with self.file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256")

    def discard(self) -> None:
        """Delete the bytes and the description."""
        for file in (self._state, self.file):
            file.unlink(missing_ok=True)

    def finish(self) -> Path:
        """Make the model appear under its name, complete and on the disk."""
        with self.file.open("rb+") as stream:
            os.fsync(stream.fileno())
        self.file.replace(self.target)
        self._state.unlink(missing_ok=True)
        return self.target

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Inside, no other process touches the partial file. Raises DownloadFailed if one does."""
        self.target.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self._lock, timeout=_LOCK_SECONDS)
        try:
            lock.acquire()
        except Timeout as error:
            raise DownloadFailed(
                msg("{name} is being fetched already", name=self.target.stem),
                "Another Scrubjay does it.",
                hint="Wait until it has finished.",
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
            with FileLock(self._lock, timeout=0):
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
    for lock in folder.glob(".*.gguf.lock"):
        partial_file = PartialFile(
            lock.with_name(lock.name.removeprefix(".").removesuffix(".lock"))
        )
        if not partial_file.exists:
            with contextlib.suppress(DownloadFailed), partial_file.locked():  # leaving deletes it
                continue


def leftovers(folder: Path) -> list[Path]:
    """Files of downloads and imports that cannot be resumed."""
    resumable = {partial_file.file for partial_file in partial_files(folder)}
    strays = [file for file in sorted(folder.glob("*.part")) if file not in resumable]
    strays += sorted(folder.glob("*.part.new"))
    imports = sorted(folder.glob(f"{IMPORT_PREFIX}*"))
    return strays + [file for file in imports if _is_stale(file)]


def _is_stale(file: Path) -> bool:
    """False for a younger copy, which another process may be writing, or has just written."""
    try:
        return file.stat().st_mtime < time.time() - _STALE_SECONDS
    except OSError:
        return False
