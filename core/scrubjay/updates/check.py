"""Asks for the list of releases, once a day at most unless a person asks."""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import logging
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrubjay.concurrency.worker import Worker
from scrubjay.errors import ScrubjayError, UpdateRefused
from scrubjay.events import EventBus, Notice
from scrubjay.messages import Sentence, joined, msg
from scrubjay.platform.http_access import Network, is_this_computer, network_reason
from scrubjay.platform.paths import Paths, resources
from scrubjay.platform.state_file import StateFile
from scrubjay.updates.manifest import Manifest, Release, keys_from, opened, refused, version_key
from scrubjay.version import current_version

if TYPE_CHECKING:
    import httpx2

log = logging.getLogger(__name__)

_EVERY = dt.timedelta(days=1)
_MAX_BYTES = 256 * 1024
_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Feed:
    """Where the list of releases is, and whose signature counts."""

    address: str
    """Empty in a build that nobody publishes."""
    keys: tuple[bytes, ...]

    @property
    def is_published(self) -> bool:
        """Whether there is a list, and a key that it can be checked with."""
        return bool(self.address and self.keys)


@dataclass(frozen=True, slots=True)
class UpdateState:
    """What the list of releases says."""

    current: str
    """Version of this Scrubjay."""
    newer: Release | None
    """None when this is the newest."""
    checked_at: dt.datetime


class Updates:
    """Looks for a newer version. For any thread; nothing is downloaded but the list."""

    def __init__(
        self,
        paths: Paths,
        network: Network,
        events: EventBus,
        is_wanted: Callable[[], bool],
        *,
        feed: Feed | None = None,
    ) -> None:
        """Is_wanted tells whether a person switched the daily check on."""
        self._file = StateFile(paths.state / "updates.json", private=False)
        self._network = network
        self._events = events
        self._is_wanted = is_wanted
        self._feed = feed or shipped_feed()
        self._worker = Worker("updates")

    def check(self) -> Future[UpdateState]:
        """Ask now. The future may raise UpdateRefused or LocalOnly."""
        return self._worker.submit(lambda: self._check(dt.datetime.now(dt.UTC)))

    def check_when_due(self) -> None:
        """Ask in the background when that is wanted and a day has passed; a find is a Notice."""
        if self._is_wanted():
            self._worker.submit(self._check_quietly)

    def close(self) -> None:
        """Ask no more. A slow server is not waited for."""
        self._worker.stop(seconds=0.1)

    def _check_quietly(self) -> None:
        now, noted = dt.datetime.now(dt.UTC), self._noted()
        with contextlib.suppress(KeyError, TypeError, ValueError):
            # A clock that was set back must not silence the check for years.
            if dt.timedelta() <= now - dt.datetime.fromisoformat(noted["checkedAt"]) < _EVERY:
                return
        if not self._feed.is_published:
            error = _unpublished()
            self._tell_once(
                "no list", Notice(error.title, joined(" ", (error.message, error.hint)))
            )
            return
        try:
            found = self._check(now).newer
        except ScrubjayError as error:
            log.info("No list of releases: %s", error)
            return
        if found:
            news = Notice(msg("Scrubjay {version} is there", version=found.version), _told(found))
            self._tell_once(found.version, news)

    def _tell_once(self, what: str, news: Notice) -> None:
        if self._noted().get("told") != what:
            self._note(told=what)
            self._events.publish(news)

    def _check(self, now: dt.datetime) -> UpdateState:
        if not self._feed.is_published:
            raise _unpublished()
        manifest = opened(self._fetched(self._feed.address), self._feed.keys, now)
        highest = self._noted().get("sequence", 0)
        if isinstance(highest, int) and manifest.sequence < highest:
            raise refused(msg("An older list than the last one was sent."))
        self._note(sequence=manifest.sequence, checkedAt=now.isoformat())
        return _state(manifest, now)

    def _fetched(self, address: str) -> bytes:
        if not address.startswith("https://") and not is_this_computer(address):
            raise refused(msg("Its address is not https."))
        import httpx2

        try:
            with (
                self._network.client(address, {"Accept": "application/json"}) as client,
                client.stream("GET", address, timeout=_SECONDS) as answer,
            ):
                answer.raise_for_status()
                received = bytearray()
                for part in answer.iter_bytes():
                    received += part
                    if len(received) > _MAX_BYTES:
                        raise refused(msg("It is larger than such a list can be."))
                return bytes(received)
        except httpx2.HTTPError as error:
            raise UpdateRefused(
                "The list of releases could not be fetched",
                _why(error),
                hint="Check the connection, and try again later.",
            ) from error

    def _noted(self) -> dict[str, Any]:
        try:
            return self._file.read()
        except OSError:
            return {}

    def _note(self, **news: str | int) -> None:
        # A folder that cannot be written to makes the check forgetful, not impossible.
        with contextlib.suppress(OSError), self._file.changed() as noted:
            noted |= news


def shipped_feed(file: Path | None = None) -> Feed:
    """What the publisher of this build wrote into `updates.json`; empty in a checkout."""
    try:
        written = json.loads((file or resources() / "updates.json").read_text(encoding="utf-8"))
        return Feed(str(written["address"]), keys_from(written["keys"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.warning("updates.json: %s", error)
        return Feed("", ())


def _why(error: httpx2.HTTPError) -> Sentence:
    import httpx2

    if isinstance(error, httpx2.HTTPStatusError):
        return msg("It answered {status}.", status=str(error.response.status_code))
    return msg("{reason}.", reason=network_reason(error))


def _unpublished() -> UpdateRefused:
    return UpdateRefused(
        "This copy of Scrubjay does not know where releases are",
        "It was not built by a publisher who signs them.",
        hint="Look where you got it from.",
    )


def _state(manifest: Manifest, now: dt.datetime) -> UpdateState:
    current, newest = current_version(), manifest.newest
    is_newer = newest is not None and version_key(newest.version) > version_key(current)
    return UpdateState(current, newest if is_newer else None, now)


def _told(release: Release) -> str:
    return joined(" ", filter(None, (release.summary, msg("Get it at {page}", page=release.page))))
