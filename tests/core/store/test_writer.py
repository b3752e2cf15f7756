"""The writing side of an index."""

from __future__ import annotations

import datetime as dt
import tempfile
from pathlib import Path
from random import Random

import apsw
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import IndexCorrupt, IndexTooNew
from scrubjay.records.note_records import ChunkId
from scrubjay.records.status_records import SkippedFile
from scrubjay.store.index_file import open_reader, open_writer
from scrubjay.store.index_records import Filters, compress_text
from scrubjay.store.reader import Reader
from scrubjay.store.schema import APPLICATION_ID, MIGRATIONS, check_schema_version, migrate
from scrubjay.store.vector_writer import sync_sign_bits
from scrubjay.store.writer import Writer
from support.documents import document, embed, publish
from support.providers import WordProvider

_CHUNKS = "select id from chunk"


def random_words(seed: int) -> str:
    """Two thousand letters that no compression makes much smaller."""
    return Random(seed).randbytes(1_000).hex()


def texts(writer: Writer, db: apsw.Connection) -> list[str]:
    return [text for _, _, text in writer.texts([row[0] for row in db.execute(_CHUNKS)])]


def count(db: apsw.Connection, table: str) -> object:
    return db.execute(f"select count(*) from {table}").get


def test_a_document_replaces_what_was_under_its_path(writer: Writer, db: apsw.Connection) -> None:
    publish(writer, document("a.md", "one"), document("b.md", "two"))
    publish(writer, document("a.md", "three"))
    assert sorted(texts(writer, db)) == ["three", "two"]
    assert count(db, "fts_docsize") == 2


def test_a_transaction_is_all_or_nothing(writer: Writer, db: apsw.Connection) -> None:
    broken = replace(document("b.md", "two"), title=None)
    with pytest.raises(apsw.ConstraintError):
        publish(writer, document("a.md", "one"), broken)
    assert (count(db, "document"), count(db, "chunk"), count(db, "fts")) == (0, 0, 0)


def test_what_is_known_tells_whether_a_file_changed(writer: Writer) -> None:
    new = document("a.md", "one", mtime_ns=77)
    with writer.transaction():
        writer.replace(new, indexed_ns=99)
    indexed = writer.metadata.documents()["a.md"]
    assert (indexed.sha256, indexed.mtime_ns, indexed.size) == (new.sha256, 77, 3)
    assert (indexed.indexed_ns, indexed.chunking) == (99, new.chunking)
    with writer.transaction():
        writer.touch("a.md", 88, ctime_ns=89, indexed_ns=100)
    indexed = writer.metadata.documents()["a.md"]
    times = (indexed.mtime_ns, indexed.ctime_ns, indexed.indexed_ns)
    assert times == (88, 89, 100)


def test_removed_documents_leave_their_vectors_as_cache(
    writer: Writer, db: apsw.Connection
) -> None:
    publish(writer, document("a.md", "one"), document("b.md", "two"))
    embed(writer, WordProvider())
    with writer.transaction():
        writer.remove(["a.md", "never.md"])
    assert (count(db, "chunk"), count(db, "vector"), count(db, "sketch")) == (1, 2, 1)
    publish(writer, document("again.md", "one"))
    assert count(db, "sketch") == 2
    assert writer.metadata.counts().embedded == 2


def test_a_text_in_two_notes_has_one_vector(writer: Writer, db: apsw.Connection) -> None:
    publish(writer, document("a.md", "same"), document("b.md", "same"))
    embed(writer, WordProvider())
    assert (count(db, "vector"), writer.metadata.counts().embedded) == (1, 2)
    with writer.transaction():
        writer.remove(["a.md"])
    assert count(db, "sketch") == 1


def test_eviction_drops_the_oldest_that_nothing_uses(writer: Writer, db: apsw.Connection) -> None:
    for name in "abc":
        publish(writer, document(f"{name}.md", name))
        embed(writer, WordProvider())
    with writer.transaction():
        writer.remove(["a.md", "b.md"])
        assert writer.vectors.evict(3) == 0
        assert writer.vectors.evict(2) == 1
    hashes = {digest for (digest,) in list(db.execute("select hash from vector"))}
    assert document("b.md", "b").chunks[0].sha256 in hashes
    assert document("a.md", "a").chunks[0].sha256 not in hashes
    with writer.transaction():
        assert writer.vectors.evict(0) == 1
    assert count(db, "vector") == 1


def test_the_first_generation_is_active_the_next_only_when_it_is_complete(
    writer: Writer, db: apsw.Connection
) -> None:
    publish(writer, document("a.md", "one"))
    with writer.transaction():
        first = writer.vectors.generation("first", 3)
        second = writer.vectors.generation("second", 3)
    assert list(db.execute("select identity from generation where is_active")) == [("first",)]
    with writer.transaction():
        writer.vectors.activate(second)
    assert list(db.execute("select identity, is_active from generation")) == [("second", 1)]
    assert first.id != second.id


def test_what_lacks_a_vector_is_found(writer: Writer) -> None:
    provider = WordProvider()
    publish(writer, document("a.md", "one"))
    embed(writer, provider)
    publish(writer, document("b.md", "two"))
    with writer.transaction():
        generation = writer.vectors.generation(provider.identity(), provider.dimensions())
    hashes = [document("x", text).chunks[0].sha256 for text in ("one", "two")]
    assert writer.vectors.lacking(generation, hashes) == hashes[1:]
    [missing] = writer.texts(writer.vectors.missing(generation))
    assert missing == (hashes[1], "b", "two")


