"""Threads that send a few requests at once."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, InvalidStateError, wait
from typing import Any, TypeVar

from scrubjay.concurrency.thread_pool import DaemonThreadPool, run_job
from scrubjay.errors import ProviderUnavailable

T = TypeVar("T")


class RequestPool:
    """Runs a few jobs at once, on threads that do not keep the program from ending."""

    def __init__(self, name: str, count: int) -> None:
        """Count jobs of a call run at the same time."""
        self._threads = DaemonThreadPool(name)
        self._count = count
        self._closed: Future[None] = Future()

    def run(self, jobs: Sequence[Callable[[], T]], timeout_s: float | None = None) -> list[T]:
        """Results in order. The first failure is raised and drops jobs that have not begun.

        Raises TimeoutError after timeout_s without any, ProviderUnavailable when closed.
        """
        # Each thread takes the next job until none is left.
        waiting: deque[tuple[Future[T], Callable[[], T]]] = deque((Future(), job) for job in jobs)
        futures = [future for future, _ in waiting]

        def work() -> None:
            with contextlib.suppress(IndexError):
                while True:
                    run_job(*waiting.popleft())

        if not self._closed.done():
            for _ in range(min(self._count, len(jobs))):
                self._threads.submit(work)
        # Closing is one more future that ends the wait.
        pending: set[Future[Any]] = {*futures}
        try:
            while pending:
                done, _ = wait({self._closed, *pending}, timeout_s, FIRST_COMPLETED)
                if not done:
                    raise TimeoutError
                for future in done:
                    future.result()
                pending -= done
        finally:
            waiting.clear()
        return [future.result() for future in futures]

    def close(self) -> None:
        """Let every caller go now; requests under way are left to themselves."""
        with contextlib.suppress(InvalidStateError):
            self._closed.set_exception(ProviderUnavailable("The service is turned off"))
