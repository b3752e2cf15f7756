"""Runs requests: a few at once, and again after failures that pass."""

from __future__ import annotations

import contextlib
import random
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, InvalidStateError, wait
from typing import Any, TypeVar

from msgspec import Struct

from scrubjay.concurrency.thread_pool import DaemonThreadPool, run_job
from scrubjay.embedding.remote.api import RequestFailed
from scrubjay.errors import ProviderUnavailable

T = TypeVar("T")

_JITTER = 0.2


class RetryPolicy(Struct, frozen=True):
    """How often a request is sent, and the seconds between: they double, with up to 20 % jitter."""

    attempts: int = 4
    first_pause_s: float = 0.5
    longest_pause_s: float = 8.0
    """Seconds of the longest pause, unless a server asks for more."""


DEFAULT_RETRIES = RetryPolicy()

QUICK_RETRIES = RetryPolicy(attempts=2)
"""Policy for a query while a fallback waits to take over."""

QUERY_SECONDS = 1.4
"""Seconds that such a query may take: words have to be there after two."""


def retry(request: Callable[[], T], closed: threading.Event, policy: RetryPolicy | None) -> T:
    """Result of the request. Raises the last RequestFailed; closed ends the pauses."""
    policy = policy or DEFAULT_RETRIES
    attempt = 0
    while True:
        attempt += 1
        try:
            return request()
        except RequestFailed as failure:
            if not failure.is_temporary or attempt >= policy.attempts or closed.is_set():
                raise
            # The jitter keeps several programs from asking again at the same moment.
            pause = min(policy.longest_pause_s, policy.first_pause_s * 2 ** (attempt - 1))
            pause = max(failure.retry_after_s or 0.0, pause * (1 + random.uniform(0, _JITTER)))
        closed.wait(pause)


class RequestPool:
    """Runs a few jobs at once, on threads that the end of the program does not wait for."""

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
            self._closed.set_exception(ProviderUnavailable("The service is switched off"))
