"""Changes are collected until they are quiet."""

from __future__ import annotations

import itertools
import threading
import time

import pytest

from support.due_changes import Due

once = pytest.mark.parametrize("due", [0.5], indirect=True)
"""Changes come in time for one call even where this computer stands still for a moment."""


@once
def test_many_changes_are_handed_on_once(due: Due) -> None:
    for n in range(100):
        due.changes.add("notes", f"{n}.md")
    assert due.changes.pending("notes") == 100
    assert due.wait() == ["notes"]
    assert due.changes.pending("notes") == len(due.changes.handed_on("notes")) == 100


@once
def test_changes_are_pending_until_they_are_settled(due: Due) -> None:
    due.changes.add("notes", "one.md")
    due.wait()
    due.changes.add("notes", "two.md")
    due.changes.settle("notes", {"one.md"})
    assert due.changes.pending("notes") == 1
    assert len(due.calls) == 1


def test_changes_wait_until_they_are_quiet(due: Due) -> None:
    began = time.monotonic()
    due.changes.add("notes", "a.md")
    due.wait()
    assert due.calls[0][1] - began >= 0.05


def test_changes_that_never_stop_are_handed_on_all_the_same(due: Due) -> None:
    stop = threading.Event()

    def keep_changing() -> None:
        for n in itertools.count():
            if stop.wait(0.01):
                return
            due.changes.add("notes", f"{n}.md")

    thread = threading.Thread(target=keep_changing)
    thread.start()
    due.wait(2)
    stop.set()
    thread.join()


def test_workspaces_are_due_one_by_one(due: Due) -> None:
    due.changes.add("one")
    due.changes.add("two")
    assert set(due.wait(2)) == {"one", "two"}


def test_closing_forgets_what_waits() -> None:
    due = Due(60)
    due.changes.add("notes", "a.md")
    due.changes.close()
    due.timers.close()
    assert (due.calls, due.changes.pending("notes")) == ([], 0)
