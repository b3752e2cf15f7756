"""Dialogs of the help: search tips, keys, licences, diagnostics before they are saved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from html import escape
from pathlib import Path

from PySide6.QtCore import QEvent, QSettings, Qt, QUrl, Signal
from PySide6.QtGui import QFontDatabase, QTextDocument
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QListWidget,
    QPlainTextEdit,
    QTextBrowser,
    QWidget,
)

from scrubjay.concurrency.cancel import CancelToken
from scrubjay.concurrency.io_timeout import IoTimeouts
from scrubjay.errors import DriveSilent, system_reason
from scrubjay.platform.licences import Component, list_components
from scrubjay.platform.paths import Paths
from scrubjay.version import current_version
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.text.formatting import translated
from scrubjay_desktop.text.search_tips import search_tips
from scrubjay_desktop.text.shortcuts import native_keys
from scrubjay_desktop.widgets.banner import NEWS, copy_to_clipboard
from scrubjay_desktop.widgets.buttons import dialog_buttons
from scrubjay_desktop.widgets.icons import pixmap
from scrubjay_desktop.widgets.labels import plain_label
from scrubjay_desktop.widgets.layouts import DIALOG, NONE, hbox, side_by_side, vbox
from scrubjay_desktop.widgets.message_boxes import open_where_it_was
from scrubjay_desktop.widgets.theme import GRID, palette_colors

_FILE_NAME = "scrubjay-diagnostics.txt"
_MARK = 18
"""Pixels of the marks of results."""
_ANSWER_SECONDS = 1.0
"""Seconds that a drive may take while the window waits for it."""


class HelpDialog(QDialog):
    """How to search, the marks of results, all keys, and the paths of files."""

    licences_requested = Signal()
    diagnostics_requested = Signal()

    def __init__(
        self, paths: Paths, keys: Sequence[tuple[str, str]], parent: QWidget | None = None
    ) -> None:
        """Keys are those of the menus."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Help"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(88 * GRID, 84 * GRID)
        # The text is HTML, in which the marks are pictures of ours.
        self.text = _page(self.windowTitle())
        self._html = (
            f"<h2>Scrubjay {escape(current_version())}</h2>"
            + _section(self.tr("How to search"), search_tips())
            + _section(self.tr("Icons next to results"), self._marks())
            + _section(self.tr("Keyboard shortcuts"), [*self._own_keys(), *keys])
            + _section(self.tr("Files"), self._files(paths))
        )
        self._draw()
        buttons = dialog_buttons(self, QDialogButtonBox.StandardButton.Close)
        role = QDialogButtonBox.ButtonRole.ActionRole
        # Both dialogs are made by the app, which knows what they need.
        self.licences = buttons.addButton(self.tr("&Licences"), role)
        self.licences.clicked.connect(self.licences_requested)
        diagnostics = buttons.addButton(self.tr("&Diagnostics…"), role)
        diagnostics.clicked.connect(self.diagnostics_requested)
        self.text.setFocus()
        foot = hbox(buttons, margins=(2, 1, 2, 2))
        vbox((self.text, 1), foot, on=self, margins=NONE, spacing=0)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)

    def changeEvent(self, event: QEvent) -> None:  # noqa: D102
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()

    def _draw(self) -> None:
        """Show the text, with the marks in the colour of the theme."""
        accent = palette_colors(self.palette()).accent
        scale = self.devicePixelRatioF()
        kind = QTextDocument.ResourceType.ImageResource
        scroll = self.text.verticalScrollBar().value()
        # Pictures are redrawn, since their colour is part of them.
        for name in ("words", "meaning", "both"):
            mark = pixmap(name, accent, size=_MARK, scale=scale)
            self.text.document().addResource(kind, QUrl(name), mark)
        self.text.setHtml(self._html)
        self.text.verticalScrollBar().setValue(scroll)

    def _marks(self) -> list[tuple[str, str]]:
        return [
            ("<img src='words'>", self.tr("The note contains your words")),
            ("<img src='meaning'>", self.tr("The note says the same thing in other words")),
            (
                "<img src='both'>",
                self.tr("The note contains your words and also matches their meaning"),
            ),
        ]

    def _own_keys(self) -> list[tuple[str, str]]:
        # Keys that no menu shows, because a list or a box takes them itself.
        return [
            ("↑ ↓", self.tr("Move through the results")),
            ("→ ←", self.tr("Show more or fewer passages from a note")),
            (self.tr("Enter"), self.tr("Open the note")),
            (native_keys("Ctrl+C"), self.tr("Copy the selected passage")),
            (self.tr("↑ in an empty search box"), self.tr("Show an earlier search")),
            ("Esc", self.tr("Clear the search box")),
            (
                self.tr("Space bar in the list"),
                self.tr("Show or hide the note in quick search (same as {keys})").format(
                    keys=native_keys("Ctrl+Space")
                ),
            ),
            ("F6", self.tr("Switch between the search box and the note in quick search")),
            (
                native_keys("Ctrl+1") + " …",
                self.tr("Go to the first page, the second page and so on"),
            ),
        ]

    def _files(self, paths: Paths) -> list[tuple[str, str]]:
        return [
            (self.tr("Settings file"), str(paths.config_file)),
            (self.tr("Search index folder"), str(paths.indexes)),
            (self.tr("Command that opens quick search"), "scrubjay-desktop --quick-search"),
        ]


