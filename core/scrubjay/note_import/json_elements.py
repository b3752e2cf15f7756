"""The elements of a JSON array, one in memory at a time: an export may be one file of 500 MB."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from scrubjay.note_import.imported_note import parse_whole_number

MOST_ELEMENT = 2**26
"""Letters of one element, after which it counts as endless."""
_STEP = 2**20
"""Bytes that are read at once, unless the element before needed more."""
_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder(parse_int=parse_whole_number, strict=False)


def json_elements(stream: BinaryIO, most: int = MOST_ELEMENT) -> Iterator[Any]:
    """The elements of the array in a file, or the one value of a file without an array.

    Raises ValueError or RecursionError where the text is not JSON, or an element has no end.
    """
    text = _JsonText(stream, most)
    if text.next_letter() != "[":
        yield text.value()
        return
    # A bracket, a comma or the end follows each element.
    text.skip_letter()
    letter = text.next_letter()
    while letter != "]":
        yield text.value()
        letter = text.next_letter()
        if letter == ",":
            text.skip_letter()
        elif letter != "]":
            raise ValueError("the array has no end")


class _JsonText:
    """The part of a text that is in memory, and a place in it."""

    def __init__(self, stream: BinaryIO, most: int) -> None:
        self._stream = stream
        self._most = most
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._text = ""
        self._at = 0

    def next_letter(self) -> str:
        """The next letter that is not a space; empty at the end."""
        while True:
            match = _SPACE.match(self._text, self._at)
            assert match is not None
            self._at = match.end()
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._read_more():
                return ""

    def skip_letter(self) -> None:
        """Go on after the next letter."""
        self._at += 1

    def value(self) -> Any:
        """The value that begins here."""
        self.next_letter()
        while True:
            # A value that is cut off cannot be told from a damaged one until the text ends.
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except ValueError:
                if not self._read_more():
                    raise
                continue
            # The digits of a number may go on, after a sign too.
            if end + 2 >= len(self._text) and self._read_more():
                continue
            self._at = end
            return value

    def _read_more(self) -> bool:
        """Read at least as much as is in memory, so that trying again costs no more than it."""
        rest = self._text[self._at :]
        if len(rest) > self._most:
            raise ValueError("an element has no end")
        data = self._stream.read(max(_STEP, len(rest)))
        if not data:
            return False
        self._text = rest + self._decoder.decode(data)
        self._at = 0
        return True
