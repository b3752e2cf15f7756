"""Letters that Outlook saved (`.msg`, `.oft`): compound files whose streams are properties.

olefile (BSD) reads compound files without limits, and extract-msg is licensed under the GPL. Only
headers, texts and files of a letter are wanted.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import struct
from collections.abc import Iterator, Sequence
from email.utils import format_datetime

from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.document_text import DocumentText, clean_line
from scrubjay.documents.mail_parts import MAX_DEPTH
from scrubjay.documents.mail_text import read_eml
from scrubjay.documents.outlook_container import attached_part, mail_part, unpacked_rich_text
from scrubjay.messages import msg

_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HEADER = 512
_LAST = 0xFFFFFFFA
"""First of the numbers that name no sector."""
_ENTRY = 128
_SHORT_SECTOR = 64
_PLACES = struct.Struct("<III36xIQ")
"""Numbers of an entry: those before, after and in it, its first sector and its size."""
_MOST_ENTRIES = 100_000
"""Streams of a letter; one with a hundred files has some thousand."""

_SUBJECT = 0x0037
_SENDER = 0x0C1A
_SENDER_ADDRESSES = (0x5D01, 0x0C1F)
_TO = 0x0E04
_CC = 0x0E03
_TIMES = (0x0039, 0x0E06)
"""When it was sent, or came."""
_PLAIN = 0x1000
_HTML = 0x1013
_RICH = 0x1009
_FILE_NAMES = (0x3707, 0x3704, 0x3001)
_FILE_DATA = 0x3701
_CODE_PAGE = 0x3FFD
_TEXT = "001E"
_WIDE_TEXT = "001F"
_BYTES = "0102"
_LETTER = "000D"
_PROPERTIES = "__properties_version1.0"
_VALUES_BEGIN = 32
"""Where the properties of a letter begin; those of one in another begin 8 bytes earlier."""
_WESTERN = 1252
_EPOCH = dt.datetime(1601, 1, 1, tzinfo=dt.UTC)


def read_msg(data: bytes, text: DocumentText) -> None:
    """Add one letter. Raises DocumentRefused."""
    if not data.startswith(_SIGNATURE):
        raise DocumentRefused(msg("The file is not an email."))
    root = _CompoundFile(data).root()
    if _PROPERTIES not in root.streams:
        raise DocumentRefused(msg("The file is not an email."))
    read_eml(_letter(root, MAX_DEPTH), text)


class _Storage:
    """A folder of a compound file."""

    def __init__(self) -> None:
        self.streams: dict[str, bytes] = {}
        self.storages: dict[str, _Storage] = {}


class _CompoundFile:
    """The folders and streams of a file (MS-CFB); chains of sectors end where they are damaged."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._left = len(data)
        self._size = 1 << min(struct.unpack_from("<H", data, 30)[0], 20)
        self._table = self._sector_table()
        first, self._most_short, short_table = struct.unpack_from("<I4xII", data, 48)
        self._entries = self._chain(first)[: _MOST_ENTRIES * _ENTRY]
        self._short_table = _numbers(self._chain(short_table))
        self._short = b""

    def root(self) -> _Storage:
        """The outermost folder."""
        begin, size = struct.unpack_from("<IQ", self._entries, 116)
        self._short = self._chain(begin)[:size]
        root = _Storage()
        # Folders are trees of entries, each of which is looked at once.
        seen = {0}
        left = [(struct.unpack_from("<I", self._entries, 76)[0], root)]
        while left:
            number, storage = left.pop()
            at = number * _ENTRY
            if number in seen or at + _ENTRY > len(self._entries):
                continue
            seen.add(number)
            length, kind = struct.unpack_from("<HB", self._entries, at + 64)
            name = self._entries[at : at + min(64, max(0, length - 2))].decode(
                "utf-16-le", "replace"
            )
            before, after, child, begin, size = struct.unpack_from(
                "<III36xIQ", self._entries, at + 68
            )
            left += [(before, storage), (after, storage)]
            if kind == 1:
                storage.storages[name] = _Storage()
                left.append((child, storage.storages[name]))
            else:
                storage.streams[name] = self._stream(begin, size & 0xFFFFFFFF)
        return root

    def _sector_table(self) -> tuple[int, ...]:
        """Number of the sector after each sector."""
        # The first 109 sectors of the table are in the header, the others in a chain of their own.
        listed = [*struct.unpack_from("<109I", self._data, 76)]
        more = struct.unpack_from("<I", self._data, 68)[0]
        most = len(self._data) // self._size
        while more < _LAST and len(listed) <= most:
            numbers = _numbers(self._sector(more))
            if not numbers:
                break
            listed += numbers[:-1]
            more = numbers[-1]
        sectors = (self._sector(number) for number in listed[: most + 109] if number < _LAST)
        return _numbers(b"".join(sectors))

    def _sector(self, number: int) -> bytes:
        begin = max(_HEADER, self._size) + number * self._size
        return self._data[begin : begin + self._size]

    def _chain(self, number: int) -> bytes:
        """The sectors from one on."""
        return b"".join(map(self._sector, _followed(number, self._table)))

    def _stream(self, begin: int, size: int) -> bytes:
        """A stream; empty once more was read than there is, as of a file that repeats a part."""
        self._left -= size
        if self._left < 0:
            return b""
        if size >= self._most_short:
            return self._chain(begin)[:size]
        places = (number * _SHORT_SECTOR for number in _followed(begin, self._short_table))
        return b"".join(self._short[at : at + _SHORT_SECTOR] for at in places)[:size]


