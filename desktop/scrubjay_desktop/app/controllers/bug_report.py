"""Reports of bugs and crashes: kept on this computer, and shown to be copied."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, qVersion
from PySide6.QtWidgets import QMessageBox, QWidget

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.platform.crash_reports import CrashReports, is_program_gone, report_text
from scrubjay.platform.paths import Paths
from scrubjay_desktop.text.formatting import translate
from scrubjay_desktop.widgets.banner import copy_to_clipboard
from scrubjay_desktop.widgets.message_boxes import question_box

log = logging.getLogger("scrubjay.desktop")


class BugReports(QObject):
    """Shows a report over the window of the app."""

    def __init__(self, paths: Paths, window: QWidget, life: CancelToken) -> None:
        """Reports are only written, not shown, once life is cancelled."""
        super().__init__(window)
        self._window = window
        self._life = life
        self._crashes = CrashReports(paths)
        self._is_showing = False
        """Whether a box is open: further bugs are written down only, since one that comes again and
        again would cover the screen, and fill the memory."""

    def show_bug(self, error: BaseException) -> None:
        """Write down an unexpected exception, and show it."""
        if is_program_gone():
            log.error("The program was moved or removed while it ran: %s", error)
            self._open(gone_box)
            return
        # The report is kept before anything is shown: the window may be what is broken.
        log.error("Unexpected", exc_info=error)
        text = report_text(error, f"Qt {qVersion()}")
        file = self._crashes.write(text)
        self._open(lambda window: bug_box(window, text, file))

    def show_crash(self, report: str) -> None:
        """Show the report that the last run left when it ended in native code."""
        title = translate("Desktop", "Scrubjay closed unexpectedly the last time you used it.")
        bug_box(self._window, report, self._crashes.folder, title=title).open()

    def _open(self, made: Callable[[QWidget], QMessageBox]) -> None:
        """Show a box, unless one is open."""
        if not self._life.cancelled and not self._is_showing:
            self._is_showing = True
            box = made(self._window)
            box.finished.connect(self._closed)
            box.open()

    def _closed(self) -> None:
        self._is_showing = False


def gone_box(parent: QWidget) -> QMessageBox:
    """What to do when the program's files are no longer where they were."""
    box = question_box(
        parent,
        translate("Bug", "Restart Scrubjay"),
        text=translate("Bug", "Scrubjay was moved or removed while it was running."),
        details=translate("Bug", "Your notes are safe. Quit Scrubjay and start it again."),
    )
    # There is nothing to copy or to choose: the box tells what to do.
    box.setIcon(QMessageBox.Icon.Warning)
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Close))
    return box


def bug_box(parent: QWidget, report: str, file: Path | None, *, title: str = "") -> QMessageBox:
    """A bug report to copy; file is the place where it was saved."""
    details = translate(
        "Bug",
        "Your notes are safe, and you can continue working. To report the problem, copy "
        "the report and send it to the developers.",
    )
    if file is not None:
        where = translate("Bug", "The report is saved only on this computer, in {file}.")
        details += "\n" + where.format(file=file)
    box = question_box(
        parent,
        translate("Bug", "Unexpected error"),
        text=title or translate("Bug", "An unexpected error occurred in Scrubjay."),
        details=details,
    )
    box.setIcon(QMessageBox.Icon.Warning)
    box.setDetailedText(report)
    # The button copies, and the box stays open.
    copy = box.addButton(translate("Bug", "&Copy report"), QMessageBox.ButtonRole.ActionRole)
    copy.clicked.disconnect()
    copy.clicked.connect(lambda: copy_to_clipboard(report, copy))
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Close))
    return box
