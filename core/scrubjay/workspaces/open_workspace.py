"""A workspace with its state while Scrubjay runs."""

from __future__ import annotations

import os
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from msgspec.structs import replace

from scrubjay.config.schema.memory_search import MemorySearch
from scrubjay.errors import SearchOff
from scrubjay.records.note_records import Workspace
from scrubjay.records.status_records import (
    NEVER_READ,
    Freshness,
    IndexState,
    Progress,
    SkippedFile,
    WorkspaceStatus,
)
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.text.tokenizer import fold

if TYPE_CHECKING:
    from scrubjay.store.metadata import Metadata
    from scrubjay.workspaces.user_skips import UserSkips

T = TypeVar("T")

_RESTING = (IndexState.READY, IndexState.ERROR, IndexState.PAUSED)
"""States of a folder in which no pass is running and none continues soon."""

_PACE_SECONDS = 60.0
"""Seconds of work that tell the pace of a model: it changes with the notes, and with what else the
computer does."""
_STEADY_SECONDS = 10.0
"""Seconds for which an estimate must have been the same before people are told of it."""
_STEADY_FACTOR = 1.5
"""Factor within which estimates count as the same."""


class OpenWorkspace(Protocol):
    """A workspace that can be searched, on this computer or in a shared memory."""

    @property
    def record(self) -> Workspace:
        """The workspace as others are told of it."""

    @property
    def id(self) -> WorkspaceId:
        """Its id."""

    @property
    def name(self) -> str:
        """Name that people know it by."""

    @property
    def settings(self) -> MemorySearch:
        """Shared settings with the overrides of this workspace."""

    @property
    def off_key(self) -> str:
        """The setting that turns it off; empty while it is on, so that it may be read."""

    @property
    def status(self) -> WorkspaceStatus:
        """Its current state."""


def required_names(workspace: Workspace) -> frozenset[str]:
    """Folded names. A search over several workspaces must contain one; empty if none is needed."""
    if workspace.searched == "always":
        return frozenset()
    return frozenset({fold(workspace.id), fold(workspace.name)})


class UnreadChanges:
    """Changed paths in a folder that have not been read by a pass yet. For any thread."""

    def __init__(self) -> None:
        """Nothing has changed yet."""
        self.is_watched = False
        """Whether each change is noticed at once. The watcher of folders says so."""
        self._lock = threading.Lock()
        self._waiting: set[str] = set()
        """Paths that may still be changing, except those that are due."""
        self._due: set[str] = set()
        self._inside: Counter[str] = Counter()
        """Number of the paths directly in each folder."""
        self._former: set[str] = set()
        """Paths that were renamed: those that they have now are the changes to be counted."""

    def add(self, path: str = "", *, is_former: bool = False) -> None:
        """Note a change; an empty path stands for anything in the folder.

        A former path is that of a file that was renamed, and is noted besides the present one.
        """
        with self._lock:
            if path not in self._waiting and path not in self._due:
                self._waiting.add(path)
                self._inside[os.path.dirname(path)] += 1  # noqa: PTH120  (text)
            if is_former:
                self._former.add(path)
            else:
                self._former.discard(path)

    def be_due(self) -> None:
        """Let the next pass read all changes so far, which are quiet by now."""
        with self._lock:
            self._due |= self._waiting
            self._waiting.clear()

    @property
    def pending(self) -> int:
        """Number of the changes; a folder changes with what is in it, and does not count."""
        # The folders alone are looked at, since a window asks often and notes may be many.
        with self._lock:
            folders = {each for each in self._inside if each in self._waiting or each in self._due}
            return len(self._waiting) + len(self._due) - len(folders | self._former)

    @property
    def are_read(self) -> bool:
        """Whether nothing has changed, also not anything in the folder, which does not count."""
        with self._lock:
            return not self._waiting and not self._due

    @property
    def paths(self) -> set[str]:
        """All the paths."""
        with self._lock:
            return self._waiting | self._due

    @property
    def due(self) -> frozenset[str]:
        """The paths that the next pass reads."""
        with self._lock:
            return frozenset(self._due)

    def settle(self, paths: Collection[str]) -> None:
        """Forget paths that were read."""
        with self._lock:
            read = (self._waiting | self._due).intersection(paths)
            self._due -= read
            self._waiting -= read
            self._former -= read
            self._inside -= Counter(map(os.path.dirname, read))


