"""Message boxes: questions before an action; and the places of file dialogs."""

from __future__ import annotations

import contextlib
from html import escape
from pathlib import Path

from PySide6.QtCore import QEvent, QSettings, QSize, QStandardPaths, Qt, QUrl
from PySide6.QtWidgets import QFileDialog, QHeaderView, QMessageBox, QTreeView, QWidget

from scrubjay.concurrency.io_timeout import IoTimedOut, IoTimeout
from scrubjay.records.model_records import ModelInfo
from scrubjay_desktop.text.formatting import translate
from scrubjay_desktop.widgets.layouts import DIALOG
from scrubjay_desktop.widgets.theme import GRID

_FILE_DIALOG = QSize(96 * GRID, 60 * GRID)
_ANSWER_SECONDS = 0.5
"""Seconds that the drive of a folder may take before another folder is shown."""
_LAYS_OUT = (QEvent.Type.Show, QEvent.Type.LayoutRequest)
"""Events at which a box is as large as its layout wants."""


class _Box(QMessageBox):
    """A box with the margins of the other dialogs."""

    def event(self, event: QEvent) -> bool:
        # Again and again: Qt makes the layout anew with a text, a box to tick or another style.
        layout = self.layout()
        if layout is not None and event.type() in _LAYS_OUT:
            layout.setContentsMargins(*(round(GRID * margin) for margin in DIALOG))
        return super().event(event)


class _LinkedBox(_Box):
    """A box with a link. Qt gives a link the colour of the theme at the time its text is set."""

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        text = self.informativeText()
        # The same text, set again, gets the colour of the new theme.
        if event.type() == QEvent.Type.PaletteChange and text:
            self.setInformativeText("")
            self.setInformativeText(text)


def question_box(
    parent: QWidget, title: str, text: str, details: str = "", kind: type[QMessageBox] = _Box
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


def close_question(parent: QWidget, *, has_tray: bool) -> QMessageBox:
    """The question before the window closes: Accept keeps running, Destructive quits."""
    how = translate(
        "Close",
        "In the background, Scrubjay keeps your notes ready to search. To "
        "reopen the window, click the tray icon.",
    )
    if not has_tray:
        how = translate(
            "Close",
            "In the background, Scrubjay keeps your notes ready to search. "
            "Because this desktop does not show tray icons, start Scrubjay "
            "again to reopen the window.",
        )
    box = question_box(
        parent,
        translate("Close", "Close Scrubjay"),
        text=translate("Close", "Keep Scrubjay running in the background?"),
        details=how + " " + translate("Close", "You can change this later in the settings."),
    )
    # The names of the buttons say what was chosen.
    keep = box.addButton(translate("Close", "&Keep running"), QMessageBox.ButtonRole.AcceptRole)
    keep.setObjectName("keep")
    leave = box.addButton(translate("Close", "&Quit"), QMessageBox.ButtonRole.DestructiveRole)
    leave.setObjectName("quit")
    box.setEscapeButton(box.addButton(QMessageBox.StandardButton.Cancel))
    box.setDefaultButton(keep)
    return box


def terms_question(parent: QWidget, info: ModelInfo, name: str) -> QMessageBox:
    """The question whether the user accepts the terms of a model, which windows call so."""
    text = translate("Terms", "{model} has its own terms of use.")
    text = text.format(model=escape(name))
    box = question_box(parent, translate("Terms", "Terms of use"), text=text, kind=_LinkedBox)
    box.setTextFormat(Qt.TextFormat.RichText)
    # The address is shown too, for those who read it elsewhere.
    link = f'<a href="{escape(info.terms_url)}">{escape(info.terms_name)}</a>'
    box.setInformativeText(
        translate("Terms", "To use this language helper, you must accept the {terms}.").format(
            terms=link
        )
        + f"<br>{escape(info.terms_url)}"
    )
    return _with_buttons(box, translate("Terms", "&Accept the terms"))


def removal_question(parent: QWidget, name: str) -> QMessageBox:
    """The question before a model file is deleted."""
    box = question_box(
        parent,
        translate("Removal", "Remove a language helper"),
        text=translate("Removal", "Remove {name} from this computer?").format(name=name),
        details=translate(
            "Removal",
            "Your notes will not change. You can download the language helper again later.",
        ),
    )
    return _with_buttons(box, translate("Removal", "&Remove"))


def import_question(parent: QWidget, name: str) -> QMessageBox:
    """The question whether a model file that was dropped is to be copied."""
    box = question_box(
        parent,
        translate("Import", "Add a language helper"),
        text=translate("Import", "Add {name} to your language helpers?").format(name=name),
        details=translate(
            "Import",
            "Scrubjay will check the file and copy it. The original file will stay where it is.",
        ),
    )
    return _with_buttons(box, translate("Import", "&Add"), is_safe=True)


def _with_buttons(box: QMessageBox, accept: str, *, is_safe: bool = False) -> QMessageBox:
    """The box with Accept and Cancel; Enter accepts only what is safe."""
    accepting = box.addButton(accept, QMessageBox.ButtonRole.AcceptRole)
    cancelling = box.addButton(QMessageBox.StandardButton.Cancel)
    box.setDefaultButton(accepting if is_safe else cancelling)
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
