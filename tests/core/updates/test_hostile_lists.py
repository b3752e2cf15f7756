"""Servers that answer a check for a newer version with anything but an honest list."""

from __future__ import annotations

import contextlib
import gzip
import json
import random
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scrubjay.concurrency.thread_pool import DaemonThreadPool
from scrubjay.errors import UpdateRefused
from scrubjay.event_bus import EventBus
from scrubjay.events import Notice
from scrubjay.platform.http_access import Network
from scrubjay.platform.paths import Paths
from scrubjay.updates.check import Release, Updates
from support.attacks import mutated, tries
from support.releases import NEW, RawServer, ReleaseServer, release_list, release_server
from support.vault import TIMEOUT
from support.waiting import wait_until

Check = Callable[..., Release | None]
LATER = "2999-01-01T00:00:00+00:00"


@pytest.fixture
def check(tmp_path: Path) -> Iterator[Check]:
    """A check at an address, and what it is answered."""
    with contextlib.ExitStack() as stack:

        def ask(address: str, seconds: float = TIMEOUT) -> Release | None:
            updates = Updates(
                Paths.under(tmp_path),
                DaemonThreadPool("test"),
                Network(lambda: False),
                EventBus(),
                address,
                seconds,
            )
            stack.callback(updates.close)
            return updates.check().result(TIMEOUT)

        yield ask


@pytest.fixture
def server() -> Iterator[ReleaseServer]:
    with release_server() as server:
        yield server


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
LIST = release_list(NEW)
SENT: dict[str, bytes] = {
    "nothing": b"",
    "garbage": b"\x16\x03\x01\x02\x00 garbage",
    "half a head": HEAD,
    "another protocol": b"SSH-2.0-OpenSSH_9.6\r\n",
    "a status that is none": b"HTTP/1.1 999 \x1b[2J\r\n\r\n" + LIST,
    "a status of letters": b"HTTP/1.1 abc OK\r\n\r\n" + LIST,
    "no content": b"HTTP/1.1 204 No Content\r\n\r\n",
    "not modified": b"HTTP/1.1 304 Not Modified\r\n\r\n",
    "a length below zero": HEAD + b"Content-Length: -1\r\n\r\n" + LIST,
    "two lengths": HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n" + LIST,
    "a longer length": HEAD + b"Content-Length: 100000\r\n\r\n" + LIST,
    "an endless length": HEAD + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n" + LIST,
    "odd chunks": HEAD + b"Transfer-Encoding: chunked\r\n\r\n-5\r\n" + LIST,
    "an odd coding": HEAD + b"Transfer-Encoding: gzip\r\n\r\n" + LIST,
    "a head of odd bytes": HEAD + b"X: \xff\xfe\r\nLocation: \xff\x00\r\n\r\n" + LIST,
    "a web page": HEAD + b"\r\n<!doctype html><title>Sign in</title>",
    "a web page that holds it": HEAD + b"\r\n<pre>" + LIST + b"</pre>",
    "two lists": HEAD + b"\r\n" + LIST * 2,
    "packed by gzip": HEAD + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b" " * 10**8, 1),
    "packed by deflate": HEAD + b"Content-Encoding: deflate\r\n\r\n" + zlib.compress(LIST),
    "packed by no name": HEAD + b"Content-Encoding: \x1b[2J\r\n\r\n" + gzip.compress(LIST),
    "too long": HEAD + b"\r\n" + b" " * 1_000_001 + LIST,
}


@pytest.mark.parametrize("sent", SENT.values(), ids=SENT)
def test_whatever_a_server_sends_is_refused_in_a_sentence(check: Check, sent: bytes) -> None:
    server = RawServer(sent)
    with contextlib.closing(server), pytest.raises(UpdateRefused) as refused:
        check(server.address)
    assert str(refused.value).isprintable()


