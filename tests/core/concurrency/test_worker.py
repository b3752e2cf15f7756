"""The worker thread."""

from __future__ import annotations

import queue
import threading

import pytest

from scrubjay.concurrency.worker import Worker
from scrubjay.errors import Cancelled
from support.vault import TIMEOUT


@pytest.fixture
def worker():
    made = Worker("test")
    yield made
    made.stop()


def test_jobs_run_in_order_on_one_thread(worker: Worker) -> None:
    seen: list[tuple[int, str]] = []
    futures = [
        worker.submit(lambda n=n: seen.append((n, threading.current_thread().name)))
        for n in range(9)
    ]
    for future in futures:
        future.result(TIMEOUT)
    assert seen == [(n, "scrubjay-test") for n in range(9)]


def test_a_worker_survives_a_failing_job(worker: Worker) -> None:
    failed = worker.submit(lambda: 1 / 0)
    assert worker.submit(lambda: "fine").result(TIMEOUT) == "fine"
    assert isinstance(failed.exception(), ZeroDivisionError)


def test_a_job_that_was_cancelled_never_runs(worker: Worker) -> None:
    gate = threading.Event()
    worker.submit(gate.wait)
    ran: list[int] = []
    future = worker.submit(lambda: ran.append(1))
    assert future.cancel()
    gate.set()
    worker.submit(lambda: None).result(TIMEOUT)
    assert ran == []


def test_stopping_finishes_what_is_queued() -> None:
    worker = Worker("test")
    done: list[int] = []
    for n in range(5):
        worker.submit(lambda n=n: done.append(n))
    worker.stop()
    assert done == [0, 1, 2, 3, 4]


def test_after_stopping_jobs_are_called_off() -> None:
    worker = Worker("test")
    worker.submit(lambda: None)
    worker.stop()
    assert isinstance(worker.submit(lambda: 1).exception(TIMEOUT), Cancelled)


def test_a_worker_that_had_nothing_to_do_is_stopped_without_a_thread() -> None:
    worker = Worker("test")
    worker.stop()
    assert isinstance(worker.submit(lambda: 1).exception(TIMEOUT), Cancelled)
    assert worker.ident is None


def test_many_threads_may_submit_the_first_job(worker: Worker) -> None:
    done: list[int] = []
    threads = [
        threading.Thread(target=worker.submit, args=(lambda n=n: done.append(n),))
        for n in range(20)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    worker.submit(lambda: None).result(TIMEOUT)
    assert sorted(done) == list(range(20))


def test_a_worker_rests_once_when_nothing_is_asked_of_it_and_goes_on_afterwards() -> None:
    rested: queue.SimpleQueue[str] = queue.SimpleQueue()

    def rest() -> None:
        rested.put(threading.current_thread().name)
        raise ZeroDivisionError  # whatever happens there

    worker = Worker("test", rest=rest, rest_s=0.01)
    for answer in ("first", "second"):
        assert worker.submit(lambda answer=answer: answer).result(TIMEOUT) == answer
        assert rested.get(timeout=TIMEOUT) == "scrubjay-test"
    worker.stop()
    assert rested.empty()