def test_skipped_files_are_kept_problems_first(writer: Writer) -> None:
    fine = SkippedFile("a.md", "A link.", is_problem=False)
    bad = SkippedFile("b.md", "Not text.", is_problem=True)
    with writer.transaction():
        writer.set_skipped([fine, bad])
    assert writer.metadata.skipped() == (bad, fine)
    with writer.transaction():
        writer.set_skipped([])
    assert writer.metadata.skipped() == ()


def test_the_time_of_the_last_look_is_kept(writer: Writer) -> None:
    assert writer.metadata.checked_at() is None
    when = dt.datetime(2026, 3, 1, 12, 30, tzinfo=dt.UTC)
    with writer.transaction():
        writer.set_checked(when)
    assert writer.metadata.checked_at() == when


def test_freed_pages_are_given_back(writer: Writer, file: Path, db: apsw.Connection) -> None:
    publish(writer, *(document(f"{n}.md", random_words(n)) for n in range(300)))
    db.execute("pragma wal_checkpoint(truncate)").fetchall()
    full = file.stat().st_size
    with writer.transaction():
        writer.remove([f"{n}.md" for n in range(300)])
    writer.shrink()
    db.execute("pragma wal_checkpoint(truncate)").fetchall()
    assert file.stat().st_size < full / 2


def test_notes_of_any_text_are_stored_as_they_are(writer: Writer, db: apsw.Connection) -> None:
    text = "emoji 👩‍👧 \u2028 \x01 'quote' \"double\" ; drop table chunk; --"
    publish(writer, document("it's; --.md", text))
    assert texts(writer, db) == [text]
    assert list(writer.metadata.documents()) == ["it's; --.md"]


def test_an_index_that_was_empty_when_it_was_opened_is_not_damaged(tmp_path: Path) -> None:
    file = tmp_path / "new.sqlite"
    file.touch()
    reader = open_reader(file)
    writer = open_writer(file)
    migrate(writer, file)
    writer.close()
    assert check_schema_version(reader, file) == len(MIGRATIONS)


def test_a_new_index_appears_with_all_its_tables(tmp_path: Path) -> None:
    file = tmp_path / "new.sqlite"
    db = open_writer(file)
    versions: list[int] = []

    def committed(*_: object) -> int:
        reader = open_reader(file)
        versions.append(check_schema_version(reader, file))
        reader.close()
        return apsw.SQLITE_OK

    db.set_wal_hook(committed)
    migrate(db, file)
    db.close()
    assert versions == [len(MIGRATIONS)]


def test_an_older_schema_is_migrated_and_a_newer_one_refused(writer: Writer, file: Path) -> None:
    publish(writer, document("a.md", "one"))
    writer.close()
    again = Writer.open(file)
    assert again.metadata.counts().documents == 1
    again.close()
    db = apsw.Connection(str(file))
    db.execute("pragma user_version = 1000")
    db.close()
    with pytest.raises(IndexTooNew, match="version 1000"):
        Writer.open(file)


def test_texts_of_the_first_schema_are_packed(file: Path) -> None:
    db = apsw.Connection(str(file))
    MIGRATIONS[0](db)
    db.execute(f"pragma application_id = {APPLICATION_ID}; pragma user_version = 1")
    db.execute(
        """
        insert into document values (7, 'a.md', '/a.md', 'notes', x'00', 0, 3, 'A', null, '', 0);
        insert into chunk values (5, 7, 1, 1, '', 'the blue jay', x'01');
        """
    )
    db.close()
    reader = Reader.open(file)
    assert reader.chunks([ChunkId(5)])[ChunkId(5)].text == "the blue jay"
    reader.close()
    writer = Writer.open(file)
    assert writer.texts([5]) == [(b"\1", "A", "the blue jay")]
    writer.close()


def test_words_of_an_older_index_are_written_again_in_their_normal_form(file: Path) -> None:
    db = apsw.Connection(str(file))
    migrate(db, file)
    db.execute(f"pragma user_version = {len(MIGRATIONS) - 1}")
    values = "(7, 'straße.md', '/a', 'notes', x'', 0, 3, 'Łódź', '2026-04-16', '', 0, 0)"
    db.execute(f"insert into document values {values}")
    text = compress_text("کتاب 🎉 reloadTimelines 4,310.75 C++")
    db.execute("insert into chunk values (5, 7, 1, 1, 'Łódź', ?, x'')", (text,))
    db.execute("insert into name values (7, 'łodz')")
    db.execute("insert into tag values (7, 'weiß', 'weiß')")
    migrate(db, file)
    for words in ("كتاب", "🎉", "timelines", "4310_75", "c_plus_plus", "lodz", "strasse", "april"):
        found = db.execute("select rowid from fts where fts match ?", (f'"{words}"',)).fetchall()
        assert found == [(5,)], words
    assert db.execute("select key from name").get == "lodz"
    assert db.execute("select name, label from tag").get == ("weiss", "weiß")
    db.close()


def test_a_foreign_file_is_refused_without_a_change(file: Path) -> None:
    file.write_bytes(b"Dear diary, " * 500)
    with pytest.raises(IndexCorrupt) as refused:
        Writer.open(file)
    assert refused.value.file == file
    assert file.read_bytes() == b"Dear diary, " * 500


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
    sync_sign_bits(db, [])
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
    db.execute("insert into chunk values (5, 7, 1, 1, '', ?, ?)", (compress_text("one"), hash_))
    db.execute("insert into generation values (1, 'some', 3, 1)")
    db.execute("insert into vector values (4, 1, ?, ?, ?)", (hash_, embedding, bits))
    db.execute("insert into sketch values (9, 4, 1, ?)", (bits,))
    db.close()
    reader = Reader.open(file)
    reader.nearest(np.ones(3, dtype=np.float32), 1, Filters(), CancelToken())
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
