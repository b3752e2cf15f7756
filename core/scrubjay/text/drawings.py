"""Drawings of Excalidraw in Markdown: their texts without the data of their lines and shapes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from scrubjay.text.markdown import Heading

PLUGIN = "excalidraw-plugin"
"""Key of front matter by which Obsidian knows a drawing."""
_DATA = "drawing"
"""Heading above the data, in lower case."""
_TEXT = re.compile(r'"(?:text|name)"\s*:\s*("(?:[^"\\]|\\.)*+")')
"""Text of an element, or the name of a frame."""
_COMPRESSED = "```compressed-json"
"""Fence above data that is compressed, which is data below any heading."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_BITS = {letter: f"{number:06b}" for number, letter in enumerate(_LETTERS)}
"""Bits of each letter of Base64."""
_MOST_COMPRESSED = 400_000
"""Letters of compressed data that are read; this takes half a second."""
_MOST_UNPACKED = 8_000_000
"""Characters of unpacked data."""
_ONE_BYTE = 0
_TWO_BYTES = 1
_END = 2
_MOST_COMPARED = 1_000
"""Texts that are looked for above the data; further ones are kept without a look."""


def without_drawing_data(lines: Sequence[str], headings: Sequence[Heading]) -> list[str]:
    """The lines of a drawing, in which those of its data are blank.

    A text that stands in the data alone takes the place of the first of these lines.
    """
    kept = list(lines)
    # The plug-in writes its data last, below headings of the person.
    begins = [heading.line for heading in headings if heading.text.strip().lower() == _DATA]
    if not begins:
        begins = [number for number, line in enumerate(lines) if line.startswith(_COMPRESSED)]
    if not begins:
        return kept
    # The data ends with the next heading, otherwise with the note.
    first = begins[-1]  # that of the line below the heading, 0-based
    last = next((heading.line - 1 for heading in headings if heading.line > first + 1), len(lines))
    data = lines[first:last]
    kept[first:last] = [""] * len(data)
    # The plug-in lists most texts above the data, where they are found already.
    words = "\n".join(kept)
    texts = [
        text
        for at, text in enumerate(dict.fromkeys(_texts(data)))
        if text and (at >= _MOST_COMPARED or text not in words)
    ]
    if texts and data:
        kept[first] = " · ".join(texts)
    return kept


def _texts(data: Sequence[str]) -> Iterator[str]:
    """Texts of the elements, each on one line."""
    fence = next((at for at, line in enumerate(data) if line.startswith(_COMPRESSED)), None)
    if fence is not None:
        end = next((at for at in range(fence + 1, len(data)) if data[at][:3] == "```"), len(data))
        data = [_unpacked("".join("".join(data[fence + 1 : end]).split()))]
    for line in data:
        for match in _TEXT.finditer(line):
            try:
                yield " ".join(json.loads(match[1], strict=False).split())
            except ValueError:
                continue


class _Codes:
    """The numbers in compressed data, the lowest bit of each first."""

    def __init__(self, packed: str) -> None:
        self._bits = "".join(_BITS.get(letter, "") for letter in packed)
        self._at = 0
        self._size = 2
        self._left = 1
        """Entries to add before numbers get one bit more."""

    def next_code(self) -> int:
        """The next number; that of the end after the last one."""
        return self._number(self._size)

    def letter(self, code: int) -> str:
        """The letter that follows a code for one of so many bytes."""
        return chr(self._number(8 << code))

    def count_entry(self) -> None:
        """Note that one more entry has to be told apart from the others."""
        self._left -= 1
        if self._left == 0:
            self._left = 1 << self._size
            self._size += 1

    def _number(self, size: int) -> int:
        piece = self._bits[self._at : self._at + size]
        self._at += size
        if len(piece) < size:
            return _END
        return int(piece[::-1], 2)


def _unpacked(packed: str) -> str:
    """The text that lz-string has compressed to Base64; empty or cut off where it is damaged.

    The package lzstring had its last release in 2018, and reads bit by bit.
    """
    if len(packed) > _MOST_COMPRESSED:
        return ""
    codes = _Codes(packed)
    entries: list[str] = ["", "", ""]
    written: list[str] = []
    length = 0
    former = ""
    while length < _MOST_UNPACKED:
        code = codes.next_code()
        if code in (_ONE_BYTE, _TWO_BYTES):
            entries.append(codes.letter(code))
            code = len(entries) - 1
            codes.count_entry()
        if code == _END or code > len(entries) or (code == len(entries) and not former):
            break
        if code < len(entries):
            entry = entries[code]
        else:
            entry = former + former[0]
        written.append(entry)
        length += len(entry)
        # What was written and the next letter make an entry, which the first letter does not have.
        if former:
            entries.append(former + entry[0])
            codes.count_entry()
        former = entry
    # The entries are units of UTF-16, of which an emoji has two.
    return "".join(written).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
