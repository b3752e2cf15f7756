"""The files in `memory/.dreams/`, which other programs read and write as well."""

from __future__ import annotations

import contextlib
import datetime as dt
import os
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO, TypeAlias

import psutil
from filelock import FileLock

from scrubjay.agents.dreaming.dream_weights import MAX_ENTRIES
from scrubjay.agents.dreaming.recall_entry import (
    PHASES,
    RecallEntry,
    count_hit,
    entry_key,
    format_time,
    is_recordable,
    parse_time,
    read_entry,
)
from scrubjay.errors import ScrubjayError
from scrubjay.messages import msg
from scrubjay.platform.state_file import StateFile
from scrubjay.records.search_records import Hit

LOCK_WAIT_S = 10.0
"""Seconds to wait for another program that works here."""

_FOLDER = Path("memory") / ".dreams"
_RECALLS = "short-term-recall.json"
_SIGNALS = "phase-signals.json"
_FOREIGN_LOCK = "short-term-promotion.lock"
"""File that OpenClaw holds while it works here."""
_OUR_LOCK = ".scrubjay.lock"
"""Lock among our own processes, of which one at a time may look at the other lock."""
_STALE_S = 60.0
"""Age of a lock, in seconds, from which on its owner may have ended without deleting it."""
_RETRY_S = 0.04
"""Seconds between two attempts to take a lock."""
_MAX_COUNT = 9999
"""Selections by a phase that are counted."""


Search: TypeAlias = tuple[str, Sequence[Hit]]
"""A query and its hits."""


class DreamsBusy(ScrubjayError):
    """Another program holds the lock of the files."""


