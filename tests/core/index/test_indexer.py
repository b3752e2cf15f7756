"""One pass: what it reads, keeps, embeds and reports."""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from pathlib import Path

import apsw
import pytest

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import Cancelled, ProviderUnavailable
from scrubjay.index.indexer import Indexer
from scrubjay.index.passes import PassContext, PassHooks
from scrubjay.index.scan_diff import IndexSettings
from scrubjay.records.chunks import ChunkSizes
from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import IndexReport, Progress
from scrubjay.store.index_records import Filters
from scrubjay.store.reader import Reader
from scrubjay.store.writer import Writer
from support.documents import no_documents
from support.providers import AbsentProvider, GivenProvider, WordProvider
from support.vault import age, write_notes

SIZES = ChunkSizes(60, 10)


class Bench:
    """An index on disk, and passes over it."""

    def __init__(self, root: Path, file: Path) -> None:
        self.root = root
        self.file = file
        self.workspace = Workspace("bench", "bench", root)

    def value(self, query: str) -> int:
        """The single value of a query."""
        with contextlib.closing(apsw.Connection(str(self.file))) as db:
            return int(db.execute(query).get)

    def run(
        self,
        provider: WordProvider | None,
        sizes: ChunkSizes = SIZES,
        cancel: CancelToken | None = None,
        **options: bool,
    ) -> IndexReport:
        with contextlib.closing(Writer.open(self.file)) as writer:
            settings = IndexSettings(sizes, max_cache_entries=self.max_cache_entries)
            context = PassContext(
                self.workspace,
                writer,
                settings,
                documents=no_documents(),
                pictures=no_documents(),
                cancel=cancel or CancelToken(),
            )
            return Indexer(context, GivenProvider(provider)).run(**options)

    max_cache_entries = 50_000

    def best(self, provider: WordProvider, query: str) -> str:
        """Path of the chunk that is nearest to a query, among the vectors that answer now."""
        with contextlib.closing(Reader.open(self.file)) as reader:
            near = reader.nearest(provider.embed_queries([query])[0], 1, Filters(), CancelToken())
            return reader.chunks([near[0][0]])[near[0][0]].path if near else ""

    def identity(self) -> str:
        """Of the generation that answers."""
        with contextlib.closing(Reader.open(self.file)) as reader:
            generation = reader.generation()
            return generation.identity if generation else ""


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """Forty notes of two chunks each, that were not touched for a while."""
    texts = {
        f"{n}.md": f"# Number {n}\n\n" + f"Fact {n} of subject{n}. " * 20 + f"\n\nMore on {n}.\n"
        for n in range(40)
    }
    root = write_notes(tmp_path / "notes", texts)
    for file in root.iterdir():
        age(file)
    return Bench(root, tmp_path / "index.sqlite")


class Stop(Exception):
    """What a test raises to end a pass in the middle."""


def stop_after(provider: WordProvider, chunks: int) -> None:
    """Make the provider's next passes end after so many more chunks."""
    limit = len(provider.embedded) + chunks

    def check() -> None:
        if len(provider.embedded) >= limit:
            raise Stop

    provider.before_batch = check


def test_another_model_builds_a_generation_while_the_old_one_answers(bench: Bench) -> None:
    old, new = WordProvider("old"), WordProvider("new")
    bench.run(old)
    stop_after(new, 30)
    with pytest.raises(Stop):
        bench.run(new)
    assert 0 < len(new.embedded) < 80
    assert bench.identity() == old.identity()
    assert bench.best(old, "subject7") == "7.md"
    new.before_batch = lambda: None
    bench.run(new)
    assert bench.identity() == new.identity()
    assert bench.best(new, "subject7") == "7.md"


def test_a_generation_that_was_stopped_goes_on_and_never_starts_from_zero(bench: Bench) -> None:
    bench.run(WordProvider("old"))
    new = WordProvider("new")
    for _ in itertools.count():
        stop_after(new, 20)
        try:
            bench.run(new)
            break
        except Stop:
            continue
    assert sorted(new.embedded) == sorted(set(new.embedded))
    assert bench.identity() == new.identity()


