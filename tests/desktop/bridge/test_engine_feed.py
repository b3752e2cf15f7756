"""From the events of the core to updates that people can follow."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from scrubjay.engine.engine import Engine
from scrubjay.event_bus import Event
from scrubjay.events import (
    IndexChanged,
    IndexFailed,
    IndexProgressed,
    Notice,
    Resolved,
    WorkspacesChanged,
)
from scrubjay.records.status_records import Progress
from scrubjay_desktop.bridge.engine_feed import StatusFeed

READING = IndexProgressed("home", Progress("words", done=1, total=2))


@pytest.fixture
def feed(qapp, engine: Engine) -> Iterator[StatusFeed]:
    feed = StatusFeed(engine)
    yield feed
    feed.close()


@pytest.mark.parametrize(
    ("event", "sentence", "cause"),
    [
        (
            Notice("The index was rebuilt", "It was damaged."),
            "The index was rebuilt: It was damaged.",
            "",
        ),
        (Notice("Rebuilt", ""), "Rebuilt", ""),
        (Notice("Not watched", "", cause="watches"), "Not watched", "watches"),
        (IndexFailed("home", "The disk is full."), "The disk is full.", "home"),
    ],
)
def test_what_a_person_should_know_is_announced_with_its_cause(
    qtbot, feed: StatusFeed, event: Event, sentence: str, cause: str
) -> None:
    with qtbot.waitSignal(feed.announced) as announced:
        feed.on_event(event)
    assert announced.args == [sentence, cause]


def test_what_works_again_is_announced_with_its_cause(qtbot, feed: StatusFeed) -> None:
    with qtbot.waitSignal(feed.resolved) as resolved:
        feed.on_event(Resolved("home", "Scrubjay can read Home again."))
    assert resolved.args == ["home", "Scrubjay can read Home again."]


def test_many_events_in_a_row_are_one_update(qtbot, feed: StatusFeed) -> None:
    updates: list[object] = []
    feed.changed.connect(updates.append)
    for _ in range(50):
        feed.on_event(READING)
    qtbot.waitUntil(lambda: updates != [])
    qtbot.wait(150)
    assert len(updates) == 1


def test_an_update_brings_the_status_of_that_moment(
    qtbot, feed: StatusFeed, engine: Engine
) -> None:
    feed.on_event(READING)
    engine.pause()
    with qtbot.waitSignal(feed.changed) as changed:
        pass
    assert changed.args[0].is_paused
    assert feed.status == engine.status()


def test_changed_notes_make_open_results_stale(qtbot, feed: StatusFeed) -> None:
    with qtbot.waitSignal(feed.notes_changed):
        feed.on_event(IndexChanged("home", 1, 0))


def test_another_list_of_folders_is_shown_at_once(qtbot, feed: StatusFeed) -> None:
    with qtbot.waitSignals([feed.workspaces_changed, feed.changed]):
        feed.on_event(WorkspacesChanged())


def test_a_closed_feed_is_silent(qtbot, feed: StatusFeed) -> None:
    feed.on_event(IndexChanged("home", 1, 0))
    feed.close()
    with qtbot.assertNotEmitted(feed.changed, wait=150), qtbot.assertNotEmitted(feed.notes_changed):
        pass
