"""Checks of unwatched folders before an answer, with indexing of a few changed notes."""

from __future__ import annotations

import contextlib
import datetime as dt
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import TimeoutError as StillRunning
from functools import partial
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from scrubjay.answers.search_thread import SearchThread
from scrubjay.concurrency.cancel import CancelToken, TimeLimit
from scrubjay.concurrency.io_timeout import IoTimeout, IoTimeouts
from scrubjay.errors import Cancelled, IndexUnavailable, ScrubjayError
from scrubjay.index.auto_index import AutoIndexer
from scrubjay.index.index_thread import IndexThread
from scrubjay.index.passes import PassInput
from scrubjay.index.scan_diff import (
    SETTLED_NS,
    IndexSettings,
    absent_note_sizes,
    diff_scan,
    exclude_moved_folders,
    is_replaced,
    most_relevant_files,
    scan_workspace,
)
from scrubjay.messages import msg
from scrubjay.notes.note_reader import NoteBytes, NotePrefetcher
from scrubjay.notes.scan import FoundFile
from scrubjay.records.engine_limits import DEFAULT_LIMITS, EngineLimits
from scrubjay.records.search_records import SearchRequest
from scrubjay.records.status_records import Freshness, IndexState
from scrubjay.store.index_file import FileId
from scrubjay.store.index_records import KnownDocument
from scrubjay.store.reader import Reader
from scrubjay.text.printable import printable_label
from scrubjay.workspaces.open_workspace import LocalWorkspace
from scrubjay.workspaces.status_board import StatusBoard

_BUSY_SECONDS = 0.1
"""Seconds that an answer waits for them while a user types or a pass is under way."""

_MOST_NOTES = 16_000
"""A larger folder is not listed at all: at 12 µs a note that takes 0.2 seconds."""

_MOST_DOUBTFUL = 200
"""Notes of equal size and time whose bytes are compared before an answer; this takes 20 ms."""

_MOST_COMPARED = 4 * 2**20
"""Bytes of these notes together; a pass compares the others."""

_REPEAT_SECONDS = 2.0
"""Seconds for which any other look serves: looking takes a tenth of the time at most."""


class _Look(Struct, frozen=True):
    """The last look at a workspace, or none. Moments are on the monotonic clock."""

    pending: int = 0
    """Notes that changed and are not read, after catching up."""
    checked_at: dt.datetime | None = None
    """Time at which disk and index were compared; None if they were not just now."""
    reason: str = ""
    """Reason why the index cannot follow, in one sentence."""
    began: float = 0.0
    ended: float = 0.0
    """End of the comparison, before notes were indexed."""
    after_pass: dt.datetime | None = None
    """End of the last pass before it."""


class _Looks:
    """The looks at one workspace. On the search threads."""

    def __init__(self) -> None:
        self.index: FileId | None = None
        """The index that was looked at."""
        self.last: _Look | None = None
        self.tried: set[FoundFile] = set()
        """Files that were indexed for an answer. Those of them that differ all the same, such as
        unreadable ones, are left to the next pass. The next look forgets the others."""
        self.compared: dict[FoundFile, bytes] = {}
        """Doubtful files whose bytes were those of the index, with their digest. They are not read
        again until the folder or the index has another version."""

    def begin(self, index: FileId | None) -> None:
        """Forget the looks at another index, such as one in whose place a backup was put."""
        if index != self.index:
            self.index = index
            self.last = None
            self.tried = set()
            self.compared = {}

    def without_compared(
        self, doubtful: Sequence[FoundFile], known: Mapping[str, KnownDocument]
    ) -> list[FoundFile]:
        """The doubtful files that were not compared yet. Files no longer doubtful are forgotten."""
        # Only what is doubtful now is remembered, so that the memory is no larger than the folder.
        before = self.compared
        self.compared = {
            file: before[file] for file in doubtful if before.get(file) == known[file.label].sha256
        }
        return [file for file in doubtful if file not in self.compared]


