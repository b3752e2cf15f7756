"""Runs requests: a few at once, and again after failures that pass."""

from __future__ import annotations

import contextlib
import queue
import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, InvalidStateError, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from scrubjay.embedding.remote.api import RequestFailed
from scrubjay.errors import ProviderUnavailable

if TYPE_CHECKING:
    import tenacity

T = TypeVar("T")

_JITTER = 0.2


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often a request is sent, and the seconds between: they double, with up to 20 % jitter."""

    attempts: int = 4
    first_pause_s: float = 0.5
    longest_pause_s: float = 8.0
    """A server may ask for more."""


DEFAULT_RETRIES = RetryPolicy()


def retry(request: Callable[[], T], closed: threading.Event, policy: RetryPolicy | None) -> T:
    """Result of the request. Raises the last RequestFailed; closed ends the pauses."""
    import tenacity  # 60 ms, which only users of a remote provider pay

    policy = policy or DEFAULT_RETRIES

    def pause(state: tenacity.RetryCallState) -> float:
        failure = state.outcome.exception() if state.outcome else None
        retry_after = failure.retry_after_s if isinstance(failure, RequestFailed) else None
        doubled: float = policy.first_pause_s * 2 ** (state.attempt_number - 1)
        jitter = 1 + random.uniform(0, _JITTER)
        return max(retry_after or 0.0, min(policy.longest_pause_s, doubled) * jitter)

    retrying = tenacity.Retrying(
        retry=tenacity.retry_if_exception(_is_temporary),
        stop=tenacity.stop_any(
            tenacity.stop_after_attempt(policy.attempts), tenacity.stop_when_event_set(closed)
        ),
        wait=pause,
        sleep=tenacity.sleep_using_event(closed),
        reraise=True,
    )
    return retrying(request)


def _is_temporary(error: BaseException) -> bool:
    return isinstance(error, RequestFailed) and error.is_temporary


class RequestPool:
    """Threads for a few jobs at once.

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
        """Results in order. The first failure is raised and cancels jobs that have not begun.

        Raises TimeoutError after timeout_s, ProviderUnavailable when the pool is closed.
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
