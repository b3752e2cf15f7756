"""Looks at the disk before an answer: how far the index is behind, and a little catching up."""

from __future__ import annotations

import contextlib
import datetime as dt
import functools
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import TimeoutError as StillRunning
from dataclasses import dataclass, replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.errors import Cancelled, ScrubjayError
from scrubjay.index.auto_index import AutoIndexer
from scrubjay.index.index_thread import IndexThread, Job
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

_LONGEST_LOOK_S = 0.2
"""A folder that takes longer to list is not looked at before an answer."""

_LOOK_S_A_NOTE = 12e-6
"""What listing takes at least; so the first search of 20,000 notes need not try and give up."""

_SHARE_OF_TIME = 10
"""Looking that is not cheap takes at most one part in so many of the time between searches."""

_CHEAP_LOOK_S = 0.02
"""A folder that is listed so quickly is looked at each time, even when it is watched."""

_BUDGET_MS = 50.0
"""What catching up may cost before an answer."""

_FIXED_MS, _FILE_MS, _BYTES_PER_MS = 10.0, 0.5, 6_000
"""What it does cost: opening the index, each file, and their words, on a slow computer."""

_PATIENCE_S, _SHORT_PATIENCE_S = 1.0, 0.1
"""How long an answer waits for the words of changed notes on a computer that is busy; the second
while somebody is typing, or a pass is under way, which may be in the middle of a batch."""

_OFFERED_S = 60.0
"""A file that was taken in and still differs, as one that nobody may read, is left so long."""

_MAX_DOUBTFUL = 20
"""Files that look the same are read before an answer to see whether they are, not more at once."""
_MAX_READ = 4 * 2**20
"""Bytes that are looked through for the words of a query."""


@dataclass(frozen=True, slots=True)
class Staleness:
    """How far an index is behind the disk."""

    pending: int = 0
    """Notes that changed and are not read."""
    checked_at: dt.datetime | None = None
    """When disk and index were compared; None when they were not just now."""
    reason: str = ""
    """Why the index cannot follow, in one sentence."""


@dataclass(frozen=True, slots=True)
class _Look:
    """What one comparison found, and what it cost."""

    began: float
    ended: float
    files: tuple[FoundFile, ...] = ()
    known: Mapping[str, KnownDocument] | None = None
    gone: tuple[str, ...] = ()
    sight: Staleness = Staleness()
    after_pass: dt.datetime | None = None
    """When the last pass ended before it."""

    @property
    def seconds(self) -> float:
        """What it cost."""
        return self.ended - self.began


