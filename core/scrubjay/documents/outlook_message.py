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
from itertools import chain, islice

from scrubjay.documents.document_errors import DocumentRefused
from scrubjay.documents.document_text import DocumentText, clean_line
from scrubjay.documents.mail_parts import MAX_DEPTH
from scrubjay.documents.mail_text import read_eml, reads_file
from scrubjay.documents.outlook_container import attached_part, mail_part, unpacked_rich_text
from scrubjay.messages import msg
from scrubjay.text.file_kinds import is_picture

_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_HEADER = 512
_LAST = 0xFFFFFFFA
"""First of the numbers that name no sector."""
_ENTRY = 128
_SECTOR_SHIFTS = (9, 12)
"""Powers of two that a sector may have; other numbers would make tables that never end."""
_SHORT_SECTOR = 64
_MOST_SHORT = 4096
"""Bytes from which on a stream has sectors of its own."""
_PLACES = struct.Struct("<III36xII")
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
    read_eml(mail_of_outlook(data), text)


def mail_of_outlook(data: bytes) -> bytes:
    """The letter as mail; its streams are not kept. Raises DocumentRefused."""
    if not data.startswith(_SIGNATURE):
        raise DocumentRefused(msg("The file is not an email."))
    root = _CompoundFile(data).root()
    if _PROPERTIES not in root.streams:
        raise DocumentRefused(msg("The file is not an email."))
    return b"".join(_letter(root, MAX_DEPTH))


class _Storage:
    """A folder of a compound file."""

    def __init__(self) -> None:
        self.streams: dict[str, bytes] = {}
        self.storages: dict[str, _Storage] = {}


class _CompoundFile:
    """The folders and streams of a file (MS-CFB); chains of sectors end where they are damaged."""

    def __init__(self, data: bytes) -> None:
        """Raises DocumentRefused where the sectors have a size that no program writes."""
        self._data = data
        self._left = len(data)
        shift = struct.unpack_from("<H", data, 30)[0]
        if shift not in _SECTOR_SHIFTS:
            raise DocumentRefused(msg("The file is not an email."))
        self._size = 1 << shift
        self._table = self._sector_table()
        first, short_table = struct.unpack_from("<I8xI", data, 48)
        self._entries = self._chain(first, _MOST_ENTRIES * _ENTRY)
        # Short streams share the stream of the root, and have a table of their own.
        begin, size = struct.unpack_from("<II", self._entries, 116)
        self._short = self._chain(begin, size)
        count = -(-len(self._short) // _SHORT_SECTOR)
        self._short_table = _numbers(self._chain(short_table, 4 * count))

    def root(self) -> _Storage:
        """The outermost folder."""
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
            before, after, child, begin, size = _PLACES.unpack_from(self._entries, at + 68)
            left += [(before, storage), (after, storage)]
            if kind == 1:
                storage.storages[name] = _Storage()
                left.append((child, storage.storages[name]))
            else:
                storage.streams[name] = self._stream(begin, size)
        return root

    def _sector_table(self) -> tuple[int, ...]:
        """Number of the sector after each sector."""
        # The first 109 sectors of the table are in the header, the others in a chain of their own.
        listed = [*struct.unpack_from("<109I", self._data, 76)]
        more = struct.unpack_from("<I", self._data, 68)[0]
        seen: set[int] = set()
        while more < _LAST and more not in seen:
            seen.add(more)
            numbers = _numbers(self._sector(more))
            if not numbers:
                break
            listed += numbers[:-1]
            more = numbers[-1]
        # A table has a number for each sector of the file, so a longer one is damaged.
        most = len(self._data) // self._size
        sectors = (self._sector(number) for number in listed if number < _LAST)
        needed = islice(sectors, 4 * most // self._size + 1)
        return _numbers(b"".join(needed))[:most]

    def _sector(self, number: int) -> bytes:
        begin = max(_HEADER, self._size) + number * self._size
        return self._data[begin : begin + self._size]

    def _chain(self, number: int, size: int) -> bytes:
        """So many bytes of the sectors from one on; fewer where the chain ends."""
        # What follows the bytes of a stream is not looked at, however long the chain is.
        count = -(-size // self._size)
        numbers = islice(_followed(number, self._table), count)
        return b"".join(map(self._sector, numbers))[:size]

    def _stream(self, begin: int, size: int) -> bytes:
        """A stream; empty where all of them would be longer than the file, so that parts repeat."""
        if size > self._left:
            return b""
        self._left -= size
        if size >= _MOST_SHORT:
            return self._chain(begin, size)
        numbers = islice(_followed(begin, self._short_table), -(-size // _SHORT_SECTOR))
        places = (number * _SHORT_SECTOR for number in numbers)
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


def _letter(storage: _Storage, depth: int) -> list[bytes]:
    """A letter as mail, in pieces that are joined once: files may be as long as the memory."""
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
    head = "".join(f"{line}\r\n" for line in written).encode()
    parts = [*_bodies(storage, code_page), *_files(storage, code_page, depth)]
    return [head, *_multipart("mixed", parts)]


def _multipart(kind: str, parts: Sequence[Sequence[bytes]]) -> list[bytes]:
    """The pieces of several parts as those of one."""
    # Nothing has its own digest in it.
    digest = hashlib.sha256()
    for piece in chain.from_iterable(parts):
        digest.update(piece)
    boundary = digest.hexdigest()
    pieces = [mail_part(f'multipart/{kind}; boundary="{boundary}"', b"")]
    for part in parts:
        pieces += [f"--{boundary}\r\n".encode(), *part, b"\r\n"]
    return [*pieces, f"--{boundary}--\r\n".encode()]


def _bodies(storage: _Storage, code_page: int) -> Iterator[list[bytes]]:
    """The text of a letter in the forms that it has; rich text where there is no other."""
    plain = _string(storage, _PLAIN, code_page)
    page = _bytes(storage, _HTML) or _string(storage, _HTML, code_page).encode("utf-8", "replace")
    choice: list[list[bytes]] = []
    if plain.strip():
        choice.append([mail_part("text/plain; charset=utf-8", plain.encode("utf-8", "replace"))])
    if page.strip():
        choice.append([mail_part("text/html", page)])
    rich = unpacked_rich_text(_bytes(storage, _RICH))
    if rich and not choice:
        choice.append([mail_part("text/rtf", rich)])
    if choice:
        yield _multipart("alternative", choice)


def _files(storage: _Storage, code_page: int, depth: int) -> Iterator[list[bytes]]:
    """The files and letters that are attached, each as a part of mail."""
    for name, file in sorted(storage.storages.items()):
        if not name.startswith("__attach_version1.0_"):
            continue
        names = (_string(file, each, code_page) for each in _FILE_NAMES)
        called = next(filter(None, names), "attachment")
        # A letter is a folder of its own, any other file a stream.
        inner = file.storages.get(f"__substg1.0_{_FILE_DATA:04X}{_LETTER}")
        if inner and _PROPERTIES in inner.streams and depth:
            yield [mail_part("message/rfc822", b""), *_letter(inner, depth - 1)]
        # Of a film only the name is wanted, and each copy of it would cost as much as the file.
        elif reads_file(called) or is_picture(called):
            yield [attached_part(called, b""), _bytes(file, _FILE_DATA)]
        else:
            yield [attached_part(called, b"")]


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
