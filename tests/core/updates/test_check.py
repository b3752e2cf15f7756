"""Asking for news: only when wanted, only over a safe way, never fooled by an old list."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scrubjay.errors import LocalOnly, UpdateRefused
from scrubjay.events import EventBus, Notice
from scrubjay.platform.http_access import Network
from scrubjay.platform.paths import Paths
from scrubjay.updates.check import Feed, Updates, shipped_feed
from support.releases import PUBLIC, ReleaseServer, envelope, manifest, release_server
from support.waiting import wait_until


@pytest.fixture
def server() -> Iterator[ReleaseServer]:
    with release_server() as made:
        yield made


Make = Callable[..., tuple[Updates, list[Notice]]]


@pytest.fixture
def make(tmp_path: Path, server: ReleaseServer) -> Iterator[Make]:
    made: list[Updates] = []

    def one(
        *, is_wanted: bool = True, is_local_only: bool = False, address: str = ""
    ) -> tuple[Updates, list[Notice]]:
        events, notices = EventBus(), []
        events.subscribe(notices.append)
        updates = Updates(
            Paths.under(tmp_path),
            Network(lambda: is_local_only),
            events,
            lambda: is_wanted,
            feed=Feed(address or server.address, (PUBLIC,)),
        )
        made.append(updates)
        return updates, notices

    yield one
    for updates in made:
        updates.close()


def test_a_newer_release_is_told(make: Make) -> None:
    state = make()[0].check().result(10)
    assert state.newer is not None
    assert (state.newer.version, state.newer.page) == ("99.0.1", "https://example.org/new")


def test_the_newest_has_nothing_newer(make: Make, server: ReleaseServer) -> None:
    server.sent = envelope(manifest(releases=[]))
    assert make()[0].check().result(10).newer is None


def test_an_older_list_than_the_last_is_refused(make: Make, server: ReleaseServer) -> None:
    make()[0].check().result(10)
    server.sent = envelope(manifest(sequence=6))
    with pytest.raises(UpdateRefused, match="older list"):
        make()[0].check().result(10)


def test_the_same_list_again_is_fine(make: Make) -> None:
    make()[0].check().result(10)
    assert make()[0].check().result(10).newer is not None


@pytest.mark.parametrize(("status", "size"), [(404, 10), (500, 10), (302, 10), (200, 300_000)])
def test_a_server_that_answers_nonsense_is_an_expected_failure(
    make: Make, server: ReleaseServer, status: int, size: int
) -> None:
    server.status, server.sent = status, b" " * size
    with pytest.raises(UpdateRefused):
        make()[0].check().result(10)


def test_no_plain_http_beyond_this_computer(make: Make) -> None:
    with pytest.raises(UpdateRefused, match="https"):
        make(address="http://example.org/releases.json")[0].check().result(10)


def test_the_local_only_switch_forbids_it(make: Make) -> None:
    with pytest.raises(LocalOnly):
        make(is_local_only=True, address="https://example.org/x.json")[0].check().result(10)


def test_it_is_off_until_somebody_wants_it(make: Make, server: ReleaseServer) -> None:
    updates, notices = make(is_wanted=False)
    updates.check_when_due()
    updates.close()
    assert (server.asked, notices) == (0, [])


def test_once_a_day_and_one_notice_for_each_version(make: Make, server: ReleaseServer) -> None:
    updates, notices = make()
    updates.check_when_due()
    wait_until(lambda: notices)
    assert notices == [
        Notice("Scrubjay 99.0.1 is there", "Finds more. Get it at https://example.org/new")
    ]
    updates.check_when_due()
    updates.check().result(10)
    assert server.asked == 2  # the second time was too early, the third was a person


@pytest.mark.parametrize("noted", ["2026-01-01T00:00:00+00:00", "2999-01-01T00:00:00+00:00", "x"])
def test_a_day_later_or_with_a_clock_that_was_wrong_it_asks_again(
    make: Make, server: ReleaseServer, tmp_path: Path, noted: str
) -> None:
    file = Paths.under(tmp_path).state / "updates.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"checkedAt": noted, "told": "99.0.1", "sequence": 7}))
    updates, notices = make()
    updates.check_when_due()
    updates.check().result(10)
    assert (server.asked, notices) == (2, [])


def test_a_checkout_says_that_it_knows_no_releases(tmp_path: Path) -> None:
    assert shipped_feed().address == ""
    updates = Updates(Paths.under(tmp_path), Network(lambda: False), EventBus(), lambda: True)
    with pytest.raises(UpdateRefused, match="does not know"):
        updates.check().result(10)
    updates.close()


def test_a_copy_that_knows_no_releases_says_so_once_to_whoever_wants_the_check(
    tmp_path: Path,
) -> None:
    events, notices = EventBus(), []
    events.subscribe(notices.append)
    for _ in range(2):
        updates = Updates(Paths.under(tmp_path), Network(lambda: False), events, lambda: True)
        updates.check_when_due()
        wait_until(lambda: notices)
        updates.close()
    assert [one.title for one in notices] == [
        "This copy of Scrubjay does not know where releases are"
    ]


@pytest.mark.parametrize("text", ["", "[]", '{"address": "https://a.b", "keys": ["AAAA"]}'])
def test_a_damaged_address_is_no_address(tmp_path: Path, text: str) -> None:
    file = tmp_path / "updates.json"
    file.write_text(text)
    assert shipped_feed(file) == Feed("", ())
