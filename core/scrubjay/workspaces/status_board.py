"""Latest status of the engine, readable from any thread without waiting."""

from __future__ import annotations

import contextlib
import datetime as dt
import threading
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from scrubjay.platform.state_file import StateFile
from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import (
    NEVER_READ,
    EngineStatus,
    Freshness,
    IndexState,
    ModelStatus,
    SkippedFile,
    WorkspaceStatus,
)
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.workspaces.user_skips import UserSkips

if TYPE_CHECKING:
    from scrubjay.store.metadata import Metadata


class _Pause(Struct, frozen=True):
    """Whether and why indexing is paused."""

    is_paused: bool = False
    until: dt.datetime | None = None
    is_for_battery: bool = False


class StatusBoard:
    """The latest status of each workspace, of the model and of the pause."""

    def __init__(self, model: ModelStatus, user_skips: UserSkips) -> None:
        self.user_skips = user_skips
        self._lock = threading.Lock()
        self._workspaces: dict[WorkspaceId, WorkspaceStatus] = {}
        self._skipped: dict[WorkspaceId, Sequence[SkippedFile]] = {}
        self._model = model
        self._pause = _Pause()

    @property
    def is_paused(self) -> bool:
        """Whether indexing is paused."""
        return self._pause.is_paused

    def snapshot(self) -> EngineStatus:
        """The whole status, at one moment."""
        with self._lock:
            pause = self._pause
            return EngineStatus(
                tuple(self._workspaces.values()),
                self._model,
                is_paused=pause.is_paused,
                paused_until=pause.until,
                is_for_battery=pause.is_for_battery,
            )

    def workspace(self, workspace_id: WorkspaceId) -> WorkspaceStatus | None:
        """The status of a workspace; None when it is not listed."""
        return self._workspaces.get(workspace_id)

    def is_unread(self, workspace_id: WorkspaceId) -> bool:
        """Whether nothing is known of an index that has not failed, or nothing is in it."""
        status = self._workspaces.get(workspace_id)
        if status is None or status.state in (IndexState.ERROR, IndexState.PAUSED):
            return False
        return status.freshness.checked_at is None and not status.freshness.documents

    def is_being_read(self, workspace_id: WorkspaceId) -> bool:
        """Whether the words of an index are not complete yet, but will be soon."""
        status = self._workspaces.get(workspace_id)
        if status is None or status.state not in (IndexState.WAITING, IndexState.INDEXING):
            return False
        return status.freshness.checked_at is None

    def list(self, workspaces: tuple[Workspace, ...]) -> None:
        """Show exactly these workspaces, in this order, with the status they had."""
        with self._lock:
            before = self._workspaces
            listed: dict[WorkspaceId, WorkspaceStatus] = {}
            for workspace in workspaces:
                status = before.get(workspace.id) or _unread(workspace)
                listed[workspace.id] = replace(status, workspace=workspace)
            # Others read it without the lock, so it is exchanged as a whole.
            self._workspaces = listed

    def save(self, file: StateFile) -> None:
        """Store the numbers of all indexes, for the first moment of the next start."""
        # What is pending now says nothing about the next start.
        numbers = {
            each.workspace.id: {
                **asdict(replace(each.freshness, pending=0, unread_documents=0)),
                "checked_at": each.freshness.checked_at.isoformat(),
                "chunks": each.chunks,
                "bytes": each.index_bytes,
            }
            for each in self.snapshot().workspaces
            if each.freshness.checked_at
        }
        with contextlib.suppress(OSError), file.changed() as state:
            state["workspaces"] = numbers

    def recall(self, file: StateFile, workspace_ids: Iterable[WorkspaceId]) -> None:
        """Show the numbers of some indexes as they were saved, where they make sense."""
        # Another version may have written the file, or a person.
        with contextlib.suppress(OSError, TypeError, ValueError, LookupError):
            saved = file.read()["workspaces"]
            for name in saved.keys() & set(workspace_ids):
                numbers = dict(saved[name])
                chunks = int(numbers.pop("chunks"))
                size = int(numbers.pop("bytes"))
                # The other numbers have the names of the fields.
                numbers["checked_at"] = dt.datetime.fromisoformat(numbers["checked_at"])
                known = Freshness(**numbers)
                self.update(
                    name, state=IndexState.READY, freshness=known, chunks=chunks, index_bytes=size
                )

    def update(
        self,
        workspace_id: WorkspaceId,
        *,
        instead_of: WorkspaceStatus | None = None,
        **changes: object,
    ) -> bool:
        """Change fields of one status, unless the workspace was removed meanwhile.

        The result is False, without a change, when another status than `instead_of` is shown now.
        """
        with self._lock:
            status = self._workspaces.get(workspace_id)
            # Whoever computed this status did so for another one.
            if status and instead_of and status is not instead_of:
                return False
            if status:
                self._workspaces[workspace_id] = replace(status, **changes)
            return True

    def show_index(
        self, workspace_id: WorkspaceId, index: Metadata, size: int, **changes: Any
    ) -> bool:
        """Show an index of `size` bytes and other fields, as `update` does.

        Reads files. Raises IndexUnavailable.
        """
        # The index is read before the lock is taken, as that may take a while.
        counts = index.counts()
        unread = index.unread_documents()
        skipped = index.skipped()
        embedded = counts.embedded / counts.chunks if counts.chunks else 1.0
        with self._lock:
            self._skipped[workspace_id] = skipped
        # The list of the index stays as it is; what a person skips is marked on what is shown.
        skipped = self._marked(workspace_id)
        return self.update(
            workspace_id,
            freshness=Freshness(
                documents=counts.documents,
                pending=unread,
                unread_documents=unread,
                unreadable=_unreadable(skipped),
                embedded=embedded,
                checked_at=index.checked_at(),
            ),
            chunks=counts.chunks,
            skipped=skipped,
            index_bytes=size,
            mended_at=index.mended_at(),
            **changes,
        )

    def show_skipped(self, workspace_id: WorkspaceId) -> None:
        """Show the skipped files again after a change of what the user skips."""
        skipped = self._marked(workspace_id)
        with self._lock:
            status = self._workspaces.get(workspace_id)
            if status:
                freshness = replace(status.freshness, unreadable=_unreadable(skipped))
                status = replace(status, skipped=skipped, freshness=freshness)
                self._workspaces[workspace_id] = status

    def skipped(self, workspace_id: WorkspaceId) -> Sequence[SkippedFile]:
        """Skipped files by the index, including those that the user skips."""
        with self._lock:
            return self._skipped.get(workspace_id, ())

    def _marked(self, workspace_id: WorkspaceId) -> tuple[SkippedFile, ...]:
        """Skipped files of a workspace, with those marked that a person skips."""
        status = self.workspace(workspace_id)
        skipped = self.skipped(workspace_id)
        roots = {each.workspace.root for each in self.snapshot().workspaces}
        if not status:
            return ()
        return self.user_skips.marked(status.workspace, skipped, roots)

    def set_model(self, model: ModelStatus) -> bool:
        """Show another model status; return whether it was not shown already."""
        with self._lock:
            is_new = model != self._model
            self._model = model
            return is_new

    def set_pause(
        self, is_paused: bool, until: dt.datetime | None = None, *, for_battery: bool = False
    ) -> None:
        """Show whether indexing is paused, until when, and whether that saves the battery."""
        self._pause = _Pause(is_paused=is_paused, until=until, is_for_battery=for_battery)


def _unread(workspace: Workspace) -> WorkspaceStatus:
    """The status of a workspace of which nothing is known."""
    return WorkspaceStatus(
        workspace, IndexState.NEVER, freshness=NEVER_READ, chunks=0, skipped=(), index_bytes=0
    )


def _unreadable(skipped: Sequence[SkippedFile]) -> int:
    """Number of files that a person would expect to be searched; a folder as a whole is none."""
    return sum(file.is_problem and bool(file.path) for file in skipped)