class FreshnessCheck(Struct, eq=False):
    """Compares disk and index for a search. Used on the search threads."""

    _board: StatusBoard
    _auto_index: AutoIndexer
    _index: IndexThread
    _io_timeouts: IoTimeouts
    _backups: Path
    _limits: EngineLimits = DEFAULT_LIMITS
    _began: dt.datetime = field(
        default_factory=lambda: dt.datetime.now().astimezone().replace(microsecond=0)
    )
    """Folders that were compared since and are watched are as the index has them."""

    def catch_up(
        self,
        thread: SearchThread,
        workspace: LocalWorkspace,
        request: SearchRequest,
        asked_at: float,
    ) -> Freshness:
        """Freshness of an index; where no watcher looks, a few changed notes are indexed first.

        Asked_at is a moment on the monotonic clock; requests from before the last look share it.
        """
        look = self._look(thread, workspace, request=request, asked_at=asked_at)
        known = workspace.status.freshness
        return replace(
            known,
            pending=max(known.pending, look.pending),
            checked_at=look.checked_at or known.checked_at,
            reason=look.reason,
        )

    def _look(
        self,
        thread: SearchThread,
        workspace: LocalWorkspace,
        *,
        request: SearchRequest,
        asked_at: float,
    ) -> _Look:
        """The known changes, from a check of the disk unless another source is available.

        Other sources are a watcher, the last check, or settings that forbid the check.
        """
        settings = workspace.settings
        if not request.text.strip() or workspace.off_key:
            return _Look()
        pending = workspace.changes.pending
        is_current = workspace.changes.is_watched and workspace.changes.are_read
        if is_current or not settings.sync.on_search:
            if self._board.is_paused:
                return _Look(pending, reason=msg("Reading is paused."))
            if is_current and self._is_as_on_disk(workspace):
                return _Look(pending, checked_at=dt.datetime.now().astimezone())
            return _Look(pending)
        reader = None
        with contextlib.suppress(IndexUnavailable):  # the search raises it
            reader = thread.reader(workspace)
        if reader is None:
            return _Look()
        last_pass = workspace.status.freshness.checked_at
        began = time.monotonic()
        # The last look serves unless a new one costs nearly nothing or would tell something new.
        looks = workspace.part(_Looks)
        looks.begin(reader.file_id)
        last = looks.last
        if last:
            quick_seconds = self._limits.quick_look_seconds
            is_quick = last.ended - last.began <= quick_seconds and not request.is_typing
            is_recent = last.after_pass == last_pass and began - last.ended < _REPEAT_SECONDS
            if last.began >= asked_at or (is_recent and not is_quick):
                return last
        look = self._catch_up(workspace, request, reader)
        look = replace(look, began=began, after_pass=last_pass)
        looks.last = look
        return look

    def _is_as_on_disk(self, workspace: LocalWorkspace) -> bool:
        """Whether the index of a folder that is watched was compared with it since the start."""
        status = workspace.status
        if status.state is IndexState.ERROR:
            return False
        checked_at = status.freshness.checked_at
        return checked_at is not None and checked_at >= self._began

    # The steps of one look, in their order: each may be the last one.
    def _catch_up(  # noqa: C901
        self, workspace: LocalWorkspace, request: SearchRequest, reader: Reader
    ) -> _Look:
        """Compare, and index some of the changed notes. A later pass indexes the others."""
        now = dt.datetime.now().astimezone()
        settings = IndexSettings.of(workspace.settings, workspace.record)
        io_timeout = self._io_timeouts[workspace.root]
        # Taken before the look, since what changes during it may have been overlooked.
        changes = workspace.changes
        paths = changes.paths
        try:
            if reader.metadata.count() > _MOST_NOTES:
                raise Cancelled
            scan = scan_workspace(
                workspace.root,
                settings,
                cancel=TimeLimit(self._limits.folder_look_seconds),
                io_timeout=io_timeout,
                drive=reader.metadata.drive(),
                backups=self._backups,
            )
        except Cancelled:
            reason = msg("The folder is too large for Scrubjay to check before it answers.")
            return _Look(changes.pending, reason=reason, ended=time.monotonic())
        if scan.away:
            self._auto_index.suspect(workspace)
        known = reader.metadata.documents()
        exclude_moved_folders(
            scan, known, partial(absent_note_sizes, workspace.others, self._io_timeouts)
        )
        differing = diff_scan(scan, known, settings)
        limit = TimeLimit(self._limits.folder_look_seconds)
        doubtful = workspace.part(_Looks).without_compared(differing.doubtful, known)
        compared = _compare_bytes(doubtful, known, io_timeout=io_timeout, cancel=limit)
        workspace.part(_Looks).compared |= compared.settled
        changed = [*differing.changed, *compared.changed]
        changed = self._readable(workspace, changed, reader)
        pending = len(changed) + len(differing.gone)
        look = _Look(
            pending, checked_at=None if scan.away else now, reason=scan.away, ended=time.monotonic()
        )
        if not (pending or compared.same):
            if compared.is_partial:
                self._submit_alone(workspace)
            return look
        if self._board.is_paused and not pending:
            return look
        if self._board.is_paused:
            return replace(look, reason=msg("Reading is paused."))
        files = most_relevant_files(changed, request.text, io_timeout)
        job = PassInput.of(workspace, words_only=True)
        is_busy = request.is_typing or self._index.is_busy
        seconds = _BUSY_SECONDS if is_busy else self._limits.catch_up_seconds
        try:
            if files or differing.gone or compared.same:
                read = [*files, *compared.same]
                indexed = self._index.index_now(job, read, documents=known, gone=differing.gone)
                indexed.result(seconds)
        except (StillRunning, Cancelled):
            return look
        except ScrubjayError as error:
            return replace(look, reason=look.reason or str(error))
        workspace.part(_Looks).tried.update(files)
        left = len(changed) - len(files)
        if not left:
            changes.settle(paths)
        notes_left = sum(not file.is_document for file in changed) - len(files)
        if notes_left or compared.is_partial:
            self._submit_alone(workspace)
        return replace(look, pending=left)

    def _submit_alone(self, workspace: LocalWorkspace) -> None:
        """Have a pass read the other notes, as nobody else would without the app."""
        is_alone = not self._auto_index.is_on and not self._index.is_indexing(workspace)
        if is_alone and not self._board.is_paused:
            self._index.submit(PassInput.of(workspace, words_only=True))

    def _readable(
        self, workspace: LocalWorkspace, changed: list[FoundFile], reader: Reader
    ) -> list[FoundFile]:
        """The changed files, except those that could not be read as they are."""
        tried = workspace.part(_Looks).tried
        # Pictures are read in the background, whatever else there is, and no answer waits for them.
        changed = [file for file in changed if not file.is_read_picture]
        # The others were read, or have changed again.
        tried.intersection_update(changed)
        if not changed:
            return changed
        skipped = {file.path for file in reader.metadata.skipped()}
        last_ns = 0.0
        last = reader.metadata.checked_at()
        if last:
            last_ns = last.timestamp() * 1e9
        return [
            file
            for file in changed
            if file not in tried
            and not (printable_label(file.label) in skipped and file.mtime_ns < last_ns)
        ]


