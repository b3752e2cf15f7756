"""Looks at the disk before an answer where no watcher does, and indexes a few changed notes."""

from __future__ import annotations

import contextlib
import datetime as dt
import threading
import time
from collections.abc import Sequence
from concurrent.futures import TimeoutError as StillRunning
from dataclasses import dataclass, replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.errors import Cancelled, ScrubjayError
from scrubjay.index.auto_index import AutoIndexer
from scrubjay.index.index_pass import Job
from scrubjay.index.index_thread import IndexThread
from scrubjay.index.scan_diff import IndexSettings, difference, scanned
from scrubjay.messages import msg
from scrubjay.notes.note_reader import NoteUnreadable, read_note, read_or_timeout
from scrubjay.notes.scan import FoundFile
from scrubjay.records.search_records import SearchRequest, Workspace
from scrubjay.store.reader import Reader
from scrubjay.store.rows import KnownDocument
from scrubjay.workspaces.registry import Registry
from scrubjay.workspaces.status_board import StatusBoard

LOOK_SECONDS = 0.2
"""A folder that takes longer to list is not looked through before an answer."""

CATCH_UP_SECONDS = 1.0
"""How long an answer waits for the words of changed notes on a busy computer."""

_BUSY_SECONDS = 0.1
"""The same while a user types or a pass is under way."""

_MOST_NOTES = 16_000
"""A larger folder is not listed at all: at 12 µs a note that takes LOOK_SECONDS and more."""

_MOST_BYTES = 200_000
"""Size of the notes that are indexed before an answer; their words take some 50 ms."""

_MOST_DOUBTFUL = 20
"""Files of equal size and time whose bytes are compared before an answer."""

_TYPING_SECONDS = 1.0
"""Seconds for which one look serves while a user is typing."""


@dataclass(frozen=True, slots=True)
class Staleness:
    """How far an index is behind the disk."""

    pending: int = 0
    """Notes that changed and are not read."""
    checked_at: dt.datetime | None = None
    """When disk and index were compared; None when they were not just now."""
    reason: str = ""
    """Why the index cannot follow, in one sentence."""


UNKNOWN = Staleness()
"""Of an index that was not compared."""


class FreshnessCheck:
    """Compares disk and index for a search. On the search threads."""

    def __init__(
        self,
        registry: Registry,
        board: StatusBoard,
        auto_index: AutoIndexer,
        index: IndexThread,
        io_timeouts: IoTimeouts,
    ) -> None:
        self._registry = registry
        self._board = board
        self._auto_index = auto_index
        self._index = index
        self._io_timeouts = io_timeouts
        self._lock = threading.Lock()
        self._looks: dict[str, tuple[float, Staleness]] = {}
        """Moment on the monotonic clock and result of the last look at each workspace."""
        self._tried: dict[str, frozenset[FoundFile]] = {}
        """Files that were indexed for an answer. Those of them that differ all the same, such as
        unreadable ones, are left to the next pass."""

    def catch_up(
        self, workspace: Workspace, reader: Reader, request: SearchRequest, asked_at: float
    ) -> Staleness:
        """Index a few changed notes; the answer is the rest.

        Asked_at is a moment on the monotonic clock. Requests that wait behind one another share a
        look that began later.
        """
        began, staleness = self._looks.get(workspace.id, (0.0, UNKNOWN))
        now = time.monotonic()
        if began and (began >= asked_at or (request.is_typing and now - began < _TYPING_SECONDS)):
            return staleness
        staleness = self._look(workspace, reader, is_typing=request.is_typing)
        with self._lock:
            self._looks[workspace.id] = now, staleness
        return staleness

    def _look(self, workspace: Workspace, reader: Reader, *, is_typing: bool) -> Staleness:
        now = dt.datetime.now().astimezone()
        search = self._registry.settings(workspace)
        settings = IndexSettings.of(search, workspace)
        limit, io_timeout = _TimeLimit(LOOK_SECONDS), self._io_timeouts[workspace.id]
        try:
            if reader.document_count() > _MOST_NOTES:
                raise Cancelled
            scan = scanned(workspace.root, settings, limit, io_timeout, reader.metadata.drive())
        except Cancelled:
            reason = msg("The folder is too large to be looked through before an answer.")
            return Staleness(self._auto_index.pending(workspace.id), reason=reason)
        if scan.away:
            self._auto_index.suspect(workspace.id)
        known = reader.metadata.documents()
        differing = difference(scan, known, settings)
        doubtful = [
            file
            for file in differing.doubtful[:_MOST_DOUBTFUL]
            if self._differs(workspace, file, known[file.label])
        ]
        tried = self._tried.get(workspace.id, frozenset())
        changed = [file for file in (*differing.changed, *doubtful) if file not in tried]
        staleness = Staleness(len(changed) + len(differing.gone), now, scan.away)
        if not staleness.pending:
            return staleness
        if self._board.is_paused:
            return replace(staleness, reason=msg("Indexing is paused."))
        job = Job(workspace, self._registry.index_file(workspace), search, words_only=True)
        files = _first_to_index(changed)
        is_busy = is_typing or self._index.is_indexing()
        try:
            if files or differing.gone:
                indexed = self._index.index_now(job, files, known, differing.gone)
                indexed.result(_BUSY_SECONDS if is_busy else CATCH_UP_SECONDS)
        except (StillRunning, Cancelled):
            return staleness
        except ScrubjayError as error:
            return replace(staleness, reason=scan.away or str(error))
        with self._lock:
            self._tried[workspace.id] = tried | frozenset(files)
        left = len(changed) - len(files)
        if left and not self._auto_index.is_on and not self._index.is_indexing(workspace.id):
            self._index.submit(job)
        return replace(staleness, pending=left)

    def _differs(self, workspace: Workspace, file: FoundFile, known: KnownDocument) -> bool:
        """Whether a file that looks the same holds other bytes."""
        io_timeout = self._io_timeouts[workspace.id]
        with contextlib.suppress(OSError, NoteUnreadable):
            note = read_or_timeout(lambda: read_note(file.path), io_timeout, CancelToken())
            return note.sha256 != known.sha256
        return False


class _TimeLimit(CancelToken):
    """Cancels work that takes longer than so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._until = time.monotonic() + seconds

    def check(self) -> None:
        if time.monotonic() > self._until:
            raise Cancelled


def _first_to_index(files: Sequence[FoundFile]) -> list[FoundFile]:
    """Files of `_MOST_BYTES` together, in this order, which is newest first."""
    chosen, left = [], _MOST_BYTES
    for file in files:
        if file.size <= left:
            chosen.append(file)
            left -= file.size
    return chosen
