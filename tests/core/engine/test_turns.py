"""Folders indexed at the same time: words of all first, and small folders before large ones."""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scrubjay.answers import search_thread
from scrubjay.engine.engine import Engine
from scrubjay.errors import Cancelled
from scrubjay.events import IndexChanged, IndexFinished
from scrubjay.records.audience import PERSON
from scrubjay.records.search_modes import Mode
from scrubjay.records.status_records import IndexState, WorkspaceStatus
from support.providers import WordProvider
from support.vault import TIMEOUT, Announcements, NewEngine, add, ask, found, write_notes
from support.waiting import wait_until

WORDS = 900
"""Words of a note, which fills a batch for the model."""


class AtBatches(WordProvider):
    """Makes a call before each of its first batches of chunks."""

    def __init__(self) -> None:
        super().__init__(synonyms={"heating": "boiler"})
        self.calls: list[Callable[[], object]] = []
        self.before_batch = lambda: self.calls.pop(0)() if self.calls else None

    def learned(self, *names: str) -> list[str]:
        """Names of folders in the order in which their chunks were learned."""
        order = [name for text in self.embedded for name in names if name in text]
        return [name for name, before in zip(order, ["", *order], strict=False) if name != before]


@pytest.fixture
def provider() -> AtBatches:
    return AtBatches()


@pytest.fixture
def engine(new_engine: NewEngine, provider: AtBatches) -> Engine:
    return new_engine(provider)


def folder(engine: Engine, root: Path, notes: int) -> str:
    """Id of a folder with so many notes, whose chunks are all different."""
    name = root.name
    texts = {note: " ".join(f"{name} {note}{n}" for n in range(WORDS)) for note in range(notes)}
    write_notes(root, {f"{name}{note}.md": f"# {name}\n\n{texts[note]}\n" for note in texts})
    return add(engine, root).id


@pytest.fixture
def held(provider: AtBatches) -> Iterator[threading.Event]:
    """Set when the model holds a batch, which goes on at the end."""
    is_held, goes_on = threading.Event(), threading.Event()
    provider.calls = [lambda: (is_held.set(), goes_on.wait(TIMEOUT))]
    yield is_held
    goes_on.set()


def status(engine: Engine, workspace_id: str) -> WorkspaceStatus:
    [status] = [each for each in engine.status().workspaces if each.workspace.id == workspace_id]
    return status


def test_words_of_all_folders_are_read_before_the_meaning_of_any(
    engine: Engine, provider: AtBatches, tmp_path: Path
) -> None:
    ids = [folder(engine, tmp_path / name, 2) for name in ("first", "second", "third")]
    counts: list[int] = []
    provider.calls = [
        lambda: counts.extend(status(engine, name).freshness.documents for name in ids)
    ]
    reports = engine.refresh().result(TIMEOUT)
    assert counts == [2, 2, 2]
    assert [(report.changed, report.embedded > 0) for report in reports] == [(2, True)] * 3
    assert {status(engine, name).state for name in ids} == {IndexState.READY}


def test_a_folder_that_comes_while_another_is_learned_is_read_at_once(
    engine: Engine, provider: AtBatches, tmp_path: Path
) -> None:
    small, large = folder(engine, tmp_path / "small", 3), folder(engine, tmp_path / "large", 6)
    seen: list[object] = []

    def look() -> None:
        waiting = status(engine, large)
        seen.extend((waiting.state, waiting.freshness.documents, status(engine, small).state))

    provider.calls = [lambda: engine.refresh(engine.find_workspace(large)), look]
    announced = Announcements(engine)
    engine.refresh(engine.find_workspace(small)).result(TIMEOUT)
    announced.wait(lambda: len(announced.of(IndexFinished)) == 2)
    assert seen == [IndexState.WAITING, 6, IndexState.INDEXING]
    assert provider.learned("small", "large") == ["small", "large"]
    assert [event.workspace for event in announced.of(IndexChanged)][:2] == [small, large]
    [_, report] = [event.report for event in announced.of(IndexFinished)]
    assert (report.workspace, report.changed, report.unchanged) == (large, 6, 0)


def test_a_smaller_folder_is_learned_in_the_middle_of_a_larger_one(
    engine: Engine, provider: AtBatches, tmp_path: Path
) -> None:
    large, small = folder(engine, tmp_path / "large", 6), folder(engine, tmp_path / "small", 1)
    states: set[tuple[IndexState, IndexState]] = set()

    def look() -> None:
        states.add((status(engine, large).state, status(engine, small).state))

    provider.calls = [lambda: engine.refresh(engine.find_workspace(small)), *[look] * 9]
    announced = Announcements(engine)
    [report] = engine.refresh(engine.find_workspace(large)).result(TIMEOUT)
    assert [event.report.workspace for event in announced.of(IndexFinished)] == [small, large]
    assert states == {
        (IndexState.WAITING, IndexState.INDEXING),
        (IndexState.INDEXING, IndexState.READY),
    }
    assert provider.learned("large", "small") == ["large", "small", "large"]
    assert (report.changed, report.embedded > 0) == (6, True)
    assert status(engine, large).freshness.embedded == 1.0


