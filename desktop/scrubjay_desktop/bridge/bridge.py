"""The only door through which other threads reach the GUI thread."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, QThreadPool, Signal, SignalInstance

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.errors import Cancelled, ScrubjayError
from scrubjay.event_bus import EventBus
from scrubjay_desktop.text.formatting import translated

log = logging.getLogger(__name__)

T = TypeVar("T")

READ_SECONDS = 10.0
"""Seconds that a job may read files, more than a picture takes to be read and made small, on a slow
drive too."""

Failed = Callable[[ScrubjayError], object]
"""Function that handles expected failures."""


class EventBridge(QObject):
    """Re-emits core events on the thread that owns this object."""

    received = Signal(object)
    _posted = Signal(object)

    def __init__(self, bus: EventBus, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # Queued, so that events from other threads are received on the one of this object.
        self._posted.connect(self.received, Qt.ConnectionType.QueuedConnection)
        self._unsubscribe = bus.subscribe(self._posted.emit)

    def close(self) -> None:
        """Stop listening; call before the bridge is deleted."""
        self._unsubscribe()


class Tasks(QObject):
    """Delivers the outcome of work done elsewhere on the GUI thread."""

    broke = Signal(object)
    """Signal with an unexpected exception: a bug, for the report dialog."""
    _ready = Signal(object)

    def __init__(
        self, parent: QObject | None = None, *, read_seconds: float = READ_SECONDS
    ) -> None:
        super().__init__(parent)
        self.drives = IoTimeouts(read_seconds)
        """Drives for jobs that read files: threads of theirs that hang do not count among the few
        here."""
        self._is_closed = False
        # Queued, so that outcomes are delivered on the thread of this object.
        self._ready.connect(lambda deliver: deliver(), Qt.ConnectionType.QueuedConnection)

    def watch(
        self,
        future: Future[T],
        cancel: CancelToken,
        *,
        done: Callable[[T], None],
        failed: Failed | None = None,
        settled: Callable[[], object] | None = None,
    ) -> None:
        """Call done or failed later, on the GUI thread; neither once cancelled.

        `failed` gets an expected failure. An unexpected one, or one without `failed`, is announced
        through `broke`. `settled` is called before either of them.
        """

        def deliver() -> None:
            # Whoever asked may be gone by now, or ask something else.
            if cancel.cancelled or future.cancelled() or self._is_closed:
                return
            error = future.exception()
            if isinstance(error, Cancelled):
                return
            # The one who waited becomes free again before it learns the outcome.
            if settled is not None:
                settled()
            if error is None:
                done(future.result())
            elif failed is not None and isinstance(error, ScrubjayError):
                failed(error)
            else:
                self.broke.emit(error)

        # This may run at once, or later on the thread that did the work.
        future.add_done_callback(lambda _: self._post(deliver))

    def run(
        self,
        job: Callable[[], T],
        cancel: CancelToken,
        *,
        done: Callable[[T], None],
        failed: Failed | None = None,
        folder: Path | None = None,
    ) -> None:
        """Run a short job that must not touch widgets beside the GUI thread, then as watch.

        A job that reads files is given the place that they are in; it may fail with DriveSilent.
        """
        future: Future[T] = Future()
        self.watch(future, cancel, done=done, failed=failed)

        def settle() -> None:
            try:
                result = self.drives.ask(folder, job) if folder else job()
                future.set_result(result)
            # A pool thread must outlive any job.
            except BaseException as error:
                future.set_exception(error)

        QThreadPool.globalInstance().start(settle)

    def close(self) -> None:
        """Stop delivering."""
        self._is_closed = True

    def _post(self, deliver: Callable[[], None]) -> None:
        if not self._is_closed:
            self._ready.emit(deliver)


class PageRequests:
    """Requests of one page to the engine; their outcomes are delivered while the page lives."""

    def __init__(self, tasks: Tasks, announced: SignalInstance) -> None:
        """`announced` tells an expected failure: a sentence, and None for no offer to undo it."""
        self._tasks = tasks
        self._announced = announced
        self._life = CancelToken()

    def watch(
        self, future: Future[T], done: Callable[[T], None], failed: Failed | None = None
    ) -> None:
        """Call done later; an expected failure is announced unless `failed` takes it."""
        self._tasks.watch(future, self._life, done=done, failed=failed or self.fail)

    def fail(self, error: ScrubjayError) -> None:
        """Announce an expected failure."""
        self._announced.emit(translated(str(error)), None)

    def cancel(self) -> None:
        """Stop delivering."""
        self._life.cancel()
