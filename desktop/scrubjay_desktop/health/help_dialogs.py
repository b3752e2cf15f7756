"""Dialogs of the help: licences, and the diagnostics before they are saved anywhere."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings, Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QListWidget,
    QPlainTextEdit,
    QSplitter,
    QWidget,
)

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.errors import system_reason
from scrubjay.platform.licences import Component, components
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.text.formatting import translated
from scrubjay_desktop.widgets.banner import copy_text
from scrubjay_desktop.widgets.buttons import dialog_buttons
from scrubjay_desktop.widgets.labels import plain_label
from scrubjay_desktop.widgets.layouts import PAGE, vbox
from scrubjay_desktop.widgets.message_boxes import open_where_it_was
from scrubjay_desktop.widgets.theme import GRID

_FILE_NAME = "scrubjay-diagnostics.txt"


class LicencesDialog(QDialog):
    """The works that the app is built from, and the terms of the chosen one."""

    def __init__(self, tasks: Tasks, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._components: tuple[Component, ...] = ()
        self._life = CancelToken()
        self.setWindowTitle(self.tr("Licences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(100 * GRID, 70 * GRID)
        self._build()
        self.finished.connect(self._life.cancel)
        tasks.run(components, self._life, done=self._show)

    def _build(self) -> None:
        about = plain_label(
            self.tr(
                "Scrubjay is free software under the MIT License. It is made of the works below. "
                "Qt is used under the LGPL: its libraries are files beside the program, which you "
                "may replace."
            )
        )
        self.works = QListWidget()
        self.works.setAccessibleName(self.tr("Works that Scrubjay is made of"))
        self.terms = QPlainTextEdit()
        self.terms.setReadOnly(True)
        self.terms.setAccessibleName(self.tr("Terms of the chosen work"))
        self.works.currentRowChanged.connect(self._choose)
        parts = QSplitter()
        parts.addWidget(self.works)
        parts.addWidget(self.terms)
        parts.setStretchFactor(1, 2)
        buttons = dialog_buttons(self, QDialogButtonBox.StandardButton.Close)
        vbox(about, (parts, 1), buttons, on=self)

    def _show(self, works: tuple[Component, ...]) -> None:
        self._components = works
        self.works.addItems([f"{work.name} {work.version}".strip() for work in works])
        self.works.setCurrentRow(0)

    def _choose(self, row: int) -> None:
        if row < 0:
            return
        work = self._components[row]
        head = (f"{work.name} {work.version}", work.licence, work.homepage)
        self.terms.setPlainText("\n\n\n".join(["\n".join(filter(None, head)), *work.texts]))


class DiagnosticsDialog(QDialog):
    """The diagnostics as a text to read, copy and save. Nothing sends it."""

    announced = Signal(str)

    def __init__(self, text: str, places: QSettings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._places = places
        self.setWindowTitle(self.tr("Diagnostics"))
        self.resize(96 * GRID, 72 * GRID)
        words = plain_label(
            self.tr(
                "This helps to find a fault. It holds no text of your notes and no key. Look "
                "through it before you hand it on; Scrubjay sends it nowhere."
            )
        )
        self.text = QPlainTextEdit(text)
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(self.windowTitle())
        buttons = dialog_buttons(self, QDialogButtonBox.StandardButton.Close)
        self.copy = buttons.addButton(self.tr("&Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        self.keep = buttons.addButton(self.tr("&Save…"), QDialogButtonBox.ButtonRole.ActionRole)
        self.copy.clicked.connect(lambda: copy_text(text))
        self.keep.clicked.connect(self._ask_where)
        vbox(words, self.text, buttons, on=self, margins=PAGE, spacing=2)

    def save(self, file: Path) -> None:
        """Write the text to a file, and announce the outcome."""
        try:
            file.write_text(self.text.toPlainText() + "\n", encoding="utf-8")
        except OSError as error:
            text = self.tr("{file} could not be written: {reason}")
            self.announced.emit(text.format(file=file, reason=translated(system_reason(error))))
            return
        self.announced.emit(self.tr("Saved as {file}.").format(file=file))

    def _ask_where(self) -> None:
        dialog = QFileDialog(self, self.tr("Save the diagnostics"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.fileSelected.connect(lambda name: self.save(Path(name)))
        open_where_it_was(dialog, self._places, "diagnostics")
        dialog.selectFile(_FILE_NAME)
