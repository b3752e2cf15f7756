"""A daily check for a newer version. Nothing is ever installed.

The list of releases is JSON: `{"releases": [{"version": "1.2", "date": "2026-11-20", "page":
"https://…", "summary": "…"}]}`. The publisher of a build writes its address into `updates.json`.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import logging
import re
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from scrubjay.concurrency.thread_pool import SerialQueue
from scrubjay.errors import ScrubjayError, UpdateRefused
from scrubjay.events import EventBus, Notice
from scrubjay.messages import joined, msg
from scrubjay.platform.http_access import Network, is_this_computer, network_reason
from scrubjay.platform.paths import Paths, resources
from scrubjay.platform.state_file import StateFile
from scrubjay.version import current_version

log = logging.getLogger(__name__)

_TIMEOUT_SECONDS = 20.0


class Release(BaseModel):
    """A published version."""

    model_config = ConfigDict(frozen=True)

    version: str = Field(pattern=r"^\d{1,6}(\.\d{1,6}){1,3}$")
    date: dt.date
    page: str = Field(pattern=r"^https://[^\s]+$", max_length=500)
    """Address where a person gets it."""
    summary: str = Field(default="", max_length=1000)
    """News of the version, in a sentence or two."""


class _ReleaseList(BaseModel):
    releases: tuple[Release, ...] = Field(max_length=100)


@dataclass(frozen=True, slots=True)
class UpdateState:
    """Result of a check."""

    current: str
    """Version of this Scrubjay."""
    newer: Release | None
    """None when this is the newest."""
    checked_at: dt.datetime


class Updates:
    """Checks for a newer version. For any thread; nothing is downloaded but the list."""

    def __init__(
        self,
        paths: Paths,
        pool: Executor,
        network: Network,
        events: EventBus,
        is_enabled: Callable[[], bool],
        *,
        address: str | None = None,
    ) -> None:
        """Is_enabled tells whether the user switched the daily check on."""
        self._file = StateFile(paths.state / "updates.json", private=False)
        self._network = network
        self._events = events
        self._is_enabled = is_enabled
        self._address = feed_address() if address is None else address
        self._jobs = SerialQueue(pool)

    def check(self) -> Future[UpdateState]:
        """Check now. The future may raise UpdateRefused or LocalOnly."""
        return self._jobs.submit(self._check)

    def check_when_due(self) -> None:
        """Check in the background if enabled and a day has passed; a newer release is a Notice."""
        if self._is_enabled():
            self._jobs.submit(self._check_if_due)

    def close(self) -> None:
        """Stop checking, without waiting for a slow server."""
        self._jobs.close(seconds=0.1)

    def _check_if_due(self) -> None:
        with contextlib.suppress(OSError, KeyError, TypeError, ValueError):
            age = dt.datetime.now(dt.UTC) - dt.datetime.fromisoformat(
                self._file.read()["checkedAt"]
            )
            # A clock that was set back must not silence the check for years.
            if dt.timedelta() <= age < dt.timedelta(days=1):
                return
        try:
            newer = self._check().newer
        except ScrubjayError as error:
            log.info("No list of releases: %s", error)
            if not self._address:
                text = joined(" ", (error.message, error.hint))
                self._publish_once("no list", Notice(error.title, text))
            return
        if newer:
            page = msg("Get it at {page}", page=newer.page)
            text = joined(" ", filter(None, (newer.summary, page)))
            title = msg("Scrubjay {version} is there", version=newer.version)
            self._publish_once(newer.version, Notice(title, text))

    def _publish_once(self, key: str, notice: Notice) -> None:
        with contextlib.suppress(OSError):
            if self._file.read().get("told") == key:
                return
        self._remember("told", key)
        self._events.publish(notice)

    def _check(self) -> UpdateState:
        if not self._address:
            raise UpdateRefused(
                "This copy of Scrubjay does not know where releases are",
                "It was built without the address of their list.",
                hint="Look where you got it from.",
            )
        now, current = dt.datetime.now(dt.UTC), current_version()
        try:
            releases = _ReleaseList.model_validate_json(self._fetch()).releases
        except ValidationError as error:
            raise _refusal(msg("It is not in the form that was expected.")) from error
        self._remember("checkedAt", now.isoformat())
        newest = max(releases, key=lambda release: version_key(release.version), default=None)
        is_newer = newest is not None and version_key(newest.version) > version_key(current)
        return UpdateState(current, newest if is_newer else None, now)

    def _fetch(self) -> bytes:
        if not self._address.startswith("https://") and not is_this_computer(self._address):
            raise _refusal(msg("Its address is not https."))
        import httpx2

        headers = {"Accept": "application/json"}
        try:
            with self._network.client(self._address, headers) as client:
                response = client.get(self._address, timeout=_TIMEOUT_SECONDS)
                return response.raise_for_status().content
        except httpx2.HTTPError as error:
            reason = msg("{reason}.", reason=network_reason(error))
            if isinstance(error, httpx2.HTTPStatusError):
                reason = msg("It answered {status}.", status=str(error.response.status_code))
            raise UpdateRefused(
                "The list of releases could not be fetched",
                reason,
                hint="Check the connection, and try again later.",
            ) from error

    def _remember(self, key: str, value: str) -> None:
        # In a folder that cannot be written to, the check repeats itself, but works.
        with contextlib.suppress(OSError), self._file.changed() as state:
            state[key] = value


def feed_address(file: Path | None = None) -> str:
    """Address of the list of releases from `updates.json`; empty in a checkout."""
    try:
        return str(json.loads((file or resources() / "updates.json").read_bytes())["address"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.warning("updates.json: %s", error)
        return ""


def version_key(version: str) -> tuple[int, ...]:
    """Numbers of a version, to sort by; zeros at the end make no difference."""
    return tuple(int(part) for part in re.findall(r"\d+", re.sub(r"(\.0+)+$", "", version)))


def _refusal(reason: str) -> UpdateRefused:
    return UpdateRefused(
        "The list of releases is not trusted",
        reason,
        hint="Try again tomorrow; Scrubjay goes on as it is.",
    )
