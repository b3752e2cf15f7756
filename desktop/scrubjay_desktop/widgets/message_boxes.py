"""Message boxes: questions before an action; and the places of file dialogs."""

from __future__ import annotations

import contextlib
from pathlib import Path

from PySide6.QtCore import QEvent, QSettings, QSize, QStandardPaths, Qt, QUrl
from PySide6.QtWidgets import QFileDialog, QHeaderView, QMessageBox, QTreeView, QWidget

from scrubjay.concurrency.io_timeout import IoTimedOut, IoTimeout
from scrubjay_desktop.widgets.layouts import DIALOG
from scrubjay_desktop.widgets.theme import GRID

_FILE_DIALOG = QSize(96 * GRID, 60 * GRID)
_ANSWER_SECONDS = 0.5
"""Seconds that the drive of a folder may take before another folder is shown."""
_LAYS_OUT = (QEvent.Type.Show, QEvent.Type.LayoutRequest)
"""Events at which a box is as large as its layout wants."""


class MessageBox(QMessageBox):
    """A box with the margins of the other dialogs."""

    def event(self, event: QEvent) -> bool:
        """Set the margins."""
        # Again and again: Qt makes the layout anew with a text, a box to tick or another style.
        layout = self.layout()
        if layout is not None and event.type() in _LAYS_OUT:
            layout.setContentsMargins(*(round(GRID * margin) for margin in DIALOG))
        return super().event(event)


def question_box(
    parent: QWidget, title: str, text: str, details: str = "", kind: type[QMessageBox] = MessageBox
) -> QMessageBox:
    """A question in plain text, still without buttons; it deletes itself when it is closed."""
    box = kind(parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle(title)
    # Names of files and folders may look like HTML.
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(text)
    box.setInformativeText(details)
    return box


def consent_question(
    parent: QWidget, title: str, text: str, details: str, yes: str, no: str
) -> QMessageBox:
    """A question whose button named yes consents; Enter, pressed without reading, refuses."""
    box = question_box(parent, title, text=text, details=details)
    # The names of the buttons say what was chosen.
    box.addButton(yes, QMessageBox.ButtonRole.YesRole).setObjectName("yes")
    refusal = box.addButton(no, QMessageBox.ButtonRole.NoRole)
    box.setDefaultButton(refusal)
    box.setEscapeButton(refusal)
    return box


def open_where_it_was(dialog: QFileDialog, stored: QSettings, name: str) -> None:
    """Open a file dialog beside the last choice of this name; in Documents before the first."""
    key = f"places/{name}"
    # The first of these folders that is there, on a drive that answers.
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    candidates = (str(stored.value(key, documents)), documents, str(Path.home()))
    dialog.setDirectory(next(filter(_is_folder, candidates), ""))
    dialog.fileSelected.connect(lambda file: stored.setValue(key, str(Path(file).parent)))
    dialog.open()
    # Where the system has no dialog of its own, Qt's is narrow, and cuts names and times.
    details = dialog.findChild(QTreeView)
    if details is not None:
        dialog.resize(_FILE_DIALOG)
        dialog.setSidebarUrls([QUrl.fromLocalFile(path) for path in (str(Path.home()), "/")])
        modes = QHeaderView.ResizeMode
        for column, mode in ((0, modes.Stretch), (3, modes.ResizeToContents)):
            details.header().setSectionResizeMode(column, mode)


def _is_folder(path: str) -> bool:
    """Whether a folder is there, on a drive that answers: Qt would wait for it."""
    with contextlib.suppress(IoTimedOut):
        return IoTimeout(_ANSWER_SECONDS, Path(path)).call(lambda: Path(path).is_dir())
    return False
