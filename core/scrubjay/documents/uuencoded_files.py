"""Files that old mail programs wrote into the text of a letter."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from scrubjay.documents.web_text import decode_page

_BEGIN = re.compile(r"begin(-base64)? [0-7]{3,4} (\S.{0,250})")
_END = "end"
_BASE64_END = "===="
_BASE64_LINE = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_FULL_LINE = 45
"""Bytes of each line but the last."""
_MOST_LOST = 3
"""Letters that a line may lack: those that only fill it may be spaces, which get lost."""


class TextBlock(Struct, frozen=True):
    """A part of a text: what a person wrote, or a file."""

    text: str
    name: str = ""
    """Name of the file; empty for what a person wrote."""


def split_files(words: str) -> Iterator[TextBlock]:
    """The text and the files in it, in order."""
    lines = words.split("\n")
    kept: list[str] = []
    at = 0
    while at < len(lines):
        match = _BEGIN.fullmatch(lines[at].rstrip("\r"))
        pieces: list[bytes] = []
        # A sentence may begin so as well; only a file is whole up to its end.
        if match:
            pieces = _pieces(lines, at + 1, is_base64=bool(match[1]))
        if match and pieces:
            yield TextBlock("\n".join(kept))
            yield TextBlock(decode_page(b"".join(pieces)), match[2].strip())
            kept = []
            at += len(pieces) + 1
        else:
            kept.append(lines[at])
        at += 1
    yield TextBlock("\n".join(kept))


def _pieces(lines: Sequence[str], at: int, *, is_base64: bool) -> list[bytes]:
    """The bytes of each line of a file, up to its end; none if it is no file, or has no end."""
    pieces: list[bytes] = []
    end = _END
    if is_base64:
        end = _BASE64_END
    for number in range(at, len(lines)):
        line = lines[number].rstrip("\r")
        if line.rstrip() == end:
            return pieces
        try:
            if is_base64:
                pieces.append(_base64_line(line))
            else:
                pieces.append(_line(line, pieces))
        except ValueError:
            return []
    return []


def _base64_line(line: str) -> bytes:
    """The bytes of a line. Raises ValueError."""
    if not _BASE64_LINE.fullmatch(line.rstrip()):
        raise ValueError
    return binascii.a2b_base64(line)


def _line(line: str, before: Sequence[bytes]) -> bytes:
    """The bytes of a line, which tells their number. Raises ValueError."""
    # Above the end is a line without bytes.
    if not line.strip("` ") and (before or "`" in line):
        return b""
    content = binascii.a2b_uu(line)
    letters = 1 + (len(content) + 2) // 3 * 4
    is_after_last = bool(before) and len(before[-1]) < _FULL_LINE
    if len(content) > _FULL_LINE or len(line) < letters - _MOST_LOST or is_after_last:
        raise ValueError
    return content
