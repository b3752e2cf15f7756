"""What follows from the chunks and vectors of an index: sketches, and how many chunks have both."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

import apsw

from scrubjay.store.binary_vectors import sketch_bytes
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


def count_embedded(db: apsw.Connection) -> None:
    """Note how many chunks have a vector that answers, after looking each of them up."""
    db.execute(_COUNT_EMBEDDED, (EMBEDDED,))


def count_new_vectors(db: apsw.Connection, hashes: Iterable[bytes]) -> None:
    """Note that these texts have a vector that answers now."""
    _add_embedded(db, int(db.execute(_CHUNKS_WITH_TEXTS, (_listed(hashes),)).get))


def update_derived_rows(
    db: apsw.Connection, gone: Sequence[bytes] = (), come: Sequence[bytes] = ()
) -> None:
    """Note what follows from chunks with these texts that went and came."""
    if db.execute("select 1 from vector limit 1").get is None:
        return
    _add_embedded(db, _with_vectors(db, come) - _with_vectors(db, gone))
    sync_sketches(db, [*gone, *come])


def sync_sketches(db: apsw.Connection, hashes: Iterable[bytes]) -> None:
    """Make sure that exactly the texts which some chunk holds have sketches."""
    listed = _listed(set(hashes))
    db.execute(_ORPHANED_SKETCHES, (listed,))
    rows = fetch(db, _UNSKETCHED, (listed,))
    db.executemany(
        "insert into sketch(vector, generation, bits) values (?, ?, ?)",
        [(vector, number, sketch_bytes(data)) for vector, number, data in rows],
    )


def _with_vectors(db: apsw.Connection, hashes: Sequence[bytes]) -> int:
    return int(db.execute(_CHUNKS_WITH_VECTORS, (_listed(hashes),)).get)


def _add_embedded(db: apsw.Connection, number: int) -> None:
    if number:
        db.execute(_ADD_EMBEDDED, (EMBEDDED, number))


def _listed(hashes: Iterable[bytes]) -> str:
    return json.dumps([digest.hex() for digest in hashes])
