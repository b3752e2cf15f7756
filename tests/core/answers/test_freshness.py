"""What a search knows of notes that changed since they were indexed."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.engine.engine import Engine
from scrubjay.events import IndexFinished
from scrubjay.notes.scan import FoundFile
from scrubjay.platform.paths import Paths
from scrubjay.records.search_modes import Mode
from scrubjay.records.search_records import SearchRequest
from scrubjay.store.reader import Reader
from support import platforms
from support.limits import PATIENT
from support.providers import HungProvider, WordProvider
from support.vault import TIMEOUT, Announcements, NewEngine, add, age, ask, found, write_notes
from support.waiting import wait_until

pytestmark = PATIENT

OPENED = ("open", "_winapi.CreateFile")
"""Events of Python, where a note is opened on Linux and on Windows."""


@pytest.fixture
def indexed(engine: Engine, notes: Path) -> Engine:
    """An engine that follows nothing, with all notes indexed."""
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    return engine


def configured(paths: Paths, **sync: object) -> None:
    text = json.dumps({"memorySearch": {"sync": sync}})
    write_notes(paths.config, {"config.json5": text})


@pytest.mark.parametrize("mode", [Mode.LEXICAL, Mode.HYBRID])
def test_what_changed_is_brought_in_before_the_answer(
    indexed: Engine, notes: Path, mode: Mode
) -> None:
    heard = Announcements(indexed)
    write_notes(notes, {"zoo.md": "A zebra.\n"})
    (notes / "garden.md").unlink()
    answer = ask(indexed, "zebra", mode)
    assert [hit.path for hit in answer.hits] == ["zoo.md"]
    assert (answer.freshness.pending, answer.freshness.documents) == (0, 3)
    assert found(indexed, "tomatoes") == []
    assert heard.of(IndexFinished) == []


def test_of_much_that_changed_the_newest_is_brought_in(indexed: Engine, notes: Path) -> None:
    page = "Plain words about nothing at all. " * 400
    write_notes(notes, {f"many/{n}.md": page for n in range(60)} | {"zoo.md": "A zebra.\n"})
    answer = ask(indexed, "zebra", Mode.LEXICAL)
    assert [hit.path for hit in answer.hits] == ["zoo.md"]
    assert 0 < answer.freshness.pending < 61
    indexed.refresh().result(TIMEOUT)
    assert ask(indexed, "zebra").freshness.pending == 0


@pytest.mark.parametrize(
    ("query", "path"), [("on 3 February 2026", "2026-02-03.md"), ("a zebra", "zoo.md")]
)
def test_of_much_that_changed_the_notes_that_the_query_names_come_first(
    indexed: Engine, notes: Path, query: str, path: str
) -> None:
    page = "Plain words about nothing at all. " * 400
    write_notes(
        notes,
        {f"many/{'x' * n}.md": page for n in range(1, 60)}
        | {"2026-02-03.md": page, "zoo.md": f"{page}\nA zebra.\n"},
    )
    age(notes / path)
    assert found(indexed, query)[:1] == [path]


def test_the_rest_comes_by_itself(indexed: Engine, notes: Path) -> None:
    page = "Plain words about nothing at all. " * 400
    heard = Announcements(indexed)
    write_notes(notes, {f"many/{n}.md": page for n in range(60)})
    ask(indexed, "router")
    heard.wait(lambda: heard.of(IndexFinished))
    assert ask(indexed, "router").freshness.documents == 63


def _put_copies(folder: Path) -> None:
    """Put copies with the same size and times in the place of all notes, as `cp -a` makes them."""
    for note in [*folder.rglob("*.md")]:
        copy = note.with_suffix(".copy")
        shutil.copy2(note, copy)
        copy.replace(note)


def _unsettled(engine: Engine, notes: Path) -> list[str]:
    """Notes whose entry on the disk is not the one that the index knows."""
    [file] = engine.paths.indexes.glob("*.sqlite")
    with closing(Reader.open(file)) as reader:
        known = reader.metadata.documents()
    return [
        label
        for label, each in known.items()
        if each.ctime_ns != (notes / label).stat().st_ctime_ns
    ]


@pytest.mark.needs("times of entries")
def test_copies_of_the_same_size_and_time_are_read_once(indexed: Engine, notes: Path) -> None:
    for note in notes.rglob("*.md"):
        age(note)
    indexed.refresh().result(TIMEOUT)
    _put_copies(notes)
    assert len(_unsettled(indexed, notes)) == 3
    assert ask(indexed, "tomatoes").freshness.pending == 0
    assert _unsettled(indexed, notes) == []


@pytest.mark.needs("times of entries")
def test_of_many_copies_a_replaced_note_is_found_at_last(indexed: Engine, notes: Path) -> None:
    write_notes(notes, {f"many/{n}.md": f"Nothing in number {n}.\n" for n in range(450)})
    garden = notes / "garden.md"
    for note in notes.rglob("*.md"):
        age(note)
    indexed.refresh().result(TIMEOUT)
    _put_copies(notes)
    times = garden.stat()
    replaced = notes / "new"
    replaced.write_text(garden.read_text().replace("tomatoes", "potatoes"))
    os.utime(replaced, ns=(times.st_atime_ns, times.st_mtime_ns))
    replaced.replace(garden)
    wait_until(lambda: found(indexed, "potatoes") == ["garden.md"])
    wait_until(lambda: _unsettled(indexed, notes) == [])


def _doubtful(engine: Engine) -> list[str]:
    """Notes that were read within two seconds after their last change."""
    [file] = engine.paths.indexes.glob("*.sqlite")
    with closing(Reader.open(file)) as reader:
        known = reader.metadata.documents()
    return [
        label for label, each in known.items() if each.indexed_ns - each.mtime_ns <= 2_000_000_000
    ]


def test_of_many_notes_that_were_just_written_a_pass_compares_the_rest(
    indexed: Engine, notes: Path
) -> None:
    write_notes(notes, {f"many/{n}.md": f"Nothing in number {n}.\n" for n in range(450)})
    # A busy computer may need longer to read them than they are in doubt, so each attempt gives
    # them a later time.
    ahead = 1
    while len(_doubtful(indexed)) <= 200:
        moment = time.time() + ahead
        for note in notes.rglob("*.md"):
            os.utime(note, (moment, moment))
        indexed.refresh().result(TIMEOUT)
        ahead *= 2

    def settles() -> bool:
        ask(indexed, "tomatoes")
        return len(_doubtful(indexed)) <= 200

    wait_until(settles)


@contextlib.contextmanager
def opened_notes(folder: Path) -> Iterator[list[str]]:
    """The names of the notes of a folder that this process opens meanwhile."""
    names: list[str] = []
    is_on = True

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if is_on and event in OPENED and str(arguments[0]).endswith(".md"):
            names.append(Path(str(arguments[0])).name)

    sys.addaudithook(hook)  # it can never be taken away again
    yield names
    is_on = False


@pytest.mark.parametrize("is_ahead", [True, False])
def test_doubtful_notes_are_compared_once(indexed: Engine, notes: Path, is_ahead: bool) -> None:
    write_notes(notes, {f"many/{n}.md": f"Nothing in number {n}.\n" for n in range(150)})
    # They were read soon after their last change, or a sync program gave them a time to come.
    moment = time.time() + 3600 * is_ahead
    for note in notes.rglob("*.md"):
        os.utime(note, (moment, moment))
    indexed.refresh().result(TIMEOUT)
    assert len(_doubtful(indexed)) == 153
    time.sleep(2.1)  # the times of files are told apart again
    with opened_notes(notes) as first:
        for _ in range(3):
            ask(indexed, "tomatoes", Mode.LEXICAL)
    with opened_notes(notes) as later:
        assert found(indexed, "tomatoes") == ["garden.md"]
    assert len(first) == 153
    assert later == []
    if platforms.reason_without("times of entries"):
        return
    # A change that keeps size and time shows in the entry of the file.
    garden = notes / "garden.md"
    garden.write_text(garden.read_text().replace("tomatoes", "potatoes"))
    os.utime(garden, (moment, moment))
    assert found(indexed, "potatoes") == ["garden.md"]


@pytest.mark.needs("times of entries")
def test_large_copies_are_left_to_a_pass(indexed: Engine, notes: Path) -> None:
    page = "Plain words about nothing at all. " * 40_000
    write_notes(notes, {f"large{n}.md": page for n in range(5)} | {"zoo.md": f"A zebra. {page}\n"})
    for note in notes.rglob("*.md"):
        age(note)
    indexed.refresh().result(TIMEOUT)
    heard = Announcements(indexed)
    _put_copies(notes)
    ask(indexed, "tomatoes", Mode.LEXICAL)
    # No more than four megabytes were read for the answer.
    heard.wait(lambda: heard.of(IndexFinished))
    assert _unsettled(indexed, notes) == []


def test_the_settings_may_leave_it_to_passes(
    new_engine: NewEngine, paths: Paths, notes: Path
) -> None:
    configured(paths, onSearch=False)
    engine = new_engine()
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    write_notes(notes, {"zoo.md": "A zebra.\n"})
    assert found(engine, "zebra") == []


def test_while_paused_the_answer_says_how_far_behind_it_is(indexed: Engine, notes: Path) -> None:
    indexed.pause()
    write_notes(notes, {"zoo.md": "A zebra.\n"})
    for _ in range(2):
        fresh = ask(indexed, "zebra").freshness
        assert (fresh.pending, fresh.reason) == (1, "Reading is paused.")


def test_unreadable_files_do_not_wait_to_be_read_as_well(
    new_engine: NewEngine, notes: Path
) -> None:
    write_notes(notes, {"old.md": b"caf\xe9 \x01\n", "odd.md": b"a \0\n"})
    for name in ("old.md", "odd.md"):
        age(notes / name)
    indexed = new_engine()
    indexed.refresh(add(indexed, notes)).result(TIMEOUT)
    indexed.pause()
    fresh = ask(indexed, "tomatoes").freshness
    assert (fresh.unreadable, fresh.pending, fresh.reason) == (2, 0, "")
    write_notes(notes, {"old.md": "A zebra.\n"})
    age(notes / "old.md", -5)
    fresh = ask(indexed, "zebra").freshness
    assert (fresh.pending, fresh.reason) == (1, "Reading is paused.")
    indexed.resume()
    # A pass may have begun, which an answer hardly waits for.
    wait_until(lambda: found(indexed, "zebra") == ["old.md"])


def test_what_changed_stays_pending_during_a_pause(
    new_engine: NewEngine, paths: Paths, notes: Path
) -> None:
    configured(paths, watchDebounceMs=0)
    engine = new_engine()
    heard = Announcements(engine)
    engine.start()
    add(engine, notes)
    heard.wait(lambda: heard.of(IndexFinished))
    engine.pause()
    write_notes(notes, {"zoo.md": "A zebra.\n"})

    def pending() -> int:
        return engine.status().workspaces[0].freshness.pending

    wait_until(pending)
    assert ask(engine, "router").freshness.pending == 1
    assert pending()
    engine.resume()
    wait_until(lambda: not pending())
    assert found(engine, "zebra") == ["zoo.md"]


def test_an_index_that_somebody_else_writes_is_searched_as_it_is(
    indexed: Engine, paths: Paths, notes: Path
) -> None:
    write_notes(notes, {"zoo.md": "A zebra.\n"})
    with FileLock(f"{paths.indexes / 'notes.sqlite'}.lock"):
        answer = ask(indexed, "router")
        assert answer.hits[0].path == "house/router.md"
        assert answer.freshness.pending == 1
        assert "Another copy of Scrubjay" in answer.freshness.reason
    assert found(indexed, "zebra") == ["zoo.md"]


def test_notes_that_cannot_be_read_are_not_tried_at_each_search(
    indexed: Engine, notes: Path
) -> None:
    write_notes(notes, {"strange.md": b"\xff\xfe\xff" * 3})
    for _ in range(2):
        assert ask(indexed, "router").freshness.pending == 0
    assert ask(indexed, "router").hits


def found_files() -> int:
    """How many records of files of folders are held, after all that can be given back was."""
    gc.collect()
    return sum(isinstance(each, FoundFile) for each in gc.get_objects())


def test_a_note_that_is_edited_and_searched_all_day_takes_no_more(
    indexed: Engine, notes: Path
) -> None:
    for number in range(3):
        write_notes(notes, {"zoo.md": f"A zebra, {number} times.\n"})
        assert found(indexed, "zebra") == ["zoo.md"]
    before = found_files()
    for number in range(3, 13):
        write_notes(notes, {"zoo.md": f"A zebra, {'again ' * number}.\n"})
        assert found(indexed, "zebra") == ["zoo.md"]
    assert found_files() - before < 5


@pytest.mark.limits(folder_look_seconds=0)
def test_a_folder_that_takes_too_long_is_not_looked_through(indexed: Engine, notes: Path) -> None:
    write_notes(notes, {f"many/{n}.md": "x" for n in range(300)})
    answer = ask(indexed, "router")
    assert answer.hits[0].path == "house/router.md"
    assert "too large" in answer.freshness.reason


@pytest.mark.parametrize("mode", list(Mode))
def test_the_first_search_of_all_waits_for_the_notes(
    engine: Engine, notes: Path, mode: Mode
) -> None:
    add(engine, notes)
    answer = ask(engine, "router password", mode)
    assert answer.hits[0].path == "house/router.md"
    assert answer.freshness.documents == 3


def test_the_first_search_does_not_wait_for_a_model_that_hangs(
    new_engine: NewEngine, paths: Paths, notes: Path
) -> None:
    text = json.dumps({"memorySearch": {"query": {"deadlineMs": 2000}}})
    write_notes(paths.config, {"config.json5": text})
    engine = new_engine(HungProvider())
    add(engine, notes)
    assert found(engine, "router", Mode.LEXICAL) == ["house/router.md"]


def test_the_first_search_during_a_pause_has_no_answer_and_does_not_wait(
    engine: Engine, notes: Path
) -> None:
    add(engine, notes)
    engine.pause()
    assert ask(engine, "router").hits == ()


def test_a_change_is_taken_in_between_two_batches_of_a_long_pass(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    root = write_notes(tmp_path / "many", {f"{n}.md": f"Number {n}. " * 90 for n in range(60)})
    provider = WordProvider()
    engine = new_engine(provider)
    batches = [threading.Event(), threading.Event()]
    begun = threading.Semaphore(0)

    def hold() -> None:
        begun.release()
        if batches:
            batches[0].wait(TIMEOUT)

    provider.before_batch = hold
    running = engine.refresh(add(engine, root))
    assert begun.acquire(timeout=TIMEOUT)
    write_notes(root, {"zoo.md": "A zebra.\n"})
    first = ask(engine, "zebra", Mode.LEXICAL)
    assert (first.hits, first.freshness.pending) == ((), 1)
    batches.pop(0).set()
    assert begun.acquire(timeout=TIMEOUT)
    assert found(engine, "zebra") == ["zoo.md"]
    assert not running.done()
    batches.pop(0).set()
    running.result(TIMEOUT)


def test_searches_that_wait_behind_one_another_share_a_look(indexed: Engine) -> None:
    asked = [indexed.search(SearchRequest("router"), CancelToken()) for _ in range(20)]
    looks = {future.result(TIMEOUT).freshness.checked_at for future in asked}
    assert len(looks) < 20
    assert ask(indexed, "router").freshness.checked_at not in looks


@pytest.mark.limits(quick_look_seconds=0)
def test_a_folder_that_is_not_listed_quickly_is_looked_at_now_and_then(
    indexed: Engine, notes: Path
) -> None:
    looked = ask(indexed, "router").freshness.checked_at
    write_notes(notes, {"zoo.md": "A zebra.\n"})
    answer = ask(indexed, "zebra")
    assert (answer.hits, answer.freshness.checked_at) == ((), looked)
    indexed.refresh().result(TIMEOUT)
    answer = ask(indexed, "zebra")
    assert answer.hits[0].path == "zoo.md"