class _Compared(Struct, frozen=True):
    """Files of equal size and time, after their bytes were compared with the index."""

    changed: list[FoundFile] = field(default_factory=list)
    same: list[FoundFile] = field(default_factory=list)
    """Files whose entry alone is new, as after a copy; the index has to learn it once."""
    settled: dict[FoundFile, bytes] = field(default_factory=dict)
    """Files that are as the index has them, with their digest, and that did not change just now, so
    that their next change will show in their times."""
    is_partial: bool = False
    """Whether further notes are left to the next pass."""


def _compare_bytes(
    doubtful: Sequence[FoundFile],
    known: Mapping[str, KnownDocument],
    io_timeout: IoTimeout,
    cancel: CancelToken,
) -> _Compared:
    """Read notes of equal size and time; reading documents would take too long."""
    notes = [file for file in doubtful if not file.is_document]
    chosen: list[FoundFile] = []
    left = _MOST_COMPARED
    for file in notes[:_MOST_DOUBTFUL]:
        if file.size <= left:
            chosen.append(file)
            left -= file.size
    compared = _Compared(is_partial=len(chosen) < len(notes))
    now_ns = time.time_ns()
    try:
        for file, note in NotePrefetcher(chosen, io_timeout, cancel):
            if isinstance(note, NoteBytes) and note.sha256 != known[file.label].sha256:
                compared.changed.append(file)
            elif isinstance(note, NoteBytes) and is_replaced(file, known[file.label]):
                compared.same.append(file)
            elif isinstance(note, NoteBytes) and _is_settled(file, now_ns):
                compared.settled[file] = known[file.label].sha256
    except Cancelled:  # the time is over
        return replace(compared, is_partial=True)
    return compared


def _is_settled(file: FoundFile, now_ns: int) -> bool:
    """Whether a file did not change just now; a time in the future does not count as now."""
    # Within a tick of the clock of the drive, a second change would have the time of the first.
    times = (file.mtime_ns, file.ctime_ns)
    return not any(0 <= now_ns - each <= SETTLED_NS for each in times)
