"""The writer of an index's vectors and of rows derived from them. Used on the index thread."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import apsw

from scrubjay.records.vectors import Vector
from scrubjay.store.binary_vectors import pack_binary_vectors, stored_sign_bits
from scrubjay.store.index_file import convert_sqlite_errors, fetch
from scrubjay.store.index_records import Generation, decompress_text
from scrubjay.store.metadata import EMBEDDED, LEARNED, LEARNING, Metadata

_LONG = 100_000
"""Bytes of a note that is learned after others: a diary of 2 MB takes as long as 2,000 notes."""

_MISSING = f"""
select min(chunk.id) from chunk join document on document.id = chunk.document
where not exists (select 1 from vector where generation = ? and vector.hash = chunk.hash)
group by chunk.hash
order by min(document.size) > {_LONG}, max(document.mtime_ns) desc, min(chunk.id)
"""
"""Chunk for each text without a vector of a generation, in the order of learning."""
# The cross joins keep the order: chunks are looked up for the few that lack something.
_WITHOUT_LINES = f"""
select vector.id from sketch cross join vector on vector.id = sketch.vector
cross join chunk on chunk.hash = vector.hash
cross join document on document.id = chunk.document
where sketch.generation = ?
and not exists (select 1 from line_sketch where line_sketch.vector = sketch.vector)
group by vector.id
order by min(document.size) > {_LONG}, max(document.mtime_ns) desc, vector.id
"""
"""Vectors in use without sign bits of their lines, in the order of learning."""
_TEXTS = """
select vector.id, text, embedding from json_each(?) cross join vector on vector.id = value
cross join chunk on chunk.hash = vector.hash group by vector.id
"""
"""Texts of listed vectors that some chunk has."""
_EVICT = """
delete from vector where id in (
  select id from vector
  where not exists (select 1 from chunk where chunk.hash = vector.hash)
  order by id limit ?)
"""
"""Statement that deletes the oldest vectors that no chunk uses."""
# The list goes first and each generation is named; otherwise all vectors would be read.
_VECTORS_OF_HASHES = """
json_each(?) cross join generation
cross join vector on vector.generation = generation.id and vector.hash = unhex(value)
"""
"""Vectors of listed texts in all generations, as a source of rows."""
_UNSKETCHED = f"""
select vector.id, vector.generation, vector.embedding from {_VECTORS_OF_HASHES}
where exists (select 1 from chunk where chunk.hash = vector.hash)
and not exists (select 1 from sketch where sketch.vector = vector.id)
"""
"""Vectors of listed texts that some chunk has, without sign bits so far."""
_ORPHANED_SKETCHES = f"""
delete from sketch where vector in (
  select vector.id from {_VECTORS_OF_HASHES}
  where not exists (select 1 from chunk where chunk.hash = vector.hash))