def test_what_was_learned_before_a_pass_counts_in_its_progress(bench: Bench) -> None:
    provider = WordProvider()
    stop_after(provider, 40)
    with pytest.raises(Stop):
        bench.run(provider)
    with contextlib.closing(Writer.open(bench.file)) as writer:
        counts = writer.metadata.counts()
    assert 0 < counts.learned == counts.embedded < counts.chunks


def test_old_generations_are_reclaimed(bench: Bench) -> None:
    for version in ("1", "2", "3"):
        bench.run(WordProvider(version))
    with contextlib.closing(Writer.open(bench.file)) as writer:
        counts = writer.metadata.counts()
        assert counts.embedded == counts.chunks > 0
    assert bench.value("select count(distinct generation) from vector") == 1


def test_the_file_does_not_grow_over_twenty_rebuilds(bench: Bench) -> None:
    sizes: list[int] = []
    for version in range(20):
        bench.max_cache_entries = 80
        bench.run(WordProvider(str(version)), force=True)
        sizes.append(bench.file.stat().st_size)
    assert max(sizes[5:]) <= max(sizes[:5])


def test_other_chunk_sizes_swap_each_note_at_once(bench: Bench) -> None:
    provider = WordProvider()
    bench.run(provider)
    stop_after(provider, 30)
    with pytest.raises(Stop):
        bench.run(provider, ChunkSizes(30, 0))
    assert all(bench.best(provider, f"subject{n}") == f"{n}.md" for n in range(40))
    provider.before_batch = lambda: None
    bench.run(provider, ChunkSizes(30, 0))
    with contextlib.closing(Writer.open(bench.file)) as writer:
        assert {known.chunking for known in writer.metadata.documents().values()} == {"10:30:0"}
    assert all(bench.best(provider, f"subject{n}") == f"{n}.md" for n in range(40))


def test_other_chunk_sizes_without_a_model_still_change_the_words(bench: Bench) -> None:
    bench.run(WordProvider())
    report = bench.run(AbsentProvider(), ChunkSizes(30, 0))  # type: ignore[arg-type]
    assert (report.changed, report.meaning_missing) == (40, AbsentProvider.reason)


def test_equal_texts_are_embedded_once(bench: Bench) -> None:
    write_notes(bench.root, {"copy.md": (bench.root / "3.md").read_bytes()})
    provider = WordProvider()
    bench.run(provider)
    assert len(provider.embedded) == len(set(provider.embedded))


def test_deleted_and_restored_notes_come_from_the_cache(bench: Bench) -> None:
    provider = WordProvider()
    bench.run(provider)
    text = (bench.root / "3.md").read_bytes()
    (bench.root / "3.md").unlink()
    bench.run(provider)
    provider.embedded.clear()
    write_notes(bench.root, {"3.md": text})
    report = bench.run(provider)
    assert (report.changed, report.embedded, provider.embedded) == (1, 0, [])
    assert report.reused == report.chunks > 0


def test_the_cache_is_emptied_of_the_oldest_beyond_its_limit(bench: Bench) -> None:
    provider = WordProvider()
    bench.run(provider)
    bench.max_cache_entries = 0
    (bench.root / "3.md").unlink()
    bench.run(provider)
    with contextlib.closing(Writer.open(bench.file)) as writer:
        embedded = writer.metadata.counts().embedded
    assert bench.value("select count(*) from vector") == embedded > 0


