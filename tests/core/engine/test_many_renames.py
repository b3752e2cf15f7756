"""A rename of many notes: one move in each count, at every moment of the pass that finds it."""

from __future__ import annotations

import contextlib
import datetime as dt
from pathlib import Path

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.events import IndexChanged
from scrubjay.records.journal_records import ChangeKind
from scrubjay.records.note_records import NoteAddress
from scrubjay.store.reader import Reader
from support.odd_documents import slow_page
from support.vault import TIMEOUT, NewEngine, add, age, write_notes
from support.waiting import wait_until

MANY = 400
YESTERDAY = dt.datetime.now(dt.UTC) - dt.timedelta(days=1)

# Each note is a transaction of its own, so that counts are looked at between any two.
pytestmark = pytest.mark.limits(prepared_seconds=0.0)


class Counts:
    """Counts at every moment at which a pass has committed something."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.documents: set[int] = set()
        self.titles: set[int] = set()
        """Numbers of different names among the notes of the index."""
        self.commits = 0
        engine.events.subscribe(lambda _: self._look(), IndexChanged)

    def _look(self) -> None:
        self.commits += 1
        self.documents.add(self._engine.status().workspaces[0].freshness.documents)
        [file] = self._engine.paths.indexes.glob("*.sqlite")
        with contextlib.closing(Reader.open(file)) as reader:
            paths = reader.metadata.documents()
        self.titles.add(len({Path(path).name for path in paths}) - len(paths))


def changes(engine: Engine) -> list[tuple[str, str, int]]:
    told = engine.journal.changes(YESTERDAY).result(TIMEOUT).changes
    return sorted((each.kind, each.path, len(each.moved)) for each in told)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = {f"Old/note{n}.md": f"# Note {n}\n\npear{n}\n" for n in range(MANY)}
    root = write_notes(tmp_path / "notes", texts)
    for file in root.rglob("*.md"):
        age(file)
    return root


def test_a_renamed_folder_is_one_move_at_every_moment(engine: Engine, folder: Path) -> None:
    engine.refresh(add(engine, folder)).result(TIMEOUT)
    counts = Counts(engine)
    (folder / "Old").rename(folder / "New")
    [report] = engine.refresh().result(TIMEOUT)
    assert counts.commits > MANY // 10
    assert (counts.documents, counts.titles) == ({MANY}, {0})
    assert (report.changed, report.removed, report.embedded) == (MANY, MANY, 0)
    assert changes(engine) == [("moved", "New", MANY)]


def test_notes_that_were_renamed_and_changed_are_counted_once_too(
    engine: Engine, folder: Path
) -> None:
    engine.refresh(add(engine, folder)).result(TIMEOUT)
    counts = Counts(engine)
    (folder / "Old").rename(folder / "New")
    for number in range(40):
        (folder / f"New/note{number}.md").write_text(f"# Note {number}\n\nplum{number}\n")
    engine.refresh().result(TIMEOUT)
    assert (counts.documents, counts.titles) == ({MANY}, {0})
    assert [kind for kind, *_ in changes(engine) if kind != ChangeKind.MOVED] == []


def test_a_note_that_changes_after_many_were_renamed_shows_its_older_text(
    new_engine: NewEngine, tmp_path: Path
) -> None:
    # More notes than one pass keeps the texts of.
    texts = {f"Old/note{n}.md": f"pear{n}\n" for n in range(600)}
    folder = write_notes(tmp_path / "notes", texts)
    engine = new_engine()
    workspace = add(engine, folder)
    engine.refresh(words_only=True).result(TIMEOUT)
    (folder / "Old").rename(folder / "New")
    engine.refresh(words_only=True).result(TIMEOUT)
    for number in (0, 599):
        (folder / f"New/note{number}.md").write_text(f"plum{number}\n")
    engine.refresh(words_only=True).result(TIMEOUT)
    for number in (0, 599):
        note = NoteAddress(workspace.id, f"New/note{number}.md")
        difference = engine.journal.difference(note, YESTERDAY).result(TIMEOUT)
        assert (difference.is_known, difference.added, difference.removed) == (True, 1, 1)


@pytest.mark.limits(documents_seconds=0.0)
def test_a_renamed_document_stays_until_it_is_read_again(engine: Engine, tmp_path: Path) -> None:
    folder = write_notes(tmp_path / "mixed", {f"Old/page{n}.html": slow_page() for n in range(3)})
    engine.refresh(add(engine, folder)).result(TIMEOUT)
    counts = Counts(engine)
    (folder / "Old").rename(folder / "New")
    engine.refresh().result(TIMEOUT)
    assert (counts.documents, counts.titles) == ({3}, {0})
    assert changes(engine) == [("moved", "New", 3)]


def test_a_change_that_waits_counts_a_renamed_note_once(engine: Engine, folder: Path) -> None:
    engine.refresh(add(engine, folder)).result(TIMEOUT)
    engine.pause()
    engine.start()
    (folder / "Old").rename(folder / "New")
    pending: list[int] = []

    def all_noticed() -> bool:
        pending.append(engine.status().workspaces[0].freshness.pending)
        return pending[-1] >= MANY

    wait_until(all_noticed)
    assert max(pending) == MANY
