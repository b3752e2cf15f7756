"""The reading side of an index."""

from __future__ import annotations

import contextlib
import datetime as dt
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import Cancelled, IndexUnavailable
from scrubjay.records.note_records import ChunkId, Source
from scrubjay.search.query.query_parser import parse_query
from scrubjay.store import vector_search
from scrubjay.store.index_file import load_vector_functions, open_reader
from scrubjay.store.index_records import Filters
from scrubjay.store.reader import Reader
from scrubjay.store.writer import Writer
from support.documents import document, embed, publish
from support.providers import WordProvider

ALL = Filters()


def lexical(reader: Reader, typed: str, filters: Filters = ALL, **how: bool) -> list[str]:
    """Paths of the chunks that match a typed text, best first."""
    expression = parse_query(typed, **how).expression()
    hits = reader.lexical(expression, 20, filters, CancelToken()) if expression else []
    chunks = reader.chunks([chunk for chunk, _ in hits])
    return [chunks[chunk].path for chunk, _ in hits]


def nearest(reader: Reader, provider: WordProvider, text: str, filters: Filters = ALL) -> list[str]:
    hits = reader.nearest(provider.embed_queries([text])[0], 20, filters, CancelToken())
    chunks = reader.chunks([chunk for chunk, _ in hits])
    return [chunks[chunk].path for chunk, _ in hits]


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("The cat runs.", "running cats"),
        ("Café au lait", "cafe"),
        ("cafe", "CAFÉ"),
        ("我喜欢东京塔", "东京"),
        ("我喜欢东京塔", "喜欢东京"),
        ("东京", "京"),
        ("カタカナ文字", "カナ"),
        ("서울특별시는", "특별시"),
        ("Python入門の本", "python"),
        ("Python入門の本", "入門"),
        ("commit a828e60 broke it", "a828e60"),
        ("set memorySearch.query.hybrid to x", "memorySearch.query.hybrid"),
        ("set memorySearch.query.hybrid to x", "hybrid"),
        ("set memorySearch.query.hybrid to x", "search"),
        ("version 2026.4.10 is out", "2026.4.10"),
        ("we use gpt-4 here", "gpt-4"),
        ("call read_note_twice()", "read_note_twice"),
        ("call read_note_twice()", "twice"),
        ("see /etc/hosts.conf", "/etc/hosts.conf"),
        ("mail emma@example.org", "emma@example.org"),
        ("C++ and C#", "c++"),
        ("Emma's book", "emma"),
        ("Emma book", "Emma’s"),
        ("naïve Straße", "strasse OR naive"),
        ("el pájaro azul", "pajaro"),
        ("AND OR NOT NEAR", "AND OR NOT NEAR"),
        ("tags: [x] {y} (z)", "(x) OR [y]"),
    ],
)
def test_words_of_all_kinds_are_found(
    writer: Writer, reader: Reader, text: str, typed: str
) -> None:
    publish(writer, document("here.md", text), document("other.md", "Nothing of that kind."))
    assert lexical(reader, typed)[:1] == ["here.md"]


@pytest.mark.parametrize(
    ("typed", "paths"),
    [
        ("router", {"router.md", "modem.md"}),
        ('"router password"', {"router.md"}),
        ('"password router"', set()),
        ("router -modem", {"router.md"}),
        ("router -password -modem", set()),
        ('router -"the modem"', {"router.md"}),
        ("path:modem router", {"modem.md"}),
        ("path:MODEM router", {"modem.md"}),
        ("path:nothing router", set()),
        ("router after:2026-02-01", {"router.md"}),
        ("router before:2026-01-31", {"modem.md"}),
        ("router after:2026-01-10 before:2026-03-10", {"router.md", "modem.md"}),
    ],
)
def test_operators(writer: Writer, reader: Reader, typed: str, paths: set[str]) -> None:
    publish(
        writer,
        document("router.md", "The router password.", date=dt.date(2026, 3, 10)),
        document("modem.md", "The modem is a router.", date=dt.date(2026, 1, 10)),
    )
    query = parse_query(typed)
    filters = query.filters
    assert set(lexical(reader, typed, filters)) == paths


@pytest.mark.parametrize("field", ["path", "heading", "title", "date"])
def test_other_fields_than_the_text_are_searched(
    writer: Writer, reader: Reader, field: str
) -> None:
    texts = {"heading": "# Zebra\n\nStripes.", "title": "---\ntitle: Zebra\n---\nStripes."}
    path = "zebra-notes.md" if field == "path" else "plain.md"
    date = dt.date(2026, 5, 3) if field == "date" else None
    publish(writer, document(path, texts.get(field, "Stripes."), date=date))
    assert lexical(reader, "3 may" if field == "date" else "zebra") == [path]


