"""A workspace of a shared memory, which another computer publishes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Protocol

from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.messages import msg
from scrubjay.records.note_records import Workspace
from scrubjay.records.shared_records import SharedAddress, SharedRecord
from scrubjay.records.status_records import Freshness, IndexState, WorkspaceStatus
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.workspaces.shared_damage import workspace_damage


class Memory(Protocol):
    """The shared memory that a workspace is in."""

    @property
    def is_asked(self) -> bool:
        """Whether it was ever asked, with an answer or without."""

    def published(self, name: str) -> SharedRecord | None:
        """The record of a workspace as of the last look; None if there is none."""

    def failure(self, name: str) -> str:
        """Why a workspace is excluded for now, with all others or alone; otherwise empty."""


class SharedWorkspace:
    """A workspace that is searched here and changed on another computer. For any thread."""

    def __init__(self, record: Workspace, address: SharedAddress, memory: Memory) -> None:
        """Its root is the address of the memory; the registry gives it its settings."""
        self.record = record
        self.settings = MemorySearch()
        self.off_key = ""
        """The setting that turns it off: nothing is found in it then."""
        self.address = address
        self._memory = memory

    @property
    def id(self) -> WorkspaceId:
        """Its id."""
        return self.record.id

    @property
    def name(self) -> str:
        """Name that people here know it by."""
        return self.record.name

    @property
    def status(self) -> WorkspaceStatus:
        """Its state, as shown in the list of folders."""
        published = self._published
        reason = self._reason
        documents = 0
        chunks = 0
        damage = ""
        if published:
            documents = published.documents
            chunks = published.chunks
            damage = workspace_damage(published)
        # A shared memory has no state between ready and failed, because no pass runs here.
        state = IndexState.READY
        if reason:
            state = IndexState.ERROR
        freshness = _freshness(documents, None, damage)
        return WorkspaceStatus(
            self.record,
            state,
            freshness=freshness,
            chunks=chunks,
            skipped=(),
            index_bytes=0,
            error=reason,
        )

    def freshness(self) -> Freshness:
        """Its entry in an answer."""
        reason = self._reason
        if not reason and not self._memory.is_asked:
            reason = msg("Opening the shared memory…")
        if reason:
            return _freshness(0, None, reason)
        documents = 0
        published = self._published
        if published:
            documents = published.documents
        return _freshness(documents, dt.datetime.now().astimezone().replace(microsecond=0))

    def damage(self) -> str:
        """The part of it that is damaged and excluded, in sentences; empty for nothing."""
        published = self._published
        if published is None:
            return ""
        return workspace_damage(published)

    def words_only(self, makes: Callable[[str], bool]) -> str:
        """Why its meaning cannot be searched here; empty if it can be.

        Makes tells whether a model of an identity is here.
        """
        published = self._published
        if self._reason or published is None:
            return ""
        if not published.identity or makes(published.identity):
            return ""
        return msg(
            "{name} was searched only by words, because {computer} published the folder "
            "with another language helper. To search it by meaning, choose the same "
            "language helper.",
            name=self.name,
            computer=published.published_by,
        )

    @property
    def _published(self) -> SharedRecord | None:
        return self._memory.published(self.address.name)

    @property
    def _reason(self) -> str:
        """Why it cannot be searched now; empty if it can be."""
        published = self._published
        if published and published.is_newer:
            return msg("This folder was shared from a newer version of Scrubjay. Update Scrubjay.")
        failure = self._memory.failure(self.address.name)
        if failure or published is None:
            return failure
        return published.reason


def _freshness(documents: int, checked_at: dt.datetime | None, reason: str = "") -> Freshness:
    """The freshness of a workspace that is published with all its vectors."""
    return Freshness(
        documents=documents,
        pending=0,
        unreadable=0,
        embedded=1.0,
        checked_at=checked_at,
        reason=reason,
    )
