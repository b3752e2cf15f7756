"""The daily check for a newer version, which never installs anything.

The list of releases is JSON: `{"releases": [{"version": "1.2", "date": "2026-11-20", "page":
"https://…", "summary": "…"}]}`. The publisher of a build writes its address into `updates.json`.
Any other answer of a server is refused, and only the version is stored.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import logging
import re
import time
from concurrent.futures import Executor, Future
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from scrubjay.concurrency.io_timeout import IoTimedOut, IoTimeout
from scrubjay.concurrency.thread_pool import SerialQueue
from scrubjay.errors import ScrubjayError, UpdateRefused
from scrubjay.event_bus import EventBus
from scrubjay.events import Notice
from scrubjay.messages import join_sentences, msg
from scrubjay.platform.http_access import (
    Network,
    RequestConnections,
    host_of,
    is_this_computer,
    network_reason,
)
from scrubjay.platform.paths import Paths, resources
from scrubjay.platform.state_file import StateFile
from scrubjay.text.printable import visible_text
from scrubjay.version import current_version

log = logging.getLogger(__name__)

_SECONDS = 20.0
"""Seconds that a whole check may take, since nobody waits for it."""
_MAX_BYTES = 1_000_000
"""Bytes of a list, which has some thousand."""
_A_DAY = dt.timedelta(days=1)
"""Time between two checks."""


_VERSION = r"\A[0-9]{1,6}(\.[0-9]{1,6}){1,3}\Z"
_PAGE = r"\Ahttps://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~%/?=&+,;:!#-]*)?\Z"
"""Address without a user or a backslash, with which it would lead elsewhere than it seems."""


class Release(Struct, frozen=True):
    """A published version."""

    version: Annotated[str, Meta(pattern=_VERSION)]
    date: dt.date
    page: Annotated[str, Meta(pattern=_PAGE, max_length=500)]
    """Address where a person gets it, on the host of the list."""
    summary: Annotated[str, Meta(max_length=1000)] = ""
    """News of the version, in a sentence or two on one line."""


class _ReleaseList(Struct, frozen=True):
    """The list as a server sends it."""

    releases: Annotated[tuple[Release, ...], Meta(max_length=100)]


class Updates:
    """Checks for a newer version. For any thread. It downloads only the list of versions."""

    def __init__(
        self,
        paths: Paths,
        pool: Executor,
        network: Network,
        events: EventBus,
        address: str = "",
        seconds: float = _SECONDS,
    ) -> None:
        """Without an address, that of this build counts; a checkout has none.

        A whole check may take so many seconds.
        """
        self._seconds = seconds
        self._timeout = IoTimeout(seconds)
        build = StateFile(resources() / "updates.json")
        self._address = address or str(build.read().get("address", ""))
        self._file = StateFile(paths.state / "updates.json")
        self._network = network
        self._events = events
        self._jobs = SerialQueue(pool)

    def check(self) -> Future[Release | None]:
        """The newest release if it is newer. The future may raise UpdateRefused or LocalOnly."""
        return self._jobs.submit(self._newer)

    def check_when_due(self) -> None:
        """Check in the background if a day has passed; a newer release is a Notice."""
        self._jobs.submit(self._check_if_due)

    def close(self) -> None:
        """Stop checking, without waiting for a slow server."""
        self._jobs.close(seconds=0.1)

    def _check_if_due(self) -> None:
        """Check, and tell of a newer release, or that this copy cannot check."""
        if self._was_checked_today():
            return
        try:
            newer = self._newer()
        except ScrubjayError as error:
            log.info("No list of releases: %s", error)
            # A server that does not answer now answers tomorrow; a missing address never comes.
            if not self._address:
                self._tell("no list", title=error.title, text=(error.message, error.hint))
            return
        if newer is not None:
            title = msg("Scrubjay {version} is available", version=newer.version)
            page = msg("Download the new version from {page}", page=newer.page)
            self._tell(newer.version, title=title, text=(newer.summary, page))

    def _was_checked_today(self) -> bool:
        """Whether less than a day has passed since the last check."""
        with contextlib.suppress(OSError, KeyError, TypeError, ValueError):
            checked_at = dt.datetime.fromisoformat(self._file.read()["checkedAt"])
            # A clock that was set back must not silence the check for years.
            return dt.timedelta() <= dt.datetime.now(dt.UTC) - checked_at < _A_DAY
        return False

    def _tell(self, key: str, *, title: str, text: tuple[str, str]) -> None:
        """Publish a Notice of two sentences, once for each key."""
        if self._replaced("told", key) != key:
            self._events.publish(Notice(title, join_sentences(" ", filter(None, text))))

    def _newer(self) -> Release | None:
        """The newest release if it is newer. Raises UpdateRefused or LocalOnly."""
        if not self._address:
            raise UpdateRefused(
                "This copy of Scrubjay does not know where to check for newer versions",
                "This copy of Scrubjay was built without an address for newer versions.",
                hint="Check for newer versions where you got Scrubjay.",
            )
        if not self._address.startswith("https://") and not is_this_computer(self._address):
            raise _refusal(msg("The address of the list of versions is not secure."))
        # A check counts once the list has come, whatever is in it.
        releases = self._releases()
        self._replaced("checkedAt", dt.datetime.now(dt.UTC).isoformat())
        current = version_key(current_version())
        newer = [release for release in releases if version_key(release.version) > current]
        newest = max(newer, key=lambda release: version_key(release.version), default=None)
        if newest is None:
            return None
        if host_of(newest.page) != host_of(self._address):
            raise _refusal(msg("The list of versions points to a page on another server."))
        # What a stranger wrote must not move the cursor of a terminal.
        summary = " ".join(visible_text(newest.summary).split())
        return msgspec.structs.replace(newest, summary=summary)

    def _releases(self) -> tuple[Release, ...]:
        """All that the list names. Raises UpdateRefused or LocalOnly."""
        import httpx2

        connections = RequestConnections()
        # The list is a stranger's, and so is the server.
        try:
            received = self._timeout.call(lambda: self._received(connections))
            return msgspec.json.decode(received, type=_ReleaseList).releases
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise _refusal(msg("The list of versions is not in the expected format.")) from error
        except (httpx2.HTTPError, httpx2.InvalidURL, IoTimedOut) as error:
            reason = msg("The server did not respond in time.")
            if not isinstance(error, IoTimedOut):
                reason = msg("{reason}.", reason=network_reason(error))
            if isinstance(error, httpx2.HTTPStatusError):
                reason = msg(
                    "The server responded with error {status}.",
                    status=str(error.response.status_code),
                )
            raise UpdateRefused(
                "Scrubjay could not check for newer versions",
                reason,
                hint="Check the internet connection, and try again later.",
            ) from error
        finally:
            # A thread that was left behind would continue for as long as the server does.
            connections.hang_up()

    def _received(self, connections: RequestConnections) -> bytes:
        """The bytes of the list, as they came: packed ones could be a thousand times as large."""
        headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
        until = time.monotonic() + self._seconds
        received = bytearray()
        with (
            self._network.client(self._address, headers) as client,
            client.stream(
                "GET", self._address, timeout=self._seconds, extensions=connections.extensions
            ) as response,
        ):
            # A server may send a byte now and then, or send without end.
            for piece in response.raise_for_status().iter_raw():
                received += piece
                if time.monotonic() > until:
                    raise IoTimedOut
                if len(received) > _MAX_BYTES:
                    raise _refusal(msg("The list of versions is too long."))
        return bytes(received)

    def _replaced(self, key: str, value: str) -> object:
        """The former value in our file; in a folder that cannot be written to it stays."""
        former = None
        with contextlib.suppress(OSError), self._file.changed() as state:
            former = state.get(key)
            state[key] = value
        return former


def version_key(version: str) -> tuple[int, ...]:
    """Numbers of a version, to sort by; zeros at the end make no difference."""
    return tuple(int(part) for part in re.findall(r"\d+", re.sub(r"(\.0+)+$", "", version)))


def _refusal(reason: str) -> UpdateRefused:
    return UpdateRefused(
        "The list of newer versions cannot be trusted",
        reason,
        hint="Try again tomorrow. Until then, this version of Scrubjay keeps working.",
    )