def test_an_unfinished_word_is_a_prefix_only_while_typing(writer: Writer, reader: Reader) -> None:
    publish(writer, document("a.md", "violins"))
    assert lexical(reader, "viol", is_open=True) == ["a.md"]
    assert lexical(reader, "viol") == []
    assert lexical(reader, "viol ", is_open=True) == []


FULL = {f"{n}.md" for n in range(50)}


@pytest.fixture(scope="module")
def full_index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """A real index for queries of any kind."""
    file = tmp_path_factory.mktemp("store") / "index.sqlite"
    writer = Writer.open(file)
    publish(writer, *(document(name, f"note {name} 漢字 café a_b gpt-4 x") for name in FULL))
    reader = Reader.open(file)
    yield reader
    reader.close()
    writer.close()


ANY_TEXT = st.text(st.characters()) | st.lists(
    st.sampled_from(['"', "-", "*", "(", ")", "OR", "AND", "NEAR(", "path:", "after:", "漢", "a"])
).map("".join)


@given(ANY_TEXT, st.booleans())
def test_any_text_is_a_valid_query(full_index: Reader, typed: str, is_typing: bool) -> None:
    assert set(lexical(full_index, typed, is_open=is_typing)) <= FULL


@pytest.mark.parametrize(
    "typed",
    ["漢字" * 5000, "a " * 50_000, "x" * 100_000, '"' * 9999, "-" * 9999, "(" * 9999, "a-b-" * 999],
    ids=["CJK", "words", "word", "quotes", "minus", "brackets", "compound"],
)
def test_a_huge_query_is_a_valid_query(full_index: Reader, typed: str) -> None:
    assert set(lexical(full_index, typed)) <= FULL


def test_text_matches_are_better_with_a_higher_score(writer: Writer, reader: Reader) -> None:
    publish(
        writer,
        document("twice.md", "zebra zebra"),
        document("once.md", "zebra " + "filler " * 80),
        *(document(f"{n}.md", "nothing") for n in range(9)),
    )
    hits = reader.lexical('"zebra"', 9, ALL, CancelToken())
    assert lexical(reader, "zebra") == ["twice.md", "once.md"]
    assert hits[0][1] > hits[1][1] > 0


@pytest.fixture
def random_vectors(writer: Writer, file: Path) -> Reader:
    """A thousand short notes with vectors."""
    words = [f"w{n}" for n in range(60)]
    rng = np.random.default_rng(7)
    publish(
        writer,
        *(
            document(f"{n}.md", " ".join(rng.choice(words, 9)), date=dt.date(2026, 1, 1 + n % 28))
            for n in range(1000)
        ),
    )
    embed(writer, WordProvider())
    return Reader.open(file)