class TimeLeft:
    """Estimate of the time until some work is done, once it is steady."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._work: deque[tuple[float, float]] = deque()
        """(moment, amount of work that was done by then)."""
        self._ends: deque[tuple[float, float]] = deque()
        """(moment, moment at which the work would end as it seemed then)."""

    def begin(self) -> None:
        """Forget all earlier work."""
        self._work.clear()
        self._ends.clear()

    def seconds(self, done: float, left: float) -> float | None:
        """The seconds that the rest takes; None until that has been steady for a while."""
        now = self._clock()
        # The pace is that of the last minute.
        self._work.append((now, done))
        while self._work[0][0] < now - _PACE_SECONDS:
            self._work.popleft()
        began, done_before = self._work[0]
        if now <= began or done <= done_before:
            return None
        end = now + left * (now - began) / (done - done_before)
        # One estimate from before the time in which they must agree is kept.
        self._ends.append((now, end))
        while len(self._ends) > 1 and self._ends[1][0] <= now - _STEADY_SECONDS:
            self._ends.popleft()
        if self._ends[0][0] > now - _STEADY_SECONDS:
            return None
        # Ends are compared as they seem from now on, since the time left itself shrinks.
        seconds = [moment - now for _, moment in self._ends]
        if max(seconds) > _STEADY_FACTOR * min(seconds):
            return None
        return end - now


class FolderProgress:
    """Owner of the progress of one folder, which all who show it get from here."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.record = Progress()
        """Progress as it is now."""
        self._time_left = TimeLeft(clock)
        self._most = 1.0
        """Largest share of passages that was learned, since notes were added."""
        self._learned = 0
        """Number of passages that were learned since the step began."""

    def step(self, step: Progress) -> Progress:
        """Go on with a step of a pass; the record says how much of it is done."""
        record = self.record
        seconds_left = record.seconds_left
        if step.phase != record.phase:
            self._time_left.begin()
            self._learned = 0
            seconds_left = None
        # Passages are timed where they are counted.
        if step.phase in ("refining", "updating"):
            seconds_left = self._time_left.seconds(step.done, step.total - step.done)
        elif step.phase == "pictures":
            # Their pace is known from earlier ones.
            seconds_left = step.seconds_left
        self.record = replace(
            record,
            phase=step.phase,
            done=step.done,
            total=step.total,
            current=step.current,
            seconds_left=seconds_left,
        )
        return self.record

    def rest(self) -> Progress:
        """End the pass."""
        if self.record.phase:
            self.step(Progress())
        return self.record

    def count(self, learned: int, passages: int, added: int = 0) -> Progress:
        """Take note of the passages of the index, of which so many are learned.

        Added is the number of notes that came in with this count, less those that went.
        """
        record = self.record
        share = 1.0
        if passages:
            share = learned / passages
        # Where more is to be learned than before, people are told why until it has caught up.
        if share >= self._most or not (record.passages and added + record.added):
            added = 0
            self._most = share
        else:
            added += record.added
        # With more to do, the time left has to be steady once more.
        seconds_left = record.seconds_left
        if added != record.added:
            self._time_left.begin()
            self._learned = 0
            seconds_left = None
        elif record.phase == "meaning" and learned != record.learned:
            self._learned += max(0, learned - record.learned)
            seconds_left = self._time_left.seconds(self._learned, passages - learned)
        self.record = replace(
            record, learned=learned, passages=passages, added=added, seconds_left=seconds_left
        )
        return self.record


