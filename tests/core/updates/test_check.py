"""The check for a newer version: only over https, one notice a version."""

from __future__ import annotations

import datetime as dt
import gzip
import json
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.errors import LocalOnly, UpdateRefused
from scrubjay.event_bus import EventBus
from scrubjay.events import Notice
from scrubjay.platform.http_access import Network
from scrubjay.platform.paths import Paths
from scrubjay.updates.check import Updates, version_key
from support.releases import NEW, OLD, ReleaseServer, release_list, release_server
from support.waiting import wait_until


@pytest.fixture
def server() -> Iterator[ReleaseServer]:
    with release_server() as server:
        yield server


Make = Callable[..., tuple[Updates, list[Notice]]]


@pytest.fixture
def make(tmp_path: Path, server: ReleaseServer) -> Iterator[Make]:
    checks: list[Updates] = []

    def make_updates(
        *, is_local_only: bool = False, address: str = "", seconds: float = 20.0
    ) -> tuple[Updates, list[Notice]]:
        events, notices = EventBus(), []
        events.subscribe(notices.append)
        updates = Updates(
            Paths.under(tmp_path),
            DaemonThreadPool("test"),
            Network(lambda: is_local_only),
            events,
            address or server.address,
            seconds,
        )
        checks.append(updates)
        return updates, notices

    yield make_updates
    for updates in checks:
        updates.close()


def test_a_newer_release_is_told(make: Make) -> None:
    newer = make()[0].check().result(10)
    assert newer is not None
    assert (newer.version, newer.page) == ("99.0.1", "https://127.0.0.1/new")
    assert newer.date == dt.date(2026, 11, 20)


@pytest.mark.parametrize("releases", [[], [OLD]])
def test_the_newest_has_nothing_newer(make: Make, server: ReleaseServer, releases) -> None:
    server.body = release_list(*releases)
    assert make()[0].check().result(10) is None


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{}",
        b"[" * 100_000,
        b"\xff\xfe",
        b'{"releases": 1}',
        release_list({**NEW, "page": "http://a.b"}),
        release_list({**NEW, "version": "1.0rc1"}),
    ],
)
def test_a_list_of_another_form_is_refused(make: Make, server: ReleaseServer, body: bytes) -> None:
    server.body = body
    with pytest.raises(UpdateRefused, match="form"):
        make()[0].check().result(10)


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_a_list_is_read_no_further_than_its_limit(
    make: Make, server: ReleaseServer, encoding: str
) -> None:
    text = release_list(NEW) + b" " * 50_000_000
    server.body = gzip.compress(text, 1) if encoding == "gzip" else text[:2_000_000]
    server.encoding = encoding
    tracemalloc.start()
    try:
        with pytest.raises(UpdateRefused, match=r"form|too long"):
            make()[0].check().result(10)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000 + 2 * len(server.body)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("part", ["head", "body"])
def test_a_server_that_answers_a_byte_at_a_time_is_left(
    make: Make, server: ReleaseServer, part: str
) -> None:
    server.dripping = part
    with pytest.raises(UpdateRefused, match="in time"):
        make(seconds=0.3)[0].check().result(20)


@pytest.mark.parametrize("status", [404, 500])
def test_a_server_that_refuses_is_an_expected_failure(
    make: Make, server: ReleaseServer, status: int
) -> None:
    server.status = status
    with pytest.raises(UpdateRefused, match=str(status)):
        make()[0].check().result(10)


def test_no_plain_http_beyond_this_computer(make: Make) -> None:
    with pytest.raises(UpdateRefused, match="not secure"):
        make(address="http://example.org/releases.json")[0].check().result(10)


def test_the_local_only_switch_forbids_it(make: Make) -> None:
    with pytest.raises(LocalOnly):
        make(is_local_only=True, address="https://example.org/x.json")[0].check().result(10)


def test_once_a_day_and_one_notice_for_each_version(make: Make, server: ReleaseServer) -> None:
    updates, notices = make()
    updates.check_when_due()
    wait_until(lambda: notices)
    assert notices == [
        Notice(
            "Scrubjay 99.0.1 is available",
            "Finds more. Download the new version from https://127.0.0.1/new",
        )
    ]
    updates.check_when_due()
    updates.check().result(10)
    assert server.requests == 2  # the second time was too early, the third was a person


@pytest.mark.parametrize("time", ["2026-01-01T00:00:00+00:00", "2999-01-01T00:00:00+00:00", "x"])
def test_a_day_later_or_with_a_clock_that_was_wrong_it_asks_again(
    make: Make, server: ReleaseServer, tmp_path: Path, time: str
) -> None:
    file = Paths.under(tmp_path).state / "updates.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"checkedAt": time, "told": "99.0.1"}))
    updates, notices = make()
    updates.check_when_due()
    updates.check().result(10)
    assert (server.requests, notices) == (2, [])


def test_a_checkout_says_that_it_knows_no_releases(tmp_path: Path) -> None:
    updates = Updates(
        Paths.under(tmp_path), DaemonThreadPool("test"), Network(lambda: False), EventBus()
    )
    with pytest.raises(UpdateRefused, match="does not know"):
        updates.check().result(10)
    updates.close()


def test_a_copy_that_knows_no_releases_says_so_once_to_a_user_who_enables_the_check(
    tmp_path: Path,
) -> None:
    events, notices = EventBus(), []
    events.subscribe(notices.append)
    for _ in range(2):
        updates = Updates(
            Paths.under(tmp_path), DaemonThreadPool("test"), Network(lambda: False), events
        )
        updates.check_when_due()
        wait_until(lambda: notices)
        updates.close()
    assert [notice.title for notice in notices] == [
        "This copy of Scrubjay does not know where to check for newer versions"
    ]


@pytest.mark.parametrize(
    ("smaller", "larger"), [("0.9", "0.10"), ("1.0", "1.0.1"), ("0.99.99", "1"), ("2.0", "10.0")]
)
def test_versions_sort_as_numbers(smaller: str, larger: str) -> None:
    assert version_key(smaller) < version_key(larger)


def test_zeros_at_the_end_make_no_difference() -> None:
    assert version_key("1.0.0") == version_key("1")