class SearchTipsDialog(QDialog):
    """What a question may hold besides words, over the window with the search box."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Search tips"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(76 * GRID, 58 * GRID)
        self.text = _page(self.windowTitle())
        self.text.setHtml(_table(search_tips()))
        buttons = dialog_buttons(self, QDialogButtonBox.StandardButton.Close)
        foot = hbox(buttons, margins=(2, 1, 2, 2))
        vbox((self.text, 1), foot, on=self, margins=NONE, spacing=0)
        # The keys scroll the text, and Enter closes it.
        self.text.setFocus()
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)


def _page(name: str) -> QTextBrowser:
    """A text to read, with a name for screen readers."""
    text = QTextBrowser()
    text.setAccessibleName(name)
    text.setFrameShape(QTextBrowser.Shape.NoFrame)
    text.document().setDocumentMargin(2 * GRID)
    return text


def _section(title: str, rows: Iterable[tuple[str, str]]) -> str:
    """A title over a table of names and meanings."""
    return f"<h3>{escape(title)}</h3>{_table(rows)}"


def _table(rows: Iterable[tuple[str, str]]) -> str:
    """Names, each with its meaning beside it."""

    def row(name: str, meaning: str) -> str:
        # Pictures are ours, and all other names are text.
        if "<img" not in name:
            name = escape(name)
        return (
            f"<tr><td style='padding: 2px 16px 2px 0'><b>{name}</b>"
            f"</td><td style='padding: 2px 0; vertical-align: middle'>{escape(meaning)}</td></tr>"
        )

    lines = "".join(row(name, meaning) for name, meaning in rows)
    return f"<table>{lines}</table>"


class LicencesDialog(QDialog):
    """The works that the app is built from, and the terms of the chosen one."""

    def __init__(self, tasks: Tasks, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._components: tuple[Component, ...] = ()
        # The licences are read from the disk, off the GUI thread.
        self._life = CancelToken()
        self.setWindowTitle(self.tr("Licences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(112 * GRID, 70 * GRID)
        self._build()
        self.finished.connect(self._life.cancel)
        tasks.run(list_components, self._life, done=self._show)

    def _build(self) -> None:
        about = plain_label(
            self.tr(
                "Scrubjay is free software under the MIT License. It includes the components "
                "in this list. Qt is used under the LGPL, so its libraries are separate files "
                "that you can replace."
            )
        )
        # The works at the left, and the terms of the chosen one beside them.
        self.works = QListWidget()
        self.works.setAccessibleName(self.tr("Scrubjay components"))
        self.terms = QPlainTextEdit()
        self.terms.setReadOnly(True)
        self.terms.setAccessibleName(self.tr("Licence for the selected component"))
        self.works.currentRowChanged.connect(self._choose)
        buttons = dialog_buttons(self, QDialogButtonBox.StandardButton.Close)
        parts = side_by_side(self.works, self.terms, widths=(30, 76))
        parts.setHandleWidth(GRID)
        vbox(about, (parts, 1), buttons, on=self, margins=DIALOG, spacing=1.5)

    def _show(self, works: tuple[Component, ...]) -> None:
        self._components = works
        self.works.addItems([f"{work.name} {work.version}".strip() for work in works])
        self.works.setCurrentRow(0)
        # No name is cut, and the bar hides none.
        bar = self.works.verticalScrollBar().sizeHint().width()
        self.works.setMinimumWidth(self.works.sizeHintForColumn(0) + bar + 2 * GRID)

    def _choose(self, row: int) -> None:
        if row < 0:
            return
        work = self._components[row]
        head = (f"{work.name} {work.version}", work.licence, work.homepage)
        self.terms.setPlainText("\n\n\n".join(["\n".join(filter(None, head)), *work.texts]))


class DiagnosticsDialog(QDialog):
    """The diagnostics as a text to read, copy and save. Nothing sends it."""

    announced = Signal(str, object)
    """Signal with a sentence, and NEWS or, for a failure, None."""

    def __init__(self, text: str, stored: QSettings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stored = stored
        self.setWindowTitle(self.tr("Diagnostics"))
        self.resize(96 * GRID, 72 * GRID)
        words = plain_label(
            self.tr(
                "This report helps developers find problems. It contains no keys and no text "
                "from your notes. Scrubjay does not send the report anywhere. Review it before "
                "you share it."
            )
        )
        # Long lines stay whole: whoever reads them compares them.
        self.text = QPlainTextEdit(text)
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(self.windowTitle())
        buttons = dialog_buttons(self, QDialogButtonBox.StandardButton.Close)
        self.copy = buttons.addButton(self.tr("&Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        self.keep = buttons.addButton(self.tr("&Save…"), QDialogButtonBox.ButtonRole.ActionRole)
        self.copy.clicked.connect(lambda: copy_to_clipboard(text, self.copy))
        self.keep.clicked.connect(self._ask_where)
        vbox(words, self.text, buttons, on=self, margins=DIALOG, spacing=1.5)

    def save(self, file: Path) -> None:
        """Write the text to a file, and announce the outcome."""
        # A drive that does not answer must not hold up the window.
        write = partial(file.write_text, self.text.toPlainText() + "\n", encoding="utf-8")
        try:
            IoTimeouts(_ANSWER_SECONDS).ask(file.parent, write)
        except DriveSilent as error:
            self.announced.emit(translated(str(error)), None)
            return
        except OSError as error:
            text = self.tr("{file} could not be saved: {reason}. Choose another folder.")
            reason = translated(system_reason(error))
            self.announced.emit(text.format(file=file, reason=reason), None)
            return
        text = self.tr("The diagnostics were saved as {file}.")
        self.announced.emit(text.format(file=file), NEWS)

    def _ask_where(self) -> None:
        dialog = QFileDialog(self, self.tr("Save diagnostics"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.fileSelected.connect(lambda name: self.save(Path(name)))
        open_where_it_was(dialog, self._stored, "diagnostics")
        dialog.selectFile(_FILE_NAME)