ENDLESS: dict[str, tuple[bytes, bytes]] = {
    "a list": (HEAD + b"\r\n", b" " * 1000),
    "chunks": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "chunks of nothing": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1;x=y\r\n \r\n"),
    "fields": (HEAD, b"X-Endless: 1\r\n"),
    "a field": (HEAD + b"X: ", b"x" * 100),
    "promises": (b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    "lines before": (b"\r\n", b"\r\n"),
}


@pytest.mark.parametrize(("first", "then"), ENDLESS.values(), ids=ENDLESS)
def test_a_server_without_an_end_is_left(check: Check, first: bytes, then: bytes) -> None:
    server = RawServer(first, then)
    with contextlib.closing(server):
        with pytest.raises(UpdateRefused):
            check(server.address, seconds=2)
        assert server.was_left.wait(TIMEOUT)


@pytest.mark.parametrize(
    "location",
    [
        "{other}",
        "{itself}",
        "//127.0.0.1:{port}/releases.json",
        "releases.json",
        "https://127.0.0.1:{port}/",
        "http://example.org/",
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "javascript:alert(1)",
        "http://[",
        "http://a:99999999/",
        "",
        "\x1b[2J",
        "http://" + "a" * 5000,
    ],
)
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirect_is_followed(
    check: Check, server: ReleaseServer, status: int, location: str
) -> None:
    with release_server() as other:
        port = other.address.split(":")[2].split("/")[0]
        place = {"other": other.address, "itself": server.address, "port": port}
        server.status, server.location = status, location.format(**place)
        with pytest.raises(UpdateRefused):
            check(server.address)
        assert (server.requests, other.requests) == (1, 0)


ODD: list[dict[str, Any]] = [
    *(
        {"version": version}
        for version in (
            "99999999999", "9" * 100_000 + ".0", "9.9\n", "\n9.9", "9.9 ", "٩.٩", "９.９",
            "9.9\x1b[2J", "9.9\u202e1", "9.9\0", "-9.9", "9", "9.", ".9", "9..9", "9.9.9.9.9",
            "v9.9", "9.9-rc1", "9.9+x", "1e9.0", "", 9.9, 9, None, True, ["9.9"], {"9": "9"},
        )
    ),
    *(
        {"page": page}
        for page in (
            "http://127.0.0.1/", "HTTPS://127.0.0.1/", "//127.0.0.1/", "https:/127.0.0.1", "https://",
            "https:///new", "https://evil.example/", "https://127.0.0.1.evil.example/",
            "https://127.0.0.1@evil.example/", "https://evil.example\\@127.0.0.1/",
            "https://evil.example#@127.0.0.1/", "https://evil.example?127.0.0.1",
            "https://evil.example:443/https://127.0.0.1/", "https://[::1]/", "https://127.0.0.1/\n",
            "https://127.0.0.1/ x", "https://127.0.0.1/\x1b]8;;", "https://127.0.0.1/\u202e",
            'https://127.0.0.1/"onclick', "https://127.0.0.1/<b>", "https://127.0.0.1/$(reboot)",
            "https://127.0.0.1/`x`", "https://ex\u0430mple.org/", "javascript:alert(1)",
            "data:text/html,x", "file:///etc/passwd", "https://127.0.0.1/" + "a" * 500, "", None, 5,
        )
    ),
    *({"summary": summary} for summary in ("x" * 1001, 5, None, ["x"], {"a": "b"}, True)),
    *({"date": date} for date in ("", "2026-13-01", "0000-00-00", "yesterday", 5, None, [], True)),
]  # fmt: skip


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: ascii(str(odd)[:40]))
def test_a_release_with_an_odd_field_is_refused(
    check: Check, server: ReleaseServer, odd: dict[str, Any]
) -> None:
    server.body = release_list(NEW | odd)
    with pytest.raises(UpdateRefused):
        check(server.address)


