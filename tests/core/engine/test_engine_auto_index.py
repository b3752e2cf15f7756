"""An engine that was started: it follows the notes, and stops when it is told to."""

from __future__ import annotations

import datetime as dt
import mmap
import shutil
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from scrubjay.concurrency.timers import ScheduledCall, Timers
from scrubjay.engine.engine import Engine
from scrubjay.errors import Cancelled
from scrubjay.events import AuditLogChanged, IndexChanged, IndexFinished, Notice, PauseChanged
from scrubjay.platform.paths import Paths
from scrubjay.records.note_records import NoteAddress
from scrubjay.records.search_modes import Mode
from scrubjay.records.status_records import IndexState
from support.lost_events import lose_events
from support.providers import WordProvider
from support.vault import TIMEOUT, Announcements, NewEngine, add, ask, first, found, write_notes
from support.waiting import wait_until

pytestmark = pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")
"""watchdog says so when a folder is made while it takes the one above in; nothing is lost."""


def started(engine: Engine, notes: Path) -> Engine:
    """Following a folder, with all notes indexed."""
    heard = Announcements(engine)
    engine.start()
    add(engine, notes)
    heard.wait(lambda: heard.of(IndexFinished))
    return engine


@pytest.fixture
def following(new_engine: NewEngine, paths: Paths, notes: Path) -> Engine:
    """One that takes changes in at once, so that tests need not wait."""
    quick = "{memorySearch: {sync: {watchDebounceMs: 100}}}"
    write_notes(paths.config, {"config.json5": quick})
    return started(new_engine(), notes)


def wait_until_found(engine: Engine, heard: Announcements, query: str, paths: list[str]) -> None:
    """Until a search by words finds exactly these."""
    heard.wait(lambda: heard.of(IndexChanged) and set(found(engine, query)) == set(paths))


def test_a_note_that_is_saved_is_found_by_itself(engine: Engine, notes: Path) -> None:
    following = started(engine, notes)
    heard = Announcements(following)
    write_notes(notes, {"new/zoo.md": "A zebra.\n"})
    heard.wait(lambda: heard.of(IndexFinished))
    assert found(following, "zebra") == ["new/zoo.md"]


def test_changes_are_pending_until_they_are_read(
    new_engine: NewEngine, paths: Paths, notes: Path
) -> None:
    lazy = "{memorySearch: {sync: {onSearch: false, watchDebounceMs: 1000}}}"
    write_notes(paths.config, {"config.json5": lazy})
    following = started(new_engine(), notes)
    write_notes(notes, {"zoo.md": "A zebra.\n"})
    wait_until(lambda: ask(following, "router").freshness.pending)
    wait_until(lambda: found(following, "zebra") == ["zoo.md"])
    wait_until(lambda: ask(following, "router").freshness.pending == 0)


def test_a_saved_note_is_one_change_and_none_once_an_answer_has_it(
    new_engine: NewEngine, paths: Paths, notes: Path
) -> None:
    lazy = "{memorySearch: {sync: {watchDebounceMs: 60000}}}"
    write_notes(paths.config, {"config.json5": lazy})
    following = started(new_engine(), notes)

    def pending() -> int:
        return following.current_status().result(TIMEOUT).workspaces[0].freshness.pending

    write_notes(notes, {"zoo.md": "A zebra.\n"})
    wait_until(lambda: pending() == 1)
    assert found(following, "zebra") == ["zoo.md"]
    assert pending() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="inotify is a part of Linux")
def test_an_answer_looks_at_the_folder_once_events_were_lost(
    new_engine: NewEngine, paths: Paths, notes: Path
) -> None:
    lazy = "{memorySearch: {sync: {watchDebounceMs: 60000}}}"
    write_notes(paths.config, {"config.json5": lazy})
    following = started(new_engine(), notes)
    file = notes / "garden.md"
    # The system tells nobody of what is written in this way.
    with file.open("r+b") as opened, mmap.mmap(opened.fileno(), 0) as text:
        at = text.find(b"tomatoes")
        text[at : at + 8] = b"gherkins"
        text.flush()
        assert found(following, "gherkins") == []
        lose_events()
        assert found(following, "gherkins") == ["garden.md"]


def test_a_rename_is_followed(following: Engine, notes: Path) -> None:
    heard = Announcements(following)
    (notes / "garden.md").rename(notes / "plot.md")
    wait_until_found(following, heard, "tomatoes", ["plot.md"])


def test_a_deleted_folder_is_followed(following: Engine, notes: Path) -> None:
    heard = Announcements(following)
    shutil.rmtree(notes / "house")
    wait_until_found(following, heard, "router", [])


