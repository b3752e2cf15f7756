"""The oldest macOS that programs and libraries say they run on."""

from __future__ import annotations

import plistlib
import struct
from pathlib import Path

import pytest

import mach_o

PADDING = struct.pack("<IIQ", 0x1B, 16, 0)
"""A load command that says nothing about versions."""


def code(*commands: bytes) -> bytes:
    """A file for one processor with these load commands."""
    size = sum(map(len, commands))
    return struct.pack("<8I", 0xFEEDFACF, 0x0100000C, 0, 6, len(commands), size, 0, 0) + b"".join(
        commands
    )


def built_for(major: int, minor: int, platform: int = 1) -> bytes:
    """The load command of today."""
    return struct.pack("<6I", 0x32, 24, platform, major << 16 | minor << 8, 0, 0)


def fat(*parts: bytes) -> bytes:
    """A file for several processors."""
    head = struct.pack(">II", 0xCAFEBABE, len(parts))
    place = len(head) + 20 * len(parts)
    for part in parts:
        head += struct.pack(">5I", 0x0100000C, 0, place, len(part), 0)
        place += len(part)
    return head + b"".join(parts)


@pytest.mark.parametrize(
    ("data", "version"),
    [
        (code(PADDING, built_for(14, 2)), (14, 2)),
        (code(struct.pack("<IIII", 0x24, 16, 10 << 16 | 13 << 8, 0)), (10, 13)),
        (fat(code(built_for(11, 0)), code(PADDING, built_for(15, 0))), (15, 0)),
        (code(built_for(17, 0, platform=2)), None),
        (code(PADDING), None),
        (b"", None),
        (b"#!/bin/sh\n", None),
        (struct.pack(">II", 0xCAFEBABE, 52) + b"a class of Java", None),
    ],
)
def test_a_file_says_which_macos_it_needs(data: bytes, version: tuple[int, int] | None) -> None:
    assert mach_o.needed_version(data) == version


@pytest.mark.parametrize(("needed", "exit_code"), [((14, 0), 0), ((15, 1), 1)])
def test_an_app_must_not_need_a_newer_macos_than_it_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], needed: tuple[int, int], exit_code: int
) -> None:
    contents = tmp_path / "Scrubjay.app" / "Contents"
    (contents / "Frameworks").mkdir(parents=True)
    (contents / "Info.plist").write_bytes(plistlib.dumps({"LSMinimumSystemVersion": "15.0"}))
    (contents / "Frameworks" / "libacorn.dylib").write_bytes(code(built_for(*needed)))
    assert mach_o.main([str(contents.parent)]) == exit_code
    said = capsys.readouterr().err
    assert ("Contents/Frameworks/libacorn.dylib needs macOS 15.1" in said) == bool(exit_code)