@pytest.mark.limits(prepared_seconds=0, many_notes=2)
def test_the_words_of_a_large_folder_give_way_to_others(engine: Engine, tmp_path: Path) -> None:
    large, small = folder(engine, tmp_path / "large", 6), folder(engine, tmp_path / "small", 2)
    announced = Announcements(engine)
    engine.events.subscribe(lambda _: engine.refresh(engine.find_workspace(small)), IndexChanged)
    engine.refresh(engine.find_workspace(large), words_only=True).result(TIMEOUT)
    order = [event.workspace for event in announced.of(IndexChanged)]
    assert order[:4] == [large, small, small, large]


def test_a_note_that_changes_while_its_folder_waits_is_read_again(
    engine: Engine, provider: AtBatches, tmp_path: Path
) -> None:
    small, large = folder(engine, tmp_path / "small", 4), folder(engine, tmp_path / "large", 6)

    def change() -> None:
        write_notes(tmp_path / "large", {"zoo.md": "A zebra.\n"})
        engine.refresh(engine.find_workspace(large))

    counts: list[int] = []
    provider.calls = [
        lambda: engine.refresh(engine.find_workspace(large)),
        change,
        lambda: counts.append(status(engine, large).freshness.documents),
    ]
    engine.refresh(engine.find_workspace(small)).result(TIMEOUT)
    engine.refresh(engine.find_workspace(large)).result(TIMEOUT)
    assert counts == [7]
    assert found(engine, "zebra") == ["zoo.md"]
    assert status(engine, large).freshness.embedded == 1.0


def test_a_note_that_changes_while_its_own_folder_is_learned_is_read_at_once(
    engine: Engine, provider: AtBatches, tmp_path: Path
) -> None:
    notes = folder(engine, tmp_path / "notes", 6)

    def change() -> None:
        write_notes(tmp_path / "notes", {"zoo.md": "A zebra.\n"})
        engine.refresh(engine.find_workspace(notes))

    counts: list[int] = []
    provider.calls = [change, lambda: counts.append(status(engine, notes).freshness.documents)]
    engine.refresh(engine.find_workspace(notes)).result(TIMEOUT)
    assert counts == [7]


def test_a_pause_stops_those_that_learn_and_those_that_wait(
    engine: Engine, provider: AtBatches, tmp_path: Path
) -> None:
    small, large = folder(engine, tmp_path / "small", 3), folder(engine, tmp_path / "large", 6)
    provider.calls = [lambda: engine.refresh(engine.find_workspace(large)), engine.pause]
    with pytest.raises(Cancelled):
        engine.refresh(engine.find_workspace(small)).result(TIMEOUT)
    assert {status(engine, name).state for name in (small, large)} == {IndexState.PAUSED}
    assert [status(engine, name).freshness.documents for name in (small, large)] == [3, 6]
    announced = Announcements(engine)
    engine.resume()
    announced.wait(lambda: len(announced.of(IndexFinished)) == 2)
    assert {status(engine, name).state for name in (small, large)} == {IndexState.READY}


def test_a_folder_that_is_removed_while_it_waits_is_gone(
    engine: Engine, provider: AtBatches, tmp_path: Path
) -> None:
    small, large = folder(engine, tmp_path / "small", 3), folder(engine, tmp_path / "large", 6)
    removals: list[object] = []
    provider.calls = [
        lambda: engine.refresh(engine.find_workspace(large)),
        lambda: removals.append(engine.folders.remove(engine.find_workspace(large))),
    ]
    engine.refresh(engine.find_workspace(small)).result(TIMEOUT)
    removals[0].result(TIMEOUT)  # type: ignore[attr-defined]
    assert [each.workspace.id for each in engine.status().workspaces] == [small]
    assert not list(engine.paths.indexes.glob("large*"))


def test_a_person_is_answered_from_the_folders_that_were_read(
    engine: Engine, provider: AtBatches, held: threading.Event, tmp_path: Path
) -> None:
    engine.start()
    folder(engine, tmp_path / "first", 3)
    assert held.wait(TIMEOUT)
    second = folder(engine, tmp_path / "second", 2)
    answer = ask(engine, "first", audience=PERSON)
    assert (len(answer.hits), answer.unread, answer.fallback_reason) == (3, ("second",), "")
    alone = ask(engine, "second", audience=PERSON, workspace=second)
    assert (alone.hits, alone.unread, alone.fallback_reason) == ((), ("second",), "")


def test_a_folder_that_was_read_is_not_said_to_be_read_still(
    engine: Engine, tmp_path: Path
) -> None:
    engine.start()
    folder(engine, tmp_path / "first", 2)
    wait_until(lambda: not ask(engine, "first", audience=PERSON).unread)
    assert len(ask(engine, "first", audience=PERSON).hits) == 2


