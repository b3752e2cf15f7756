"""Takes over from a damaged index what the notes alone do not give back."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw

from scrubjay.store.connection import open_unchanging
from scrubjay.store.page_checksums import has_page_checksums

_TABLES = {
    "generation": "id, identity, dimensions, is_active",
    "vector": "id, generation, hash, embedding",
    "line_sketch": "vector, bits",
    "revision": "id, path, bucket, at_ns, existed, sha256, title, source, text",
}
"""Tables whose rows took a model, money or time, those that others refer to first."""

_LAST_ROW = 2**63 - 1


def salvage(db: apsw.Connection, damaged: Path) -> int:
    """Copy vectors and revisions from undamaged pages into a new index; return how many rows.

    Within a transaction of the caller. A page that can be read is as it was written, since its
    checksum is right; pages of an index without checksums are not trusted.
    """
    copied = 0
    with contextlib.closing(open_unchanging(damaged)) as old:
        for table, columns in _TABLES.items():
            places = ", ".join("?" for _ in columns.split(", "))
            insert = f"insert into {table}({columns}) values ({places})"
            for row in _readable_rows(old, table, columns):
                # What it refers to may have been on a damaged page.
                with contextlib.suppress(apsw.ConstraintError):
                    db.execute(insert, row)
                    copied += 1
    return copied


def _readable_rows(old: apsw.Connection, table: str, columns: str) -> Iterator[tuple[Any, ...]]:
    """Rows in the order of their numbers, in the first column, but those on damaged pages."""
    query = f"select {columns} from {table} where rowid > ? order by rowid"
    last, step = 0, 1
    while last < _LAST_ROW:
        try:
            if not has_page_checksums(old):
                return
            for row in old.execute(query, (last,)):
                yield row
                last, step = row[0], 1
            return
        except apsw.Error:
            # The next page that can be read begins somewhere behind it.
            last, step = min(last + step, _LAST_ROW), step * 2