def test_a_note_that_was_just_written_is_looked_at_again(bench: Bench) -> None:
    provider = WordProvider()
    write_notes(bench.root, {"fresh.md": "one\n"})
    bench.run(provider)
    stat = (bench.root / "fresh.md").stat()
    write_notes(bench.root, {"fresh.md": "two\n"})
    # The same size in the same tick of a coarse clock.
    os.utime(bench.root / "fresh.md", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert bench.run(provider).changed == 1


def test_newest_notes_are_understood_first(bench: Bench) -> None:
    age(bench.root / "20.md", -1800)
    provider = WordProvider()
    bench.run(provider)
    assert provider.embedded[0].startswith("# Number 20")


def test_a_long_note_is_understood_after_the_others(bench: Bench) -> None:
    write_notes(bench.root, {"diary.md": "A line of the diary.\n" * 10_000})
    provider = WordProvider()
    bench.run(provider)
    lines = ["A line of the diary" in text for text in provider.embedded]
    assert any(lines)
    assert lines == sorted(lines)


def test_cancelling_keeps_what_was_committed(bench: Bench) -> None:
    provider, cancel = WordProvider(), CancelToken()
    provider.before_batch = cancel.cancel
    with pytest.raises(Cancelled):
        bench.run(provider, cancel=cancel)
    with contextlib.closing(Writer.open(bench.file)) as writer:
        assert writer.metadata.counts().documents == 40
        assert 0 < writer.metadata.counts().embedded < writer.metadata.counts().chunks
    assert bench.run(provider).unchanged == 40


def test_a_model_that_fails_in_the_middle_leaves_words_and_a_reason(bench: Bench) -> None:
    provider = WordProvider()

    def fail() -> None:
        if len(provider.embedded) > 20:
            raise ProviderUnavailable("The model tripped")

    provider.before_batch = fail
    report = bench.run(provider)
    assert (report.changed, report.meaning_missing) == (40, "The model tripped")
    assert 0 < report.embedded < report.chunks


@pytest.fixture
def slow_reports(bench: Bench) -> tuple[list[Progress], float]:
    """Progress of a pass whose model takes its time, and how long it took."""
    seen: list[Progress] = []
    provider = WordProvider()
    provider.before_batch = lambda: time.sleep(0.05)
    paragraphs = (f"Paragraph {n} says nothing that is of note. " * 3 for n in range(600))
    write_notes(bench.root, {"long.md": "\n\n".join(paragraphs)})
    began = time.monotonic()
    with contextlib.closing(Writer.open(bench.file)) as writer:
        hooks = PassHooks(on_progress=seen.append)
        context = PassContext(
            bench.workspace,
            writer,
            IndexSettings(SIZES),
            documents=no_documents(),
            pictures=no_documents(),
            hooks=hooks,
        )
        Indexer(context, GivenProvider(provider)).run()
    return seen, time.monotonic() - began


def test_progress_comes_at_most_ten_times_a_second(
    slow_reports: tuple[list[Progress], float],
) -> None:
    seen, seconds = slow_reports
    middle = [one for one in seen if one.total == 0 or one.done < one.total]
    # The first of each phase comes besides.
    assert 4 <= len(middle) <= 4 + seconds / 0.1


def test_progress_begins_and_ends_and_tells_what_is_left(
    slow_reports: tuple[list[Progress], float],
) -> None:
    seen, _ = slow_reports
    phases = [progress.phase for progress in seen]
    assert phases[0] == "scanning"
    assert list(dict.fromkeys(phases)) == ["scanning", "words", "meaning", "refining"]
    for phase in ("words", "refining"):
        last = [progress for progress in seen if progress.phase == phase][-1]
        assert last.done == last.total > 0


@pytest.mark.needs("times of entries")
def test_a_file_in_place_of_another_with_its_size_and_time_is_read(bench: Bench) -> None:
    root = write_notes(bench.root, {"a.md": "The lock is amber.\n"})
    age(root / "a.md")
    bench.run(None)
    other = write_notes(bench.root.parent / "backup", {"a.md": "The lock is green.\n"}) / "a.md"
    status = (root / "a.md").stat()
    os.utime(other, ns=(status.st_atime_ns, status.st_mtime_ns))
    other.replace(root / "a.md")
    assert bench.run(None).changed == 1
    assert bench.run(None).changed == 0


@pytest.mark.needs("times of entries")
def test_a_file_whose_entry_alone_changed_is_read_once_and_not_written(bench: Bench) -> None:
    write_notes(bench.root, {"a.md": "The lock is amber.\n"})
    age(bench.root / "a.md")
    bench.run(None)
    query = "select ctime_ns from document where path = 'a.md'"
    before = bench.value(query)
    (bench.root / "a.md").chmod(0o600)
    report = bench.run(None)
    assert (report.changed, report.chunks) == (0, 0)
    assert bench.value(query) > before
