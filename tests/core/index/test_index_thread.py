"""The index thread: which passes run, and which do not."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest
from msgspec.structs import replace

from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.concurrency.timers import Timers
from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.errors import Cancelled, IndexUnavailable
from scrubjay.event_bus import EventBus
from scrubjay.events import IndexFinished, IndexProgressed
from scrubjay.index.index_thread import IndexThread
from scrubjay.index.jobs import Job, PassParts
from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import IndexReport, IndexState, ModelStatus, WorkspaceStatus
from scrubjay.workspaces.status_board import StatusBoard
from scrubjay.workspaces.user_skips import UserSkips
from support.odd_documents import slow_page
from support.providers import GivenProvider, WordProvider
from support.vault import TIMEOUT, write_notes
from support.waiting import wait_until

PAGES = 65
"""One more than are read together, so that a pass with no time for documents leaves some."""


def more_documents_than_are_read_at_once() -> dict[str, str]:
    """Pages by their names."""
    return {f"{number}.html": f"<p>pears{number}" for number in range(PAGES)}


class Held:
    """An index thread whose first pass waits inside the model."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.provider = WordProvider()
        self.is_inside, self.go_on = threading.Event(), threading.Event()
        self.provider.before_batch = self._hold
        self.board = StatusBoard(
            ModelStatus("words", "", is_ready=True),
            UserSkips(folder / "left-out.json", IoTimeouts()),
        )
        self.workspace = Workspace("notes", "notes", root)
        self.board.list((self.workspace,))
        self.timers, self.events = Timers(), EventBus()
        parts = PassParts(
            GivenProvider(self.provider),
            self.board,
            events=self.events,
            io_timeouts=IoTimeouts(),
            documents_s=0.0,
        )
        self.thread = IndexThread(parts, self.timers)
        self.file = folder / "index.sqlite"

    def job(self, **options: bool) -> Job:
        return Job(self.workspace, self.file, MemorySearch(), **options)

    def _hold(self) -> None:
        self.is_inside.set()
        self.go_on.wait(TIMEOUT)


@pytest.fixture
def held(notes: Path, tmp_path: Path) -> Iterator[Held]:
    made = Held(notes, tmp_path)
    yield made
    made.go_on.set()
    made.thread.close()
    made.timers.close()


def test_asking_again_for_what_waits_gives_the_same_pass(held: Held) -> None:
    running = held.thread.submit(held.job())
    assert held.is_inside.wait(TIMEOUT)
    waiting = held.thread.submit(held.job())
    assert held.thread.submit(held.job()) is waiting
    assert held.thread.submit(held.job(force=True)) is not waiting
    assert running is not waiting
    held.go_on.set()
    assert waiting.result(TIMEOUT).unchanged == 3


def test_who_hears_of_a_dropped_pass_may_ask_the_thread_at_once(held: Held) -> None:
    held.thread.submit(held.job())
    assert held.is_inside.wait(TIMEOUT)
    told: list[bool] = []
    waiting = held.thread.submit(held.job(force=True))
    waiting.add_done_callback(lambda _: told.append(held.thread.is_indexing("notes")))
    held.thread.cancel("notes")
    assert told == [True]


def test_nothing_is_taken_in_any_more_after_the_end(held: Held) -> None:
    held.thread.close()
    taken = held.thread.index_now(held.job(), [], {}, ["gone.md"])
    assert isinstance(taken.exception(TIMEOUT), Cancelled)
    assert not held.file.exists()