class RecallStore:
    """Entries of one workspace and their reinforcement. Raises DreamsBusy and OSError."""

    def __init__(
        self, root: Path, *, max_entries: int = MAX_ENTRIES, lock_wait_s: float = LOCK_WAIT_S
    ) -> None:
        self.folder = root / _FOLDER
        self._max_entries = max_entries
        self._lock_wait_s = lock_wait_s
        self._recalls = self._file(_RECALLS)
        self._signals = self._file(_SIGNALS)

    def entries(self) -> dict[str, RecallEntry]:
        """All entries by key."""
        return _entries(_table(self._recalls.read()))

    def signals(self) -> dict[str, Any]:
        """Records of the phases by key; a copy."""
        return _table(self._signals.read())

    def record(self, searches: Iterable[Search], now: dt.datetime) -> int:
        """Count the hits of searches in daily files; the result is their number."""
        hits = [
            (query, hit)
            for query, hits in searches
            for hit in hits
            if query.strip() and is_recordable(hit)
        ]
        if not hits:
            return 0
        with self._changed(self._recalls, now) as records:
            for query, hit in hits:
                record = records.get(entry_key(hit))
                if not isinstance(record, dict):
                    record = {}
                    records[entry_key(hit)] = record
                count_hit(record, hit, query=query, now=now)
            _drop_oldest(records, len(records) - self._max_entries)
        return len(hits)

    def reinforce(self, phase: str, keys: Collection[str], now: dt.datetime) -> None:
        """Save that a phase ("light" or "rem") selected entries."""
        if keys:
            with self._changed(self._signals, now) as records:
                count_selection(records, phase, keys=keys, now=now)

    def mark_promoted(self, keys: Collection[str], now: dt.datetime | None) -> None:
        """Mark entries as written into MEMORY.md; None takes the marks back."""
        if not keys:
            return
        with self._changed(self._recalls, now or dt.datetime.now().astimezone()) as records:
            for record in map(records.get, keys):
                if isinstance(record, dict):
                    record.pop("promotedAt", None)
                    if now:
                        record["promotedAt"] = format_time(now)

    def _file(self, name: str) -> StateFile:
        # Other programs read them, in the folder of the notes.
        return StateFile(self.folder / name, private=False, is_large=True, alone=self._locked)

    @contextlib.contextmanager
    def _changed(self, file: StateFile, now: dt.datetime) -> Iterator[dict[str, Any]]:
        """The table of records, to change it."""
        # Fields of other programs stay as they are.
        with file.changed() as data:
            data["version"] = data.get("version", 1)
            if not isinstance(data.get("entries"), dict):
                data["entries"] = {}
            yield data["entries"]
            data["updatedAt"] = format_time(now)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold our lock, then the one that other programs look for. Raises DreamsBusy."""
        lock = self.folder / _FOREIGN_LOCK
        with FileLock(self.folder / _OUR_LOCK, timeout=self._lock_wait_s):
            file = self._created(lock)
            # The content says whose lock it is, so that others see when its process has ended.
            try:
                with file:
                    file.write(f"{os.getpid()}:{int(time.time() * 1000)}\n")
                yield
            finally:
                lock.unlink(missing_ok=True)

    def _created(self, lock: Path) -> TextIO:
        """The lock file, as soon as no other program has one. Raises DreamsBusy."""
        # Only one program can create the file; the others try again until their time is up.
        until = time.monotonic() + self._lock_wait_s
        while True:
            try:
                return lock.open("x", encoding="ascii")
            except FileExistsError:
                if _is_stale(lock):
                    lock.unlink(missing_ok=True)
                elif time.monotonic() > until:
                    raise DreamsBusy(
                        "Another program is working on the suggestions for MEMORY.md",
                        msg(
                            "Another program has held the lock file {lock} for more than {n} "
                            "seconds.",
                            lock=lock,
                            n=round(self._lock_wait_s),
                        ),
                        hint=(
                            "Wait until the other program has finished. If no other "
                            "program is running, delete the lock file."
                        ),
                    ) from None
                else:
                    time.sleep(_RETRY_S)


def _table(data: dict[str, Any]) -> dict[str, Any]:
    """The records in a file; none if another program wrote something else."""
    entries = data.get("entries")
    if not isinstance(entries, dict):
        return {}
    return entries


def _entries(records: dict[str, Any]) -> dict[str, RecallEntry]:
    read = ((key, read_entry(key, record)) for key, record in records.items())
    return {key: entry for key, entry in read if entry}


def _drop_oldest(records: dict[str, Any], surplus: int) -> None:
    """Drop entries that are too many, those with the oldest hits first; promoted ones stay."""
    if surplus <= 0:
        return
    never = dt.datetime.min.replace(tzinfo=dt.UTC)
    entries = [each for each in _entries(records).values() if not each.is_promoted]
    entries.sort(key=lambda entry: (entry.last_recalled or never, entry.key))
    for entry in entries[:surplus]:
        del records[entry.key]


def count_selection(
    records: dict[str, Any], phase: str, keys: Collection[str], now: dt.datetime
) -> None:
    """Count that a phase ("light" or "rem") selected entries; each counts once a day."""
    hits, last = PHASES[phase]
    for key in keys:
        record = records.get(key)
        if not isinstance(record, dict):
            record = {"lightHits": 0, "remHits": 0}
            records[key] = record
        before = parse_time(record.get(last))
        # Several runs in one night are one selection.
        if before is None or before.date() < now.date():
            count = record.get(hits)
            if not isinstance(count, int):
                count = 0
            record["key"] = key
            record[hits] = min(_MAX_COUNT, count + 1)
            record[last] = format_time(now)


def _is_stale(lock: Path) -> bool:
    """True for an old lock whose process has ended. Only one Scrubjay at a time asks."""
    # A lock that is gone or says nothing of its owner is no longer held by anybody.
    try:
        if time.time() - lock.stat().st_mtime <= _STALE_S:
            return False
        owner = int(lock.read_text(encoding="ascii", errors="replace").partition(":")[0])
    except (OSError, ValueError):
        return True
    return not psutil.pid_exists(owner)
