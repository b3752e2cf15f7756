"""A program that shows one dialog of the app after the other, a line on standard input for each."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from PySide6.QtCore import QSocketNotifier
from PySide6.QtWidgets import QApplication, QDialog

from scrubjay.engine.engine import Engine
from scrubjay.platform.paths import Paths
from scrubjay_desktop.app.application import Desktop
from support.app import running_app
from support.dialogs import Make, dialogs_of

NAME = "dialogs"
"""What screen readers call the program."""


class Shown:
    """Shows the next dialog and says its title, until there is none."""

    def __init__(self, app: QApplication, dialogs: Iterator[Make]) -> None:
        self._app = app
        self._dialogs = dialogs
        self._dialog: QDialog | None = None

    def go_on(self) -> None:
        """Somebody has seen enough."""
        sys.stdin.readline()
        if self._dialog is not None:
            self._dialog.close()
        make = next(self._dialogs, None)
        if make is None:
            self._app.exit()  # the window would ask whether to quit
            return
        self._dialog = make()
        self._dialog.show()
        print(self._dialog.windowTitle(), flush=True)


def _begin(app: QApplication, desktop: Desktop) -> None:
    shown = Shown(app, iter(dialogs_of(desktop).values()))
    notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read, app)
    notifier.activated.connect(shown.go_on)
    app.exec()


def main() -> None:
    """Run until all have been seen."""
    app = QApplication([NAME])
    app.setQuitOnLastWindowClosed(False)
    paths = Paths.of_user()
    notes = paths.data / "notes"
    notes.mkdir(parents=True)
    engine = Engine(paths)
    engine.add_workspace(notes).result()
    engine.close()
    with running_app(app, paths) as desktop:
        _begin(app, desktop)


if __name__ == "__main__":
    main()