def test_a_pass_that_ends_at_once_is_not_shown_as_waiting(
    held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    held.go_on.set()
    known = held.board.workspace
    submitter, ended = threading.current_thread(), threading.Event()
    held.events.subscribe(lambda _: ended.set(), IndexFinished)

    def workspace(workspace_id: str) -> WorkspaceStatus | None:
        status = known(workspace_id)
        if threading.current_thread() is submitter:
            ended.wait(0.3)
        return status

    monkeypatch.setattr(held.board, "workspace", workspace)
    held.thread.submit(held.job()).result(TIMEOUT)
    assert held.board.snapshot().workspaces[0].state is IndexState.READY


def test_cancelling_stops_what_runs_and_drops_what_waits(held: Held) -> None:
    running = held.thread.submit(held.job())
    assert held.is_inside.wait(TIMEOUT)
    waiting = held.thread.submit(held.job(force=True))
    held.thread.cancel("notes")
    held.go_on.set()
    assert waiting.cancelled()
    assert isinstance(running.exception(TIMEOUT), Cancelled | type(None))
    assert held.thread.submit(held.job()).result(TIMEOUT).unchanged == 3
    assert held.board.snapshot().workspaces[0].state is IndexState.READY


def test_an_index_is_deleted_after_its_pass_has_stopped(held: Held) -> None:
    held.thread.submit(held.job())
    assert held.is_inside.wait(TIMEOUT)
    deleted = held.thread.delete("notes", held.file)
    assert held.file.exists()
    held.go_on.set()
    deleted.result(TIMEOUT)
    assert list(held.file.parent.glob("index.sqlite*")) == []


def test_an_index_is_deleted_while_a_pass_over_another_one_goes_on(
    held: Held, tmp_path: Path
) -> None:
    ended: list[str] = []
    running = held.thread.submit(held.job())
    running.add_done_callback(lambda _: ended.append("pass"))
    assert held.is_inside.wait(TIMEOUT)
    deleted = held.thread.delete("other", tmp_path / "other.sqlite")
    deleted.add_done_callback(lambda _: ended.append("deleted"))
    held.go_on.set()
    wait_until(lambda: len(ended) == 2)  # those who wait for a result go on before it is told
    assert ended == ["deleted", "pass"]


def test_after_closing_passes_are_called_off(held: Held) -> None:
    held.go_on.set()
    held.thread.close()
    assert isinstance(held.thread.submit(held.job()).exception(TIMEOUT), Cancelled)


def test_a_pass_that_fails_is_shown_and_the_next_one_runs(held: Held, tmp_path: Path) -> None:
    held.go_on.set()
    held.file = tmp_path / "notes/garden.md/index.sqlite"
    with pytest.raises(IndexUnavailable):
        held.thread.submit(held.job()).result(TIMEOUT)
    shown = held.board.snapshot().workspaces[0]
    assert (shown.state, "cannot be used" in shown.error) == (IndexState.ERROR, True)
    held.file = tmp_path / "index.sqlite"
    held.thread.submit(held.job()).result(TIMEOUT)
    shown = held.board.snapshot().workspaces[0]
    assert (shown.state, shown.error) == (IndexState.READY, "")


def test_a_pass_goes_on_with_its_documents_until_all_are_read(held: Held) -> None:
    held.go_on.set()
    workspace = replace(held.workspace, documents=True)
    held.board.list((workspace,))
    write_notes(workspace.root, more_documents_than_are_read_at_once())
    write_notes(workspace.root, {"none.docx": b"no archive"})
    left: list[int] = []
    held.events.subscribe(lambda event: left.append(event.report.documents_left), IndexFinished)
    report = held.thread.submit(Job(workspace, held.file, MemorySearch())).result(TIMEOUT)
    assert left[0] > 0
    assert left[-1] == 0
    assert len(left) > 1
    assert (report.changed, report.unchanged, report.documents_left) == (3 + PAGES, 0, 0)
    assert [each.path for each in report.skipped] == ["none.docx"]


def test_a_pass_that_waits_to_go_on_can_be_cancelled(held: Held) -> None:
    held.go_on.set()
    workspace = replace(held.workspace, documents=True)
    held.board.list((workspace,))
    write_notes(workspace.root, more_documents_than_are_read_at_once())
    held.events.subscribe(lambda _: held.thread.cancel(), IndexFinished)
    future = held.thread.submit(Job(workspace, held.file, MemorySearch()))
    with pytest.raises(Cancelled):
        future.result(TIMEOUT)


def test_a_pass_that_is_asked_for_meanwhile_gives_its_result_to_the_one_that_goes_on(
    held: Held,
) -> None:
    held.go_on.set()
    workspace = replace(held.workspace, documents=True)
    held.board.list((workspace,))
    write_notes(workspace.root, {"slow.html": slow_page(times=200_000)})
    job = Job(workspace, held.file, MemorySearch())
    later: list[Future[IndexReport]] = []

    def ask_again(_: object) -> None:
        if not later:
            later.append(held.thread.submit(job))

    held.events.subscribe(ask_again, IndexProgressed)
    first = held.thread.submit(job)
    assert first.result(TIMEOUT).changed == 4
    assert later[0].result(TIMEOUT).documents_left == 0
