"""Looks at the disk before an answer where no watcher does, and indexes a few changed notes."""

from __future__ import annotations

import contextlib
import datetime as dt
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import TimeoutError as StillRunning
from dataclasses import dataclass, field, replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.errors import Cancelled, ScrubjayError
from scrubjay.index.auto_index import AutoIndexer
from scrubjay.index.index_thread import IndexThread
from scrubjay.index.indexer import Job
from scrubjay.index.scan_diff import IndexSettings, difference, scanned
from scrubjay.messages import msg
from scrubjay.notes.note_reader import NoteBytes, NoteUnreadable, read_note, read_or_timeout
from scrubjay.notes.scan import FoundFile
from scrubjay.records.search_records import SearchRequest, Workspace
from scrubjay.search.query.dates import named_dates
from scrubjay.search.query.query_parser import parse
from scrubjay.store.reader import Reader
from scrubjay.store.rows import KnownDocument
from scrubjay.text.tokenizer import fold
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

_MOST_BYTES_SEARCHED = 4 * 2**20
"""Size of the changed notes that are searched for the words of a query."""

_MOST_DOUBTFUL = 20
"""Files of equal size and time whose bytes are compared before an answer."""

QUICK_LOOK_SECONDS = 0.02
"""A folder that is listed this quickly is looked at for each search, but not while typing."""

_REPEAT_SECONDS = 2.0
"""How long any other look serves: looking takes a tenth of the time at most."""


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


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Differences of disk and index."""

    staleness: Staleness
    changed: Sequence[FoundFile] = ()
    gone: Sequence[str] = ()
    known: Mapping[str, KnownDocument] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Look:
    """The last look at a workspace. Moments are on the monotonic clock."""

    began: float
    ended: float
    after_pass: dt.datetime | None
    """End of the last pass before it."""
    staleness: Staleness
    """After catching up."""

    def serves(
        self, request: SearchRequest, asked_at: float, last_pass: dt.datetime | None
    ) -> bool:
        """Whether a request needs no look of its own, as those that wait behind one another."""
        if self.began >= asked_at:
            return True
        if self.ended - self.began <= QUICK_LOOK_SECONDS and not request.is_typing:
            return False
        return self.after_pass == last_pass and time.monotonic() - self.ended < _REPEAT_SECONDS


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
        self._looks: dict[str, _Look] = {}
        self._tried: dict[str, frozenset[FoundFile]] = {}
        """Files that were indexed for an answer. Those of them that differ all the same, such as
        unreadable ones, are left to the next pass."""

    def catch_up(
        self, workspace: Workspace, reader: Reader, request: SearchRequest, asked_at: float
    ) -> Staleness:
        """Index a few changed notes; the answer is the rest.

        Asked_at is a moment on the monotonic clock.
        """
        status = self._board.workspace(workspace.id)
        last_pass = status.freshness.checked_at if status else None
        last = self._looks.get(workspace.id)
        if last and last.serves(request, asked_at, last_pass):
            return last.staleness
        began = time.monotonic()
        comparison = self._compare(workspace, reader)
        ended = time.monotonic()
        staleness = self._index_some(workspace, comparison, request)
        with self._lock:
            self._looks[workspace.id] = _Look(began, ended, last_pass, staleness)
        return staleness

    def _compare(self, workspace: Workspace, reader: Reader) -> _Comparison:
        now = dt.datetime.now().astimezone()
        settings = IndexSettings.of(self._registry.settings(workspace), workspace)
        limit, io_timeout = _TimeLimit(LOOK_SECONDS), self._io_timeouts[workspace.id]
        try:
            if reader.document_count() > _MOST_NOTES:
                raise Cancelled
            scan = scanned(workspace.root, settings, limit, io_timeout, reader.metadata.drive())
        except Cancelled:
            reason = msg("The folder is too large to be looked through before an answer.")
            pending = self._auto_index.pending(workspace.id)
            return _Comparison(Staleness(pending, reason=reason))
        if scan.away:
            self._auto_index.suspect(workspace.id)
        known = reader.metadata.documents()
        differing = difference(scan, known, settings)
        doubtful = [
            file
            for file in differing.doubtful[:_MOST_DOUBTFUL]
            if (note := self._read(workspace, file)) and note.sha256 != known[file.label].sha256
        ]
        tried = self._tried.get(workspace.id, frozenset())
        changed = [file for file in (*differing.changed, *doubtful) if file not in tried]
        staleness = Staleness(len(changed) + len(differing.gone), now, scan.away)
        return _Comparison(staleness, changed, differing.gone, known)

    def _index_some(
        self, workspace: Workspace, comparison: _Comparison, request: SearchRequest
    ) -> Staleness:
        """Staleness after indexing some of the changed notes; a pass brings the rest later."""
        staleness, changed, gone = comparison.staleness, comparison.changed, comparison.gone
        if not changed and not gone:
            return staleness
        if self._board.is_paused:
            return replace(staleness, reason=msg("Indexing is paused."))
        search = self._registry.settings(workspace)
        job = Job(workspace, self._registry.index_file(workspace), search, words_only=True)
        files = self._first_to_index(workspace, changed, request.text)
        is_busy = request.is_typing or self._index.is_indexing()
        try:
            if files or gone:
                indexed = self._index.index_now(job, files, comparison.known, gone)
                indexed.result(_BUSY_SECONDS if is_busy else CATCH_UP_SECONDS)
        except (StillRunning, Cancelled):
            return staleness
        except ScrubjayError as error:
            return replace(staleness, reason=staleness.reason or str(error))
        with self._lock:
            tried = self._tried.get(workspace.id, frozenset())
            self._tried[workspace.id] = tried | frozenset(files)
        left = len(changed) - len(files)
        if left and not self._auto_index.is_on and not self._index.is_indexing(workspace.id):
            self._index.submit(job)
        return replace(staleness, pending=left)

    def _first_to_index(
        self, workspace: Workspace, files: Sequence[FoundFile], query: str
    ) -> list[FoundFile]:
        """Files of `_MOST_BYTES` together: first those named by a query, then those with its words.

        Files come newest first.
        """
        words = [fold(term.text) for term in parse(query).keywords]
        days = [date.iso for date in named_dates(query, dt.date.today()) if date.year]
        unread = _MOST_BYTES_SEARCHED

        def relevance(file: FoundFile) -> int:
            nonlocal unread
            if any(name in fold(file.label) for name in (*words, *days)):
                return 2
            unread -= file.size
            if unread < 0 or file.size > _MOST_BYTES:
                return 0
            note = self._read(workspace, file)
            text = fold(note.data.decode("utf-8", "replace")) if note else ""
            return int(any(word in text for word in words))

        if sum(file.size for file in files) > _MOST_BYTES:
            files = sorted(files, key=relevance, reverse=True)
        chosen, left = [], _MOST_BYTES
        for file in files:
            if file.size <= left:
                chosen.append(file)
                left -= file.size
        return chosen

    def _read(self, workspace: Workspace, file: FoundFile) -> NoteBytes | None:
        with contextlib.suppress(OSError, NoteUnreadable):
            io_timeout = self._io_timeouts[workspace.id]
            return read_or_timeout(lambda: read_note(file.path), io_timeout, CancelToken())
        return None


class _TimeLimit(CancelToken):
    """Cancels work that takes longer than so many seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._until = time.monotonic() + seconds

    def check(self) -> None:
        if time.monotonic() > self._until:
            raise Cancelled
