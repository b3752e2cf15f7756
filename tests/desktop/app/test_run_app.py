"""What surrounds the app while it runs: signals of the system, plug-ins, garbage."""

from __future__ import annotations

import os
import signal
import sys

import pytest
from PySide6.QtCore import QCoreApplication

from scrubjay_desktop.app.run_app import Termination, find_plugins

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_of_the_system_is_announced_in_the_event_loop(
    qtbot, number: signal.Signals
) -> None:
    termination = Termination()
    with termination.listening(), qtbot.waitSignal(termination.requested):
        os.kill(os.getpid(), number)


def test_handlers_are_as_before_afterwards(qtbot) -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with Termination().listening():
        assert signal.getsignal(signal.SIGTERM) != before[1]
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_two_signals_at_once_are_no_error(qtbot) -> None:
    termination = Termination()
    announced: list[bool] = []
    termination.requested.connect(lambda: announced.append(True))
    with termination.listening():
        os.kill(os.getpid(), signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGINT)
        qtbot.waitUntil(lambda: announced != [])


def test_the_plugins_beside_qt_are_found_once(qapp) -> None:
    find_plugins()
    paths = QCoreApplication.libraryPaths()
    find_plugins()
    assert QCoreApplication.libraryPaths() == paths
    assert any(path.endswith("plugins") for path in paths)
