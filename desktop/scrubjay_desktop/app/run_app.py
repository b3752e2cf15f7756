"""Runs the app from its first moment to its exit code."""

from __future__ import annotations

import gc
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import PySide6
from PySide6.QtCore import QCoreApplication, QMetaObject, QObject, QSocketNotifier, QTimer, Signal
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from scrubjay.engine.engine import Engine
from scrubjay.platform.crash_reports import CrashReports
from scrubjay.platform.installation import APP_ID
from scrubjay.platform.logs import configure_logging
from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from scrubjay_desktop.app.qt_application import QtApplication
from scrubjay_desktop.app.start_options import Start
from scrubjay_desktop.app.start_request import StartRequest
from scrubjay_desktop.platform.dock import STAY_BEHIND, DockIcon, stay_behind
from scrubjay_desktop.platform.taskbar import join_taskbar_button
from scrubjay_desktop.settings.preferences import Preferences
from scrubjay_desktop.text.language import set_language

_SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
SETTLED_MS = 1000
"""Milliseconds after the first request is fulfilled: by then a slow computer too has painted the
window."""
BLINKS_MS = 10_000
"""Milliseconds that the text cursor blinks without a key, as GTK has it."""


def run_app(
    start: Start, serve: Callable[[Desktop], None], engine_of: Callable[[Paths], Engine] = Engine
) -> int:
    """Start Qt and the engine, serve later starts, return the exit code."""
    find_plugins()
    join_taskbar_button()
    if start.request is StartRequest.BACKGROUND:
        stay_behind()
    app = QtApplication(sys.argv[:1])
    app.setApplicationName("scrubjay")
    app.setApplicationDisplayName("Scrubjay")
    app.setDesktopFileName(APP_ID)
    if sys.platform.startswith("linux"):
        # The one style that every Linux desktop has, so that sizes are the same everywhere.
        app.setStyle("Fusion")
    # Before anything can fail, it is known where to write it down.
    paths = Paths.of_user()
    configure_logging(paths.logs, "desktop")
    set_language(app, Preferences(paths).language)
    crashes = CrashReports(paths)
    desktop = Desktop(app, engine_of(paths), paths=paths, start=start)
    serve(desktop)
    app.quit_requested.connect(desktop.quit)
    desktop.quitting.connect(app.let_quit)
    sys.excepthook = lambda kind, error, trace: desktop.late.bug_reports.show_bug(error)
    termination = Termination(desktop)
    termination.requested.connect(desktop.quit)
    # Before the window is shown: from then on a signal may come.
    with termination.listening():
        desktop.begin(start.request)
        QTimer.singleShot(SETTLED_MS, resume_garbage_collection)
        if sys.platform == "darwin":
            QTimer.singleShot(SETTLED_MS, desktop, lambda: watch_dock(app, desktop))
        CursorBlink(app, desktop)
        report = crashes.left_behind()
        if report:
            desktop.late.bug_reports.show_crash(report)
        crashes.watch()
        code = app.exec()
    sys.excepthook = sys.__excepthook__
    desktop.dispose()
    crashes.unwatch()
    if desktop.deleted_parts:
        # Imported late: only the last quit of all needs it.
        from scrubjay_desktop.app.controllers.uninstalling import delete_files

        is_closed = desktop.is_engine_closed
        delete_files(desktop.engine, desktop.deleted_parts, is_closed=is_closed)
    return code


def resume_garbage_collection() -> None:
    """Let the garbage collector run again, once the window is there."""
    gc.collect()
    # All objects of now live until the end: collecting them took a seventh of the start.
    gc.freeze()
    gc.enable()


def watch_dock(app: QApplication, desktop: Desktop) -> None:
    """Show the window when the icon in the Dock is clicked.

    From after the start on, because Qt itself activates an app that starts.
    """
    os.environ.pop(STAY_BEHIND, None)  # it is not meant for the editors that are opened from here
    DockIcon(app, desktop).clicked.connect(partial(desktop.fulfil, StartRequest.WINDOW))


def find_plugins() -> None:
    """Tell Qt where its plug-ins are, before the app is made.

    Qt for Python says it in a text in which quotation marks are lost, and without them no window
    opens. A variable of the environment would lead the Qt of an editor here, too.
    """
    # The folder differs between the wheels of platforms.
    package = Path(PySide6.__file__).parent
    for folder in (package / "Qt" / "plugins", package / "plugins"):
        if folder.is_dir():
            QCoreApplication.addLibraryPath(str(folder))


class Termination(QObject):
    """Announces a signal of the operating system inside the event loop.

    Python runs its handlers between two of its own instructions, which an idle Qt never reaches;
    the wake-up socket makes Qt look.
    """

    requested = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reading, self._writing = socket.socketpair()
        for end in (self._reading, self._writing):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._reading.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._read)

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Announce signals inside the block; afterwards all is as before."""
        before = {number: signal.signal(number, lambda *_: None) for number in _SIGNALS}
        wakeup = signal.set_wakeup_fd(self._writing.fileno(), warn_on_full_buffer=False)
        # The handlers of the interpreter come back whatever happens inside.
        try:
            yield
        finally:
            signal.set_wakeup_fd(wakeup)
            for number, handler in before.items():
                signal.signal(number, handler)
            self._notifier.setEnabled(False)
            self._reading.close()
            self._writing.close()

    def _read(self) -> None:
        self._reading.recv(64)
        self.requested.emit()


class CursorBlink(QObject):
    """Stops the blinking of the text cursor: two wake-ups a second, all day, are too much for an
    app that mostly waits in its tray.
    """

    def __init__(self, app: QApplication, parent: QObject, blinks_ms: int = BLINKS_MS) -> None:
        super().__init__(parent)
        self._app = app
        self._flash_ms = app.cursorFlashTime()
        self._typing: QMetaObject.Connection | None = None
        self._rest = QTimer(self, singleShot=True, interval=blinks_ms)
        self._rest.timeout.connect(self._stand_still)
        app.focusChanged.connect(self._follow)

    def _follow(self, _before: QWidget | None, now: QWidget | None) -> None:
        if self._typing:
            QObject.disconnect(self._typing)
            self._typing = None
        # Only a widget with text has a cursor to blink.
        if isinstance(now, QLineEdit | QPlainTextEdit | QTextEdit):
            self._typing = now.cursorPositionChanged.connect(self._blink)
            self._blink()

    def _blink(self) -> None:
        if not self._rest.isActive():
            self._app.setCursorFlashTime(self._flash_ms)
        self._rest.start()

    def _stand_still(self) -> None:
        self._flash_ms = self._app.cursorFlashTime()
        self._app.setCursorFlashTime(0)
