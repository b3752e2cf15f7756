"""Documents that take long to read hold nothing up: notes, answers, other folders, processes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import apsw
import pytest

from scrubjay.engine.engine import Engine
from scrubjay.errors import Cancelled
from scrubjay.records.search_modes import Mode
from scrubjay.records.status_records import WorkspaceStatus
from scrubjay.store.index_file import hold_write_lease
from support.odd_documents import slow_page, spine
from support.providers import WordProvider
from support.vault import TIMEOUT, NewEngine, add, ask, found, write_notes
from support.waiting import wait_until

SLOW = ("slow1.html", "slow2.html", "slow3.html")


def state(engine: Engine) -> WorkspaceStatus:
    return engine.status().workspaces[0]


def is_reading_slow(engine: Engine) -> bool:
    return state(engine).progress.current in SLOW


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Notes that are older than three documents, which take some seconds each."""
    root = write_notes(
        tmp_path / "mixed", {f"n{n}.md": f"# Note {n}\n\npear{n}\n" for n in range(20)}
    )
    return write_notes(root, {name: slow_page() for name in SLOW})


@contextlib.contextmanager
def reading(engine: Engine, root: Path, **options: bool) -> Iterator[Future[Any]]:
    """A pass that is at the documents inside, and not at its end when it is left."""
    workspace = add(engine, root)
    future = engine.refresh(workspace, **options)
    wait_until(lambda: is_reading_slow(engine))
    yield future
    assert not future.done()


def test_the_words_of_notes_are_there_before_the_first_document(
    new_engine: NewEngine, folder: Path
) -> None:
    engine = new_engine()
    with reading(engine, folder):
        assert found(engine, "pear7") == ["n7.md"]
        assert state(engine).freshness.documents == 20


def test_two_books_that_name_one_chapter_often_hold_no_note_up(
    new_engine: NewEngine, folder: Path
) -> None:
    for name in SLOW:
        (folder / name).unlink()
    chapter = slow_page(times=400_000).decode()
    for name in ("book1.epub", "book2.epub"):
        (folder / name).write_bytes(spine(chapter, named=200))
    engine = new_engine()
    workspace = add(engine, folder)
    future = engine.refresh(workspace)
    wait_until(lambda: found(engine, "pear7") == ["n7.md"])
    # The words of the books come later, and once for the chapter that they name.
    assert state(engine).freshness.unread_documents > 0
    assert not future.done()
    future.result(TIMEOUT)
    assert set(found(engine, "slowly")) == {"book1.epub", "book2.epub"}


def test_forced_passes_read_notes_first_as_well(new_engine: NewEngine, folder: Path) -> None:
    engine = new_engine()
    with reading(engine, folder, force=True):
        assert found(engine, "pear19") == ["n19.md"]


def test_a_note_that_is_saved_meanwhile_is_in_the_next_answer(
    new_engine: NewEngine, folder: Path
) -> None:
    engine = new_engine()
    with reading(engine, folder):
        write_notes(folder, {"new.md": "# New\n\nquince\n"})
        wait_until(lambda: found(engine, "quince") == ["new.md"])


def test_a_note_that_is_saved_meanwhile_is_taken_in_by_the_watcher(
    new_engine: NewEngine, folder: Path
) -> None:
    engine = new_engine()
    engine.start()
    with reading(engine, folder):
        write_notes(folder, {"new.md": "# New\n\nquince\n"})
        wait_until(lambda: state(engine).freshness.documents == 21)
        assert found(engine, "quince") == ["new.md"]


def test_another_folder_is_read_meanwhile_with_what_it_means(
    new_engine: NewEngine, folder: Path, tmp_path: Path
) -> None:
    engine = new_engine(WordProvider())
    other = write_notes(tmp_path / "other", {"a.md": "# A\n\nplums\n"})
    with reading(engine, folder):
        workspace = engine.add_workspace(other).result(TIMEOUT)
        engine.refresh(workspace).result(TIMEOUT)
        assert ask(engine, "plums", Mode.VECTOR, workspace=workspace.id).hits


def test_another_process_may_write_to_the_index_meanwhile(
    new_engine: NewEngine, folder: Path
) -> None:
    engine = new_engine()
    with reading(engine, folder):
        [file] = engine.paths.state.rglob("*.sqlite")
        with hold_write_lease(file), contextlib.closing(apsw.Connection(str(file))) as other:
            other.execute("begin immediate")
            assert other.in_transaction


def test_the_status_says_how_many_documents_are_left(new_engine: NewEngine, folder: Path) -> None:
    engine = new_engine()
    with reading(engine, folder):
        assert state(engine).freshness.unread_documents == 3
        answer = ask(engine, "pear7", Mode.LEXICAL)
        assert (answer.freshness.pending, answer.freshness.unread_documents) == (3, 3)
    engine.close()
    later = new_engine()
    fresh = later.current_status().result(TIMEOUT).workspaces[0].freshness
    assert (fresh.pending, fresh.unread_documents) == (3, 3)


def test_a_pass_that_is_cancelled_ends_at_once_and_the_next_one_goes_on(
    new_engine: NewEngine, folder: Path
) -> None:
    engine = new_engine()
    with reading(engine, folder) as future:
        pass
    engine.cancel_indexing()
    with pytest.raises(Cancelled):
        future.result(TIMEOUT)
    for name in SLOW[1:]:
        (folder / name).unlink()
    engine.refresh().result(TIMEOUT)
    assert state(engine).freshness.unread_documents == 0
    assert found(engine, "slowly") == [SLOW[0]]


def test_a_pause_stops_documents_too(new_engine: NewEngine, folder: Path) -> None:
    engine = new_engine()
    with reading(engine, folder) as future:
        pass
    engine.pause()
    with pytest.raises(Cancelled):
        future.result(TIMEOUT)
    assert state(engine).freshness.unread_documents == 3
