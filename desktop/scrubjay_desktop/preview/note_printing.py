"""A note on paper: dark on white, whatever the theme of the screen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QTextDocument
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QDialog, QWidget

from scrubjay_desktop.text.formatting import translate


def ask_and_print(make: Callable[[], QTextDocument], title: str, window: QWidget) -> QPrintDialog:
    """Print a text that is made when the user has chosen printer or file; the open dialog."""
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(title)
    dialog = QPrintDialog(printer, window)
    dialog.setWindowTitle(translate("NotePrinting", "Print {note}").format(note=title))

    def put() -> None:
        make().print_(printer)

    # The dialog stays open while the window continues, so the text is made only when it is wanted.
    dialog.accepted.connect(put)
    dialog.finished.connect(dialog.deleteLater)
    QDialog.open(dialog)
    return dialog
