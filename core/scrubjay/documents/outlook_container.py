"""What is in a `winmail.dat`, the container (TNEF) that Outlook and Exchange send to their like.

tnefparse (LGPL, last release 2021) reads it without limits, so the few parts that hold texts and
names of files are read here.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from urllib.parse import quote

SIGNATURE = b"\x78\x9f\x3e\x22"
_BODY = 0x0002800C
_CODE_PAGE = 0x00069007
_WESTERN = 1252
_PROPERTIES = 0x00069003
_FILE_BEGINS = 0x00069002
_FILE_NAME = 0x00018010
_FILE_DATA = 0x0006800F
_FILE_PROPERTIES = 0x00069005

_MAPI_TEXT = 0x1000
_MAPI_RTF = 0x1009
_MAPI_HTML = 0x1013
_MAPI_LONG_NAME = 0x3707
_SIZES = {0x02: 4, 0x03: 4, 0x04: 4, 0x0A: 4, 0x0B: 4, 0x05: 8, 0x06: 8, 0x07: 8, 0x14: 8, 0x40: 8}
"""Bytes of a value of each type that has always as many; short ones are padded."""
_CLASS = 0x48
_WIDE = 0x1F
_NAMED = 0x8000
_SEVERAL = 0x1000
_MOST_VALUES = 10_000
"""Values of one list of properties."""

_RTF_START = (
    b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern "
    b"\\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0"
    b"\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
)
"""What the dictionary of a compressed text begins with (MS-OXRTFCP)."""
_COMPRESSED = b"LZFu"
_STORED = b"MELA"
_WINDOW = 4096
_MOST_UNPACKED = 64 * 2**20
"""Bytes of an unpacked text; a letter with pictures has some."""


def container_parts(data: bytes) -> Iterator[bytes]:
    """The texts and files of a container, each as a part of mail."""
    # The attributes of a file follow the one that begins it; those of the letter come first.
    groups: list[dict[int, bytes]] = [{}]
    for tag, value in _attributes(data):
        if tag == _FILE_BEGINS:
            groups.append({})
        groups[-1][tag] = value
    letter, *files = groups
    code_page = int.from_bytes(letter.get(_CODE_PAGE, b"")[:4], "little") or _WESTERN
    if _BODY in letter:
        yield mail_part(f"text/plain; charset=cp{code_page}", letter[_BODY].rstrip(b"\0"))
    yield from _bodies(letter.get(_PROPERTIES, b""), code_page)
    for file in files:
        name = _file_name(file, code_page)
        if name:
            yield attached_part(name, file.get(_FILE_DATA, b""))


def _file_name(file: dict[int, bytes], code_page: int) -> str:
    """The name that its sender gave to a file, rather than the one of eight letters."""
    for number, kind, text in _values(file.get(_FILE_PROPERTIES, b"")):
        if number == _MAPI_LONG_NAME:
            return _string(kind, text, code_page)
    return _string(0, file.get(_FILE_NAME, b""), code_page)


def _attributes(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Tag and value of each attribute, up to the first that is cut off."""
    at = len(SIGNATURE) + 2
    while at + 11 <= len(data):
        tag, length = struct.unpack_from("<II", data, at + 1)
        yield tag, data[at + 9 : at + 9 + length]
        at += 9 + length + 2


def _bodies(value: bytes, code_page: int) -> Iterator[bytes]:
    """The texts of a letter among its properties."""
    for number, kind, text in _values(value):
        if number == _MAPI_TEXT:
            words = _string(kind, text, code_page).encode("utf-8", "replace")
            yield mail_part("text/plain; charset=utf-8", words)
        elif number == _MAPI_HTML:
            yield mail_part("text/html", text.rstrip(b"\0"))
        elif number == _MAPI_RTF:
            # Some programs leave it empty; one that is damaged is counted by its reader.
            rich = unpacked_rich_text(text)
            if rich.strip(b"\0 \r\n\t"):
                yield mail_part("text/rtf", rich)


def _values(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Number, type and bytes of each property, up to the first that cannot be read."""
    count = int.from_bytes(data[:4], "little")
    at = 4
    for _ in range(min(count, _MOST_VALUES)):
        if at + 4 > len(data):
            return
        kind, number = struct.unpack_from("<HH", data, at)
        at += 4
        # Properties of programs have a name of their own: a number or letters.
        if number >= _NAMED:
            is_string = int.from_bytes(data[at + 16 : at + 20], "little")
            at += 24
            if is_string:
                at += _padded(int.from_bytes(data[at - 4 : at], "little"))
        base = kind & ~_SEVERAL
        values = 1
        is_counted = base not in _SIZES and base != _CLASS
        if is_counted or kind & _SEVERAL:
            values = int.from_bytes(data[at : at + 4], "little")
            at += 4
        for _ in range(min(values, _MOST_VALUES)):
            size = _SIZES.get(base, 16)
            if is_counted:
                size = int.from_bytes(data[at : at + 4], "little")
                at += 4
            if at >= len(data):
                return
            yield number, base, data[at : at + size]
            at += _padded(size)


def _padded(size: int) -> int:
    return (size + 3) & ~3


def _string(kind: int, text: bytes, code_page: int) -> str:
    """The letters of a property, without the zero at their end."""
    codec = f"cp{code_page}"
    if kind == _WIDE:
        codec = "utf-16-le"
    try:
        words = text.decode(codec, "replace")
    except LookupError:
        words = text.decode("cp1252", "replace")
    return words.rstrip("\0")


def attached_part(name: str, content: bytes) -> bytes:
    """A file as a part of mail."""
    disposition = f"Content-Disposition: attachment; filename*=utf-8''{quote(name)}"
    return mail_part(f"application/octet-stream\r\n{disposition}", content)


def mail_part(head: str, content: bytes) -> bytes:
    """A part of mail of this type."""
    return f"Content-Type: {head}\r\n\r\n".encode() + content


def unpacked_rich_text(data: bytes) -> bytes:
    """Rich text as a file has it (MS-OXRTFCP); cut off where it is damaged or too long.

    Anything else stays as it is, so that its reader counts it as damaged.
    """
    if data[8:12] == _STORED:
        return data[16:]
    if data[8:12] != _COMPRESSED:
        return data
    window = bytearray(_WINDOW)
    window[: len(_RTF_START)] = _RTF_START
    write = len(_RTF_START)
    unpacked = bytearray()
    at = 16
    # Each bit of a control byte says whether a letter or a reference into the window follows.
    while at < len(data) and len(unpacked) < _MOST_UNPACKED:
        control = data[at]
        at += 1
        for bit in range(8):
            if not control >> bit & 1:
                letters = data[at : at + 1]
                at += 1
            else:
                reference = int.from_bytes(data[at : at + 2], "big")
                at += 2
                begin = reference >> 4
                if begin == write % _WINDOW:
                    return bytes(unpacked)
                letters = b""
                for step in range((reference & 15) + 2):
                    # The window may be read where this very reference is writing.
                    letter = window[(begin + step) % _WINDOW]
                    window[(write + step) % _WINDOW] = letter
                    letters += bytes((letter,))
            for letter in letters:
                window[write % _WINDOW] = letter
                write += 1
            unpacked += letters
            if at >= len(data):
                break
    return bytes(unpacked)
