"""The writing side of an index."""

from __future__ import annotations

import dataclasses
import datetime as dt
from pathlib import Path
from random import Random

import apsw
import pytest

from scrubjay.errors import IndexCorrupt, IndexTooNew
from scrubjay.records.search_records import ChunkId, SkippedFile
from scrubjay.store.reader import Reader
from scrubjay.store.schema import APPLICATION_ID, MIGRATIONS
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
    broken = dataclasses.replace(document("b.md", "two"), title=None)
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
        writer.touch("a.md", 88, indexed_ns=100)
    indexed = writer.metadata.documents()["a.md"]
    assert (indexed.mtime_ns, indexed.indexed_ns) == (88, 100)


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


def test_a_foreign_file_is_refused_without_a_change(file: Path) -> None:
    file.write_bytes(b"Dear diary, " * 500)
    with pytest.raises(IndexCorrupt) as refused:
        Writer.open(file)
    assert refused.value.file == file
    assert file.read_bytes() == b"Dear diary, " * 500