"""
"""Statement that deletes the sign bits of listed texts that no chunk has."""
# The cross join keeps the order: the planner would read all vectors for each chunk.
_COUNT = """
insert or replace into note(key, value)
select ?, count(*) from chunk cross join vector
on vector.generation = ? and vector.hash = chunk.hash
"""
"""Statement that stores the number of chunks with a vector of a generation, by counting them."""
_ADD = """
insert into note(key, value) values (?, ?)
on conflict do update set value = cast(value as integer) + excluded.value
"""
"""Statement that adds to this number."""
_ACTIVE = "select id from generation where is_active"
"""Generation that answers searches; none before the first."""
_CHUNKS_WITH_VECTORS = """
select count(*) from json_each(?)
cross join vector on vector.generation = ? and vector.hash = unhex(value)
"""
"""Number of listed texts with a vector of a generation."""
_CHUNKS_WITH_TEXTS = """
select count(*) from json_each(?) cross join chunk on chunk.hash = unhex(value)
"""
"""Number of chunks with listed texts."""


class VectorWriter:
    """Writes vectors and generations of one index. Every change is a transaction of the caller."""

    def __init__(self, db: apsw.Connection, path: Path, metadata: Metadata) -> None:
        self._db = db
        self._path = path
        self._metadata = metadata

    def generation(self, identity: str, dimensions: int) -> Generation:
        """The generation of an identity, created when it is new; the first one is active."""
        self._db.execute(
            "insert or ignore into generation(identity, dimensions, is_active)"
            " values (?, ?, not exists (select 1 from generation where is_active))",
            (identity, dimensions),
        )
        number = self._db.execute("select id from generation where identity = ?", (identity,)).get
        generation = Generation(number, identity, dimensions)
        # What is learned of a generation is counted once, and then follows each change.
        self._db.execute("delete from note where key in (?, ?)", (LEARNING, LEARNED))
        if not self._is_active(generation):
            statement = "insert into note(key, value) values (?, ?)"
            self._db.execute(statement, (LEARNING, str(number)))
            self._db.execute(_COUNT, (LEARNED, number))
        return generation

    def activate(self, generation: Generation, *, keeps_others: bool = False) -> None:
        """Let searches use this generation, and drop others with their vectors.

        With keeps_others the newest of each other provider stays, for going back to it.
        """
        if not self._is_active(generation):
            self._db.execute("update generation set is_active = (id = ?)", (generation.id,))
            self._db.execute("delete from note where key in (?, ?)", (LEARNING, LEARNED))
            count_embedded(self._db)
        # Of each provider the last generation is the newest, since ids ascend.
        rows = fetch(self._db, "select identity, id from generation order by id")
        newest: dict[str, int] = {}
        if keeps_others:
            newest = {identity.partition(":")[0]: number for identity, number in rows}
        newest[generation.identity.partition(":")[0]] = generation.id
        # Whatever is not the newest of a provider goes, vectors before their generation.
        for _, number in rows:
            if number not in newest.values():
                for table in ("sketch_block", "sketch", "vector"):
                    self._db.execute(f"delete from {table} where generation = ?", (number,))
                self._db.execute("delete from generation where id = ?", (number,))

    def missing(self, generation: Generation) -> list[int]:
        """A chunk id for each text without a vector, newest notes first and long ones last."""
        counts = self._metadata.counts()
        if self._is_active(generation) and counts.embedded == counts.chunks:
            return []
        return [row[0] for row in fetch(self._db, _MISSING, (generation.id,))]

    def missing_for(self, identity: str) -> list[int]:
        """A chunk id for each text without a vector of a generation that need not exist yet."""
        statement = "select id, dimensions from generation where identity = ?"
        row = self._db.execute(statement, (identity,)).fetchone()
        number, dimensions = row or (-1, 0)
        return self.missing(Generation(number, identity, dimensions))

    def lacking(self, generation: Generation, hashes: Iterable[bytes]) -> list[bytes]:
        """The hashes that have no vector of the generation."""
        statement = "select 1 from vector where generation = ? and hash = ?"
        return [key for key in hashes if not self._db.execute(statement, (generation.id, key)).get]

    def add(
        self,
        generation: Generation,
        vectors: Mapping[bytes, Vector],
        lines: Mapping[bytes, bytes] | None = None,
    ) -> None:
        """Store normalised vectors, and the sign bits of their lines, by the hash of the text.

        Vectors are float32[dimensions]; lines are as set_lines stores them.
        """
        # A text that was moved or copied has its vector already.
        added = self.lacking(generation, vectors)
        self._db.executemany(
            "insert into vector(generation, hash, embedding) values (?, ?, ?)",
            [(generation.id, key, vectors[key].tobytes()) for key in added],
        )
        # The stored counts follow what is new, rather than being counted again.
        chunks = int(self._db.execute(_CHUNKS_WITH_TEXTS, (_listed(added),)).get)
        for key, number in _counted(self._db):
            if number == generation.id:
                _add(self._db, key, chunks)
        sync_sign_bits(self._db, added)
        if lines:
            self._db.executemany(
                "insert into line_sketch(vector, bits)"
                " select id, ? from vector where generation = ? and hash = ?",
                [(lines[key], generation.id, key) for key in added],
            )

    def without_lines(self, generation: Generation) -> list[int]:
        """Ids of the vectors in use without sign bits of their lines, newest notes first."""
        return [row[0] for row in fetch(self._db, _WITHOUT_LINES, (generation.id,))]

    def texts(self, vectors: Sequence[int]) -> list[tuple[int, str, bytes]]:
        """(vector, text, embedding) of vectors that are still in use. Raises IndexCorrupt."""
        with convert_sqlite_errors(self._path):
            rows = fetch(self._db, _TEXTS, (json.dumps(list(vectors)),))
            return [(vector, decompress_text(data), embedding) for vector, data, embedding in rows]

    def set_lines(self, lines: Iterable[tuple[int, bytes]]) -> None:
        """Store (vector, sign bits of its lines that are not blank, side by side)."""
        self._db.executemany(
            "insert or replace into line_sketch(vector, bits) values (?, ?)", lines
        )

    def evict(self, max_entries: int) -> int:
        """Drop the oldest vectors without a chunk beyond max_entries in all; return how many."""
        # Vectors that some chunk uses are never dropped, so often there is nothing to do.
        total = int(self._db.execute("select count(*) from vector").get)
        in_use = int(self._db.execute("select count(*) from sketch").get)
        if total <= max_entries or total == in_use:
            return 0
        self._db.execute(_EVICT, (total - max_entries,))
        return self._db.changes()

    def pack(self) -> None:
        """Store the new binary vectors in blocks, which readers read quickly."""
        if self._db.execute("select 1 from sketch limit 1").get is not None:
            pack_binary_vectors(self._db)

    def _is_active(self, generation: Generation) -> bool:
        statement = "select is_active from generation where id = ?"
        return bool(self._db.execute(statement, (generation.id,)).get)


def count_embedded(db: apsw.Connection) -> None:
    """Store the numbers of chunks with a vector, after looking each up."""
    for key, number in _counted(db):
        db.execute(_COUNT, (key, number))


def update_derived_rows(
    db: apsw.Connection, removed: Sequence[bytes] = (), added: Sequence[bytes] = ()
) -> None:
    """Update counts and sign bits after chunks were removed and added, by hash."""
    if db.execute("select 1 from vector limit 1").get is None:
        return
    # Chunks of removed texts lose their vectors, chunks of added ones may find one in the cache.
    for key, number in _counted(db):
        gained = int(db.execute(_CHUNKS_WITH_VECTORS, (_listed(added), number)).get)
        lost = int(db.execute(_CHUNKS_WITH_VECTORS, (_listed(removed), number)).get)
        _add(db, key, gained - lost)
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


def _counted(db: apsw.Connection) -> list[tuple[str, int]]:
    """The keys of the counts of learned chunks, each with the generation that it is about."""
    counted = [(EMBEDDED, number) for (number,) in fetch(db, _ACTIVE)]
    # The one that passes add to is another one while a model takes the place of its predecessor.
    rows = fetch(db, "select value from note where key = ?", (LEARNING,))
    return counted + [(LEARNED, int(number)) for (number,) in rows]


def _add(db: apsw.Connection, key: str, number: int) -> None:
    if number:
        db.execute(_ADD, (key, number))


def _listed(hashes: Iterable[bytes]) -> str:
    return json.dumps([digest.hex() for digest in hashes])
