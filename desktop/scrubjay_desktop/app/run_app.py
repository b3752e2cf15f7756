"""Runs the app from its first moment to its exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import PySide6
from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtWidgets import QApplication

from scrubjay import CrashReports, Engine, Paths, log_to
from scrubjay_desktop.app.application import Desktop, Start
from scrubjay_desktop.app.os_signals import Termination
from scrubjay_desktop.app.startup_tuning import SETTLED_MS, settle
from scrubjay_desktop.settings.preferences import Preferences
from scrubjay_desktop.text.language import speak


def run(
    start: Start,
    serve: Callable[[Desktop], None],
    engine_of: Callable[[Paths], Engine] = Engine,
) -> int:
    """Start Qt and the engine, serve later starts, return the exit code."""
    find_plugins()
    app = QApplication(sys.argv[:1])
    app.setApplicationName("scrubjay")
    app.setApplicationDisplayName("Scrubjay")
    app.setDesktopFileName("org.scrubjay.Scrubjay")
    if sys.platform.startswith("linux"):
        # The one style that every Linux desktop has, so that sizes are the same everywhere.
        app.setStyle("Fusion")
    paths = Paths.of_user()
    log_to(paths.logs, "desktop")
    speak(app, Preferences(paths).language)
    crashes = CrashReports(paths)
    desktop = Desktop(app, engine_of(paths), paths, start)
    serve(desktop)
    sys.excepthook = lambda kind, error, trace: desktop.helping.show_bug(error)
    termination = Termination(desktop)
    termination.asked.connect(desktop.quit)
    # Before the window is seen: who sees it may end the app.
    with termination.listening():
        desktop.begin(start.wish)
        QTimer.singleShot(SETTLED_MS, settle)
        if report := crashes.left_behind():
            desktop.helping.tell_of_crash(report)
        crashes.watch()
        code = app.exec()
    sys.excepthook = sys.__excepthook__
    desktop.dispose()
    crashes.unwatch()
    return code


def find_plugins() -> None:
    """Tell Qt where its plug-ins are, before the app is made.

    Qt for Python says it in a text in which quotation marks are lost, and without them no window
    opens. A variable of the environment would lead the Qt of an editor here, too.
    """
    package = Path(PySide6.__file__).parent
    for folder in (package / "Qt" / "plugins", package / "plugins"):
        if folder.is_dir():
            QCoreApplication.addLibraryPath(str(folder))