@pytest.mark.parametrize(
    "body",
    [
        b'{"releases": ' + b"[" * 100_000,
        b'{"other": ' + b"[" * 100_000,
        b'{"other": ' + b'{"a":' * 100_000,
        json.dumps({"releases": [NEW] * 101}).encode(),
        json.dumps({"releases": {"0": NEW}}).encode(),
        b'{"releases": [{}]}',
        b'{"releases": null}',
        b'{"releases": [NaN]}',
        b"\xef\xbb\xbf" + LIST,
        LIST.decode().encode("utf-16"),
        LIST.replace(b"Finds", b"\xff\xfe"),
        LIST.replace(b"Finds", b"\\ud800"),
    ],
)
def test_a_list_of_an_odd_form_is_refused(check: Check, server: ReleaseServer, body: bytes) -> None:
    server.body = body
    with pytest.raises(UpdateRefused):
        check(server.address)


@pytest.mark.parametrize(
    ("summary", "shown"),
    [
        ("Finds\x1b[2J\x1b]0;owned\x07 more", "Finds[2J]0;owned more"),
        ("Finds\u202e more\u2066", "Finds more"),
        ("Finds\r\n\r\n  more\b\b", "Finds more"),
        ("\u200b\0", ""),
        ("<b>Finds</b> & more", "<b>Finds</b> & more"),
    ],
)
def test_the_news_of_a_release_are_one_line_that_acts_on_nothing(
    check: Check, server: ReleaseServer, summary: str, shown: str
) -> None:
    server.body = release_list(NEW | {"summary": summary})
    newer = check(server.address)
    assert newer is not None
    assert newer.summary == shown


def test_an_older_list_offers_nothing(check: Check, server: ReleaseServer) -> None:
    server.body = release_list(*(NEW | {"version": each} for each in ("0.0", "0.0.9", "0.1.0")))
    assert check(server.address) is None


@pytest.mark.parametrize(
    "state",
    [
        {"checkedAt": "0001-01-01T00:00:00+23:59"},
        {"checkedAt": "9999-12-31T23:59:59-23:59"},
        {"checkedAt": LATER, "told": {"a": 1}},
        {"checkedAt": "2026-01-01"},
        {"checkedAt": ["2026-01-01"], "told": None},
        {"checkedAt": 1e300},
        {"told": "9" * 100_000},
    ],
    ids=lambda state: str(state)[:60],
)
def test_an_odd_record_of_the_last_check_does_not_end_the_checks(
    tmp_path: Path, server: ReleaseServer, state: dict[str, Any]
) -> None:
    file = Paths.under(tmp_path).state / "updates.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(state))
    events, notices = EventBus(), list[Any]()
    events.subscribe(notices.append)
    updates = Updates(
        Paths.under(tmp_path),
        DaemonThreadPool("test"),
        Network(lambda: False),
        events,
        server.address,
    )
    with contextlib.closing(updates):
        updates.check_when_due()
        wait_until(lambda: notices)
    assert [notice.title for notice in notices if isinstance(notice, Notice)] == [
        "Scrubjay 99.0.1 is available"
    ]


def test_nothing_of_a_hostile_answer_is_kept(
    check: Check, server: ReleaseServer, tmp_path: Path
) -> None:
    server.body = release_list(NEW | {"summary": "PLANTED", "page": "https://127.0.0.1/PLANTED"})
    assert check(server.address)
    server.body = b'{"releases": "PLANTED"}'
    with pytest.raises(UpdateRefused):
        check(server.address)
    kept = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert kept
    assert not [file for file in kept if b"PLANTED" in file.read_bytes()]


@pytest.mark.soak
def test_answers_changed_at_random_are_refused_or_honest(check: Check) -> None:
    dice = random.Random(6)
    honest = HEAD + b"Content-Length: %d\r\n\r\n" % len(LIST) + LIST
    for _ in range(tries(60, 10_000)):
        sent = mutated(dice, honest)
        server = RawServer(sent)
        with contextlib.closing(server):
            try:
                newer = check(server.address)
            except UpdateRefused as refused:
                assert str(refused).isprintable(), sent  # noqa: PT017
                continue
        shown = "" if newer is None else f"{newer.version}{newer.page}{newer.summary}"
        assert shown.isprintable(), sent
