"""Zip archives that are the same for each build of the same source."""

from __future__ import annotations

import time
import zipfile
from collections.abc import Iterable
from pathlib import Path

import versions

EARLIEST = 315_532_800
"""Time of 1 January 1980, before which an archive cannot date a file."""
_MODE = 0o644


def write_zip(file: Path, contents: Iterable[tuple[str, bytes]]) -> None:
    """Write the path and content of each file, in this order, with the time of the source."""
    year, *rest = time.gmtime(max(versions.source_date(), EARLIEST))[:6]
    month, day, hour, minute, second = rest
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in contents:
            entry = zipfile.ZipInfo(name, (year, month, day, hour, minute, second))
            entry.compress_type = zipfile.ZIP_DEFLATED
            # Unix is named, so that the mode below counts.
            entry.create_system = 3
            entry.external_attr = _MODE << 16
            archive.writestr(entry, data)
