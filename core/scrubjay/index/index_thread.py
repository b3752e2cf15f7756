"""The index thread: one pass at a time, one writing process for each index."""

from __future__ import annotations

import contextlib
import functools
import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.concurrency.timers import Timer, Timers
from scrubjay.concurrency.worker import Worker, is_refused
from scrubjay.config.schema.memory_search import HistorySettings, MemorySearch
from scrubjay.embedding.provider import EmbeddingProvider
from scrubjay.errors import Cancelled, IndexCorrupt, ProviderUnavailable, ScrubjayError
from scrubjay.events import (
    BackfillAsked,
    EventBus,
    IndexChanged,
    IndexFailed,
    IndexFinished,
    IndexProgressed,
    Notice,
)
from scrubjay.index.indexer import Indexer
from scrubjay.index.scan_diff import IndexSettings
from scrubjay.messages import msg
from scrubjay.notes.scan import FoundFile
from scrubjay.records.search_records import IndexReport, IndexState, Progress, Workspace
from scrubjay.store.connection import converting
from scrubjay.store.index_files import delete_index, index_bytes, lease, move_aside
from scrubjay.store.revisions import HistoryLimits
from scrubjay.store.rows import KnownDocument
from scrubjay.store.writer import Writer
from scrubjay.workspaces.status_board import StatusBoard

log = logging.getLogger(__name__)

JobKey: TypeAlias = tuple[str, bool, bool, bool]

LATER_S = 60.0
"""After which batches that nobody waits for are looked at again."""


@dataclass(frozen=True, slots=True)
class Job:
    """What one pass needs to know."""

    workspace: Workspace
    file: Path
    settings: MemorySearch
    force: bool = False
    words_only: bool = False
    may_send: bool = False
    """A person said yes to what a remote provider gets."""

    @property
    def key(self) -> JobKey:
        """Equal for passes of which one is enough."""
        return self.workspace.id, self.force, self.words_only, self.may_send