class LocalWorkspace:
    """A folder of this computer, on the list or open for this run. For any thread.

    The registry keeps one object for each as long as it is listed, and brings it up to date with
    the settings. Parts of upper layers keep what they know of the workspace in it (`part`).
    """

    def __init__(
        self, record: Workspace, settings: MemorySearch, index_file: Path, user_skips: UserSkips
    ) -> None:
        self.record = record
        self.settings = settings
        self.off_key = ""
        """The setting that turns it off: nothing is read or found in it then."""
        self.index_file = index_file
        self.others: Sequence[LocalWorkspace] = ()
        """All other workspaces on the list."""
        self.is_listed = True
        """Whether it is still on the list, or open in this run."""
        self.is_damaged = False
        """Whether its index turned out to be unreadable; the next pass builds it again."""
        self.user_skips = user_skips
        self.changes = UnreadChanges()
        """Changes of its notes that its index does not hold yet."""
        self._lock = threading.RLock()
        self._status = WorkspaceStatus(
            record, IndexState.NEVER, freshness=NEVER_READ, chunks=0, skipped=(), index_bytes=0
        )
        self._progress = FolderProgress()
        self._skipped: Sequence[SkippedFile] = ()
        self._unread_notes = 0
        """Number of changed notes that the last pass has found and not read, as one that failed."""
        self._parts: dict[type, Any] = {}

    @property
    def id(self) -> WorkspaceId:
        """Its id, which never changes."""
        return self.record.id

    @property
    def name(self) -> str:
        """Name that people know it by."""
        return self.record.name

    @property
    def root(self) -> Path:
        """Its folder."""
        return self.record.root

    def part(self, kind: type[T], make: Callable[[], T] | None = None) -> T:
        """The object of a kind in which an upper layer keeps its state; made when first asked for.

        Make is the kind itself where it is not given.
        """
        with self._lock:
            if kind not in self._parts:
                self._parts[kind] = (make or kind)()
            return cast("T", self._parts[kind])

    def check_on(self) -> None:
        """Raise SearchOff where the settings turn it off."""
        if self.off_key:
            raise SearchOff(self.off_key)

    def follow(self, record: Workspace, settings: MemorySearch, index_file: Path) -> None:
        """Be as the settings say now; what is known of its index stays."""
        self.settings = settings
        self.index_file = index_file
        with self._lock:
            self.record = record
            self._status = replace(self._status, workspace=record)

    # -- status -------------------------------------------------------------------------------

    @property
    def status(self) -> WorkspaceStatus:
        """The current state of its index, without reading files."""
        return self._status

    @property
    def is_unread(self) -> bool:
        """Whether nothing is known of an index that has not failed, or nothing is in it."""
        status = self._status
        if status.state in (IndexState.ERROR, IndexState.PAUSED):
            return False
        return status.freshness.checked_at is None and not status.freshness.documents

    @property
    def is_being_read(self) -> bool:
        """Whether the words of its index are not complete yet, but will be soon."""
        status = self._status
        if status.state not in (IndexState.WAITING, IndexState.INDEXING):
            return False
        return status.freshness.checked_at is None

    def show(self, *, instead_of: WorkspaceStatus | None = None, **changes: object) -> bool:
        """Change fields of its status.

        The result is False, without a change, when another status than `instead_of` is shown now.
        """
        with self._lock:
            # Whoever computed this status did so for another one.
            if instead_of and self._status is not instead_of:
                return False
            if changes.get("state") in _RESTING:
                self._progress.rest()
            self._status = replace(self._status, **changes, progress=self._progress.record)
            return True

    def show_step(self, step: Progress) -> Progress:
        """Show a step of the running pass; return the progress with it."""
        with self._lock:
            progress = self._progress.step(step)
            self._status = replace(self._status, progress=progress)
            return progress

    def show_learned(self, learned: int, passages: int, added: int = 0) -> None:
        """Show how many passages of its index are learned, as `FolderProgress` counts them."""
        with self._lock:
            progress = self._progress.count(learned, passages, added)
            self._status = replace(self._status, chunks=passages, progress=progress)

    def find_unread(self, paths: Sequence[str]) -> None:
        """Show how many changed notes a pass has found; no others wait to be read."""
        # Events may be late, and tell of a note that an earlier pass has read.
        self.leave_unread(self.changes.due.difference(paths), len(paths))

    def leave_unread(self, read: Collection[str], notes: int) -> None:
        """Show how many changed notes a pass has left so far, after it has read some paths."""
        self.changes.settle(read)
        with self._lock:
            self._unread_notes = notes
            freshness = self._status.freshness
            pending = freshness.unread_documents + notes
            self._status = replace(self._status, freshness=replace(freshness, pending=pending))

    def show_index(self, index: Metadata, size: int, *, added: int = 0, **changes: Any) -> bool:
        """Show its index of `size` bytes and other fields, as `show` does.

        Added is the number of notes that came in since, less those that went. Reads files.
        Raises IndexUnavailable.
        """
        # The index is read before the lock is taken, as that may take a while.
        counts = index.counts()
        unread = index.unread_documents()
        pictures = replace(self._status.pictures, waiting=index.unread_pictures())
        # The list of the index stays as it is; what a person skips is marked on what is shown.
        self._skipped = index.skipped()
        skipped = self._marked()
        embedded = 1.0
        if counts.chunks:
            embedded = counts.embedded / counts.chunks
        freshness = Freshness(
            documents=counts.documents,
            pending=unread + self._unread_notes,
            unread_documents=unread,
            unreadable=_unreadable(skipped),
            embedded=embedded,
            checked_at=index.checked_at(),
        )
        changes |= {"freshness": freshness, "skipped": skipped, "mended_at": index.mended_at()}
        changes |= {"pictures": pictures}
        # Both or none: a pass may have shown something newer meanwhile.
        with self._lock:
            is_shown = self.show(index_bytes=size, **changes)
            if is_shown:
                self.show_learned(counts.learned, counts.chunks, added)
            return is_shown

    # -- skipped files ------------------------------------------------------------------------

    def set_skipped(self, path: str, *, is_skipped: bool) -> bool:
        """Skip a file until it changes, or stop skipping it. May raise OSError.

        The answer is False for a file that has no problem any longer.
        """
        # The list of the index says why the file has a problem, which is remembered with it.
        skipped = next((file for file in self._skipped if file.path == path), None)
        if skipped is None:
            return False
        if is_skipped:
            self.user_skips.add(self.record, skipped)
        else:
            self.user_skips.remove(self.record, path)
        marked = self._marked()
        with self._lock:
            freshness = replace(self._status.freshness, unreadable=_unreadable(marked))
            self._status = replace(self._status, skipped=marked, freshness=freshness)
        return True

    def _marked(self) -> tuple[SkippedFile, ...]:
        """Its skipped files, with those marked that a person skips."""
        if not self._skipped:
            return ()
        roots = {each.root for each in (self, *self.others)}
        return self.user_skips.marked(self.record, self._skipped, roots)


def _unreadable(skipped: Sequence[SkippedFile]) -> int:
    """Number of files that a person would expect to be searched; a folder as a whole is none."""
    return sum(file.is_problem and bool(file.path) for file in skipped)