def test_meaning_stays_on_while_another_folder_begins(
    engine: Engine, provider: AtBatches, tmp_path: Path
) -> None:
    house = write_notes(tmp_path / "house", {"boiler.md": "# Boiler\n\nThe boiler is old.\n"})
    engine.refresh(add(engine, house)).result(TIMEOUT)
    is_held, goes_on = threading.Event(), threading.Event()
    provider.calls = [lambda: (is_held.set(), goes_on.wait(TIMEOUT))]
    engine.start()
    folder(engine, tmp_path / "first", 3)
    assert is_held.wait(TIMEOUT)
    folder(engine, tmp_path / "second", 2)
    answer = ask(engine, "heating", audience=PERSON)
    goes_on.set()
    assert [hit.path for hit in answer.hits if hit.vector_score][:1] == ["boiler.md"]
    assert (answer.mode, answer.fallback_reason) == (Mode.HYBRID, "")


@pytest.mark.limits(buffer_seconds=0)
def test_meaning_of_what_was_learned_stays_on_while_another_folder_begins(
    engine: Engine, provider: AtBatches, tmp_path: Path
) -> None:
    is_held, goes_on = threading.Event(), threading.Event()
    provider.calls = [lambda: None] * 4 + [lambda: (is_held.set(), goes_on.wait(TIMEOUT))]
    engine.start()
    first = folder(engine, tmp_path / "first", 6)
    assert is_held.wait(TIMEOUT)
    folder(engine, tmp_path / "second", 2)
    answer = ask(engine, "first 00", audience=PERSON)
    share = status(engine, first).freshness.embedded
    goes_on.set()
    assert any(hit.vector_score for hit in answer.hits)
    assert (answer.mode, answer.fallback_reason, answer.unread) == (Mode.HYBRID, "", ("second",))
    assert 0 < share < 1
    assert 0 < answer.freshness.embedded < 1


def test_a_folder_that_is_watched_counts_as_checked(engine: Engine, tmp_path: Path) -> None:
    engine.start()
    first = folder(engine, tmp_path / "first", 1)
    wait_until(lambda: status(engine, first).state is IndexState.READY)
    asked = dt.datetime.now().astimezone()
    wait_until(lambda: (ask(engine, "first").freshness.checked_at or asked) > asked)


def test_a_folder_that_was_read_while_indexes_are_looked_at_does_not_wait_for_ever(
    engine: Engine, provider: AtBatches, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small, large = folder(engine, tmp_path / "small", 1), folder(engine, tmp_path / "large", 6)
    engine.refresh(engine.find_workspace(large), words_only=True).result(TIMEOUT)
    is_held, goes_on = threading.Event(), threading.Event()
    provider.calls = [lambda: (is_held.set(), goes_on.wait(TIMEOUT))]
    engine.refresh(engine.find_workspace(small))
    assert is_held.wait(TIMEOUT)
    learning = engine.refresh(engine.find_workspace(large))
    measured = search_thread.index_bytes

    def index_bytes(file: Path) -> int:
        goes_on.set()
        learning.result(TIMEOUT)
        return measured(file)

    monkeypatch.setattr(search_thread, "index_bytes", index_bytes)
    assert status(engine, large).state is IndexState.WAITING
    engine.current_status().result(TIMEOUT)
    assert status(engine, large).state is IndexState.READY


def test_a_note_saved_while_a_folder_is_learned_for_the_first_time_is_a_change(
    engine: Engine, provider: AtBatches, tmp_path: Path
) -> None:
    root = tmp_path / "first"
    name = folder(engine, root, 3)
    provider.calls = [lambda: write_notes(root, {"late.md": "# Late\n\nA gramophone.\n"})]
    engine.start()
    wait_until(lambda: found(engine, "gramophone") == ["late.md"])
    moment = dt.datetime.now().astimezone() - dt.timedelta(days=1)
    changes = engine.journal.changes(moment, engine.find_workspace(name)).result(TIMEOUT).changes
    assert [(change.kind, change.path) for change in changes] == [("added", "late.md")]


def test_while_a_folder_is_learned_an_answer_knows_that_a_saved_note_was_read(
    engine: Engine, provider: AtBatches, tmp_path: Path
) -> None:
    """Learning may take minutes, and the words of all notes are there."""
    root = tmp_path / "first"
    name = folder(engine, root, 12)
    seen: list[tuple[IndexState, int, bool]] = []

    def look() -> None:
        began = dt.datetime.now().astimezone()
        fresh = ask(engine, "gramophone", Mode.LEXICAL, is_typing=True).freshness
        is_now = fresh.checked_at is not None and fresh.checked_at >= began
        [told] = engine.current_status().result(TIMEOUT).workspaces
        seen.append((told.state, fresh.pending + told.freshness.pending, is_now))

    def save() -> None:
        look()
        write_notes(root, {"late.md": "# Late\n\nA gramophone.\n"})
        wait_until(lambda: engine.current_status().result(TIMEOUT).workspaces[0].freshness.pending)

    def look_when_it_is_read() -> None:
        if status(engine, name).freshness.documents == 13:
            look()
        else:
            time.sleep(0.2)  # changes are read between two batches
            provider.calls.append(look_when_it_is_read)

    provider.calls = [save, look_when_it_is_read]
    engine.start()
    wait_until(lambda: len(seen) == 2)
    assert seen == [(IndexState.INDEXING, 0, True)] * 2
