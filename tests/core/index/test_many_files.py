"""A folder with very many files: work that grows with their number, and progress that is told."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.events import IndexProgressed
from support.attacks import IS_LONG
from support.counting import Calls
from support.vault import NewEngine, add, ask

MANY = 100_000 if IS_LONG else 2_000
WAIT_S = 1_800


@pytest.fixture
def calls() -> Iterator[Calls]:
    yield Calls()
    threading.setprofile(None)


def write_many(folder: Path, count: int) -> Path:
    """A folder with so many small notes."""
    folder.mkdir()
    for number in range(count):
        (folder / f"note-{number:06d}.md").write_text(f"River{number % 97} and lake {number}.\n")
    return folder


def passes(engine: Engine, root: Path, calls: Calls) -> list[int]:
    """Calls of a first pass, of one without changes, and of one after a change."""
    workspace = add(engine, root)
    taken = []
    calls.taken()
    for text in ("", "", "Zebras.\n"):
        if text:
            (root / "note-000001.md").write_text(text)
        engine.refresh(workspace, words_only=True).result(WAIT_S)
        taken.append(calls.taken())
    return taken


@pytest.mark.wine_fault("files are read so slowly that calls of threads that wait are counted, too")
def test_four_times_as_many_notes_are_four_times_as_much_work(
    new_engine: NewEngine, calls: Calls, tmp_path: Path
) -> None:
    engine = new_engine()
    few = passes(engine, write_many(tmp_path / "few", 200), calls)
    many = passes(engine, write_many(tmp_path / "many", 800), calls)
    assert all(more < 5 * less for more, less in zip(many, few, strict=True)), (few, many)


@pytest.mark.soak
def test_very_many_notes_are_read_counted_and_found_and_progress_is_told(
    engine: Engine, tmp_path: Path
) -> None:
    told: list[int] = []
    root = write_many(tmp_path / "many", MANY)
    workspace = add(engine, root)
    engine.events.subscribe(lambda event: told.append(event.progress.done), IndexProgressed)
    engine.refresh(workspace, words_only=True).result(WAIT_S)
    assert len(told) >= MANY // 10_000
    assert MANY - 1 <= max(told) <= MANY
    [hit] = [hit for hit in ask(engine, f"lake {MANY - 1}").hits if str(MANY - 1) in hit.path]
    assert hit.path == f"note-{MANY - 1:06d}.md"
    counts = engine.folders.note_counts(workspace).result(WAIT_S)
    assert (counts.notes, counts.subfolders) == (MANY, {})
    other = root.rename(tmp_path / "other")
    place = engine.folders.moved_folder(workspace, other).result(WAIT_S)
    assert place is not None
    assert (place.known, place.notes) == (MANY, MANY)