def test_a_workspace_that_is_removed_is_not_followed(following: Engine, notes: Path) -> None:
    following.folders.remove(following.find_workspace("notes")).result(TIMEOUT)
    heard = Announcements(following)
    write_notes(notes, {"zoo.md": "A zebra.\n"})
    following.refresh().result(TIMEOUT)
    assert heard.seen == []


def test_a_root_that_is_moved_away_and_comes_back_is_followed_again(
    following: Engine, notes: Path
) -> None:
    heard = Announcements(following)
    away = notes.rename(notes.with_name("away"))
    heard.wait(lambda: heard.of(IndexFinished))
    assert found(following, "router") == ["house/router.md"]
    away.rename(notes)
    heard.wait(lambda: len(heard.of(IndexFinished)) >= 2)
    write_notes(notes, {"zoo.md": "A zebra.\n"})
    wait_until_found(following, heard, "zebra", ["zoo.md"])


@pytest.mark.needs("open files that move")
def test_a_root_that_is_deleted_and_made_anew_is_followed_again(
    following: Engine, notes: Path
) -> None:
    heard = Announcements(following)
    shutil.rmtree(notes)
    heard.wait(lambda: heard.of(IndexFinished))
    assert found(following, "router") == ["house/router.md"]
    write_notes(notes, {"zoo.md": "A zebra.\n"})
    wait_until_found(following, heard, "zebra", ["zoo.md"])
    write_notes(notes, {"zoo.md": "A giraffe.\n"})
    wait_until_found(following, heard, "giraffe", ["zoo.md"])


def test_what_changed_while_nobody_looked_is_read_at_the_start(
    new_engine: NewEngine, notes: Path
) -> None:
    engine = new_engine()
    engine.refresh(add(engine, notes)).result(TIMEOUT)
    engine.close()
    write_notes(notes, {"zoo.md": "A zebra.\n"})
    engine = new_engine()
    heard = Announcements(engine)
    engine.start()
    wait_until_found(engine, heard, "zebra", ["zoo.md"])


def test_the_first_status_after_a_start_has_the_last_numbers(
    new_engine: NewEngine, notes: Path, paths: Paths
) -> None:
    engine = started(new_engine(), notes)
    engine.close()
    [status] = new_engine().status().workspaces
    assert (status.state, status.freshness.documents, status.freshness.embedded) == (
        IndexState.READY,
        3,
        1.0,
    )
    assert status.freshness.checked_at is not None
    for file in paths.indexes.glob("notes.sqlite*"):
        file.unlink()
    [status] = new_engine().status().workspaces
    assert (status.state, status.freshness.documents) == (IndexState.NEVER, 0)


@pytest.mark.parametrize("state", ["", "[]", '{"workspaces": {"notes": {"chunks": "?"}}}'])
def test_numbers_that_make_no_sense_are_not_shown(
    new_engine: NewEngine, notes: Path, paths: Paths, state: str
) -> None:
    started(new_engine(), notes).close()
    write_notes(paths.state, {"last-numbers.json": state})
    [status] = new_engine().status().workspaces
    assert status.state is IndexState.NEVER


def test_reading_the_notes_is_no_change(following: Engine, notes: Path) -> None:
    heard = Announcements(following)
    for file in notes.rglob("*.md"):
        file.read_text()
    following.notes.read(NoteAddress(following.find_workspace("notes").id, "garden.md")).result(
        TIMEOUT
    )
    assert ask(following, "router").freshness.pending == 0
    # The audit log is looked at for the first time soon after the start.
    assert [event for event in heard.seen if not isinstance(event, AuditLogChanged)] == []


def test_a_damaged_index_is_repaired_by_a_search(
    following: Engine, paths: Paths, notes: Path
) -> None:
    heard = Announcements(following)
    for file in paths.indexes.glob("notes.sqlite*"):
        if not file.name.endswith(".lock"):
            file.unlink()
    write_notes(paths.indexes, {"notes.sqlite": b"rubbish" * 1000})
    assert found(following, "router") == ["house/router.md"]
    heard.wait(lambda: heard.of(IndexFinished))
    assert len(heard.of(Notice)) == 1


class PausedEngine:
    """An engine that was paused in the middle of understanding many notes."""

    def __init__(self, engine: Engine, provider: WordProvider, root: Path) -> None:
        self.engine = engine
        self.provider = provider
        self.heard = Announcements(engine)
        at_half = threading.Event()
        goes_on = threading.Event()

        def hold() -> None:
            if len(provider.embedded) > 50 and not at_half.is_set():
                at_half.set()
                goes_on.wait(TIMEOUT)

        provider.before_batch = hold
        self.stopped = engine.refresh(add(engine, root))
        assert at_half.wait(TIMEOUT)
        engine.pause()
        goes_on.set()


