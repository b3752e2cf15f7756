"""Joins the parts that FTS5 keeps its words in: a large index is searched twice as fast by it."""

from __future__ import annotations

import apsw

from scrubjay.store.connection import fetch

_FEWEST_LEAVES = 2_000
"""A smaller index, of some forty thousand chunks, is quick in any number of parts."""

_LARGEST_SHARE = 0.9
"""Joining writes everything anew, so it waits until a tenth has come since the last time."""

_PAGES = 200
"""Written in one step, about a tenth of a second."""


def needs_fts_merge(db: apsw.Connection) -> bool:
    """True for a large index in several parts, as a first pass leaves it."""
    leaves = [int(row[0]) for row in fetch(db, "select count(*) from fts_idx group by segid")]
    total = sum(leaves)
    return total >= _FEWEST_LEAVES and max(leaves) < _LARGEST_SHARE * total


def join(db: apsw.Connection, *, goes_on: bool) -> bool:
    """One step of joining all parts, the first or a later one; False when nothing is left to do."""
    before = db.total_changes()
    pages = _PAGES if goes_on else -_PAGES  # a negative number also begins with parts of any size
    db.execute("insert into fts(fts, rank) values ('merge', ?)", (pages,))
    return db.total_changes() - before >= 2  # SQLite's documentation names this sign of the end
