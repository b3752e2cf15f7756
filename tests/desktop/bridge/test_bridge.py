from __future__ import annotations

import threading

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.thread_pool import DaemonThreadPool, SerialQueue
from scrubjay.errors import Cancelled, ScrubjayError
from scrubjay.event_bus import EventBus
from scrubjay.events import IndexProgressed
from scrubjay.records.status_records import Progress
from scrubjay_desktop.bridge.bridge import EventBridge, Tasks

PROGRESS = IndexProgressed("home", Progress("words", done=1, total=2))


def test_events_arrive_on_the_gui_thread(qtbot) -> None:
    bus = EventBus()
    bridge = EventBridge(bus)
    threads: list[threading.Thread] = []
    bridge.received.connect(lambda _: threads.append(threading.current_thread()))
    with qtbot.waitSignal(bridge.received):
        threading.Thread(target=bus.publish, args=[PROGRESS]).start()
    assert threads == [threading.main_thread()]
    bridge.close()


def test_a_closed_bridge_hears_nothing(qtbot) -> None:
    bus = EventBus()
    bridge = EventBridge(bus)
    bridge.close()
    with qtbot.assertNotEmitted(bridge.received, wait=20):
        bus.publish(PROGRESS)


def test_many_emits_do_not_wear_out_true(qtbot) -> None:
    """PySide6 6.12.0 on Python 3.11 dies here: it loses a reference to True at each emit."""
    bus = EventBus()
    bridge = EventBridge(bus)
    heard: list[object] = []
    bridge.received.connect(heard.append)
    for _ in range(5_000):
        bus.publish(PROGRESS)
    qtbot.waitUntil(lambda: len(heard) == 5_000)
    bridge.close()


def test_a_failure_is_delivered_on_the_gui_thread(qtbot, tasks: Tasks) -> None:
    worker = SerialQueue(DaemonThreadPool("test"))
    got: list[object] = []
    error = ScrubjayError("It failed")

    def fail() -> None:
        raise error

    tasks.watch(worker.submit(fail), CancelToken(), done=got.append, failed=got.append)
    qtbot.waitUntil(lambda: got == [error])
    worker.close()


def test_a_failure_nobody_handles_is_announced_as_broken(qtbot, tasks: Tasks) -> None:
    with qtbot.waitSignal(tasks.broke) as broke:
        tasks.run(lambda: 1 / 0, CancelToken(), done=lambda _: None)
    assert isinstance(broke.args[0], ZeroDivisionError)


def test_a_result_nobody_wants_any_more_is_dropped(qtbot, tasks: Tasks) -> None:
    worker, got, stale = SerialQueue(DaemonThreadPool("test")), [], CancelToken()
    tasks.watch(worker.submit(lambda: "old"), stale, done=got.append, failed=got.append)
    tasks.watch(worker.submit(lambda: "new"), CancelToken(), done=got.append, failed=got.append)
    worker.close()
    stale.cancel()  # both are finished, neither is delivered yet
    qtbot.waitUntil(lambda: got == ["new"])


def test_a_cancelled_job_is_silent(qtbot, tasks: Tasks) -> None:
    def give_up() -> None:
        raise Cancelled

    got: list[object] = []
    tasks.run(give_up, CancelToken(), done=got.append, failed=got.append)
    tasks.run(lambda: "after", CancelToken(), done=got.append)
    qtbot.waitUntil(lambda: bool(got))
    assert got == ["after"]


def test_nothing_is_delivered_after_close(qtbot) -> None:
    tasks, got = Tasks(), []
    worker = SerialQueue(DaemonThreadPool("test"))
    tasks.watch(worker.submit(lambda: "late"), CancelToken(), done=got.append)
    worker.close()
    tasks.close()
    qtbot.wait(20)
    assert got == []
