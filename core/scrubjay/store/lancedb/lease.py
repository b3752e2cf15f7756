"""The right to write a workspace of a shared memory, held by one publisher at a time."""

from __future__ import annotations

import functools
import sys
import time
import uuid
from collections.abc import Callable
from typing import Any

from msgspec import Struct, field

from scrubjay.errors import SharedUnavailable
from scrubjay.messages import msg
from scrubjay.store.lancedb.checked_rows import WorkspaceRow
from scrubjay.store.lancedb.publishing_limits import DEFAULT_LIMITS, PublishingLimits
from scrubjay.store.lancedb.shared_store import SharedStore, shared_record, too_new_error
from scrubjay.store.lancedb.sql_conditions import sql_literal
from scrubjay.store.lancedb.tables import SCHEMA

_MOST_BEATS = 2**62
"""Count of changes that no computer reaches; the column holds twice as many."""
_clock: Callable[[], float] = time.monotonic
"""Clock that continues while the computer sleeps, during which another one takes over."""
if sys.platform == "linux":
    _clock = functools.partial(time.clock_gettime, time.CLOCK_BOOTTIME)
elif sys.platform == "darwin":
    # Python's own stops there: mach_absolute_time. This one continues, says clock_gettime(3).
    _clock = functools.partial(time.clock_gettime, time.CLOCK_MONOTONIC)
_UNSET = ""
"""Holder of a lease that nobody holds."""


class LeaseLost(SharedUnavailable):
    """Another computer has taken the lease, because this one did not renew it for too long."""

    def __init__(self) -> None:
        super().__init__(msg("Another computer is now publishing this folder"))


class ComputerId(Struct, frozen=True):
    """Identity of a computer that publishes a folder."""

    id: str
    """Number of the computer and id of the folder, the same for all programs there."""
    name: str
    """Name that people know the computer by."""
    token: str = field(default_factory=lambda: uuid.uuid4().hex)
    """Mark of this run of the program."""

    @property
    def holder(self) -> str:
        """Name of this run in a lease."""
        return f"{self.id}/{self.token}"


class Lease:
    """The lease of one workspace. All methods raise SharedUnavailable and call only the storage.

    No clocks are compared: who waits for a lease measures itself for how long the count of its
    beats has stood still. Each change is written on the condition that nothing has changed since
    it was read, and read again, since the answer to a change may be lost on its way.
    """

    def __init__(
        self,
        store: SharedStore,
        name: str,
        title: str,
        computer: ComputerId,
        *,
        limits: PublishingLimits = DEFAULT_LIMITS,
    ) -> None:
        self._store = store
        self._name = name
        self._title = title
        self._computer = computer
        self._limits = limits
        # Another publisher as it was last seen, and when it was first seen so.
        self._seen = ("", -1)
        """Holder and beat of another publisher."""
        self._seen_at = 0.0
        """Moment of the first look at them."""
        # It stands for a row that was deleted, and is compared by identity.
        self._gone = WorkspaceRow(name, row="", schema=SCHEMA, beat=0)
        self._row = self._gone
        self._is_held = False
        self._beat_at = 0.0

    @property
    def row(self) -> WorkspaceRow:
        """The row of the workspace as it was last read; an empty one where it was deleted."""
        return self._row

    def take(self) -> bool:
        """Whether this computer may write; False if another one does."""
        row = self._store.call(self._read_or_made)
        if row.schema > SCHEMA:
            raise too_new_error(shared_record(row).title)
        now = _clock()
        if row.holder and row.holder != self._computer.holder:
            # A beat that has not moved since the first look may be that of a computer that stopped.
            if self._seen != (row.holder, row.beat):
                self._seen = (row.holder, row.beat)
                self._seen_at = now
            if now - self._seen_at < self._limits.lease_seconds:
                self._row = row
                return False
        return self._changed(row, holder=self._computer.holder, holder_name=self._computer.name)

    def beat(self) -> None:
        """Say that this computer still publishes, if it is time. Raises LeaseLost."""
        is_recent = _clock() - self._beat_at < self._limits.beat_seconds
        if self._is_held and is_recent:
            return
        self.update()

    def update(self, **values: Any) -> None:
        """Write other values of the row, or none, and continue. Raises LeaseLost."""
        holder = self._computer.holder
        if not (self._is_held and self._changed(self._row, **values, holder=holder)):
            raise LeaseLost

    def release(self, **values: Any) -> bool:
        """Write values of the row, and let others publish; False if another one does already."""
        # The row may be that of the other one by now, who would lose the lease.
        return self._is_held and self._changed(self._row, **values, holder=_UNSET)

    def delete(self) -> None:
        """Delete the row, unless another computer has taken over."""
        # Only its own row: another computer may have taken over since the last beat.
        where = (
            f"name = {sql_literal(self._name)} and holder = {sql_literal(self._computer.holder)}"
        )
        self._store.call(lambda: self._store.workspaces_table().delete(where))

    def _read_or_made(self) -> WorkspaceRow:
        """The row of the workspace, added where there is none that can be read."""
        listed = self._store.workspaces(self._name)
        row = listed.rows.get(self._name)
        if row:
            return row
        table = self._store.workspaces_table()
        if self._name in listed.damaged:
            table.delete(f"name = {sql_literal(self._name)}")
        first = {
            "name": self._name,
            "row": uuid.uuid4().hex,
            "schema": SCHEMA,
            "title": self._title,
            "holder": _UNSET,
            "beat": 0,
        }
        table.add([first])
        # Read again, since another computer may have added one at the same time.
        return self._store.workspaces(self._name).rows[self._name]

    def _changed(self, row: WorkspaceRow, **values: Any) -> bool:
        """Whether the values replaced a row that had not been changed by another computer."""
        if row is self._gone:
            return False

        def write() -> bool:
            # Each change counts on, so that a row is never taken for what it was before.
            beat = row.beat + 1
            is_same = f"beat = {row.beat}"
            if not 0 < beat < _MOST_BEATS:  # somebody else wrote it; no computer counts so far
                beat = 0
                is_same = f"(beat < 0 or beat >= {_MOST_BEATS - 1})"
            where = (
                f"name = {sql_literal(self._name)} and row = {sql_literal(row.row)} and {is_same}"
            )
            try:
                self._store.workspaces_table().update(where=where, values={**values, "beat": beat})
            except Exception:
                # Perhaps it was written and the answer was lost, or another computer wrote at the
                # same time: a network drive then says that the write is not allowed.
                is_own = self._is(beat, values["holder"])
                if not is_own and self._row.beat == row.beat:
                    raise
                return is_own
            return self._is(beat, values["holder"])

        # Whether it was written is known only when it was read again; until then nothing is held.
        began = _clock()
        self._is_held = False
        if self._store.call(write):
            self._is_held = values["holder"] != _UNSET
            self._beat_at = began
            return True
        return False

    def _is(self, beat: int, holder: str) -> bool:
        """Whether the row, read again, has these values."""
        self._row = self._store.workspaces(self._name).rows.get(self._name, self._gone)
        return (self._row.beat, self._row.holder) == (beat, holder)