class FreshnessCheck:
    """Compares disk and index when somebody asks. On the search threads."""

    def __init__(
        self,
        registry: Registry,
        board: StatusBoard,
        following: AutoIndexer,
        index: IndexThread,
        io_timeouts: IoTimeouts,
    ) -> None:
        self._registry = registry
        self._board = board
        self._following = following
        self._index = index
        self._io_timeouts = io_timeouts
        self._lock = threading.Lock()
        self._last: dict[str, _Look] = {}
        self._offered: dict[tuple[str, FoundFile], float] = {}

    def refresh_if_cheap(
        self, workspace: Workspace, reader: Reader, request: SearchRequest, asked: float
    ) -> Staleness:
        """Bring in what a query may concern, if that is quick, and tell what is left.

        Asked is when somebody did, on the monotonic clock: of requests that wait behind one
        another, those that were there before the first one's look need none of their own.
        """
        waiting = self._following.pending(workspace.id)
        if not self._registry.settings(workspace).sync.on_search:
            return Staleness(waiting, reason=self._pause())
        look = self._look(workspace, reader, request, asked, waiting)
        if look is None:
            return Staleness(waiting, reason=self._pause())
        if not look.files and not look.gone:
            return look.sight
        return self._catch_up(workspace, look, request)

    def _pause(self) -> str:
        return msg("Indexing is paused.") if self._board.is_paused else ""

    def _look(
        self,
        workspace: Workspace,
        reader: Reader,
        request: SearchRequest,
        asked: float,
        waiting: int,
    ) -> _Look | None:
        """A new comparison, or the last one when it is too early; None when none is needed."""
        last = self._last.get(workspace.id)
        is_dear = request.is_typing or last is None or last.seconds > _CHEAP_LOOK_S
        # The watcher tells of changes, and the pass at the start has seen those before it.
        if is_dear and not waiting and self._following.is_watching(workspace.id):
            return None
        if last and last.began >= asked:
            return last
        if last and (request.is_typing or last.seconds > _CHEAP_LOOK_S):
            is_early = time.monotonic() - last.ended < _SHARE_OF_TIME * last.seconds
            if is_early and last.after_pass == self._last_pass(workspace):
                return last
        look = self._compared(workspace, reader, waiting)
        with self._lock:
            self._last[workspace.id] = look
        return look

    def _compared(self, workspace: Workspace, reader: Reader, waiting: int) -> _Look:
        began = time.monotonic()
        after = self._last_pass(workspace)
        now = dt.datetime.now().astimezone()
        settings = IndexSettings.of(self._registry.settings(workspace), workspace)
        try:
            if reader.document_count() * _LOOK_S_A_NOTE > _LONGEST_LOOK_S:
                raise Cancelled
            limit = _TimeLimit(_LONGEST_LOOK_S)
            io_timeout = self._io_timeouts[workspace.id]
            found = scanned(workspace.root, settings, limit, io_timeout, reader.drive())
        except Cancelled:
            reason = msg("The folder is too large to be looked through before an answer.")
            sight = Staleness(waiting, reason=reason)
            return _Look(began, time.monotonic(), sight=sight, after_pass=after)
        known = reader.documents()
        differing = difference(found, known, settings)
        doubtful = differing.doubtful[:_MAX_DOUBTFUL]
        changed = (
            *differing.changed,
            *(one for one in doubtful if self._differs(workspace, one, known)),
        )
        files = tuple(one for one in changed if not self._was_offered(workspace, one))
        if found.away:
            self._following.suspect(workspace.id)
        sight = Staleness(len(files) + len(differing.gone), now, found.away)
        return _Look(began, time.monotonic(), files, known, differing.gone, sight, after)

    def _differs(
        self, workspace: Workspace, file: FoundFile, known: Mapping[str, KnownDocument]
    ) -> bool:
        """True when a file that looks the same holds other bytes."""
        with contextlib.suppress(OSError, NoteUnreadable):
            return self._read(workspace, file).sha256 != known[file.label].sha256
        return False

    def _read(self, workspace: Workspace, file: FoundFile) -> NoteBytes:
        io_timeout = self._io_timeouts[workspace.id]
        return read_or_timeout(lambda: read_note(file.path), io_timeout, CancelToken())

    def _last_pass(self, workspace: Workspace) -> dt.datetime | None:
        status = self._board.workspace(workspace.id)
        return status.freshness.checked_at if status else None

    def _catch_up(self, workspace: Workspace, look: _Look, request: SearchRequest) -> Staleness:
        """Take in what fits into the budget; a pass of its own brings the rest later."""
        sight = look.sight
        if self._board.is_paused:
            return Staleness(sight.pending, sight.checked_at, self._pause())
        job = Job(
            workspace,
            self._registry.index_file(workspace),
            self._registry.settings(workspace),
            words_only=True,
        )
        chosen = list(_affordable(look.files, request, functools.partial(self._read, workspace)))
        is_hasty = request.is_typing or self._index.is_at()
        patience = _SHORT_PATIENCE_S if is_hasty else _PATIENCE_S
        left, reason = sight.pending - len(chosen) - len(look.gone), sight.reason
        if chosen or look.gone:
            taken = self._index.take_in(job, chosen, look.known or {}, look.gone)
            try:
                taken.result(patience)
            except (StillRunning, Cancelled):
                return sight
            except ScrubjayError as error:
                return Staleness(sight.pending, sight.checked_at, reason or str(error))
            else:
                self._note_offered(workspace, chosen)
        if left and not self._following.is_on and not self._index.is_at(workspace.id):
            self._index.submit(job)
        sight = Staleness(left, sight.checked_at, reason)
        with self._lock:
            # What is in now must not be taken in again before the next look.
            self._last[workspace.id] = replace(look, files=(), known=None, gone=(), sight=sight)
        return sight

    def _note_offered(self, workspace: Workspace, files: Sequence[FoundFile]) -> None:
        now = time.monotonic()
        with self._lock:
            kept = {key: when for key, when in self._offered.items() if now - when < _OFFERED_S}
            self._offered = kept | {(workspace.id, file): now for file in files}

    def _was_offered(self, workspace: Workspace, file: FoundFile) -> bool:
        when = self._offered.get((workspace.id, file))
        return when is not None and time.monotonic() - when < _OFFERED_S


class _TimeLimit(CancelToken):
    """Calls work off once it has taken too long."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._until = time.monotonic() + seconds

    def check(self) -> None:
        if time.monotonic() > self._until:
            raise Cancelled


def _affordable(
    files: Sequence[FoundFile], request: SearchRequest, read: Callable[[FoundFile], NoteBytes]
) -> Iterator[FoundFile]:
    """What fits into the budget; when not all does, first what the query may concern."""
    left = _BUDGET_MS - _FIXED_MS
    ordered = list(files)
    if sum(map(_cost_ms, ordered)) > left:
        ordered = _by_concern(ordered, request, read)
    for file in ordered:
        left -= _cost_ms(file)
        if left >= 0:
            yield file
        else:
            left += _cost_ms(file)


def _cost_ms(file: FoundFile) -> float:
    return _FILE_MS + file.size / _BYTES_PER_MS


def _by_concern(
    files: list[FoundFile], request: SearchRequest, read: Callable[[FoundFile], NoteBytes]
) -> list[FoundFile]:
    words = [fold(term.text) for term in parse(request.text).keywords]
    days = [
        f"{day.year}-{day.month:02}-{day.day:02}"
        for day in named_dates(request.text, dt.date.today())
        if day.year
    ]
    unread = _MAX_READ

    def concern(file: FoundFile) -> int:
        nonlocal unread
        label = fold(file.label)
        if any(one in label for one in (*words, *days)):
            return 2
        unread -= file.size
        if unread < 0 or _cost_ms(file) > _BUDGET_MS:
            return 0
        with contextlib.suppress(OSError, NoteUnreadable):
            text = fold(read(file).data.decode("utf-8", "replace"))
            return int(any(word in text for word in words))
        return 0

    return sorted(files, key=concern, reverse=True)
