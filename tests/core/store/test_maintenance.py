"""Upkeep of an index: derived rows, migrations, merges of the word index, freed space."""

from __future__ import annotations

import tempfile
from pathlib import Path

import apsw
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.records.search_records import ChunkId
from scrubjay.store import maintenance
from scrubjay.store.reader import Reader
from scrubjay.store.schema import APPLICATION_ID, MIGRATIONS
from scrubjay.store.writer import Writer
from support.documents import document, publish

_COUNTED = """
select count(*) from chunk join vector on vector.hash = chunk.hash
join generation on generation.id = vector.generation where is_active
"""
_USED = "select id from vector where hash in (select hash from chunk) order by id"

_PATHS, _TEXTS, _IDENTITIES = st.sampled_from("ab"), st.sampled_from("xyz"), st.sampled_from("12")
_STEPS = st.lists(
    st.tuples(st.just("publish"), _PATHS, _TEXTS)
    | st.tuples(st.just("remove"), _PATHS)
    | st.tuples(st.just("embed"), _IDENTITIES, _TEXTS)
    | st.tuples(st.just("activate"), _IDENTITIES, st.booleans())
    | st.tuples(st.just("evict")),
    max_size=25,
)


def _do(writer: Writer, step: tuple[object, ...]) -> None:
    match step:
        case ("publish", str(path), str(text)):
            writer.replace(document(f"{path}.md", text), indexed_ns=0)
        case ("remove", str(path)):
            writer.remove([f"{path}.md"])
        case ("embed", str(identity), str(text)):
            key = document("any.md", text).chunks[0].sha256
            vector = np.ones(3, dtype=np.float32)
            writer.vectors.add(
                writer.vectors.generation(identity, 3), {key: vector}, {key: b"12345678"}
            )
        case ("activate", str(identity), bool(keeps)):
            writer.vectors.activate(writer.vectors.generation(identity, 3), keeps_others=keeps)
        case _:
            writer.vectors.evict(0)


@given(_STEPS)
def test_counts_and_sign_bits_follow_whatever_happens(steps: list[tuple[object, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        writer = Writer.open(Path(folder) / "index.sqlite")
        db = apsw.Connection(str(Path(folder) / "index.sqlite"))
        for step in steps:
            with writer.transaction():
                _do(writer, step)
            assert writer.metadata.counts().embedded == db.execute(_COUNTED).get
            sketched = db.execute("select vector from sketch order by vector").fetchall()
            assert sketched == db.execute(_USED).fetchall()
        db.close()
        writer.close()


def test_following_a_few_texts_never_reads_all_vectors(writer: Writer, file: Path) -> None:
    # Each batch of vectors asks this: reading all of them made large indexes take hours.
    publish(writer, document("a.md", "one"))
    db = apsw.Connection(str(file))
    statements: list[str] = []

    def collect(_cursor: apsw.Cursor, statement: str, _values: object) -> bool:
        statements.append(statement)
        return True

    db.exec_trace = collect
    maintenance.sync_sign_bits(db, [])
    db.exec_trace = None
    assert len(statements) >= 2
    for statement in statements:
        if "json_each" in statement:
            plan = db.execute(f"explain query plan {statement}", ("[]",)).fetchall()
            scans = [row[3] for row in plan if row[3].startswith("SCAN")]
            assert not [scan for scan in scans if "vector" in scan or "sketch" in scan]
    db.close()


def test_an_index_of_the_third_version_keeps_its_vectors_and_lines(file: Path) -> None:
    db = apsw.Connection(str(file))
    for step in MIGRATIONS[:3]:
        step(db)
    db.execute(f"pragma application_id = {APPLICATION_ID}; pragma user_version = 3")
    hash_ = document("any.md", "one").chunks[0].sha256
    embedding, bits = np.ones(3, dtype=np.float32).tobytes(), bytes([224, *bytes(7)])
    db.execute(
        "insert into document values (7, 'a.md', '/a.md', 'notes', x'', 0, 3, 'A', null, '', 0)"
    )
    db.execute("insert into chunk values (5, 7, 1, 1, '', x'', ?)", (hash_,))
    db.execute("insert into generation values (1, 'some', 3, 1)")
    db.execute("insert into vector values (4, 1, ?, ?, ?)", (hash_, embedding, bits))
    db.execute("insert into sketch values (9, 4, 1, ?)", (bits,))
    db.close()
    reader = Reader.open(file)
    reader.refresh()
    assert reader.line_signs([ChunkId(5)]) == {}
    writer = Writer.open(file)
    assert writer.metadata.counts().embedded == 1
    assert writer.vectors.missing(writer.vectors.generation("some", 3)) == []
    db = apsw.Connection(str(file))
    assert db.execute("select * from vector").fetchall() == [(4, 1, hash_, embedding)]
    assert db.execute("select * from sketch").fetchall() == [(9, 4, 1, bits)]
    db.close()
    assert reader.line_signs([ChunkId(5)]) == {ChunkId(5): bits}
    writer.close()
    reader.close()


def test_the_write_ahead_log_is_given_back_while_an_index_is_open(
    writer: Writer, reader: Reader, file: Path
) -> None:
    publish(writer, *(document(f"{number}.md", "some words") for number in range(50)))
    log = Path(f"{file}-wal")
    assert log.stat().st_size > 0
    writer.shrink()
    assert log.stat().st_size == 0
    assert reader.chunk_count() == 50


def _segments(db: apsw.Connection) -> object:
    return db.execute("select count(distinct segid) from fts_idx").get


def _publish_often(writer: Writer) -> None:
    for number in range(6):
        publish(writer, document(f"{number}.md", f"The jay number {number} hides acorns."))
    publish(writer, document("3.md", "The third one sleeps."))


def test_the_words_of_a_small_index_stay_in_their_segments(
    writer: Writer, db: apsw.Connection
) -> None:
    _publish_often(writer)
    assert list(writer.merge_words()) == []
    assert int(str(_segments(db))) > 2


def test_the_words_of_a_large_index_are_merged_once(
    writer: Writer, reader: Reader, db: apsw.Connection
) -> None:
    _publish_often(writer)
    words = ["hide", "acorn", "third", "number"]
    before = [reader.document_frequency(word) for word in words]
    assert before == [5, 5, 1, 5]
    assert list(writer.merge_words(fewest_leaves=2, pages=1))
    assert _segments(db) == 1
    assert [reader.document_frequency(word) for word in words] == before
    assert list(writer.merge_words(fewest_leaves=2, pages=1)) == []
