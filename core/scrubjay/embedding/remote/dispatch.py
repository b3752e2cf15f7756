"""Threads for requests that nobody has to wait for when the program ends."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, InvalidStateError, wait
from typing import Any, TypeVar

from scrubjay.errors import ProviderUnavailable

T = TypeVar("T")


class RequestPool:
    """Runs a few jobs at once.

    An executor of the standard library would hold the program up at its end until the last
    server has answered; these threads are left behind.
    """

    def __init__(self, name: str, count: int) -> None:
        """Count jobs run at the same time; the threads start with the first one."""
        self._name = name
        self._count = count
        self._jobs: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = (
            queue.SimpleQueue()
        )
        self._lock = threading.Lock()
        self._started = 0
        self._open: set[Future[Any]] = set()
        self._is_closed = False

    def run(self, jobs: Sequence[Callable[[], T]], timeout_s: float | None = None) -> list[T]:
        """Results in order. The first failure is raised and calls off what has not begun.

        Raises TimeoutError after timeout_s, ProviderUnavailable when the lanes are closed.
        """
        futures = [self._submit(job) for job in jobs]
        done, pending = wait(futures, timeout_s, return_when=FIRST_EXCEPTION)
        for future in pending:
            future.cancel()
        for future in done:
            future.result()
        if pending:
            raise TimeoutError
        return [future.result() for future in futures]

    def close(self) -> None:
        """Let every caller go now, and end the threads when their requests have ended."""
        with self._lock:
            self._is_closed = True
            abandoned = list(self._open)
            for _ in range(self._started):
                self._jobs.put(None)
        for future in abandoned:
            with contextlib.suppress(InvalidStateError):
                future.set_exception(_closed())

    def _submit(self, job: Callable[[], T]) -> Future[T]:
        future: Future[T] = Future()
        with self._lock:
            if self._is_closed:
                raise _closed()
            self._open.add(future)
            self._jobs.put((future, job))
            if self._started < self._count:
                self._started += 1
                name = f"scrubjay-{self._name}-{self._started}"
                threading.Thread(target=self._work, name=name, daemon=True).start()
        future.add_done_callback(self._open.discard)
        return future

    def _work(self) -> None:
        while (item := self._jobs.get()) is not None:
            future, job = item
            # Not marked as running: close must be able to let its caller go.
            if future.done():
                continue
            with contextlib.suppress(InvalidStateError):
                try:
                    result = job()
                except BaseException as error:  # a thread must outlive any request
                    future.set_exception(error)
                else:
                    future.set_result(result)


def _closed() -> ProviderUnavailable:
    return ProviderUnavailable("The provider is switched off")
