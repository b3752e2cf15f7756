"""The shared threads, and the queues whose jobs run one at a time on them."""

from __future__ import annotations

import queue
import threading
import time
import weakref
from concurrent.futures import Future

import pytest

from scrubjay.concurrency.thread_pool import DaemonThreadPool, SerialQueue, is_refused
from scrubjay.errors import Cancelled
from support.vault import TIMEOUT
from support.waiting import wait_until


@pytest.fixture
def pool() -> DaemonThreadPool:
    return DaemonThreadPool("test")


@pytest.fixture
def jobs(pool: DaemonThreadPool) -> SerialQueue:
    return SerialQueue(pool)


def test_jobs_of_a_pool_do_not_wait_for_one_another(pool: DaemonThreadPool) -> None:
    gate = threading.Barrier(20)
    futures = [pool.submit(gate.wait, TIMEOUT) for _ in range(20)]
    assert sorted(future.result(TIMEOUT) for future in futures) == list(range(20))


def test_a_pool_uses_an_idle_thread_again(pool: DaemonThreadPool) -> None:
    names = {pool.submit(threading.get_ident).result(TIMEOUT) for _ in range(50)}
    assert len(names) < 5
    assert threading.get_ident() not in names


def test_threads_of_a_pool_keep_no_program_alive(pool: DaemonThreadPool) -> None:
    thread = pool.submit(threading.current_thread).result(TIMEOUT)
    assert thread.daemon
    assert thread.name == "scrubjay-test"


def test_a_thread_that_ends_says_so_and_the_next_job_gets_another_one() -> None:
    idle: queue.SimpleQueue[str] = queue.SimpleQueue()
    pool = DaemonThreadPool(
        "test", idle_seconds=0.01, on_idle=lambda: idle.put(threading.current_thread().name)
    )
    for answer in ("first", "second"):
        assert pool.submit(lambda answer=answer: answer).result(TIMEOUT) == answer
        assert idle.get(timeout=TIMEOUT) == "scrubjay-test"
    assert idle.empty()


def test_an_idle_thread_keeps_nothing_of_its_last_job() -> None:
    """Errors hold on to what failed, such as a connection, which would be closed much later."""
    pool = DaemonThreadPool("test", idle_seconds=2 * TIMEOUT)
    answer = pool.submit(threading.Event)
    alive = weakref.ref(answer.result(TIMEOUT))
    del answer
    wait_until(lambda: alive() is None)


def test_no_thread_of_a_pool_outlives_its_last_job() -> None:
    """A thread that gives up while a job comes in must not wait for one that another took."""
    name = "ends"
    for number in range(150):
        pool = DaemonThreadPool(name, idle_seconds=0.0005)
        for step in range(20):
            pool.submit(time.sleep, 0.0001 * ((number + step) % 7))
            time.sleep(0.0003 * (step % 3))
    for thread in threading.enumerate():
        if thread.name == f"scrubjay-{name}":
            thread.join(TIMEOUT)
            assert not thread.is_alive()


def test_jobs_of_a_queue_run_in_order_and_one_at_a_time(jobs: SerialQueue) -> None:
    seen: list[int] = []
    running = threading.Lock()

    def job(number: int) -> None:
        assert running.acquire(blocking=False)
        seen.append(number)
        running.release()

    futures: list[Future[None]] = [jobs.submit(lambda n=n: job(n)) for n in range(200)]
    for future in futures:
        future.result(TIMEOUT)
    assert seen == list(range(200))


def test_queues_of_one_pool_do_not_wait_for_one_another(pool: DaemonThreadPool) -> None:
    gate = threading.Event()
    SerialQueue(pool).submit(gate.wait)
    assert SerialQueue(pool).submit(lambda: "fine").result(TIMEOUT) == "fine"
    gate.set()


def test_a_queue_survives_a_failing_job(jobs: SerialQueue) -> None:
    failed = jobs.submit(lambda: 1 / 0)
    assert jobs.submit(lambda: "fine").result(TIMEOUT) == "fine"
    assert isinstance(failed.exception(), ZeroDivisionError)


def test_a_job_that_was_cancelled_never_runs(jobs: SerialQueue) -> None:
    gate = threading.Event()
    jobs.submit(gate.wait)
    ran: list[int] = []
    future = jobs.submit(lambda: ran.append(1))
    assert future.cancel()
    gate.set()
    jobs.submit(lambda: None).result(TIMEOUT)
    assert ran == []


def test_closing_finishes_what_is_queued(jobs: SerialQueue) -> None:
    done: list[int] = []
    for n in range(5):
        jobs.submit(lambda n=n: done.append(n))
    jobs.close()
    assert done == [0, 1, 2, 3, 4]
    late = jobs.submit(lambda: 1)
    assert is_refused(late)
    assert isinstance(late.exception(TIMEOUT), Cancelled)


def test_closing_does_not_wait_for_a_job_that_hangs(jobs: SerialQueue) -> None:
    gate = threading.Event()
    hanging = jobs.submit(gate.wait)
    jobs.close(0.01)
    assert not hanging.done()
    gate.set()
