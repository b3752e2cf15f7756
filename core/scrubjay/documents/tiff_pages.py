"""The pages of TIFF files, as scanners and fax machines write them."""

from __future__ import annotations

import struct
from collections.abc import Sequence

from msgspec import Struct

MOST_PAGES = 500
"""Pages of a file that are read."""
_ORDERS = {b"II": "<", b"MM": ">"}
_SUBFILE_TYPE = 254
"""Tag that says what a picture in the file is; the lowest tag that files have."""
_REDUCED = 1
"""Bit of a smaller copy of another picture."""


class _Layout(Struct, frozen=True):
    """How numbers are written; offsets of 64 bits came later."""

    number: str
    """Format of the number of fields of a picture."""
    offset: str
    field: int
    """Bytes of a field."""
    value: int
    """Place of the value in a field."""
    first: int
    """Place of the offset of the first picture."""


_LAYOUTS = {
    42: _Layout("H", "I", 12, value=8, first=4),
    43: _Layout("Q", "Q", 20, value=12, first=8),
}
"""Layouts by the number after the order of the bytes."""


def tiff_pages(data: bytes) -> Sequence[int]:
    """Numbers of the pages of a TIFF file, from 1; none for a file of another kind.

    Pictures are numbered as they lie in the file, and small copies of a page are left out.
    """
    order = _ORDERS.get(data[:2])
    if order is None:
        return ()
    pages: list[int] = []
    seen: set[int] = set()
    try:
        layout = _LAYOUTS[struct.unpack_from(f"{order}H", data, 2)[0]]
        place = struct.unpack_from(f"{order}{layout.offset}", data, layout.first)[0]
        # A damaged file may lead back to a picture before.
        while place and place not in seen and len(seen) < MOST_PAGES:
            seen.add(place)
            fields = struct.unpack_from(f"{order}{layout.number}", data, place)[0]
            start = place + struct.calcsize(f"={layout.number}")
            tag = struct.unpack_from(f"{order}H", data, start)[0]
            value = struct.unpack_from(f"{order}I", data, start + layout.value)[0]
            if tag != _SUBFILE_TYPE or not value & _REDUCED:
                pages.append(len(seen))
            place = struct.unpack_from(
                f"{order}{layout.offset}", data, start + fields * layout.field
            )[0]
    except (struct.error, KeyError, OverflowError):
        # The pages before the damage are there.
        return pages
    return pages
