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
from scrubjay.concurrency.timers import ScheduledCall, Timers
from scrubjay.errors import Cancelled, IndexLocked, ScrubjayError, system_reason
from scrubjay.events import BackfillAsked, IndexFailed, IndexFinished, Notice
from scrubjay.index.passes import JobKey, Pass, PassHooks, PassInput, PassParts
from scrubjay.messages import msg
from scrubjay.notes.scan import FoundFile
from scrubjay.platform.malloc import trim_heaps
from scrubjay.records.engine_limits import EngineLimits
from scrubjay.records.status_records import IndexReport, IndexState
from scrubjay.store.index_file import delete_index
from scrubjay.store.index_records import KnownDocument

if TYPE_CHECKING:
    from scrubjay.index.indexer import IndexPasses
    from scrubjay.workspaces.open_workspace import LocalWorkspace

log = logging.getLogger(__name__)


class _Awaited:
    """What waits for the passes of one workspace. Changed under the lock of the thread."""

    def __init__(self) -> None:
        self.words: list[Future[None]] = []
        """Futures that are done once its words are read."""
        self.later: ScheduledCall | None = None
        """Timer of the pass that continues with what the last one left."""
        self.is_doomed = False
        """Whether its index is about to be deleted."""


class IndexThread(LazyParts):
    """Runs passes in order. Submitting a pass that is already waiting returns the same future."""

    def __init__(
        self, parts: PassParts, timers: Timers, token: Callable[[], CancelToken] = CancelToken
    ) -> None:
        """Each pass gets its own token."""
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
        self._running: list[Pass] = []
        """Passes that have begun; one gives way to the next."""
        self._known: set[LocalWorkspace] = set()
        """Workspaces that passes were asked for."""
        self._urgent: queue.SimpleQueue[tuple[Future[None], Callable[[], None]]] = (
            queue.SimpleQueue()
        )
        self._batches_off = ""
        """Reason why batches do not work, as it was last shown."""

    @lazy
    def _passes(self) -> IndexPasses:
        from scrubjay.index.indexer import IndexPasses

        return IndexPasses(self._parts)

    def submit(
        self,
        job: PassInput,
        *,
        is_last: bool = False,
        on_words: Callable[[], object] = lambda: None,
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
                waiting.has_only_pictures = False
                waiting.on_words.append(on_words)
                return waiting.future
            waiting = Pass(job, self._token(), is_last=is_last, on_words=[on_words])
            if is_refused(self._queue.submit(self._run_next)):
                waiting.future.set_exception(Cancelled())
                return waiting.future
            self._waiting[job.key] = waiting
            self._known.add(job.workspace)
            # Under the lock: afterwards the pass may have begun, or have ended.
            if job.workspace.status.state is not IndexState.INDEXING:
                job.workspace.show(state=IndexState.WAITING)
        return waiting.future

    def cancel(self, workspace: LocalWorkspace | None = None) -> None:
        """Stop the running pass of one workspace, or of all; those that wait are dropped too."""
        # What is stopped is taken while no pass can begin or be queued.
        with self._lock:
            stopped = set(self._known)
            if workspace:
                stopped = {workspace}
            tokens = [each.cancel for each in self._running if each.job.workspace in stopped]
            keys = [key for key, each in self._waiting.items() if each.job.workspace in stopped]
            waiting = [self._waiting.pop(key) for key in keys]
            timers = [each.part(_Awaited).later for each in stopped]
        for timer in timers:
            if timer:
                timer.cancel()
        # Not under the lock: a future's callback may submit another pass at once.
        for dropped in waiting:
            if not dropped.future.cancel():
                dropped.future.set_exception(Cancelled())
            tokens.append(dropped.cancel)  # its words may be being read
        for token in tokens:
            token.cancel()
        with self._lock:
            self._known -= {each for each in stopped if not each.is_listed}
        for each in stopped:
            if self.is_made("_passes"):
                self._passes.stop(each)
            self._settle_words(each)

    def index_now(
        self,
        job: PassInput,
        files: Sequence[FoundFile],
        documents: Mapping[str, KnownDocument],
        gone: Sequence[str],
    ) -> Future[None]:
        """Publish the words of a few files now, also in the middle of a pass.

        Documents are their records. The future may raise IndexUnavailable or Cancelled.
        """

        def publish() -> None:
            try:
                self._passes.index_now(job, files, documents=documents, gone=gone)
            except Cancelled:
                # An older index is migrated by a pass, which can be stopped.
                workspace = job.workspace
                is_read = workspace.is_listed and not workspace.off_key
                if is_read and not self._board.is_paused:
                    self.submit(job)
                raise

        return self._urgently(publish)

    def _urgently(self, work: Callable[[], None]) -> Future[None]:
        """Do work before the next batch of the running pass, or at once when none runs."""
        future: Future[None] = Future()
        self._urgent.put((future, work))
        # A thread that has ended takes no work, so what waits is cancelled here.
        if is_refused(self._queue.submit(self._run_urgent)):
            for dropped, _ in self._take_urgent():
                dropped.set_exception(Cancelled())
        return future

    def words_ready(self, workspace: LocalWorkspace) -> Future[None]:
        """Done when the next pass of a workspace has published all words, or has ended."""
        future: Future[None] = Future()
        with self._lock:
            self._known.add(workspace)
            workspace.part(_Awaited).words.append(future)
        return future

    @property
    def limits(self) -> EngineLimits:
        """Times of the engine."""
        return self._parts.limits

    @property
    def is_busy(self) -> bool:
        """Whether a pass is running or waiting."""
        with self._lock:
            return bool(self._waiting or self._running)

    def is_indexing(self, workspace: LocalWorkspace) -> bool:
        """Whether a pass over a workspace is running or waiting."""
        with self._lock:
            passes = (*self._waiting.values(), *self._running)
            return any(each.job.workspace is workspace for each in passes)

    def delete(self, workspace: LocalWorkspace) -> Future[None]:
        """Stop the passes of a workspace, then delete its index; others may continue meanwhile."""
        awaited = workspace.part(_Awaited)

        def delete() -> None:
            problem = delete_index(workspace.index_file)
            if problem is not None:
                self._events.publish(_deleted_later(workspace, problem))
            awaited.is_doomed = False
            with self._lock:
                self._known.discard(workspace)

        # No pass over it begins from here on, while one that runs may still have the file open.
        awaited.is_doomed = True
        self.cancel(workspace)
        with self._lock:
            is_running = any(each.job.workspace is workspace for each in self._running)
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
                if not each.job.workspace.part(_Awaited).is_doomed
                and not each.future.cancelled()
                and allows(each)
            ]
        return min(waiting, key=self._size, default=None)

    def _size(self, sized: Pass) -> tuple[bool, bool, int]:
        """Whether a pass goes after others, and the chunks of its index; 0 for a brief one."""
        job = sized.job
        chunks = job.workspace.status.chunks
        if job.words_only or job.workspace.is_damaged:
            chunks = 0
        return sized.has_only_pictures, sized.is_last, chunks

    def _run_next(self) -> None:
        waiting = self._next()
        if waiting:
            self._run_pass(waiting)

    def _read_waiting(self, *reading: LocalWorkspace) -> None:
        """Publish the words of all passes that wait except workspaces that are being read."""

        def is_to_be_read(each: Pass) -> bool:
            return each.is_due and each.job.workspace not in reading

        while waiting := self._next(is_to_be_read):
            workspace = waiting.job.workspace
            waiting.is_due = False
            # Other passes may come while this one is read, and theirs are read in between.
            read_others = functools.partial(self._read_waiting, *reading, workspace)
            hooks = PassHooks(while_reading=read_others)
            try:
                self._passes.read_words(waiting, hooks)
                read = waiting if waiting.words else None
                self._settle_words(workspace, read)
            except Cancelled:
                self._show_stopped(workspace)
            except Exception as error:  # its own turn meets the error again, and reports it
                log.info("The words of %s were not read early: %s", workspace.id, error)
                waiting.words = None

    def _give_way(self, running: Pass) -> None:
        """Between two batches of a pass, let changes, words and smaller indexes go first."""
        self._run_urgent()
        self._read_waiting()
        workspace = running.job.workspace
        size = self._size(running)

        def goes_first(each: Pass) -> bool:
            begun = (other.job.workspace for other in self._running)
            return self._size(each) < size and each.job.workspace not in begun

        # A small folder need not wait until a large one is learned.
        while smaller := self._next(goes_first):
            workspace.show(state=IndexState.WAITING)
            self._run_pass(smaller)
        if not running.cancel.cancelled:
            workspace.show(state=IndexState.INDEXING)

    def _run(self, running: Pass) -> IndexReport:
        """Do one pass and tell everyone of its report, or of its error."""
        job = running.job
        workspace = job.workspace
        # At these moments of the pass, the thread can do other work.
        hooks = PassHooks(
            on_words_indexed=lambda: self._settle_words(workspace, running),
            on_idle=lambda: self._give_way(running),
            while_reading=functools.partial(self._read_waiting, workspace),
            should_yield=lambda: bool(self._waiting),
            has_other_work=self._has_other_work,
        )
        with self._lock:
            self._waiting.pop(job.key, None)
            self._running.append(running)
        try:
            report = self._passes.run(running, hooks)
        except Cancelled:
            self._show_stopped(workspace)
            raise
        except Exception as error:  # the thread must outlive a bug, and the user must learn of it
            # Another process holds the index; documents that were found are not forgotten.
            if isinstance(error, IndexLocked) and len(self._passes.documents(workspace)):
                self._submit_later(job)
            reason = _reason(error, workspace.root)
            workspace.show(state=IndexState.ERROR, error=reason)
            self._events.publish(IndexFailed(workspace.id, reason))
            raise
        # A report of a folder that cannot be read is an error to people, and not to a caller.
        if report.away:
            reason = msg(
                "{away} You can still search notes that Scrubjay has already read.",
                away=report.away,
            )
            workspace.show(state=IndexState.ERROR, error=reason)
        self._events.publish(IndexFinished(report))
        # A pass that needs consent ends without vectors, and a person is asked.
        if report.backfill:
            self._events.publish(BackfillAsked(workspace.id, report.backfill))
        self._follow_batches(job, report)
        return report

    def _has_other_work(self) -> bool:
        """Whether a pass waits that has more to do than reading pictures."""
        with self._lock:
            return any(not each.has_only_pictures for each in self._waiting.values())

    def _run_pass(self, running: Pass) -> None:
        """Put the report or the error of a pass into its future, unless that was cancelled.

        A pass that leaves documents waits again, after all others.
        """
        future = running.future
        # A pass that continues has been running all the time.
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
        has_pictures = report.pictures_left and not report.pictures_paused
        if (report.documents_left or has_pictures) and not is_over:
            self._go_on_later(running, report)
        else:
            if report.pictures_paused and not is_over:
                self._follow_pictures(running.job)
            self._leave(running)
            future.set_result(report)

    def _leave(self, running: Pass) -> None:
        """End a pass, and stop waiting for its words."""
        with self._lock:
            self._forget_running(running)
        self._settle_words(running.job.workspace)

    def _forget_running(self, running: Pass) -> None:
        """Under the lock: take a pass out of those that run."""
        if running in self._running:
            self._running.remove(running)

    def _go_on_later(self, running: Pass, report: IndexReport) -> None:
        """Let a pass wait again for the documents that it left."""
        running.job = replace(running.job, force=False)
        running.former = report
        running.words = None
        running.is_last = True
        running.has_only_pictures = not report.documents_left
        running.is_due = False
        # Between running and waiting there is no moment at which it could not be cancelled.
        with self._lock:
            self._forget_running(running)
            waiting = self._waiting.setdefault(running.job.key, running)
            running.job.workspace.show(state=IndexState.WAITING)
        self._settle_words(running.job.workspace)
        if waiting is not running:  # asked for meanwhile
            waiting.future.add_done_callback(lambda done: _pass_on(done, running, report))
        elif is_refused(self._queue.submit(self._run_next)):
            self.cancel(running.job.workspace)

    def _show_stopped(self, workspace: LocalWorkspace) -> None:
        state = IndexState.READY
        if self._board.is_paused:
            state = IndexState.PAUSED
        workspace.show(state=state)

    def _follow_batches(self, job: PassInput, report: IndexReport) -> None:
        """Come back for the vectors of batches under way; report batches that do not work."""
        if report.batches_off and report.batches_off != self._batches_off:
            title = msg("Sending at half the price is turned off until Scrubjay restarts")
            text = msg(
                "{reason} Scrubjay continues to send your notes at the normal price.",
                reason=report.batches_off,
            )
            self._events.publish(Notice(title, text))
            self._batches_off = report.batches_off
        # A pass that may wait follows at once, as others had their turn; otherwise in a minute.
        later = replace(job, force=False, words_only=False)
        if report.in_batches and job.settings.remote.batch.wait:
            self.submit(later, is_last=True)  # it gave way to other passes
        elif report.in_batches:
            self._submit_later(later)

    def _follow_pictures(self, job: PassInput) -> None:
        """Come back for pictures that wait for mains power, once there is some."""
        workspace = job.workspace

        def can_go_on() -> bool:
            if not self._passes.pictures_obstacle(workspace):
                return True
            self._follow_pictures(job)
            return False

        self._submit_later(replace(job, force=False, words_only=False), can_go_on)

    def _submit_later(self, job: PassInput, can_go_on: Callable[[], bool] = lambda: True) -> None:
        """Queue a pass in a minute, unless reading is paused then or it cannot go on."""

        def submit() -> None:
            if job.workspace.is_listed and can_go_on() and not self._board.is_paused:
                self.submit(job)

        with self._lock:
            awaited = job.workspace.part(_Awaited)
            if awaited.later:
                awaited.later.cancel()
            awaited.later = self._timers.after(self._parts.limits.later_seconds, submit)

    def _settle_words(self, workspace: LocalWorkspace, read: Pass | None = None) -> None:
        """End the futures that wait for the words of a workspace, with those of a pass first."""
        with self._lock:
            awaited = workspace.part(_Awaited)
            futures = awaited.words
            awaited.words = []
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
        "Scrubjay unexpectedly stopped reading your notes ({error}). Your notes "
        "are safe, and you can search those that were already read.",
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


def _deleted_later(workspace: LocalWorkspace, problem: OSError) -> Notice:
    """The message about an index that another program has open."""
    text = msg(
        "{file} cannot be deleted now ({reason}). Scrubjay will try again each time it starts.",
        file=workspace.index_file,
        reason=system_reason(problem),
    )
    return Notice(msg("The search index of {name} still exists", name=workspace.name), text)
