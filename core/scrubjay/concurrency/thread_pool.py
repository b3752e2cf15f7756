"""Daemon threads in pools, and queues whose jobs run one at a time on them."""

from __future__ import annotations

import functools
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from scrubjay.errors import Cancelled

P = ParamSpec("P")
T = TypeVar("T")

_IDLE_SECONDS = 5.0
"""Seconds that a thread without a job lives; a new one starts in a tenth of a millisecond."""


class DaemonThreadPool(Executor):
    """Runs each job immediately, on an idle thread or a new one.

    The threads of a ThreadPoolExecutor are joined when the interpreter exits, and their number is
    fixed: a few calls to a drive that hangs would use them up and keep the process alive.
    """

    def __init__(
        self,
        name: str,
        *,
        idle_seconds: float = _IDLE_SECONDS,
        on_idle: Callable[[], object] = lambda: None,
    ) -> None:
        """Name of the threads; each calls on_idle after idle_seconds without a job, and ends."""
        self._idle_seconds = idle_seconds
        self._on_idle = on_idle
        self._name = f"scrubjay-{name}"
        self._jobs: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        # Not a SimpleQueue: its get with a timeout can wait forever when another thread is quicker.
        self._has_job = threading.Condition()
        self._waiting = 0

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """The future of a call."""
        future: Future[T] = Future()
        with self._has_job:
            self._jobs.append((future, functools.partial(fn, *args, **kwargs)))
            # An idle thread takes it, unless all of them have a job to take already.
            if len(self._jobs) <= self._waiting:
                self._has_job.notify()
                return future
        threading.Thread(target=self._run, name=self._name, daemon=True).start()
        return future

    def _run(self) -> None:
        """Run jobs until there was none for a while. On a thread of the pool."""
        while job := self._next_job():
            run_job(*job)
            del job  # while this thread is idle, it keeps nothing of it
        self._on_idle()

    def _next_job(self) -> tuple[Future[Any], Callable[[], Any]] | None:
        """The next job; None after a while without any."""
        with self._has_job:
            self._waiting += 1
            has_job = self._has_job.wait_for(lambda: self._jobs, self._idle_seconds)
            self._waiting -= 1
            if not has_job:
                return None
            return self._jobs.popleft()


class SerialQueue:
    """Runs submitted jobs one at a time and in order, on the threads of an executor."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._lock = threading.Lock()
        self._jobs: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._is_idle = threading.Event()
        self._is_idle.set()
        self._is_closed = False

    def submit(self, job: Callable[[], T]) -> Future[T]:
        """The future of a job; it raises Cancelled after close. For any thread."""
        future: Future[T] = Future()
        with self._lock:
            if self._is_closed:
                future.set_exception(Cancelled())
                return future
            self._jobs.append((future, job))
            # One run takes all jobs in turn; it is begun where none is under way.
            if self._is_idle.is_set():
                self._is_idle.clear()
                self._executor.submit(self._run)
        return future

    def close(self, seconds: float | None = None) -> None:
        """Take no further jobs; wait so long for those in the queue, or until all have ended."""
        with self._lock:
            self._is_closed = True
        self._is_idle.wait(seconds)

    def _run(self) -> None:
        """Run the jobs that wait. On a thread of the executor."""
        while True:
            # Under the lock: a job that is submitted now begins the next run.
            with self._lock:
                if not self._jobs:
                    self._is_idle.set()
                    return
                job = self._jobs.popleft()
            run_job(*job)


class _Queue(Protocol):
    """Runs jobs in order."""

    def submit(self, job: Callable[[], T]) -> Future[T]: ...


class _HasJobs(Protocol):
    """An object whose methods may be `queued`."""

    @property
    def _jobs(self) -> _Queue: ...


Q = TypeVar("Q", bound=_HasJobs)


def queued(method: Callable[Concatenate[Q, P], T]) -> Callable[Concatenate[Q, P], Future[T]]:
    """Decorator of a method that runs as a job of the object's `_jobs`; callers get its future."""

    @functools.wraps(method)
    def submit(owner: Q, /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        job = functools.partial(method, owner, *args, **kwargs)
        return owner._jobs.submit(job)  # noqa: SLF001  (the method's own object)

    return submit


def run_job(future: Future[T], job: Callable[[], T]) -> None:
    """Put the result or the error of a job into its future, unless that was cancelled."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(job())
    except BaseException as error:  # the thread must outlive any job
        future.set_exception(error)


def is_refused(queued: Future[T]) -> bool:
    """Whether a closed queue did not take a job, which itself has not ended with Cancelled."""
    return queued.done() and isinstance(queued.exception(), Cancelled)