def test_numpy_ranks_like_sqlite_vec(
    random_vectors: Reader, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with contextlib.closing(open_reader(file)) as db:
        assert load_vector_functions(db)
    provider = WordProvider()
    # Each reader loads sqlite-vec with its first question.
    random_vectors.nearest(provider.embed_queries(["w1"])[0], 1, ALL, CancelToken())
    monkeypatch.setattr(vector_search, "load_vector_functions", lambda _db: False)
    fallback = Reader.open(file)
    some = Filters(after=dt.date(2026, 1, 20))
    try:
        for text in ("w1 w2", "w3", "w4 w5 w6 w7 w8"):
            vector = provider.embed_queries([text])[0]
            for filters in (ALL, some):
                ours = random_vectors.nearest(vector, 30, filters, CancelToken())
                other = fallback.nearest(vector, 30, filters, CancelToken())
                assert [chunk for chunk, _ in ours] == [chunk for chunk, _ in other]
                assert [score for _, score in ours] == pytest.approx(
                    [score for _, score in other], abs=1e-5
                )
            ids = [ChunkId(n) for n in range(1, 40)]
            assert random_vectors.similarities(vector, ids) == pytest.approx(
                fallback.similarities(vector, ids), abs=1e-5
            )
    finally:
        fallback.close()
        random_vectors.close()


def test_sketches_find_what_an_exact_scan_finds(random_vectors: Reader) -> None:
    provider = WordProvider()
    hits = 0
    for n in range(20):
        vector = provider.embed_queries([f"w{n} w{n + 20} w{n + 40}"])[0]
        nearest_chunks = random_vectors.nearest(vector, 10, ALL, CancelToken())
        exact = random_vectors.similarities(vector, [ChunkId(n) for n in range(1, 1001)])
        best = sorted(exact, key=lambda chunk: (-exact[chunk], chunk))[:10]
        hits += len(set(best) & {chunk for chunk, _ in nearest_chunks})
    random_vectors.close()
    assert hits >= 0.98 * 200


def test_a_note_that_was_edited_often_is_still_found_by_its_meaning(
    writer: Writer, reader: Reader
) -> None:
    provider = WordProvider()
    publish(writer, *(document(f"{n}.md", f"unrelated {n}") for n in range(500)))
    embed(writer, provider)
    for edit in range(120):
        publish(writer, document("log.md", f"today the zebra slept {edit}"))
        embed(writer, provider)
        if edit % 10 == 0:
            nearest(reader, provider, "zebra")
    hits = reader.nearest(provider.embed_queries(["today zebra slept"])[0], 20, ALL, CancelToken())
    assert len(hits) == 20
    assert nearest(reader, provider, "today zebra slept")[0] == "log.md"


def test_vectors_of_another_length_are_not_compared(writer: Writer, reader: Reader) -> None:
    publish(writer, document("a.md", "one"))
    embed(writer, WordProvider())
    other = WordProvider(dimensions=32).embed_queries(["one"])[0]
    assert reader.nearest(other, 5, ALL, CancelToken()) == []


@pytest.fixture(params=["America/Los_Angeles", "Pacific/Auckland"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """This computer is somewhere else."""
    if not hasattr(time, "tzset"):
        pytest.skip("the zone cannot be changed here")
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_a_note_without_a_date_is_of_the_day_here(
    writer: Writer, reader: Reader, zone: None
) -> None:
    day = dt.date(2026, 3, 12)
    for hour in (0, 23):
        moment = dt.datetime(2026, 3, 12, hour, 30).astimezone()
        stamp = int(moment.timestamp()) * 10**9
        publish(writer, document(f"{hour}.md", "zebra", mtime_ns=stamp))
    assert set(lexical(reader, "zebra", Filters(after=day, before=day))) == {"0.md", "23.md"}
    assert [(day_row.day, day_row.notes) for day_row in reader.journal.days(day, day)] == [(day, 2)]


def test_no_day_is_too_far_away_for_a_filter(writer: Writer, reader: Reader) -> None:
    publish(writer, document("a.md", "zebra"))
    always = Filters(after=dt.date.min, before=dt.date.max)
    assert lexical(reader, "zebra", always) == ["a.md"]


@pytest.mark.parametrize(
    ("filters", "paths"),
    [
        (Filters(), {"memory/a.md", "b.md", "c.md"}),
        (Filters(frozenset({Source.MEMORY})), {"memory/a.md"}),
        (Filters(frozenset({Source.MEMORY, Source.NOTES})), {"memory/a.md", "b.md"}),
        (Filters(path_parts=("MEM", "a.md")), {"memory/a.md"}),
        (Filters(path_parts=("100%",)), set()),
        (Filters(name_parts=("A.M",)), {"memory/a.md"}),
        (Filters(folder_parts=("MEM",)), {"memory/a.md"}),
        (Filters(folder_parts=("a",)), set()),
        (Filters(name_parts=("memory",)), set()),
        (Filters(name_parts=("md", "b")), {"b.md"}),
        (Filters(after=dt.date(2026, 2, 1)), {"b.md", "c.md"}),
        (Filters(before=dt.date(2026, 2, 1)), {"memory/a.md", "b.md"}),
        (Filters(after=dt.date(2026, 2, 2), before=dt.date(2026, 3, 1)), {"c.md"}),
    ],
)
def test_filters_hold_for_words_and_for_vectors(
    writer: Writer, reader: Reader, filters: Filters, paths: set[str]
) -> None:
    march = int(dt.datetime(2026, 3, 1, 12).astimezone().timestamp()) * 10**9
    publish(
        writer,
        document("memory/a.md", "zebra a", source=Source.MEMORY, date=dt.date(2026, 1, 5)),
        document("b.md", "zebra b", date=dt.date(2026, 2, 1)),
        document("c.md", "zebra c", source=Source.EXTRA, mtime_ns=march),
    )
    embed(writer, WordProvider())
    assert set(lexical(reader, "zebra", filters)) == paths
    assert set(nearest(reader, WordProvider(), "zebra", filters)) == paths


def test_commits_are_seen_at_the_next_search(writer: Writer, reader: Reader) -> None:
    assert lexical(reader, "zebra") == []
    publish(writer, document("a.md", "zebra"))
    assert lexical(reader, "zebra") == ["a.md"]
    assert nearest(reader, WordProvider(), "zebra") == []
    embed(writer, WordProvider())
    assert nearest(reader, WordProvider(), "zebra") == ["a.md"]
    with writer.transaction():
        writer.remove(["a.md"])
    assert lexical(reader, "zebra") == nearest(reader, WordProvider(), "zebra") == []


def test_a_reader_never_waits_for_an_open_transaction(writer: Writer, reader: Reader) -> None:
    publish(writer, document("a.md", "zebra"))
    with writer.transaction():
        writer.replace(document("b.md", "zebra"), indexed_ns=0)
        assert lexical(reader, "zebra") == ["a.md"]
    assert set(lexical(reader, "zebra")) == {"a.md", "b.md"}


def test_cancelling_stops_a_long_statement_and_the_reader_goes_on(
    writer: Writer, reader: Reader
) -> None:
    publish(writer, *(document(f"{n}.md", "zebra " * 30) for n in range(3000)))
    cancel = CancelToken()
    threading.Timer(0.02, cancel.cancel).start()

    def search_for_ever() -> None:
        while True:
            reader.lexical('"zebra" OR "zebras"', 3000, ALL, cancel)

    with pytest.raises(Cancelled):
        search_for_ever()
    assert len(reader.lexical('"zebra"', 5, ALL, CancelToken())) == 5


def test_sizes_and_facts(writer: Writer, reader: Reader) -> None:
    publish(writer, document("a.md", "zebra zebra"), document("b.md", "zebra lion", mtime_ns=5))
    assert reader.metadata.counts() == writer.metadata.counts()
    assert (reader.chunk_count(), reader.document_frequency("zebra")) == (2, 2)
    assert (reader.document_frequency("lion"), reader.document_frequency("tiger")) == (1, 0)
    assert [note.path for note in reader.recent(5)] == ["a.md", "b.md"]
    assert reader.file_of("a.md") == Path("/notes/a.md")
    assert reader.file_of("c.md") is None


_MOMENTS = st.integers(0, 60).map(lambda second: 1_700_000_000 + second)
_DAYS = st.none() | st.dates(dt.date(2026, 1, 1), dt.date(2026, 1, 5))


@given(st.lists(st.tuples(_MOMENTS, _DAYS), max_size=12), st.integers(1, 6))
def test_the_last_changes_have_the_order_of_their_recency(
    changes: list[tuple[int, dt.date | None]], limit: int
) -> None:
    documents = [
        document(f"{number:02}.md", "zebra", mtime_ns=moment * 1_000_000_000, date=day)
        for number, (moment, day) in enumerate(changes)
    ]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "index.sqlite"
        with contextlib.closing(Writer.open(file)) as writer:
            publish(writer, *documents)
        with contextlib.closing(Reader.open(file)) as reader:
            everything = reader.recent(len(changes) + 1)
            last = reader.recent(limit)
    assert everything == sorted(everything, key=lambda note: note.recency, reverse=True)
    assert last == everything[:limit]


def test_the_last_changes_are_found_without_sorting_all_notes(
    writer: Writer, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # SQLite counts its own steps, whose number does not depend on the computer.
    taken: list[int] = []

    def count(event: dict[str, Any]) -> None:
        taken.append(event["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"])

    def trace(db: apsw.Connection) -> None:
        db.trace_v2(apsw.SQLITE_TRACE_PROFILE, count)

    monkeypatch.setattr(apsw, "connection_hooks", [*apsw.connection_hooks, trace])
    notes = 3_000
    moments = (10**18 + number * 10**9 for number in range(notes))
    publish(writer, *(document(f"{at}.md", "zebra", mtime_ns=at) for at in moments))
    with contextlib.closing(Reader.open(file)) as reader:
        taken.clear()
        assert len(reader.recent(3)) == 3
        assert 0 < sum(taken) < notes


@pytest.mark.needs("open files that move")
def test_a_reader_knows_when_its_file_was_replaced(
    writer: Writer, reader: Reader, file: Path
) -> None:
    assert reader.is_current()
    file.rename(file.with_suffix(".old"))
    assert not reader.is_current()
    Writer.open(file).close()
    assert not reader.is_current()


def test_an_index_that_is_not_there_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(IndexUnavailable):
        Reader.open(tmp_path / "nothing.sqlite")


def test_a_reader_cannot_write(writer: Writer, file: Path) -> None:
    with contextlib.closing(open_reader(file)) as db, pytest.raises(apsw.ReadOnlyError):
        db.execute("delete from chunk")


def test_pages_that_are_given_back_are_read_again(full_index: Reader) -> None:
    assert lexical(full_index, "note")
    before = apsw.memory_used()
    full_index.free_memory()
    assert apsw.memory_used() < before
    assert lexical(full_index, "note")
