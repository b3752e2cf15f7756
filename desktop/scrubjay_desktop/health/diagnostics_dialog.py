"""The diagnostics, shown before they are saved anywhere."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from scrubjay.errors import system_reason
from scrubjay_desktop.text.formatting import translated
from scrubjay_desktop.widgets.theme import GRID

_NAME = "scrubjay-diagnostics.txt"


class DiagnosticsDialog(QDialog):
    """A text to look through, to copy and to save. Nothing sends it."""

    announced = Signal(str)

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Diagnostics"))
        self.resize(96 * GRID, 72 * GRID)
        words = QLabel(
            self.tr(
                "This helps to find a fault. It holds no text of your notes and no key. Look "
                "through it before you hand it on; Scrubjay sends it nowhere."
            )
        )
        words.setWordWrap(True)
        self.text = QPlainTextEdit(text)
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(self.windowTitle())
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy = buttons.addButton(self.tr("&Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        self.keep = buttons.addButton(self.tr("&Save…"), QDialogButtonBox.ButtonRole.ActionRole)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(text))
        self.keep.clicked.connect(self._ask_where)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        column.setSpacing(2 * GRID)
        for widget in (words, self.text, buttons):
            column.addWidget(widget)

    def save(self, file: Path) -> None:
        """Write it, and say where."""
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
        dialog.selectFile(_NAME)
        dialog.fileSelected.connect(lambda name: self.save(Path(name)))
        dialog.open()
