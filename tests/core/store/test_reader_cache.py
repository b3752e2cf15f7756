"""The cache of a reader, which holds until the next commit."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.records.note_records import ChunkId
from scrubjay.store.index_records import Filters
from scrubjay.store.reader import MAX_CHUNKS, Reader, ReaderCache
from scrubjay.store.writer import Writer
from support.documents import document, embed, publish
from support.providers import WordProvider

_LONG = "\n\n".join(f"# Part {number}\n\n" + f"jay {number} " * 300 for number in range(4))


def _ids(reader: Reader, word: str) -> list[ChunkId]:
    return [chunk_id for chunk_id, _ in reader.lexical(word, 50, Filters(), CancelToken())]


def _texts(reader: Reader, word: str) -> list[str]:
    return sorted(chunk.text for chunk in reader.chunks(_ids(reader, word)).values())


def test_a_changed_note_is_read_anew(writer: Writer, reader: Reader) -> None:
    publish(writer, document("a.md", "The jay hides acorns."), document("b.md", "A jay sleeps."))
    assert _texts(reader, "jay") == ["A jay sleeps.", "The jay hides acorns."]
    publish(writer, document("a.md", "The jay eats acorns."))
    assert _texts(reader, "jay") == ["A jay sleeps.", "The jay eats acorns."]
    assert (reader.document_frequency("hide"), reader.document_frequency("eat")) == (0, 1)


def test_neighbours_are_those_of_the_document_as_it_is_now(writer: Writer, reader: Reader) -> None:
    def beside() -> set[ChunkId]:
        return set(reader.chunks([], neighbours_of=_ids(reader, "jay")))

    publish(writer, document("a.md", _LONG))
    assert beside() == beside() > set(_ids(reader, "jay"))
    publish(writer, document("a.md", "One jay alone."))
    assert beside() == set()


def test_spellings_are_cached_until_something_changes(writer: Writer, reader: Reader) -> None:
    reader.spelling_cache()["jya"] = ["jay"]
    assert reader.spelling_cache() == {"jya": ["jay"]}
    publish(writer, document("a.md", "A jay."))
    assert reader.spelling_cache() == {}


def test_line_signs_are_those_of_the_vectors_that_answer(writer: Writer, reader: Reader) -> None:
    publish(writer, document("a.md", "A jay sleeps."))
    embed(writer, WordProvider())
    query = np.ones(WordProvider().dimensions(), dtype=np.float32)

    def signs() -> dict[ChunkId, bytes]:
        reader.nearest(query, 5, Filters(), CancelToken())
        return reader.line_signs(_ids(reader, "jay"))

    assert signs() == signs() == {}
    generation = writer.vectors.generation(WordProvider().identity(), WordProvider().dimensions())
    [vector] = writer.vectors.without_lines(generation)
    with writer.transaction():
        writer.vectors.set_lines([(vector, b"\x01" * reader.sign_width())])
    assert set(signs().values()) == {b"\x01" * reader.sign_width()}


def test_only_the_chunks_that_were_used_last_are_cached(file: Path, writer: Writer) -> None:
    publish(writer, *(document(f"{number}.md", f"jay {number}") for number in range(6)))
    cache = ReaderCache(version=1, chunk_count=6, generation=None)
    reader = Reader.open(file)
    chunks = reader.chunks([ChunkId(number) for number in range(1, 7)])
    reader.close()
    filler = dict.fromkeys(range(100, 100 + MAX_CHUNKS - 3))
    cache.chunks.update(chunks)
    cache.chunks.update((ChunkId(number), chunks[ChunkId(1)]) for number in filler)
    cache.touch([ChunkId(1), ChunkId(2)])
    cache.shrink()
    assert len(cache.chunks) == MAX_CHUNKS
    assert [number for number in range(1, 7) if number in cache.chunks] == [1, 2, 6]


def test_a_common_word_is_counted_anew_only_after_a_while() -> None:
    before = ReaderCache(version=1, chunk_count=5_000, generation=None)
    assert before.frequency("the", lambda: 4_000, now=100) == 4_000
    assert before.frequency("jay", lambda: 3, now=100) == 3
    after = ReaderCache(version=2, chunk_count=5_001, generation=None, common=before.common)
    assert after.frequency("jay", lambda: 4, now=101) == 4
    assert after.frequency("the", lambda: 4_001, now=699) == 4_000
    assert after.frequency("the", lambda: 4_001, now=700) == 4_001


def test_a_common_word_is_counted_again_when_many_chunks_have_come() -> None:
    before = ReaderCache(version=1, chunk_count=5_000, generation=None)
    before.frequency("the", lambda: 4_000, now=100)
    for chunks, number in ((5_250, 4_000), (5_251, 4_200), (4_749, 3_800)):
        after = ReaderCache(
            version=2, chunk_count=chunks, generation=None, common={**before.common}
        )
        assert after.frequency("the", lambda number=number: number, now=101) == number
