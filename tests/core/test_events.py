"""Announcements."""

from __future__ import annotations

import pytest

from scrubjay.event_bus import EventBus
from scrubjay.events import Notice, PauseChanged

HELLO = Notice("Hello", "World.")


def test_every_listener_hears_every_event_in_order() -> None:
    bus, one, other = EventBus(), [], []
    bus.subscribe(one.append)
    bus.subscribe(other.append)
    events = [HELLO, PauseChanged(is_paused=True)]
    for event in events:
        bus.publish(event)
    assert one == other == events


def test_a_listener_that_fails_does_not_stop_the_others(caplog: pytest.LogCaptureFixture) -> None:
    bus, heard = EventBus(), []
    bus.subscribe(lambda _event: 1 / 0)
    bus.subscribe(heard.append)
    bus.publish(HELLO)
    assert heard == [HELLO]
    assert "A listener failed on Notice" in caplog.text


def test_who_unsubscribes_hears_no_more() -> None:
    bus, heard = EventBus(), []
    unsubscribe = bus.subscribe(heard.append)
    unsubscribe()
    unsubscribe()
    bus.publish(HELLO)
    assert heard == []


def test_a_listener_may_unsubscribe_while_it_listens() -> None:
    bus, heard = EventBus(), []

    def once(event: object) -> None:
        heard.append(event)
        unsubscribe()

    unsubscribe = bus.subscribe(once)
    bus.publish(HELLO)
    bus.publish(HELLO)
    assert heard == [HELLO]
