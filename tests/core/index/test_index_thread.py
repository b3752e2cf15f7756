"""The index thread: which passes run, and which do not."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from scrubjay.concurrency.cancel import SearchPriority
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.concurrency.timers import Timers
from scrubjay.documents.document_converter import Converter
from scrubjay.errors import Cancelled, IndexUnavailable
from scrubjay.event_bus import EventBus
from scrubjay.events import IndexFinished, IndexProgressed
from scrubjay.index.index_thread import IndexThread
from scrubjay.index.passes import PassInput, PassParts
from scrubjay.platform.paths import Paths
from scrubjay.records.engine_limits import EngineLimits
from scrubjay.records.status_records import IndexReport, IndexState, ModelStatus
from scrubjay.workspaces.registry import Registry
from scrubjay.workspaces.status_board import StatusBoard
from support.documents import no_pictures
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

    def __init__(self, root: Path, paths: Paths, documents_seconds: float = 0) -> None:
        self.provider = WordProvider()
        self.is_inside, self.go_on = threading.Event(), threading.Event()
        self.provider.before_batch = self._hold
        self.registry = Registry(paths)
        self.board = StatusBoard(ModelStatus("words", "", is_ready=True), self.registry)
        self.workspace = self.registry.add(root)
        self.timers, self.events = Timers(), EventBus()
        self.converter = Converter()
        parts = PassParts(
            GivenProvider(self.provider),
            self.board,
            events=self.events,
            io_timeouts=IoTimeouts(),
            converter=self.converter,
            pictures=no_pictures,
            priority=SearchPriority(),
            release=lambda _file: None,
            limits=EngineLimits(documents_seconds=documents_seconds),
        )
        self.thread = IndexThread(parts, self.timers)

    @property
    def file(self) -> Path:
        return self.workspace.index_file

    def job(self, **options: bool) -> PassInput:
        return PassInput.of(self.workspace, **options)

    def read_documents(self) -> None:
        """Let documents be read besides notes."""
        record = replace(self.workspace.record, documents=True)
        self.workspace.follow(record, self.workspace.settings, self.file)

    def close(self) -> None:
        """End the thread, whatever it waits for."""
        self.go_on.set()
        self.thread.close()
        self.timers.close()
        self.converter.close()

    def _hold(self) -> None:
        self.is_inside.set()
        self.go_on.wait(TIMEOUT)


@pytest.fixture
def held(notes: Path, paths: Paths) -> Iterator[Held]:
    with contextlib.closing(Held(notes, paths)) as made:
        yield made


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
    waiting.add_done_callback(lambda _: told.append(held.thread.is_indexing(held.workspace)))
    held.thread.cancel(held.workspace)
    assert told == [True]


def test_nothing_is_taken_in_any_more_after_the_end(held: Held) -> None:
    held.thread.close()
    taken = held.thread.index_now(held.job(), [], {}, ["gone.md"])
    assert isinstance(taken.exception(TIMEOUT), Cancelled)
    assert not held.file.exists()


@pytest.mark.parametrize("change", ["off", "removed"])
def test_nothing_is_read_of_a_folder_that_was_turned_off_meanwhile(held: Held, change: str) -> None:
    held.thread.submit(held.job())
    assert held.is_inside.wait(TIMEOUT)
    taken = held.thread.index_now(held.job(), [], {}, ["gone.md"])
    if change == "off":
        held.workspace.off_key = "memorySearch.enabled"
    else:
        held.workspace.is_listed = False
    held.go_on.set()
    assert isinstance(taken.exception(TIMEOUT), Cancelled)


def test_a_pass_that_ends_at_once_is_not_shown_as_waiting(
    held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    held.go_on.set()
    show = held.workspace.show
    submitter, ended = threading.current_thread(), threading.Event()
    held.events.subscribe(lambda _: ended.set(), IndexFinished)

    def slow_show(**changes: Any) -> bool:
        if threading.current_thread() is submitter:
            ended.wait(0.3)
        return show(**changes)

    monkeypatch.setattr(held.workspace, "show", slow_show)
    held.thread.submit(held.job()).result(TIMEOUT)
    assert held.workspace.status.state is IndexState.READY


def test_cancelling_stops_what_runs_and_drops_what_waits(held: Held) -> None:
    running = held.thread.submit(held.job())
    assert held.is_inside.wait(TIMEOUT)
    waiting = held.thread.submit(held.job(force=True))
    held.thread.cancel(held.workspace)
    held.go_on.set()
    assert waiting.cancelled()
    assert isinstance(running.exception(TIMEOUT), Cancelled | type(None))
    assert held.thread.submit(held.job()).result(TIMEOUT).unchanged == 3
    assert held.workspace.status.state is IndexState.READY


def test_an_index_is_deleted_after_its_pass_has_stopped(held: Held) -> None:
    held.thread.submit(held.job())
    assert held.is_inside.wait(TIMEOUT)
    deleted = held.thread.delete(held.workspace)
    assert held.file.exists()
    held.go_on.set()
    deleted.result(TIMEOUT)
    assert list(held.file.parent.glob(f"{held.file.name}*")) == []


def test_an_index_is_deleted_while_a_pass_over_another_one_goes_on(
    held: Held, tmp_path: Path
) -> None:
    ended: list[str] = []
    running = held.thread.submit(held.job())
    running.add_done_callback(lambda _: ended.append("pass"))
    assert held.is_inside.wait(TIMEOUT)
    other = held.registry.add(write_notes(tmp_path / "other", {"a.md": "x"}))
    deleted = held.thread.delete(other)
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
    record = held.workspace.record
    settings = held.workspace.settings
    good_file = held.file
    held.workspace.follow(record, settings, tmp_path / "notes/garden.md/index.sqlite")
    with pytest.raises(IndexUnavailable):
        held.thread.submit(held.job()).result(TIMEOUT)
    shown = held.workspace.status
    assert (shown.state, "cannot be used" in shown.error) == (IndexState.ERROR, True)
    held.workspace.follow(record, settings, good_file)
    held.thread.submit(held.job()).result(TIMEOUT)
    shown = held.workspace.status
    assert (shown.state, shown.error) == (IndexState.READY, "")


def test_a_pass_goes_on_with_its_documents_until_all_are_read(held: Held) -> None:
    held.go_on.set()
    held.read_documents()
    write_notes(held.workspace.root, more_documents_than_are_read_at_once())
    write_notes(held.workspace.root, {"none.docx": b"no archive"})
    left: list[int] = []
    held.events.subscribe(lambda event: left.append(event.report.documents_left), IndexFinished)
    report = held.thread.submit(held.job()).result(TIMEOUT)
    assert left[0] > 0
    assert left[-1] == 0
    assert len(left) > 1
    assert (report.changed, report.unchanged, report.documents_left) == (3 + PAGES, 0, 0)
    assert [each.path for each in report.skipped] == ["none.docx"]


def test_a_pass_that_waits_to_go_on_can_be_cancelled(held: Held) -> None:
    held.go_on.set()
    held.read_documents()
    write_notes(held.workspace.root, more_documents_than_are_read_at_once())
    held.events.subscribe(lambda _: held.thread.cancel(), IndexFinished)
    future = held.thread.submit(held.job())
    with pytest.raises(Cancelled):
        future.result(TIMEOUT)


def test_a_pass_that_is_asked_for_meanwhile_gives_its_result_to_the_one_that_goes_on(
    held: Held,
) -> None:
    held.go_on.set()
    held.read_documents()
    write_notes(held.workspace.root, {"slow.html": slow_page(times=200_000)})
    job = held.job()
    later: list[Future[IndexReport]] = []

    def ask_again(_: object) -> None:
        if not later:
            later.append(held.thread.submit(job))

    held.events.subscribe(ask_again, IndexProgressed)
    first = held.thread.submit(job)
    assert first.result(TIMEOUT).changed == 4
    assert later[0].result(TIMEOUT).documents_left == 0


def test_why_a_document_could_not_be_read_is_said_after_a_pass_that_waited_meanwhile(
    notes: Path, paths: Paths
) -> None:
    with contextlib.closing(Held(notes, paths, documents_seconds=TIMEOUT)) as held:
        held.go_on.set()
        held.read_documents()
        names = {"none.docx": b"no archive", "slow.html": slow_page(times=200_000)}
        write_notes(held.workspace.root, names)
        later: list[Future[IndexReport]] = []

        def ask_again(event: IndexProgressed) -> None:
            # Its words are read while the first pass waits for a document.
            if event.progress.current in names and not later:
                later.append(held.thread.submit(held.job()))

        held.events.subscribe(ask_again, IndexProgressed)
        first = held.thread.submit(held.job()).result(TIMEOUT)
        assert [each.path for each in first.skipped] == ["none.docx"]
        report = later[0].result(TIMEOUT)
        assert [each.path for each in report.skipped] == ["none.docx"]
        assert [each.path for each in held.workspace.status.skipped] == ["none.docx"]