class IndexThread:
    """Runs passes in order; asking for one that waits already gives the same future."""

    def __init__(
        self,
        provider: Callable[[], EmbeddingProvider],
        board: StatusBoard,
        events: EventBus,
        timers: Timers,
        io_timeouts: IoTimeouts,
        token: Callable[[], CancelToken] = CancelToken,
    ) -> None:
        """The provider is asked for at each pass; it raises ProviderUnavailable."""
        self._token = token
        self._provider = provider
        self._board = board
        self._events = events
        self._timers = timers
        self._worker = Worker("index")
        self._io_timeouts = io_timeouts
        self._lock = threading.Lock()
        self._waiting: dict[JobKey, tuple[Future[IndexReport], CancelToken]] = {}
        self._running: dict[str, CancelToken] = {}
        self._leased: set[Path] = set()
        """Indexes that this thread is writing to right now."""
        self._urgent: queue.SimpleQueue[tuple[Future[None], Callable[[], None]]] = (
            queue.SimpleQueue()
        )
        self._for_words: dict[str, list[Future[None]]] = {}
        self._distrusted: set[Path] = set()
        self._batches_off = ""
        self._looks: dict[str, Timer] = {}
        """What looks at the batches of each workspace again."""

    def submit(self, job: Job) -> Future[IndexReport]:
        """Queue a pass. Its future may raise Cancelled or IndexUnavailable."""
        with self._lock:
            if job.key in self._waiting:
                return self._waiting[job.key][0]
            cancel = self._token()
            future = self._worker.submit(lambda: self._run(job, cancel))
            if is_refused(future):
                return future
            self._waiting[job.key] = future, cancel
        status = self._board.workspace(job.workspace.id)
        if status and status.state is not IndexState.INDEXING:
            self._board.update(job.workspace.id, state=IndexState.WAITING)
        return future

    def cancel(self, workspace_id: str | None = None) -> None:
        """Stop the running pass of one workspace, or of all; what waits is dropped too."""
        with self._lock:
            tokens = [
                token for name, token in self._running.items() if workspace_id in (None, name)
            ]
            keys = [key for key in self._waiting if workspace_id in (None, key[0])]
            waiting = [self._waiting.pop(key) for key in keys]
            dropped = [name for name in self._for_words if workspace_id in (None, name)]
            looks = [self._looks[name] for name in self._looks if workspace_id in (None, name)]
        for look in looks:
            look.cancel()
        # Not under the lock: who hears of it may ask for another pass at once.
        tokens += [token for future, token in waiting if not future.cancel()]
        for token in tokens:
            token.cancel()
        for name in dropped:
            self._tell_words_are_in(name)

    def take_in(
        self,
        job: Job,
        files: Sequence[FoundFile],
        known: Mapping[str, KnownDocument],
        gone: Sequence[str],
    ) -> Future[None]:
        """Publish the words of a few files now, also in the middle of a pass.

        Known is what the index holds of them. The future may raise IndexUnavailable or Cancelled.
        """
        future: Future[None] = Future()
        self._urgent.put((future, lambda: self._take_in(job, files, known, gone)))
        if is_refused(self._worker.submit(self._do_urgent)):
            for dropped, _ in self._taken_urgent():
                dropped.set_exception(Cancelled())
        return future

    def words_ready(self, workspace_id: str) -> Future[None]:
        """Done when the next pass of a workspace has published all words, or has ended."""
        future: Future[None] = Future()
        with self._lock:
            self._for_words.setdefault(workspace_id, []).append(future)
        return future

    def is_at(self, workspace_id: str | None = None) -> bool:
        """True while a pass over a workspace, or over any, is running or waiting."""
        with self._lock:
            at_work = {key[0] for key in self._waiting} | set(self._running)
        return workspace_id in at_work if workspace_id else bool(at_work)

    def mark_corrupt(self, file: Path) -> bool:
        """Rebuild an index at its next pass, whatever it looks like; False if that is known."""
        with self._lock:
            is_new = file not in self._distrusted
            self._distrusted.add(file)
            return is_new

    def is_distrusted(self, file: Path) -> bool:
        """True from the moment an index turned out to be unreadable until it is built anew."""
        with self._lock:
            return file in self._distrusted

    def delete(self, workspace_id: str, file: Path) -> Future[None]:
        """Stop passes of a workspace and delete its index, after what runs has stopped."""
        self.cancel(workspace_id)
        return self._worker.submit(lambda: delete_index(file))

    def close(self) -> None:
        """Stop what runs and end the thread."""
        self.cancel()
        self._worker.stop()

    def _run(self, job: Job, cancel: CancelToken) -> IndexReport:
        name = job.workspace.id
        with self._lock:
            self._waiting.pop(job.key, None)
            self._running[name] = cancel
        try:
            report = self._pass_with_repair(job, cancel)
        except Cancelled:
            self._board.update(name, state=self._resting_state(), progress=None)
            raise
        except ScrubjayError as error:
            self._board.update(name, state=IndexState.ERROR, progress=None, error=str(error))
            self._events.publish(IndexFailed(name, str(error)))
            raise
        except Exception as error:  # the thread must outlive a bug, and people must hear of it
            log.exception("Indexing %s failed", job.workspace.root)
            reason = msg(
                "Indexing stopped unexpectedly ({error}). What was indexed is searchable.",
                error=error,
            )
            self._board.update(name, state=IndexState.ERROR, progress=None, error=reason)
            self._events.publish(IndexFailed(name, reason))
            raise
        finally:
            with self._lock:
                self._running.pop(name, None)
            self._tell_words_are_in(name)
        if report.away:
            told = msg("{away} What was indexed is still searched.", away=report.away)
            self._board.update(name, state=IndexState.ERROR, error=told)
        self._events.publish(IndexFinished(report))
        if report.backfill:
            self._events.publish(BackfillAsked(name, report.backfill))
        self._follow_batches(job, report)
        return report

    def _follow_batches(self, job: Job, report: IndexReport) -> None:
        """See to it that somebody takes what batches bring, and tell when they do not work."""
        if report.batches_off and report.batches_off != self._batches_off:
            title = msg("Batches are not used any more until Scrubjay starts again")
            why = msg("{reason} Indexing went on without.", reason=report.batches_off)
            self._events.publish(Notice(title, why))
            self._batches_off = report.batches_off
        later = replace(job, force=False, words_only=False)
        if report.in_batches and job.settings.remote.batch.wait:
            self.submit(later)  # it gave way to others
        elif report.in_batches:
            look = functools.partial(self._submit_unless_paused, later)
            with self._lock:
                if before := self._looks.get(job.workspace.id):
                    before.cancel()
                self._looks[job.workspace.id] = self._timers.after(LATER_S, look)

    def _submit_unless_paused(self, job: Job) -> None:
        if not self._board.is_paused:
            self.submit(job)

    def _tell_words_are_in(self, name: str) -> None:
        with self._lock:
            futures = self._for_words.pop(name, [])
        for future in futures:
            future.set_result(None)

    def _do_urgent(self) -> None:
        """Between two batches of a pass, or when nothing else is to be done."""
        for future, work in self._taken_urgent():
            try:
                work()
                future.set_result(None)
            except BaseException as error:  # who waits for it has to know
                future.set_exception(error)

    def _taken_urgent(self) -> Iterator[tuple[Future[None], Callable[[], None]]]:
        """What waits, each for one taker."""
        with contextlib.suppress(queue.Empty):
            while True:
                yield self._urgent.get_nowait()

    def _take_in(
        self,
        job: Job,
        files: Sequence[FoundFile],
        known: Mapping[str, KnownDocument],
        gone: Sequence[str],
    ) -> None:
        status = self._board.workspace(job.workspace.id)
        if status is None or self._board.is_paused:
            raise Cancelled
        with (
            self._held(job.file),
            converting(job.file),
            contextlib.closing(Writer.open(job.file, _limits(job.settings.history))) as writer,
        ):
            indexer = Indexer(
                job.workspace,
                writer,
                self._provider,
                IndexSettings.of(job.settings, job.workspace),
                on_commit=functools.partial(self._committed, job, writer, status.state),
                io_timeout=self._io_timeouts[job.workspace.id],
            )
            indexer.take_in(files, known, gone, CancelToken())

    @contextlib.contextmanager
    def _held(self, file: Path, cancel: CancelToken | None = None) -> Iterator[None]:
        """The lease, which a pass that is interrupted for this may have already."""
        if file in self._leased:
            yield
            return
        with lease(file, cancel):
            self._leased.add(file)
            try:
                yield
            finally:
                self._leased.discard(file)

    def _resting_state(self) -> IndexState:
        return IndexState.PAUSED if self._board.is_paused else IndexState.READY

    def _pass_with_repair(self, job: Job, cancel: CancelToken) -> IndexReport:
        try:
            if not self.is_distrusted(job.file):
                return self._pass(job, cancel)
        except IndexCorrupt as error:
            log.warning("%s", error)
        with lease(job.file):
            kept = move_aside(job.file)
        with self._lock:
            self._distrusted.discard(job.file)
        self._events.publish(
            Notice(
                msg("The index was damaged and is being rebuilt"),
                msg("Your notes are untouched. The damaged file was kept as {file}.", file=kept),
            )
        )
        return self._pass(job, cancel)

    def _pass(self, job: Job, cancel: CancelToken) -> IndexReport:
        with (
            self._held(job.file, cancel),
            converting(job.file),
            contextlib.closing(Writer.open(job.file, _limits(job.settings.history))) as writer,
        ):
            self._board.update(job.workspace.id, state=IndexState.INDEXING, error="")
            try:
                report = self._run_indexer(job, writer, cancel)
                with writer.transaction():
                    writer.prune_history(time.time_ns())
                return report
            finally:
                self._show_counts(job, writer)

    def _run_indexer(self, job: Job, writer: Writer, cancel: CancelToken) -> IndexReport:
        """One pass, and another one when that made the provider give way."""
        first = self._indexer(job, writer)
        report = first.run(
            cancel, force=job.force, words_only=job.words_only, may_send=job.may_send
        )
        if not report.meaning_missing or report.backfill or not self._gave_way(first):
            return report
        again = self._indexer(job, writer).run(cancel, may_send=job.may_send)
        return replace(again, changed=report.changed, removed=report.removed, chunks=report.chunks)

    def _gave_way(self, indexer: Indexer) -> bool:
        """True when the fallback took over, or a remote model now has longer vectors."""
        try:
            now = self._provider()
            if now is not indexer.provider:
                return True
            used = indexer.generation
            return not now.is_local and used is not None and now.identity() != used.identity
        except ProviderUnavailable:
            return False

    def _indexer(self, job: Job, writer: Writer) -> Indexer:
        name = job.workspace.id

        def report(progress: Progress) -> None:
            self._board.update(name, progress=progress)
            self._events.publish(IndexProgressed(name, progress))

        return Indexer(
            job.workspace,
            writer,
            self._provider,
            IndexSettings.of(job.settings, job.workspace),
            report=report,
            on_commit=functools.partial(self._committed, job, writer, IndexState.INDEXING),
            on_words_indexed=lambda: self._tell_words_are_in(name),
            between=self._do_urgent,
            should_yield=lambda: self._worker.has_waiting,
            io_timeout=self._io_timeouts[name],
        )

    def _committed(
        self, job: Job, writer: Writer, state: IndexState, changed: int, removed: int
    ) -> None:
        self._show_counts(job, writer, state=state)
        self._events.publish(IndexChanged(job.workspace.id, changed, removed))

    def _show_counts(self, job: Job, writer: Writer, state: IndexState | None = None) -> None:
        shown: dict[str, object] = {"state": state or IndexState.READY}
        if state is None:
            shown["progress"] = None
        self._board.show_index(job.workspace.id, writer, index_bytes(job.file), **shown)


def _limits(history: HistorySettings) -> HistoryLimits:
    return HistoryLimits(history.days, history.max_bytes)
