"""Letters as Outlook saves them, in a compound file (MS-CFB, MS-OXMSG)."""

from __future__ import annotations

import datetime as dt
import struct
from collections.abc import Iterator, Mapping
from typing import TypeAlias

Folder: TypeAlias = Mapping[str, "bytes | Folder"]

_SECTOR = 512
_SHORT = 64
_MOST_SHORT = 4096
_END = 0xFFFFFFFE
_FREE = 0xFFFFFFFF
_LISTED = 109
"""Sectors of the table that the head lists."""


class _Writer:
    """The sectors and entries of a file that is being made."""

    def __init__(self, most_short: int) -> None:
        self.most_short = most_short
        self.entries: list[bytearray] = []
        self.sectors: list[bytes] = []
        self.table: list[int] = []
        self.short = bytearray()
        self.short_table: list[int] = []

    def store(self, data: bytes) -> int:
        """The first sector of a long stream."""
        first = len(self.sectors)
        pieces = [data[at : at + _SECTOR] for at in range(0, len(data), _SECTOR)]
        self.sectors += [piece.ljust(_SECTOR, b"\0") for piece in pieces]
        self.table += [*range(first + 1, first + len(pieces)), _END] if pieces else []
        return first if pieces else _END

    def store_short(self, data: bytes) -> int:
        """The first short sector of a short stream."""
        first = len(self.short_table)
        count = -(-len(data) // _SHORT)
        self.short += data.ljust(count * _SHORT, b"\0")
        self.short_table += [*range(first + 1, first + count), _END] if count else []
        return first if count else _END

    def add(self, name: str, kind: int) -> bytearray:
        """A new entry."""
        letters = name.encode("utf-16-le") + b"\0\0"
        entry = bytearray(letters.ljust(64, b"\0") + struct.pack("<HBB", len(letters), kind, 1))
        entry += struct.pack("<III", _FREE, _FREE, _FREE) + bytes(48)
        self.entries.append(entry)
        return entry

    def fill(self, folder: Folder) -> int:
        """The first of the entries of a folder, each of which names the next."""
        first = _FREE
        former: bytearray | None = None
        for name, content in folder.items():
            number = len(self.entries)
            if former is None:
                first = number
            else:
                struct.pack_into("<I", former, 72, number)
            former = self.add(name, 2 if isinstance(content, bytes) else 1)
            if isinstance(content, bytes):
                keep = self.store_short if len(content) < self.most_short else self.store
                struct.pack_into("<IQ", former, 116, keep(content), len(content))
            else:
                struct.pack_into("<I", former, 76, self.fill(content))
        return first


def compound_file(root: Folder, *, most_short: int = _MOST_SHORT) -> bytes:
    """A file with these folders and streams; streams below so many bytes share sectors."""
    made = _Writer(most_short)
    top = made.add("Root Entry", 5)
    struct.pack_into("<I", top, 76, made.fill(root))
    struct.pack_into("<IQ", top, 116, made.store(bytes(made.short)), len(made.short))
    directory = made.store(b"".join(made.entries))
    shorts = made.store(struct.pack(f"<{len(made.short_table)}I", *made.short_table))
    # The table also names the sectors that it stands in itself, and those that list these.
    count = 1
    lists = 0
    while count * _SECTOR // 4 < len(made.table) + count + lists:
        count += 1
        lists = -(-max(0, count - _LISTED) // (_SECTOR // 4 - 1))
    begin = len(made.sectors)
    places = [*range(begin, begin + count)]
    numbers = [*made.table, *[0xFFFFFFFD] * count, *[0xFFFFFFFC] * lists]
    numbers += [_FREE] * (count * _SECTOR // 4 - len(numbers))
    # The first of them are listed in the head, the others in sectors that follow each other.
    following = b""
    for at in range(lists):
        listed = places[_LISTED:][at * 127 : (at + 1) * 127]
        after = begin + count + at + 1 if at + 1 < lists else _END
        following += struct.pack("<128I", *listed, *[_FREE] * (127 - len(listed)), after)
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
    first = begin + count if lists else _END
    numbered = (0, count, directory, 0, most_short, shorts, 1, first, lists)
    head += struct.pack("<HHHHH6x9I", 62, 3, 0xFFFE, 9, 6, *numbered)
    head += struct.pack("<109I", *places[:_LISTED], *[_FREE] * (_LISTED - count))
    table = struct.pack(f"<{len(numbers)}I", *numbers)
    return head + b"".join(made.sectors) + table + following


def outlook_letter(
    *,
    texts: Mapping[int, str | bytes],
    sent: dt.datetime | None = None,
    files: Mapping[str, bytes | Folder] | None = None,
    is_inner: bool = False,
) -> Folder:
    """The folder of a letter: its properties by number, and what is attached by name."""
    values = struct.pack("<HHIQ", 3, 0x3FFD, 6, 1252)
    if sent:
        ticks = int((sent - dt.datetime(1601, 1, 1, tzinfo=dt.UTC)).total_seconds()) * 10**7
        values += struct.pack("<HHIQ", 0x40, 0x0039, 6, ticks)
    folder: dict[str, bytes | Folder] = {
        "__properties_version1.0": bytes(24 if is_inner else 32) + values
    }
    folder |= dict(_streams(texts))
    for number, (name, content) in enumerate((files or {}).items()):
        file: dict[str, bytes | Folder] = {"__properties_version1.0": bytes(8)}
        if isinstance(content, bytes):
            file |= dict(_streams({0x3707: name, 0x3701: content}))
        else:
            file |= {"__substg1.0_3701000D": content}
        folder[f"__attach_version1.0_#{number:08X}"] = file
    return folder


def _streams(texts: Mapping[int, str | bytes]) -> Iterator[tuple[str, bytes]]:
    for number, text in texts.items():
        if isinstance(text, str):
            yield f"__substg1.0_{number:04X}001F", text.encode("utf-16-le")
        else:
            yield f"__substg1.0_{number:04X}0102", text