def _numbers(data: bytes) -> tuple[int, ...]:
    return struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4])


def _followed(number: int, table: tuple[int, ...]) -> Iterator[int]:
    """The numbers of a chain, each of them once."""
    seen: set[int] = set()
    while number < len(table) and number not in seen:
        seen.add(number)
        yield number
        number = table[number]


def _letter(storage: _Storage, depth: int) -> bytes:
    """A letter as mail."""
    values = _values(storage)
    code_page = values.get(_CODE_PAGE, 0) & 0xFFFF or _WESTERN
    sender = _string(storage, _SENDER, code_page)
    addresses = (_string(storage, each, code_page) for each in _SENDER_ADDRESSES)
    address = next(filter(None, addresses), "")
    if "@" in address and address != sender:
        sender = f"{sender} <{address}>".strip()
    headers = {
        "Subject": _string(storage, _SUBJECT, code_page),
        "From": sender,
        "To": _string(storage, _TO, code_page),
        "Cc": _string(storage, _CC, code_page),
        "Date": next(filter(None, (_moment(values.get(each, 0)) for each in _TIMES)), ""),
    }
    written = [f"{name}: {clean_line(words)}" for name, words in headers.items() if words]
    parts = [*_bodies(storage, code_page), *_files(storage, code_page, depth)]
    return "".join(f"{line}\r\n" for line in written).encode() + _multipart("mixed", parts)


def _multipart(kind: str, parts: Sequence[bytes]) -> bytes:
    """Several parts as one."""
    # Nothing has its own digest in it.
    boundary = hashlib.sha256(b"".join(parts)).hexdigest()
    line = f"--{boundary}\r\n".encode()
    content = b"".join(line + part + b"\r\n" for part in parts)
    head = f'multipart/{kind}; boundary="{boundary}"'
    return mail_part(head, content + f"--{boundary}--\r\n".encode())


def _bodies(storage: _Storage, code_page: int) -> Iterator[bytes]:
    """The text of a letter in the forms that it has; rich text where there is no other."""
    plain = _string(storage, _PLAIN, code_page)
    page = _bytes(storage, _HTML) or _string(storage, _HTML, code_page).encode("utf-8", "replace")
    choice: list[bytes] = []
    if plain.strip():
        choice.append(mail_part("text/plain; charset=utf-8", plain.encode("utf-8", "replace")))
    if page.strip():
        choice.append(mail_part("text/html", page))
    rich = unpacked_rich_text(_bytes(storage, _RICH))
    if rich and not choice:
        choice.append(mail_part("text/rtf", rich))
    if choice:
        yield _multipart("alternative", choice)


def _files(storage: _Storage, code_page: int, depth: int) -> Iterator[bytes]:
    """The files and letters that are attached, each as a part of mail."""
    for name, file in sorted(storage.storages.items()):
        if not name.startswith("__attach_version1.0_"):
            continue
        names = (_string(file, each, code_page) for each in _FILE_NAMES)
        called = next(filter(None, names), "")
        # A letter is a folder of its own, any other file a stream.
        inner = file.storages.get(f"__substg1.0_{_FILE_DATA:04X}{_LETTER}")
        if inner and _PROPERTIES in inner.streams and depth:
            yield mail_part("message/rfc822", _letter(inner, depth - 1))
        else:
            yield attached_part(called or "attachment", _bytes(file, _FILE_DATA))


def _values(storage: _Storage) -> dict[int, int]:
    """The properties that are numbers or times, by their number."""
    data = storage.streams.get(_PROPERTIES, b"")
    begin = _VALUES_BEGIN - (len(data) - _VALUES_BEGIN) % 16
    values: dict[int, int] = {}
    for at in range(begin, len(data) - 15, 16):
        _, number, value = struct.unpack_from("<HH4xQ", data, at)
        values.setdefault(number, value)
    return values


def _bytes(storage: _Storage, number: int) -> bytes:
    return storage.streams.get(f"__substg1.0_{number:04X}{_BYTES}", b"")


def _string(storage: _Storage, number: int, code_page: int) -> str:
    """The text of a property; empty if there is none."""
    name = f"__substg1.0_{number:04X}"
    wide = storage.streams.get(f"{name}{_WIDE_TEXT}")
    if wide is not None:
        return wide.decode("utf-16-le", "replace").rstrip("\0")
    narrow = storage.streams.get(f"{name}{_TEXT}", b"")
    try:
        return narrow.decode(f"cp{code_page}", "replace").rstrip("\0")
    except LookupError:
        return narrow.decode("cp1252", "replace").rstrip("\0")


def _moment(ticks: int) -> str:
    """A time in units of 100 ns as the header of a letter has it; empty for none."""
    try:
        return format_datetime(_EPOCH + dt.timedelta(microseconds=ticks // 10)) if ticks else ""
    except OverflowError:
        return ""
