"""Copies of the data in a damaged index that cannot be restored from the notes."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw

from scrubjay.records.note_records import Workspace
from scrubjay.store.index_file import has_page_checksums, open_immutable
from scrubjay.store.metadata import OWNER

log = logging.getLogger(__name__)

_TABLES = {
    "generation": "id, identity, dimensions, is_active",
    "vector": "id, generation, hash, embedding",
    "line_sketch": "vector, bits",
    "revision": "id, path, bucket, at_ns, existed, sha256, title, source, text",
}
"""Columns of the tables whose rows took a model, money or time; a table that others refer to
comes before them."""

_LAST_ROW = 2**63 - 1
"""Highest number of a row in SQLite."""

_MAGIC = b"SQLite format 3\0"
"""Beginning of a header of _HEADER bytes, with the size of pages and their number."""
_HEADER = 100
"""Bytes of a header (https://www.sqlite.org/fileformat2.html)."""


def salvage(db: apsw.Connection, damaged: Path, workspace: Workspace) -> int:
    """Copy vectors and revisions from undamaged pages into a new index; return how many rows.

    Runs within the caller's transaction. A page that can be read is as it was written, since its
    checksum is right; pages of an index without checksums are not trusted. What was in the notes of
    another workspace stays out of this one's timeline.
    """
    copied = 0
    try:
        _fill_lost_pages(damaged)
    except OSError as error:
        log.warning("Nothing is taken over from %s: %s", damaged, error)
        return copied
    # The damaged index is opened as it is, without its log.
    with contextlib.closing(open_immutable(damaged)) as old:
        tables = dict(_TABLES)
        if _owner(old) not in (None, workspace.id):
            del tables["revision"]
        # Row by row, so that one that cannot be stored costs no other.
        for table, columns in tables.items():
            marks = ", ".join("?" for _ in columns.split(", "))
            insert = f"insert into {table}({columns}) values ({marks})"
            for row in _readable_rows(old, table, columns):
                # What it refers to may have been on a damaged page.
                with contextlib.suppress(apsw.ConstraintError):
                    db.execute(insert, row)
                    copied += 1
    return copied


def _owner(old: apsw.Connection) -> str | None:
    """Id of the workspace that an index belongs to, if it says so."""
    with contextlib.suppress(apsw.Error):
        owner: str | None = old.execute("select value from note where key = ?", (OWNER,)).get
        return owner
    return None


def _fill_lost_pages(damaged: Path) -> None:
    """Write something with a wrong checksum where pages are cut off or zero.

    SQLite would take what is missing for zeros, whose checksum is right.
    """
    with damaged.open("r+b") as file:
        # The size of pages and their number stand at these places of the header.
        header = file.read(_HEADER)
        page_bytes = int.from_bytes(header[16:18], "big")
        pages = int.from_bytes(header[28:32], "big")
        size = file.seek(0, os.SEEK_END)
        # A file that is not an index, or has lost more than half, holds nothing to copy.
        if not header.startswith(_MAGIC) or not 0 < pages * page_bytes < 2 * size:
            return
        for start in range(0, pages * page_bytes, page_bytes):
            file.seek(start)
            content = file.read(page_bytes)
            if len(content) < page_bytes or not any(content):
                file.seek(start)
                file.write(b"\xff" * page_bytes)


def _readable_rows(old: apsw.Connection, table: str, columns: str) -> Iterator[tuple[Any, ...]]:
    """Rows in the order of their numbers, in the first column, but those on damaged pages."""
    query = f"select {columns} from {table} where rowid > ? order by rowid"
    last = 0
    step = 1
    # After an error, the steps to the next row that can be read double each time.
    while last < _LAST_ROW:
        try:
            if not has_page_checksums(old):
                return
            for row in old.execute(query, (last,)):
                yield row
                last = row[0]
                step = 1
            return
        except apsw.Error:
            # The next page that can be read begins somewhere after this row.
            last = min(last + step, _LAST_ROW)
            step *= 2
