"""A download that is not complete: the bytes that have arrived, and a note on what they are."""

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
_BLOCK = 1 << 20
_LOCK_SECONDS = 0.5
"""Longer than anybody takes who only looks whether the part is busy."""


@dataclass(frozen=True, slots=True)
class PartialFileState:
    """What has to be known to go on, also after the computer was switched off."""

    model: str
    """Id in the catalogue, or the reference that a person wrote."""
    size: int | None = None
    sha256: str | None = None
    etag: str = ""
    is_paused: bool = False
    """A person stopped it: it goes on only when a person says so."""
    failure: str = ""
    """Why it stopped by itself, in words; empty while it runs or when it was interrupted."""

    def is_of(self, remote: RemoteFile) -> bool:
        """True when the bytes belong to what the server offers now."""
        if self.sha256 and remote.sha256:
            return self.sha256 == remote.sha256
        return self.size == remote.size and self.etag == remote.etag


class PartialFile:
    """The files beside a model that is being fetched."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self.file = target.with_name(f"{target.name}.part")
        self._note = target.with_name(f"{target.name}.part.json")
        self._lock = target.with_name(f".{target.name}.lock")

    @property
    def size(self) -> int:
        """Bytes that have arrived."""
        try:
            return self.file.stat().st_size
        except OSError:
            return 0

    @property
    def is_there(self) -> bool:
        """True when a download was begun and neither finished nor cancelled."""
        return self._note.is_file()

    def note(self) -> PartialFileState | None:
        """What is known about it; None when that is nothing."""
        try:
            found: Any = json.loads(self._note.read_bytes())
            if not isinstance(found, dict):
                return None
            note = PartialFileState(**found)
            return replace(note, failure=restored(note.failure))
        except (OSError, ValueError, TypeError):
            return None

    def write_note(self, note: PartialFileState) -> None:
        """Remember, all of it or nothing."""
        self.target.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._note.with_suffix(".new")
        plain = asdict(replace(note, failure=stored(note.failure)))
        fresh.write_text(json.dumps(plain), encoding="utf-8")
        fresh.replace(self._note)

    def digest(self) -> hashlib._Hash:
        """SHA-256 of the bytes that have arrived, ready for more."""
        digest = hashlib.sha256()
        if self.size:
            with self.file.open("rb") as stream:
                while block := stream.read(_BLOCK):
                    digest.update(block)
        return digest

    def discard(self) -> None:
        """Delete the bytes and the note."""
        for file in (self._note, self.file):
            file.unlink(missing_ok=True)

    def finish(self) -> Path:
        """Make the model appear under its name, complete and on the disk."""
        with self.file.open("rb+") as stream:
            os.fsync(stream.fileno())
        self.file.replace(self.target)
        self._note.unlink(missing_ok=True)
        return self.target

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Inside, no other process touches the part. Raises DownloadFailed when one does."""
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
            if not self.is_there:
                # Held to the end: who opened the file meanwhile sees that it is gone, and makes
                # another. Windows deletes no open file; there it stays until it is cleaned.
                with contextlib.suppress(OSError):
                    self._lock.unlink()
            lock.release()

    def is_busy(self) -> bool:
        """True while some process fetches it."""
        if not self._lock.is_file():
            return False
        try:
            with FileLock(self._lock, timeout=0):
                return False
        except Timeout:
            return True


def parts_in(folder: Path) -> list[PartialFile]:
    """All downloads in a folder that were begun and not finished."""
    return [
        PartialFile(note.with_name(note.name.removesuffix(".part.json")))
        for note in sorted(folder.glob("*.part.json"))
    ]


def drop_old_locks(folder: Path) -> None:
    """Delete the lock files that downloads left when they were killed."""
    for lock in folder.glob(".*.gguf.lock"):
        part = PartialFile(lock.with_name(lock.name.removeprefix(".").removesuffix(".lock")))
        if not part.is_there:
            with contextlib.suppress(DownloadFailed), part.alone():  # leaving deletes it
                continue


def leftovers(folder: Path) -> list[Path]:
    """Files of downloads and imports that nobody can go on with."""
    known = {part.file for part in parts_in(folder)}
    strays = [file for file in sorted(folder.glob("*.part")) if file not in known]
    strays += sorted(folder.glob("*.part.new"))
    imports = sorted(folder.glob(f"{IMPORT_PREFIX}*"))
    return strays + [file for file in imports if _is_stale(file)]


def _is_stale(file: Path) -> bool:
    """False for a younger copy, which may be under way in another process, or done just now."""
    try:
        return file.stat().st_mtime < time.time() - _STALE_SECONDS
    except OSError:
        return False
