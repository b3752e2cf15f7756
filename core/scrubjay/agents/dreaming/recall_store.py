"""The files in `memory/.dreams/`, which other programs read and write as well."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import psutil
from filelock import FileLock

from scrubjay.agents.dreaming.promotion_score import Reinforcement
from scrubjay.agents.dreaming.recall_entry import (
    RecallEntry,
    is_recordable,
    key_of,
    moment,
    read_entry,
    recorded,
    stamp,
)
from scrubjay.errors import ScrubjayError
from scrubjay.messages import msg
from scrubjay.platform.state_file import StateFile
from scrubjay.records.search_records import Hit

MAX_ENTRIES = 2000
"""Places of our making; the ones that were found longest ago go first. Promoted ones stay."""

_FOLDER = Path("memory") / ".dreams"
_RECALLS = "short-term-recall.json"
_SIGNALS = "phase-signals.json"
_FOREIGN_LOCK = "short-term-promotion.lock"
"""OpenClaw makes this file while it works here, and removes it again."""
_OUR_LOCK = ".scrubjay.lock"
_STALE_S = 60.0
_WAIT_S = 10.0
_PAUSE_S = 0.04


Search: TypeAlias = tuple[str, Sequence[Hit]]
"""A query, and what it found."""


class DreamsBusy(ScrubjayError):
    """Another program is at work on the same files."""


class DreamStore:
    """What was found, and what the phases met, for one workspace.

    Methods may raise DreamsBusy and OSError.
    """

    def __init__(self, root: Path) -> None:
        self.folder = root / _FOLDER
        self._recalls = StateFile(
            self.folder / _RECALLS, private=False, is_large=True, alone=self._alone
        )
        self._signals = StateFile(
            self.folder / _SIGNALS, private=False, is_large=True, alone=self._alone
        )

    def entries(self) -> dict[str, RecallEntry]:
        """Every place that is known, by key."""
        return dict(_entries(self._recalls.read()))

    def reinforcements(self) -> dict[str, Reinforcement]:
        """What the phases met, by key."""
        listed = _table(self._signals.read())
        return {key: _reinforcement(one) for key, one in listed.items() if isinstance(one, dict)}

    def record(self, searches: Iterable[Search], now: dt.datetime) -> int:
        """Note which daily places some searches found; how many they were."""
        found = [
            (query, hit)
            for query, hits in searches
            for hit in hits
            if query.strip() and is_recordable(hit)
        ]
        if not found:
            return 0
        with self._changed(self._recalls, now) as entries:
            for query, hit in found:
                record = entries.get(key_of(hit))
                if not isinstance(record, dict):
                    record = entries[key_of(hit)] = {}
                recorded(record, hit, query, now)
            _shorten(entries)
        return len(found)

    def meet(self, phase: str, keys: Sequence[str], now: dt.datetime) -> None:
        """Note that a phase ("light" or "rem") met places; each counts once a day."""
        hits, last = f"{phase}Hits", f"last{phase.capitalize()}At"
        if not keys:
            return
        with self._changed(self._signals, now) as entries:
            for key in keys:
                record = entries.get(key)
                if not isinstance(record, dict):
                    record = entries[key] = {"lightHits": 0, "remHits": 0}
                before = moment(record.get(last))
                if before is None or before.date() < now.date():
                    count = record.get(hits)
                    record["key"] = key
                    record[hits] = min(9999, count + 1 if isinstance(count, int) else 1)
                    record[last] = stamp(now)

    def mark_promoted(self, keys: Iterable[str], now: dt.datetime | None) -> None:
        """Note that places are in MEMORY.md now; with None that they are not any more."""
        wanted = set(keys)
        if not wanted:
            return
        with self._changed(self._recalls, now or dt.datetime.now().astimezone()) as entries:
            for key in wanted:
                record = entries.get(key)
                if not isinstance(record, dict):
                    continue
                if now:
                    record["promotedAt"] = stamp(now)
                else:
                    record.pop("promotedAt", None)

    @contextlib.contextmanager
    def _changed(self, file: StateFile, now: dt.datetime) -> Iterator[dict[str, Any]]:
        """The table of entries, for changing it."""
        with file.changed() as held:
            held["version"] = held.get("version", 1)
            if not isinstance(held.get("entries"), dict):
                held["entries"] = {}
            yield held["entries"]
            held["updatedAt"] = stamp(now)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep away other Scrubjays, then the other programs that use these files."""
        ours = FileLock(self.folder / _OUR_LOCK, timeout=_WAIT_S)
        with ours, _beside_others(self.folder / _FOREIGN_LOCK):
            yield


def _entries(held: dict[str, Any]) -> Iterator[tuple[str, RecallEntry]]:
    for key, record in _table(held).items():
        if entry := read_entry(key, record):
            yield key, entry


def _table(held: dict[str, Any]) -> dict[str, Any]:
    entries = held.get("entries")
    return entries if isinstance(entries, dict) else {}


def _reinforcement(record: dict[str, Any]) -> Reinforcement:
    def count(name: str) -> int:
        value = record.get(name)
        return max(0, value) if isinstance(value, int) and not isinstance(value, bool) else 0

    return Reinforcement(
        count("lightHits"),
        count("remHits"),
        moment(record.get("lastLightAt")),
        moment(record.get("lastRemAt")),
    )


def _shorten(entries: dict[str, Any]) -> None:
    spare = len(entries) - MAX_ENTRIES
    if spare <= 0:
        return
    known = ((key, read_entry(key, record)) for key, record in entries.items())
    longest = dt.datetime.min.replace(tzinfo=dt.UTC)
    ages = [
        (one.last_recalled or longest, key) for key, one in known if one and not one.is_promoted
    ]
    for _, key in sorted(ages)[:spare]:
        del entries[key]


@contextlib.contextmanager
def _beside_others(lock: Path) -> Iterator[None]:
    """Hold the lock that other programs look for. Raises DreamsBusy when they do not let go."""
    until = time.monotonic() + _WAIT_S
    while True:
        try:
            handle = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
            break
        except FileExistsError:
            if _is_stale(lock):
                lock.unlink(missing_ok=True)
            elif time.monotonic() > until:
                raise DreamsBusy(
                    "Another program is at work on the dream files",
                    msg(
                        "It has held {lock} for more than {n} seconds.",
                        lock=lock,
                        n=round(_WAIT_S),
                    ),
                    hint="Wait until it has finished. If nothing runs, delete that file.",
                ) from None
            else:
                threading.Event().wait(_PAUSE_S)
    try:
        with open(handle, "w", encoding="ascii") as file:  # noqa: PTH123  (a descriptor)
            file.write(f"{os.getpid()}:{int(time.time() * 1000)}\n")
        yield
    finally:
        lock.unlink(missing_ok=True)


def _is_stale(lock: Path) -> bool:
    """True when its owner is gone for a minute. Only one Scrubjay at a time asks this."""
    try:
        if time.time() - lock.stat().st_mtime <= _STALE_S:
            return False
        owner = int(lock.read_text(encoding="ascii", errors="replace").partition(":")[0])
    except (OSError, ValueError):
        return True
    return not psutil.pid_exists(owner)
