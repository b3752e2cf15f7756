"""The pages of TIFF files in each way of writing them, also where they are damaged."""

from __future__ import annotations

import struct

import pytest

from scrubjay.documents.tiff_pages import MOST_PAGES, tiff_pages

LAYOUTS = {
    "Intel": ("<", 42, "H", "I", 12),
    "Motorola": (">", 42, "H", "I", 12),
    "Intel, 64 bits": ("<", 43, "Q", "Q", 20),
    "Motorola, 64 bits": (">", 43, "Q", "Q", 20),
}


def tiff(layout: str, kinds: list[int], end: int = 0) -> bytes:
    """A file without pixels, of which each picture says what it is; end is the last offset."""
    order, version, number, offset, size = LAYOUTS[layout]
    data = {"<": b"II", ">": b"MM"}[order] + struct.pack(f"{order}H", version)
    if version == 43:
        data += struct.pack(f"{order}HH", 8, 0)
    first = len(data) + struct.calcsize(f"={offset}")
    data += struct.pack(f"{order}{offset}", first)
    for index, kind in enumerate(kinds):
        field = struct.pack(f"{order}HH{offset}I", 254, 4, 1, kind).ljust(size, b"\0")
        data += struct.pack(f"{order}{number}", 1) + field
        following = len(data) + struct.calcsize(f"={offset}")
        if index == len(kinds) - 1:
            following = end
        data += struct.pack(f"{order}{offset}", following)
    return data


@pytest.mark.parametrize("layout", LAYOUTS)
def test_pages_are_numbered_as_they_lie_and_small_copies_are_none(layout: str) -> None:
    assert tiff_pages(tiff(layout, [0, 1, 2, 0])) == [1, 3, 4]
    assert tiff_pages(tiff(layout, [0])) == [1]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_leads_back_or_out_of_the_file_ends(layout: str) -> None:
    sound = tiff(layout, [0, 0])
    assert tiff_pages(tiff(layout, [0, 0], end=len(sound) + 1)) == [1, 2]
    first = {42: 8, 43: 16}[LAYOUTS[layout][1]]
    assert tiff_pages(tiff(layout, [0, 0], end=first)) == [1, 2]
    assert len(tiff_pages(tiff(layout, [0] * (MOST_PAGES + 9)))) == MOST_PAGES
    assert all(len(tiff_pages(sound[:end])) <= 2 for end in range(len(sound)))


@pytest.mark.parametrize("data", [b"", b"II", b"II*", b"II+\0\0\0", b"\x89PNG\r\n\x1a\n", b"MM\0*"])
def test_other_files_have_none(data: bytes) -> None:
    assert list(tiff_pages(data)) == []
