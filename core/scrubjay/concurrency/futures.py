"""Futures that combine other futures."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from typing import TypeVar

from scrubjay.errors import Cancelled

S = TypeVar("S")
T = TypeVar("T")


def gather_futures(futures: Sequence[Future[T]]) -> Future[tuple[T, ...]]:
    """One future for all; the first failure is its failure, after all have ended."""
    results: Future[tuple[T, ...]] = Future()
    results.set_running_or_notify_cancel()
    lock = threading.Lock()
    waiting = len(futures)

    def on_end(_: Future[T]) -> None:
        nonlocal waiting
        with lock:
            waiting -= 1
            is_last = waiting == 0
        if is_last:
            _settle(results, lambda: tuple(future.result() for future in futures))

    # Without any there is no last one to settle the result.
    if not futures:
        results.set_result(())
    # Those that have ended already count at once.
    for future in futures:
        future.add_done_callback(on_end)
    return results


def map_future(future: Future[S], convert: Callable[[S], T]) -> Future[T]:
    """A future with the converted result, which cannot be cancelled. Errors are passed on."""
    target: Future[T] = Future()
    target.set_running_or_notify_cancel()
    future.add_done_callback(lambda done: _settle(target, lambda: convert(done.result())))
    return target


def flatten_future(outer: Future[Future[T]]) -> Future[T]:
    """A future that ends as the inner one does, and cannot be cancelled."""
    target: Future[T] = Future()
    target.set_running_or_notify_cancel()

    def follow(done: Future[Future[T]]) -> None:
        error = done.exception()
        if error:
            target.set_exception(error)
        else:
            done.result().add_done_callback(lambda inner: _settle(target, inner.result))

    # A failure before there is an inner future is the failure of both.
    outer.add_done_callback(follow)
    return target


def _settle(target: Future[T], result: Callable[[], T]) -> None:
    """Put the result of a call, or its error, into a future."""
    try:
        target.set_result(result())
    except CancelledError:
        target.set_exception(Cancelled())
    except BaseException as error:  # the caller finds it in the future
        target.set_exception(error)
