"""A pool of daemon threads, and queues on it whose jobs run one at a time."""

from __future__ import annotations

import functools
import queue
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, ParamSpec, TypeVar

from scrubjay.concurrency.worker import run_job
from scrubjay.errors import Cancelled

P = ParamSpec("P")
T = TypeVar("T")

_IDLE_SECONDS = 5.0
"""How long a thread without a job lives; a new one starts in a tenth of a millisecond."""


class DaemonThreadPool(Executor):
    """Runs each job at once, on a thread that is idle or else on a new one.

    The threads of a ThreadPoolExecutor are joined when the interpreter exits, and their number is
    fixed: a few calls to a drive that hangs would use them up and keep the process alive.
    """

    def __init__(self, name: str) -> None:
        """The name is that of the threads, in logs and debuggers."""
        self._name = f"scrubjay-{name}"
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._idle = 0
        """Threads that wait, less the jobs in the queue."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """The future of a call."""
        future: Future[T] = Future()
        with self._lock:
            self._jobs.put((future, functools.partial(fn, *args, **kwargs)))
            if self._idle:
                self._idle -= 1
                return future
        threading.Thread(target=self._run, name=self._name, daemon=True).start()
        return future

    def _run(self) -> None:
        while True:
            try:
                run_job(*self._jobs.get(timeout=_IDLE_SECONDS))
            except queue.Empty:
                with self._lock:
                    if self._idle:
                        self._idle -= 1
                        return
                continue  # a job was queued for this thread at this very moment
            with self._lock:
                self._idle += 1


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
            if self._is_idle.is_set():
                self._is_idle.clear()
                self._executor.submit(self._run)
        return future

    def close(self, seconds: float | None = None) -> None:
        """Take no job any more; wait so long for those in the queue, or until all have ended."""
        with self._lock:
            self._is_closed = True
        self._is_idle.wait(seconds)

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._jobs:
                    self._is_idle.set()
                    return
                job = self._jobs.popleft()
            run_job(*job)
