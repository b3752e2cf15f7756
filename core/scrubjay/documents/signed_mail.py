"""What S/MIME and PGP put around the text of a letter: signatures and encryption."""

from __future__ import annotations

import re

SIGNED = b"\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"
"""Identifier of signed data (RFC 5652), as it is encoded."""
_SEQUENCE = 0x30
_IDENTIFIER = 0x06
_CONTENT = 0xA0
_BYTES = (0x04, 0x24)
"""A string of bytes, whole or in pieces."""
_IN_PIECES = 0x20
_MOST_DEPTH = 12
"""Elements within elements; those around the text are six."""
_MOST_PIECES = 300_000
"""Elements that are read; programs write pieces of a kilobyte."""
_LONGEST_NUMBER = 4
"""Bytes of the length of an element."""

_BEGINS = "-----BEGIN PGP "
_MARK = re.compile(r"-----(BEGIN|END) PGP ([A-Z0-9 ,/]{1,40})-----\s*")
_SIGNED_TEXT = "SIGNED MESSAGE"
_ARMOUR = re.compile(r"[A-Za-z]{1,20}: .*|[A-Za-z0-9+/=]*\s*")
"""A line of what is encoded, or of the headers above it."""


class _Elements:
    """Elements of DER or BER, read once from the first to the last."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._left = _MOST_PIECES

    def signed_content(self) -> bytes | None:
        """The content of signed data; None for other content. Raises ValueError or IndexError."""
        # ContentInfo, whose content is SignedData: version, digests, then the content itself.
        self._enter(_SEQUENCE)
        if self._value(_IDENTIFIER) != SIGNED:
            return None
        self._enter(_CONTENT)
        self._enter(_SEQUENCE)
        self._skip()
        self._skip()
        self._enter(_SEQUENCE)
        self._skip()
        if self._data[self._at] != _CONTENT:
            return None
        self._enter(_CONTENT)
        pieces: list[bytes] = []
        self._collect(pieces, _MOST_DEPTH)
        return b"".join(pieces)

    def _head(self) -> tuple[int, int]:
        """Tag and length of the next element; -1 for one that ends by a mark."""
        self._left -= 1
        if self._left < 0:
            raise ValueError
        tag = self._data[self._at]
        length = self._data[self._at + 1]
        self._at += 2
        if length == 0x80:
            return tag, -1
        if length > 0x80:
            count = length - 0x80
            if count > _LONGEST_NUMBER:
                raise ValueError
            length = int.from_bytes(self._data[self._at : self._at + count], "big")
            self._at += count
        return tag, length

    def _enter(self, tag: int) -> None:
        found, _ = self._head()
        if found != tag:
            raise ValueError

    def _value(self, tag: int) -> bytes:
        found, length = self._head()
        if found != tag or length < 0:
            raise ValueError
        begin = self._at
        self._at += length
        return self._data[begin : self._at]

    def _skip(self) -> None:
        """Go past one element."""
        self._walk(None, _MOST_DEPTH)

    def _collect(self, pieces: list[bytes], depth: int) -> None:
        """Go past one string of bytes, and keep it."""
        self._walk(pieces, depth)

    def _walk(self, pieces: list[bytes] | None, depth: int) -> None:
        tag, length = self._head()
        if not depth:
            raise ValueError
        if length >= 0 and not (tag & _IN_PIECES and pieces is not None):
            begin = self._at
            self._at += length
            if pieces is not None and tag in _BYTES:
                pieces.append(self._data[begin : self._at])
            return
        # The end is known by the length, or is a mark of two zeros.
        end = self._at + length
        while length >= 0 and self._at < end:
            self._walk(pieces, depth - 1)
        while length < 0 and self._data[self._at : self._at + 2] != b"\0\0":
            self._walk(pieces, depth - 1)
        if length < 0:
            self._at += 2


def signed_content(data: bytes) -> bytes | None:
    """The letter in an opaque signature of S/MIME; None if it is encrypted, or no such file."""
    try:
        return _Elements(data).signed_content()
    except (ValueError, IndexError):
        return None


def without_armour(words: str) -> tuple[str, bool]:
    """A text without signatures and encrypted parts of PGP, and whether it had the latter."""
    if _BEGINS not in words:
        return words, False
    kept: list[str] = []
    block: list[str] = []
    kind = ""
    is_encrypted = False
    is_below_mark = False
    for line in words.splitlines():
        mark = _MARK.fullmatch(line)
        # A block ends as it began; what only looks like the beginning of one is text.
        if mark and mark[1] == "END" and mark[2] == kind:
            is_encrypted = is_encrypted or kind.startswith("MESSAGE")
            block = []
            kind = ""
            continue
        if kind and (mark or not _ARMOUR.fullmatch(line)):
            kept += block
            block = []
            kind = ""
        # The digests of a signed text stand right below its mark.
        is_below_mark = is_below_mark and line.startswith("Hash: ")
        if mark and mark[1] == "BEGIN" and mark[2] == _SIGNED_TEXT:
            is_below_mark = True
        elif mark and mark[1] == "BEGIN":
            kind = mark[2]
            block.append(line)
        elif kind:
            block.append(line)
        elif not is_below_mark:
            kept.append(line)
    return "\n".join([*kept, *block]), is_encrypted
