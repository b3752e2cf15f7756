"""Files that old mail programs wrote into the text of a letter."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator

from msgspec import Struct

from scrubjay.documents.web_text import decode_page

_BEGIN = re.compile(r"begin(?:-base64)? [0-7]{3,4} (\S.{0,250})")
_END = "end"


class TextBlock(Struct, frozen=True):
    """A part of a text: what a person wrote, or a file."""

    text: str
    name: str = ""
    """Name of the file; empty for what a person wrote."""


def split_files(words: str) -> Iterator[TextBlock]:
    """The text and the files in it, in order."""
    if "begin " not in words:
        yield TextBlock(words)
        return
    lines = words.split("\n")
    kept: list[str] = []
    at = 0
    while at < len(lines):
        match = _BEGIN.match(lines[at])
        end = at + 1
        # A sentence may begin so as well; the lines of a file tell their length.
        while match and end < len(lines) and _is_line_of_file(lines[end]):
            end += 1
        if match and end > at + 1:
            yield TextBlock("\n".join(kept))
            yield TextBlock(_decoded(lines[at + 1 : end]), match[1].strip())
            kept = []
            if end < len(lines) and lines[end].strip() == _END:
                end += 1
        else:
            kept.append(lines[at])
            end = at + 1
        at = end
    yield TextBlock("\n".join(kept))


def _is_line_of_file(line: str) -> bool:
    """Whether a line can be part of a file."""
    try:
        return bool(line.strip()) and binascii.a2b_uu(line.rstrip("\r")) is not None
    except (binascii.Error, ValueError):
        return False


def _decoded(lines: list[str]) -> str:
    """The text of a file."""
    return decode_page(b"".join(binascii.a2b_uu(line.rstrip("\r")) for line in lines))
