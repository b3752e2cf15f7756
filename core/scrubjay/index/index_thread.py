"""The index thread: one pass at a time, one writing process for each index."""

from __future__ import annotations

import contextlib
import functools
import logging
import queue
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.lazy import LazyParts, lazy
from scrubjay.concurrency.thread_pool import DaemonThreadPool, SerialQueue, is_refused, run_job
from scrubjay.concurrency.timers import Timer, Timers
from scrubjay.errors import Cancelled, IndexLocked, ScrubjayError
from scrubjay.events import BackfillAsked, IndexFailed, IndexFinished, Notice
from scrubjay.index.jobs import Job, JobKey, Pass, PassHooks, PassParts
from scrubjay.messages import msg
from scrubjay.notes.scan import FoundFile
from scrubjay.platform.malloc import trim_heaps
from scrubjay.records.status_records import IndexReport, IndexState
from scrubjay.records.workspace_id import WorkspaceId
from scrubjay.store.connection import delete_index
from scrubjay.store.rows import KnownDocument

if TYPE_CHECKING:
    from scrubjay.index.indexer import IndexPasses

log = logging.getLogger(__name__)

LATER_S = 60.0
"""Seconds until batches under way are asked for again, or another process may have finished."""


class IndexThread(LazyParts):
    """Runs passes in order; submitting one that waits already gives the same future."""

    def __init__(
        self, parts: PassParts, timers: Timers, token: Callable[[], CancelToken] = CancelToken
    ) -> None:
        """Each pass gets a token of its own."""
        self._parts = parts
        self._board = parts.board
        self._events = parts.events
        self._timers = timers
        self._token = token
        # One thread runs all passes; what is urgent runs on it between two batches.
        self._queue = SerialQueue(DaemonThreadPool("index", on_idle=trim_heaps))
        # Other threads ask for passes and cancel them, so these are changed under the lock.
        self._lock = threading.Lock()
        self._waiting: dict[JobKey, Pass] = {}
        self._running: dict[WorkspaceId, CancelToken] = {}
        self._doomed: set[WorkspaceId] = set()
        """Ids of workspaces whose index is about to be deleted."""
        self._urgent: queue.SimpleQueue[tuple[Future[None], Callable[[], None]]] = (
            queue.SimpleQueue()
        )
        self._words_ready: dict[WorkspaceId, list[Future[None]]] = {}
        self._batches_off = ""
        """Reason why batches do not work, as it was last shown."""
        self._later_timers: dict[WorkspaceId, Timer] = {}
        """Timers by workspace id, for the next pass that goes on with what this one left."""

    @lazy
    def _passes(self) -> IndexPasses:
        from scrubjay.index.indexer import IndexPasses

        return IndexPasses(self._parts)

    def mark_corrupt(self, file: Path) -> bool:
        """Rebuild an index at its next pass; False when it was marked before. For any thread."""
        return self._passes.mark_corrupt(file)

    def is_corrupt(self, file: Path) -> bool:
        """Whether an index turned out to be unreadable and is not built anew yet."""
        return self.is_made("_passes") and self._passes.is_corrupt(file)

    def submit(
        self, job: Job, *, is_last: bool = False, on_words: Callable[[], object] = lambda: None
    ) -> Future[IndexReport]:
        """Queue a pass; on_words is called when it has read the words of all notes.

        Its future ends after documents were read, too, for which the pass may have to run again. It
        may raise Cancelled or IndexUnavailable.
        """
        with self._lock:
            waiting = self._waiting.get(job.key)
            if waiting:
                waiting.job = job
                waiting.is_due = True
                waiting.on_words.append(on_words)
                return waiting.future
            waiting = Pass(job, self._token(), is_last=is_last, on_words=[on_words])
            if is_refused(self._queue.submit(self._run_next)):
                waiting.future.set_exception(Cancelled())
                return waiting.future
            self._waiting[job.key] = waiting
            # Under the lock: afterwards the pass may have begun, or have ended.
            status = self._board.workspace(job.workspace.id)
            if status and status.state is not IndexState.INDEXING:
                self._board.update(job.workspace.id, state=IndexState.WAITING)
        return waiting.future

    def cancel(self, workspace_id: WorkspaceId | None = None) -> None:
        """Stop the running pass of one workspace, or of all; those that wait are dropped too."""

        def matches(name: WorkspaceId) -> bool:
            return workspace_id in (None, name)

        # What matches is taken while no pass can begin or be queued.
        with self._lock:
            tokens = [token for name, token in self._running.items() if matches(name)]
            keys = [key for key in self._waiting if matches(key[0])]
            waiting = [self._waiting.pop(key) for key in keys]
            dropped = [name for name in self._words_ready if matches(name)]
            timers = [self._later_timers[name] for name in self._later_timers if matches(name)]
        for timer in timers:
            timer.cancel()
        # Not under the lock: a future's callback may submit another pass at once.
        for each in waiting:
            if not each.future.cancel():
                each.future.set_exception(Cancelled())
            tokens.append(each.cancel)  # its words may be being read
        for token in tokens:
            token.cancel()
        if self.is_made("_passes"):
            self._passes.stop_documents(workspace_id)
        for name in dropped:
            self._settle_words(name)

    def index_now(
        self,
        job: Job,
        files: Sequence[FoundFile],
        documents: Mapping[str, KnownDocument],
        gone: Sequence[str],
    ) -> Future[None]:
        """Publish the words of a few files now, also in the middle of a pass.

        Documents are their records. The future may raise IndexUnavailable or Cancelled.
        """
        return self._urgently(
            lambda: self._passes.index_now(job, files, documents=documents, gone=gone)
        )

    def _urgently(self, work: Callable[[], None]) -> Future[None]:
        """Do work before the next batch of the running pass, or at once when none runs."""
        future: Future[None] = Future()
        self._urgent.put((future, work))
        # A thread that has ended takes no work, so what waits is cancelled here.
        if is_refused(self._queue.submit(self._run_urgent)):
            for dropped, _ in self._take_urgent():
                dropped.set_exception(Cancelled())
        return future

    def words_ready(self, workspace_id: WorkspaceId) -> Future[None]:
        """Done when the next pass of a workspace has published all words, or has ended."""
        future: Future[None] = Future()
        with self._lock:
            self._words_ready.setdefault(workspace_id, []).append(future)
        return future

    def is_indexing(self, workspace_id: WorkspaceId | None = None) -> bool:
        """Whether a pass over a workspace, or over any, is running or waiting."""
        with self._lock:
            names = {key[0] for key in self._waiting} | set(self._running)
        if workspace_id:
            return workspace_id in names
        return bool(names)

    def delete(self, workspace_id: WorkspaceId, file: Path) -> Future[None]:
        """Stop the passes of a workspace, then delete its index; others may continue meanwhile."""

        def delete() -> None:
            delete_index(file)
            self._passes.forget_documents(workspace_id)
            self._doomed.discard(workspace_id)

        # No pass over it begins from here on, while one that runs may still have the file open.
        self._doomed.add(workspace_id)
        self.cancel(workspace_id)
        with self._lock:
            is_running = workspace_id in self._running
        if is_running:
            return self._queue.submit(delete)
        return self._urgently(delete)

    def close(self) -> None:
        """Stop all passes and end the thread."""
        self.cancel()
        self._queue.close()

    def _next(self, allows: Callable[[Pass], bool] = lambda _: True) -> Pass | None:
        """The waiting pass over the smallest index; an unread one counts as empty."""
        with self._lock:
            waiting = [
                each
                for each in self._waiting.values()
                if each.job.workspace.id not in self._doomed
                and not each.future.cancelled()
                and allows(each)
            ]
        return min(waiting, key=self._size, default=None)

    def _size(self, sized: Pass) -> tuple[bool, int]:
        """Whether a pass goes after others, and the chunks of its index; 0 for a brief one."""
        job = sized.job
        status = self._board.workspace(job.workspace.id)
        is_brief = job.words_only or self.is_corrupt(job.file)
        if is_brief or status is None:
            return sized.is_last, 0
        return sized.is_last, status.chunks

    def _run_next(self) -> None:
        waiting = self._next()
        if waiting:
            self._run_pass(waiting)

    def _read_waiting(self, *reading: WorkspaceId) -> None:
        """Publish the words of all passes that wait, but for workspaces that are being read."""

        def is_to_be_read(each: Pass) -> bool:
            return each.is_due and each.job.workspace.id not in reading

        while waiting := self._next(is_to_be_read):
            name = waiting.job.workspace.id
            waiting.is_due = False
            # Other passes may come while this one is read, and theirs are read in between.
            hooks = PassHooks(while_reading=functools.partial(self._read_waiting, *reading, name))
            try:
                self._passes.read_words(waiting, hooks)
                read = waiting if waiting.words else None
                self._settle_words(name, read)
            except Cancelled:
                self._show_stopped(name)
            except Exception as error:  # its own turn meets the error again, and reports it
                log.info("The words of %s were not read early: %s", name, error)
                waiting.words = None

    def _give_way(self, running: Pass) -> None:
        """Between two batches of a pass, let changes, words and smaller indexes go first."""
        self._run_urgent()
        self._read_waiting()
        name = running.job.workspace.id
        size = self._size(running)

        def goes_first(each: Pass) -> bool:
            return self._size(each) < size and each.job.workspace.id not in self._running

        # A small folder need not wait until a large one is learned.
        while smaller := self._next(goes_first):
            self._board.update(name, state=IndexState.WAITING)
            self._run_pass(smaller)
        if not running.cancel.cancelled:
            self._board.update(name, state=IndexState.INDEXING)

    def _run(self, running: Pass) -> IndexReport:
        """Do one pass and tell everyone of its report, or of its error."""
        job = running.job
        name = job.workspace.id
        # At these moments of the pass, the thread can do other work.
        hooks = PassHooks(
            on_words_indexed=lambda: self._settle_words(name, running),
            on_idle=lambda: self._give_way(running),
            while_reading=functools.partial(self._read_waiting, name),
            should_yield=lambda: bool(self._waiting),
        )
        with self._lock:
            self._waiting.pop(job.key, None)
            self._running[name] = running.cancel
        try:
            report = self._passes.run(running, hooks)
        except Cancelled:
            self._show_stopped(name)
            raise
        except Exception as error:  # the thread must outlive a bug, and the user must learn of it
            # Another process holds the index; documents that were found are not forgotten.
            if isinstance(error, IndexLocked) and len(self._passes.documents(name)):
                self._submit_later(job)
            reason = _reason(error, job.workspace.root)
            self._board.update(name, state=IndexState.ERROR, progress=None, error=reason)
            self._events.publish(IndexFailed(name, reason))
            raise
        # A report of a folder that cannot be read is an error to people, and not to a caller.
        if report.away:
            reason = msg("{away} What was read before is still searched.", away=report.away)
            self._board.update(name, state=IndexState.ERROR, error=reason)
        self._events.publish(IndexFinished(report))
        # A pass that needs consent ends without vectors, and a person is asked.
        if report.backfill:
            self._events.publish(BackfillAsked(name, report.backfill))
        self._follow_batches(job, report)
        return report

    def _run_pass(self, running: Pass) -> None:
        """Put the report or the error of a pass into its future, unless that was cancelled.

        A pass that leaves documents waits again, after all others.
        """
        future = running.future
        # A pass that goes on has been running all the time.
        if running.former is None and not future.set_running_or_notify_cancel():
            return
        try:
            report = self._run(running)
        except BaseException as error:  # the thread must outlive any pass
            self._leave(running)
            future.set_exception(error)
            return
        # The rest of the documents is read after other passes, unless nothing can be read now.
        if running.former:
            report = report.with_former(running.former)
        is_over = report.away or self._board.is_paused
        if report.documents_left and not is_over:
            self._go_on_later(running, report)
        else:
            self._leave(running)
            future.set_result(report)

    def _leave(self, running: Pass) -> None:
        """Let a pass run no longer."""
        name = running.job.workspace.id
        with self._lock:
            self._running.pop(name, None)
        self._settle_words(name)

    def _go_on_later(self, running: Pass, report: IndexReport) -> None:
        """Let a pass wait again for the documents that it left."""
        running.job = replace(running.job, force=False)
        running.former = report
        running.words = None
        running.is_last = True
        running.is_due = False
        # Between running and waiting there is no moment at which it could not be cancelled.
        with self._lock:
            self._running.pop(running.job.workspace.id, None)
            waiting = self._waiting.setdefault(running.job.key, running)
            self._board.update(running.job.workspace.id, state=IndexState.WAITING)
        self._settle_words(running.job.workspace.id)
        if waiting is not running:  # asked for meanwhile
            waiting.future.add_done_callback(lambda done: _pass_on(done, running, report))
        elif is_refused(self._queue.submit(self._run_next)):
            self.cancel(running.job.workspace.id)

    def _show_stopped(self, name: WorkspaceId) -> None:
        state = IndexState.PAUSED if self._board.is_paused else IndexState.READY
        self._board.update(name, state=state, progress=None)

    def _follow_batches(self, job: Job, report: IndexReport) -> None:
        """Come back for the vectors of batches under way; report batches that do not work."""
        if report.batches_off and report.batches_off != self._batches_off:
            title = msg("Sending at half the price is off until Scrubjay starts again")
            text = msg("{reason} Reading continued without it.", reason=report.batches_off)
            self._events.publish(Notice(title, text))
            self._batches_off = report.batches_off
        # A pass that may wait follows at once, as others had their turn; else in a minute.
        later = replace(job, force=False, words_only=False)
        if report.in_batches and job.settings.remote.batch.wait:
            self.submit(later, is_last=True)  # it gave way to other passes
        elif report.in_batches:
            self._submit_later(later)

    def _submit_later(self, job: Job) -> None:
        """Queue a pass in a minute, unless reading is paused then."""

        def submit() -> None:
            if not self._board.is_paused:
                self.submit(job)

        with self._lock:
            timer = self._later_timers.get(job.workspace.id)
            if timer:
                timer.cancel()
            self._later_timers[job.workspace.id] = self._timers.after(LATER_S, submit)

    def _settle_words(self, name: WorkspaceId, read: Pass | None = None) -> None:
        """End the futures that wait for the words of a workspace, with those of a pass first."""
        with self._lock:
            futures = self._words_ready.pop(name, [])
        while read and read.on_words:
            read.on_words.pop()()
        for future in futures:
            future.set_result(None)

    def _run_urgent(self) -> None:
        """Between two batches of a pass, or when no pass runs."""
        for job in self._take_urgent():
            run_job(*job)

    def _take_urgent(self) -> Iterator[tuple[Future[None], Callable[[], None]]]:
        with contextlib.suppress(queue.Empty):
            while True:
                yield self._urgent.get_nowait()


def _reason(error: Exception, root: Path) -> str:
    """The sentence for a pass that failed; a bug is also logged."""
    if isinstance(error, ScrubjayError):
        return str(error)
    log.error("Indexing %s failed", root, exc_info=error)
    return msg(
        "Reading stopped unexpectedly ({error}). Your notes are safe, and what was read can be "
        "searched.",
        error=error,
    )


def _pass_on(done: Future[IndexReport], running: Pass, report: IndexReport) -> None:
    """Give the result of another pass, which did the rest, to the future of one."""
    if done.cancelled():
        running.future.set_exception(Cancelled())
        return
    error = done.exception()
    if error:
        running.future.set_exception(error)
    else:
        running.future.set_result(done.result().with_former(report))
