"""The oldest macOS that an app runs on, by its libraries: `python packaging/mach_o.py APP`.

Packages are published for several versions of macOS, and the newest one that fits the building Mac
is installed. So an app may need a newer system than its Info.plist says. See `mach-o/loader.h` and
`mach-o/fat.h` of Apple's SDK.
"""

from __future__ import annotations

import plistlib
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

_THIN = 0xFEEDFACF
"""MH_MAGIC_64: code for one processor, with numbers in the order of Intel and Apple silicon."""
_FAT = 0xCAFEBABE
"""FAT_MAGIC: code for several processors, with numbers in network order. Classes of Java have it
as well."""
_MOST_PROCESSORS = 20
"""Classes of Java have a version at the place of the count, and none is as low."""
_VERSION_MIN_MACOSX = 0x24
_BUILD_VERSION = 0x32
_MACOS = 1

Version = tuple[int, int]


def main(arguments: list[str]) -> int:
    """Fail if the app needs a newer macOS than its Info.plist says, and name the files."""
    app = Path(arguments[0])
    info = plistlib.loads((app / "Contents" / "Info.plist").read_bytes())
    oldest = info["LSMinimumSystemVersion"]
    newer = list(newer_files(app, parsed_version(oldest)))
    for file, version in newer:
        print(f"{file} needs macOS {version[0]}.{version[1]}", file=sys.stderr)
    if newer:
        print(f"Info.plist says that the app runs on macOS {oldest}.", file=sys.stderr)
    return int(bool(newer))


def newer_files(app: Path, oldest: Version) -> Iterator[tuple[Path, Version]]:
    """Files of an app that need a newer macOS than this one, with the version that they need."""
    for file in sorted(app.rglob("*")):
        if file.is_symlink() or not file.is_file():
            continue
        version = needed_version(file.read_bytes())
        if version is not None and version > oldest:
            yield file.relative_to(app), version


def parsed_version(text: str) -> Version:
    """A version such as 14.0 as numbers."""
    major, minor = (int(part) for part in text.split(".")[:2])
    return major, minor


def needed_version(data: bytes) -> Version | None:
    """The macOS that a program or library needs; None for other files and those that say nothing.

    Of code for several processors, it is the newest that any of them needs.
    """
    return max(filter(None, map(_needed_by_one, _parts(data))), default=None)


def _parts(data: bytes) -> Iterator[bytes]:
    """The code for each processor in a file."""
    if data[:4] == struct.pack("<I", _THIN):
        yield data
    elif data[:4] == struct.pack(">I", _FAT):
        [count] = struct.unpack_from(">I", data, 4)
        if count > _MOST_PROCESSORS:
            return
        for number in range(count):
            start, size = struct.unpack_from(">II", data, 8 + 20 * number + 8)
            yield data[start : start + size]


def _needed_by_one(data: bytes) -> Version | None:
    """The macOS that code for one processor needs."""
    if data[:4] != struct.pack("<I", _THIN):
        return None
    [count] = struct.unpack_from("<I", data, 16)
    place = 32
    for _ in range(count):
        command, size, first, second = struct.unpack_from("<IIII", data, place)
        if command == _VERSION_MIN_MACOSX:
            return _version(first)
        if command == _BUILD_VERSION and first == _MACOS:
            return _version(second)
        place += size
    return None


def _version(number: int) -> Version:
    """A version that is stored as xxxx.yy.zz, a byte for each of the last two parts."""
    return number >> 16, number >> 8 & 0xFF


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
