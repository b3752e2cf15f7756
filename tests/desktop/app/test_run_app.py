"""What surrounds the app while it runs: signals of the system, plug-ins, garbage."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication

from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.run_app import Termination, find_plugins


@pytest.mark.needs("POSIX signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_of_the_system_is_announced_in_the_event_loop(qtbot, name: str) -> None:
    termination = Termination()
    with termination.listening(), qtbot.waitSignal(termination.requested):
        os.kill(os.getpid(), signal.Signals[name])


def test_handlers_are_as_before_afterwards(qtbot) -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    with Termination().listening():
        assert signal.getsignal(signal.SIGTERM) != before[1]
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


@pytest.mark.needs("POSIX signals")
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


UNINSTALLING = """
import sys
import time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox
from scrubjay.engine.engine import Engine
from scrubjay.engine.uninstallation import Part
from scrubjay_desktop.app.run_app import run_app
from scrubjay_desktop.app.start_options import Start

class OtherEngine(Engine):
    def close(self):
        if sys.argv[1] == "fails":
            raise RuntimeError("It does not close")
        time.sleep(3)
        super().close()
        print("closed, settings are there:", self.paths.config_file.exists(), flush=True)

def read_box():
    for box in QApplication.topLevelWidgets():
        if isinstance(box, QMessageBox) and box.isVisible():
            print(box.text(), flush=True)
            box.accept()

timer = []

def serve(desktop):
    timer.append(QTimer(interval=100, timeout=read_box))
    timer[0].start()
    desktop.started.connect(lambda: desktop.quit_and_delete([Part.SETTINGS]))

sys.exit(run_app(Start(theme="light"), serve, OtherEngine))
"""
"""An app that is uninstalled as soon as it has started; its engine closes late, or never."""


def uninstalled(home: Path, how: str) -> tuple[subprocess.CompletedProcess[str], Path]:
    """The app at its end, and its settings file."""
    settings = Paths.under(home).config_file
    settings.parent.mkdir(parents=True)
    settings.write_text('{memorySearch: {provider: "none"}}')
    ran = subprocess.run(
        (sys.executable, "-c", UNINSTALLING, how),
        env={**os.environ, "SCRUBJAY_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return ran, settings


def test_files_are_deleted_once_an_engine_that_takes_long_has_closed(tmp_path: Path) -> None:
    ran, settings = uninstalled(tmp_path / "home", "late")
    assert "closed, settings are there: True" in ran.stdout, ran.stderr
    assert not settings.exists()


def test_nothing_is_deleted_under_an_engine_that_does_not_close(tmp_path: Path) -> None:
    ran, settings = uninstalled(tmp_path / "home", "fails")
    assert "run `scrubjay uninstall`" in ran.stdout
    assert settings.exists()


ASKED_TO_QUIT = """
import os
import sys
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from scrubjay_desktop.app.run_app import run_app
from scrubjay_desktop.app.start_options import Start

def ask(desktop):
    print("window:", desktop.window.isVisible(), flush=True)
    desktop.quitting.connect(lambda: print("quitting", flush=True))
    QCoreApplication.sendEvent(desktop.qapp, QEvent(QEvent.Type.Quit))
    # An app that stays would stay for good.
    QTimer.singleShot(0, desktop, lambda: desktop._is_quitting or os._exit(9))

def serve(desktop):
    desktop.started.connect(lambda: ask(desktop))

sys.exit(run_app(Start(theme="light"), serve))
"""
"""An app with a window, which a Mac asks to quit at the end of a session, or in the Dock."""


def test_a_system_that_asks_to_quit_is_not_held_up_by_the_window(tmp_path: Path) -> None:
    settings = Paths.under(tmp_path).config_file
    settings.write_text('{memorySearch: {provider: "none"}}')
    ran = subprocess.run(
        (sys.executable, "-c", ASKED_TO_QUIT),
        env={**os.environ, "SCRUBJAY_HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.stdout == "window: True\nquitting\n", ran.stderr
    assert ran.returncode == 0
