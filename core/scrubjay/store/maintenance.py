"""Upkeep of an index: rows that follow from chunks and vectors, and merges of the word index."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

import apsw

from scrubjay.store.binary_vectors import stored_sign_bits
from scrubjay.store.connection import fetch
from scrubjay.store.metadata import EMBEDDED

# The list goes first and each generation is named: without, all vectors would be read.
_VECTORS_OF_HASHES = """
json_each(?) cross join generation
cross join vector on vector.generation = generation.id and vector.hash = unhex(value)
"""
_UNSKETCHED = f"""
select vector.id, vector.generation, vector.embedding from {_VECTORS_OF_HASHES}
where exists (select 1 from chunk where chunk.hash = vector.hash)
and not exists (select 1 from sketch where sketch.vector = vector.id)
"""
_ORPHANED_SKETCHES = f"""
delete from sketch where vector in (
  select vector.id from {_VECTORS_OF_HASHES}
  where not exists (select 1 from chunk where chunk.hash = vector.hash))
"""
# The cross join keeps the order: the planner would read all vectors for each chunk.
_COUNT_EMBEDDED = """
insert or replace into note(key, value)
select ?, count(*) from generation cross join chunk cross join vector
on vector.generation = generation.id and vector.hash = chunk.hash where is_active
"""
_ADD_EMBEDDED = """
insert into note(key, value) values (?, ?)
on conflict do update set value = cast(value as integer) + excluded.value
"""
_CHUNKS_WITH_VECTORS = """
select count(*) from json_each(?) cross join generation on is_active
cross join vector on vector.generation = generation.id and vector.hash = unhex(value)
"""
_CHUNKS_WITH_TEXTS = """
select count(*) from json_each(?) cross join chunk on chunk.hash = unhex(value)
"""

FEWEST_LEAVES = 2_000
"""Leaves of the FTS5 index, those of some forty thousand chunks; fewer are quick in any number of
segments."""

_LARGEST_SHARE = 0.9
"""A merge rewrites everything, so it waits until a tenth is new."""

PAGES = 200
"""Pages written in one step of a merge, about a tenth of a second."""


def count_embedded(db: apsw.Connection) -> None:
    """Store the number of chunks with a vector of the active generation, after looking each up."""
    db.execute(_COUNT_EMBEDDED, (EMBEDDED,))


def count_new_vectors(db: apsw.Connection, hashes: Iterable[bytes]) -> None:
    """Add the chunks with these texts to that number."""
    _add_embedded(db, int(db.execute(_CHUNKS_WITH_TEXTS, (_listed(hashes),)).get))


def update_derived_rows(
    db: apsw.Connection, removed: Sequence[bytes] = (), added: Sequence[bytes] = ()
) -> None:
    """Bring counts and sign bits in line with removed and added chunks, by hash."""
    if db.execute("select 1 from vector limit 1").get is None:
        return
    _add_embedded(db, _with_vectors(db, added) - _with_vectors(db, removed))
    sync_sign_bits(db, [*removed, *added])


def sync_sign_bits(db: apsw.Connection, hashes: Iterable[bytes]) -> None:
    """Store sign bits for exactly those of the texts that some chunk holds."""
    listed = _listed(set(hashes))
    db.execute(_ORPHANED_SKETCHES, (listed,))
    rows = fetch(db, _UNSKETCHED, (listed,))
    db.executemany(
        "insert into sketch(vector, generation, bits) values (?, ?, ?)",
        [(vector, number, stored_sign_bits(data)) for vector, number, data in rows],
    )


def merge_words(
    db: apsw.Connection, *, fewest_leaves: int = FEWEST_LEAVES, pages: int = PAGES
) -> Iterator[None]:
    """Merge the segments of the FTS5 index, where that pays; one step each.

    A large index in one segment is searched twice as fast.
    """
    if not _needs_merge(db, fewest_leaves):
        return
    at_once = -pages  # a negative number also begins with segments of any size
    while True:
        before = db.total_changes()
        db.execute("insert into fts(fts, rank) values ('merge', ?)", (at_once,))
        if db.total_changes() - before < 2:  # SQLite's documentation names this sign of the end
            return
        at_once = pages
        yield


def _needs_merge(db: apsw.Connection, fewest_leaves: int) -> bool:
    """True for a large index in several segments, as a first pass leaves it."""
    leaves = [int(row[0]) for row in fetch(db, "select count(*) from fts_idx group by segid")]
    total = sum(leaves)
    return total >= fewest_leaves and max(leaves) < _LARGEST_SHARE * total


def _with_vectors(db: apsw.Connection, hashes: Sequence[bytes]) -> int:
    return int(db.execute(_CHUNKS_WITH_VECTORS, (_listed(hashes),)).get)


def _add_embedded(db: apsw.Connection, number: int) -> None:
    if number:
        db.execute(_ADD_EMBEDDED, (EMBEDDED, number))


def _listed(hashes: Iterable[bytes]) -> str:
    return json.dumps([digest.hex() for digest in hashes])
