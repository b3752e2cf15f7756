"""Reads a note from disk: whole, decoded, and the same bytes that were hashed."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from scrubjay.errors import system_reason
from scrubjay.messages import msg

_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class NoteBytes:
    """One consistent state of a file."""

    data: bytes
    mtime_ns: int
    size: int

    @property
    def sha256(self) -> bytes:
        """Digest of the bytes."""
        return hashlib.sha256(self.data).digest()


class NoteUnreadable(Exception):
    """The file is there but is no note; the message says why in one plain sentence."""


def read_note(path: Path) -> NoteBytes:
    """Read a file that may be written to at this very moment.

    Never follows a link at the end of path. Raises NoteUnreadable, or FileNotFoundError when
    it vanished.
    """
    try:
        for _ in range(_ATTEMPTS):
            note, is_settled = _read_once(path)
            if is_settled:
                return note
        return note
    except FileNotFoundError:
        raise
    except OSError as error:
        raise NoteUnreadable(
            msg("It cannot be read ({reason}).", reason=system_reason(error))
        ) from error


def decode(data: bytes) -> str:
    """Text of a note. Raises NoteUnreadable for what is not text."""
    try:
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            text = data.decode("utf-16")
        else:
            text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NoteUnreadable(
            msg(
                "It is not UTF-8 text (byte {n}). Save it as UTF-8 to have it searched.",
                n=str(error.start + 1),
            )
        ) from error
    if "\0" in text:
        raise NoteUnreadable(msg("It holds NUL bytes, so it is probably not text."))
    return text


def _read_once(path: Path) -> tuple[NoteBytes, bool]:
    # A pipe or device would block for ever; the scan has seen a regular file, but that was then.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
    with open(handle, "rb") as file:  # noqa: PTH123  (a descriptor, not a path)
        before = os.fstat(handle)
        data = file.read()
        after = os.fstat(handle)
    is_settled = len(data) == after.st_size and before.st_mtime_ns == after.st_mtime_ns
    return NoteBytes(data, after.st_mtime_ns, len(data)), is_settled
