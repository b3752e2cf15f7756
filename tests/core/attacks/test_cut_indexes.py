"""Indexes that lost bytes anywhere: answers are right, or the damage is noticed and mended.

Most cases are judged by the reader alone, which is what notices damage, since an engine takes a
second to start; a sample goes through the engine. The dice are seeded, so that a failure comes
again; its message has the number of the try.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
from collections.abc import Mapping
from pathlib import Path

import apsw
import pytest
from msgspec import Struct

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.errors import IndexCorrupt
from scrubjay.events import Notice
from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Mode
from scrubjay.store.index_records import Filters
from scrubjay.store.reader import Reader
from support.attacks import IS_LONG, tries
from support.limits import BRIEF_THREADS
from support.providers import WordProvider
from support.vault import TIMEOUT, Announcements, add, ask, write_notes

pytestmark = pytest.mark.soak

WORDS = (
    "river", "kitchen", "apple", "roof", "invoice", "garden", "meeting", "orthodontist", "boat",
    "train", "budget", "music", "letter", "winter", "summer", "piano", "doctor", "school",
    "bicycle",
)  # fmt: skip
QUESTIONS = ("zq7x", "river roof piano", "zq199x orthodontist", "bicycle school doctor")
PAGE = 16_384
Answers = list[tuple[object, ...]]


class Home(Struct):
    """Notes with a complete index of 300 and more vectors, and the answers from it."""

    paths: Paths
    notes: Path
    file: Path
    whole: bytes
    right: Answers
    """By the engine."""
    read: Answers
    """By the reader."""

    def engine(self) -> contextlib.closing[Engine]:
        return contextlib.closing(Engine(self.paths, provider=WordProvider(), limits=BRIEF_THREADS))

    def put(self, files: Mapping[str, bytes]) -> None:
        """Let the indexes be these files and no others."""
        shutil.rmtree(self.paths.indexes)
        write_notes(self.paths.indexes, files)

    def judge(self, which: object) -> None:
        """Ask twice: an answer is right or its index is being mended, and then it is right."""
        with self.engine() as engine:
            heard = Announcements(engine)
            for _ in range(2):
                answers = _answers(engine)
                assert answers == self.right or heard.of(Notice), which
            if heard.of(Notice):
                engine.refresh().result(TIMEOUT)
                assert _answers(engine) == self.right, which

    def is_noticed(self) -> bool:
        """Whether the reader notices damage. Asserts that it answers right otherwise."""
        for part in ("-wal", "-shm"):
            Path(f"{self.file}{part}").unlink(missing_ok=True)
        try:
            with contextlib.closing(Reader.open(self.file)) as reader:
                if reader.is_empty():
                    return True
                assert _read(reader) == self.read
        except IndexCorrupt:
            return True
        return False


def _answers(engine: Engine) -> Answers:
    return [
        (mode, hit.path, hit.first_line, round(hit.score, 3))
        for mode in (Mode.LEXICAL, Mode.HYBRID)
        for question in QUESTIONS
        for hit in ask(engine, question, mode).hits
    ]


@pytest.fixture
def dice() -> random.Random:
    return random.Random(2026)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    base, dice = tmp_path_factory.mktemp("cut"), random.Random(7)
    notes = write_notes(
        base / "notes", {f"n{number}.md": _note(dice, number) for number in range(280)}
    )
    home = Home(Paths.under(base / "home"), notes, base, b"", [], [])
    with home.engine() as engine:
        engine.refresh(add(engine, notes)).result(TIMEOUT)
        home.right = _answers(engine)
    [home.file] = home.paths.indexes.glob("*.sqlite")
    # A thread that still reads keeps the log from being emptied at the end.
    with contextlib.closing(apsw.Connection(str(home.file))) as db:
        db.execute("pragma wal_checkpoint(truncate)")
    home.whole = home.file.read_bytes()
    assert not Path(f"{home.file}-wal").exists()
    with contextlib.closing(Reader.open(home.file)) as reader:
        home.read = _read(reader)
    assert len(home.read) > 100
    return home


def _read(reader: Reader) -> Answers:
    """Chunks by words and by meaning, with their texts."""
    answers: Answers = []
    for question in QUESTIONS:
        words = " OR ".join(question.split())
        vector = WordProvider().embed_queries([question])[0]
        by_words = reader.lexical(words, 20, Filters(), CancelToken())
        by_meaning = reader.nearest(vector, 20, Filters(), CancelToken())
        for scores in (by_words, by_meaning):
            chunks = reader.chunks(chunk_id for chunk_id, _ in scores)
            answers += [
                (chunk_id, round(score, 3), chunks[chunk_id].path, chunks[chunk_id].text)
                for chunk_id, score in scores
            ]
    return answers


def _note(dice: random.Random, number: int) -> str:
    paragraphs = (" ".join(dice.choices(WORDS, k=30)) for _ in range(2))
    return f"# Note {number} zq{number}x\n\n" + "\n\n".join(paragraphs)


def test_every_length_cut_off_the_end_is_noticed(home: Home, dice: random.Random) -> None:
    """All of the last three pages and the first, and around the border of each page."""
    size = len(home.whole)
    lost = {*range(1, 3 * PAGE + 2), *range(size - PAGE, size + 1)}
    lost |= {at + by for at in range(0, size, PAGE) for by in (-1, 0, 1)}
    lengths = sorted(each for each in lost if 0 < each <= size)
    if not IS_LONG:
        lengths = sorted({*lengths[:100], *dice.sample(lengths, tries(300, len(lengths)))})
    home.put({home.file.name: home.whole})
    # One file gets shorter and shorter.
    for length in lengths:
        os.truncate(home.file, size - length)
        assert home.is_noticed(), length


def test_lengths_cut_off_the_end_are_mended(home: Home, dice: random.Random) -> None:
    lengths = [pages * PAGE + more for pages in (1, 2, 3, 7) for more in (-1, 0, 1)]
    lengths += [dice.randrange(1, len(home.whole)) for _ in range(tries(0, 20))]
    for lost in (1, 100, 4_000, *dice.sample(lengths, tries(2, len(lengths)))):
        home.put({home.file.name: home.whole[:-lost]})
        home.judge(lost)


def test_any_bytes_removed_or_zeroed(home: Home, dice: random.Random) -> None:
    noticed = 0
    wanted = tries(100, 3_000)
    for number in range(wanted):
        length = dice.choice([1, 100, 4_096, PAGE, 3 * PAGE, dice.randrange(1, 100_000)])
        start = dice.randrange(len(home.whole))
        if dice.random() < 0.3:
            start -= start % PAGE
        end = min(len(home.whole), start + length)
        between = bytes(end - start) if dice.random() < 0.5 else b""
        home.file.write_bytes(home.whole[:start] + between + home.whole[end:])
        noticed += home.is_noticed()
        if number % (wanted // 4) == 0:
            home.put({home.file.name: home.file.read_bytes()})
            home.judge((number, start, end, bool(between)))
    assert noticed > wanted // 2


def test_every_page_zeroed_and_tails_of_zeros(home: Home, dice: random.Random) -> None:
    pages = range(len(home.whole) // PAGE)
    for page in dice.sample(pages, tries(20, len(pages))):
        after = home.whole[(page + 1) * PAGE :]
        home.file.write_bytes(home.whole[: page * PAGE] + bytes(PAGE) + after)
        home.is_noticed()
    for lost in dice.sample(range(1, 5 * PAGE), tries(20, 1_000)):
        home.file.write_bytes(home.whole[:-lost] + bytes(lost))
        home.is_noticed()
    for lost in dice.sample([1, 8, 4_000, PAGE, PAGE + 1, 5 * PAGE], tries(1, 6)):
        home.put({home.file.name: home.whole[:-lost] + bytes(lost)})
        home.judge(lost)


def test_a_log_that_is_cut_missing_or_beside_strange_memory(
    home: Home, dice: random.Random
) -> None:
    """Of a process that ended without closing the index."""
    home.put({home.file.name: home.whole})
    with home.engine() as engine:
        assert _answers(engine) == home.right  # its reader keeps the log
        write_notes(home.notes, {"n5.md": _note(dice, 5), "n7.md": _note(dice, 7)})
        engine.refresh().result(TIMEOUT)
        write_notes(home.notes, {"n9.md": _note(dice, 9)})
        ask(engine, "zq9x", Mode.LEXICAL)  # reads it into the log, which stays
        files = {each.name: each.read_bytes() for each in home.paths.indexes.iterdir()}
        home.right = _answers(engine)
    log = files[f"{home.file.name}-wal"]
    assert len(log) > PAGE
    memory = f"{home.file.name}-shm"
    for number in range(tries(6, 48)):
        left = dict(files)
        match number % 3:
            case 0:
                del left[f"{home.file.name}-wal"]
            case 1:
                left[f"{home.file.name}-wal"] = log[: dice.randrange(len(log))]
            case 2:
                left[f"{home.file.name}"] = left[home.file.name][: -dice.randrange(1, 5 * PAGE)]
        match number % 4:
            case 0:
                del left[memory]
            case 1:
                left[memory] = dice.randbytes(len(left[memory]))
        home.put(left)
        home.judge(number)