@pytest.fixture
def paused(new_engine: NewEngine, tmp_path: Path) -> PausedEngine:
    texts = {f"{n}.md": f"Number {n} is nice. " * 60 for n in range(150)}
    provider = WordProvider()
    return PausedEngine(new_engine(provider), provider, write_notes(tmp_path / "many", texts))


def test_a_pause_stops_the_pass_and_search_goes_on(paused: PausedEngine) -> None:
    with pytest.raises(Cancelled):
        paused.stopped.result(TIMEOUT)
    status = paused.engine.status()
    assert (status.is_paused, status.paused_until) == (True, None)
    assert status.workspaces[0].state is IndexState.PAUSED
    assert 0 < status.workspaces[0].freshness.embedded < 1
    assert first(paused.engine, "number 77", Mode.LEXICAL, min_score=0.0).path == "77.md"
    assert [event.is_paused for event in paused.heard.of(PauseChanged)] == [True]


def test_resuming_goes_on_where_it_stopped(paused: PausedEngine) -> None:
    with pytest.raises(Cancelled):
        paused.stopped.result(TIMEOUT)
    before = len(paused.provider.embedded)
    paused.engine.resume()
    paused.heard.wait(lambda: paused.heard.of(IndexFinished))
    [finished] = paused.heard.of(IndexFinished)
    assert before + finished.report.embedded == len(paused.provider.embedded) == 150
    status = paused.engine.status()
    assert (status.is_paused, status.workspaces[0].state) == (False, IndexState.READY)


def test_a_pause_of_some_minutes_ends_by_itself(following: Engine, notes: Path) -> None:
    heard = Announcements(following)
    before = dt.datetime.now().astimezone()
    following.pause(minutes=1 / 60)
    until = following.status().paused_until
    assert until is not None
    assert until >= before + dt.timedelta(seconds=1)
    heard.wait(lambda: len(heard.of(PauseChanged)) == 2 and heard.of(IndexFinished))
    assert not following.status().is_paused


def test_what_changes_during_a_pause_is_read_after_it(following: Engine, notes: Path) -> None:
    following.pause()
    write_notes(notes, {"zoo.md": "A zebra.\n"})
    assert found(following, "zebra") == []
    heard = Announcements(following)
    following.resume()
    wait_until_found(following, heard, "zebra", ["zoo.md"])


def test_closing_waits_for_no_change_to_be_quiet(
    new_engine: NewEngine, paths: Paths, notes: Path
) -> None:
    slow = "{memorySearch: {sync: {watchDebounceMs: 60000}}}"
    write_notes(paths.config, {"config.json5": slow})
    following = started(new_engine(), notes)
    heard = Announcements(following)
    write_notes(notes, {"zoo.md": "A zebra.\n"})
    wait_until(lambda: following.status().workspaces[0].freshness.pending)
    following.close()
    assert not heard.of(IndexFinished)


def test_where_nobody_watches_changes_are_looked_for_at_intervals(
    new_engine: NewEngine, paths: Paths, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    after = Timers.after

    def hurried(alarms: Timers, seconds: float, call: Callable[[], object]) -> ScheduledCall:
        return after(alarms, 0.02 if seconds == 7 * 60 else seconds, call)

    monkeypatch.setattr(Timers, "after", hurried)
    sync = "{watch: false, onSearch: false, intervalMinutes: 7}"
    write_notes(paths.config, {"config.json5": f"{{memorySearch: {{sync: {sync}}}}}"})
    engine = started(new_engine(), notes)
    for number in ("one", "two"):
        write_notes(notes, {f"{number}.md": f"Zebra {number}.\n"})
        wait_until(lambda number=number: f"{number}.md" in found(engine, "zebra"))


def test_without_an_interval_nothing_is_looked_for(
    new_engine: NewEngine, paths: Paths, notes: Path
) -> None:
    sync = "{watch: false, onSearch: false}"
    write_notes(paths.config, {"config.json5": f"{{memorySearch: {{sync: {sync}}}}}"})
    engine = started(new_engine(), notes)
    write_notes(notes, {"one.md": "Zebra.\n"})
    assert found(engine, "zebra") == []
    engine.refresh().result(TIMEOUT)
    assert found(engine, "zebra") == ["one.md"]
