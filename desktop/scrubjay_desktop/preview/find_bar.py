"""A box that finds a text in the note or on the picture that is shown."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QLineEdit, QWidget

from scrubjay_desktop.preview.note_view import MAX_MATCHES, NoteView
from scrubjay_desktop.preview.page_canvas import PageCanvas
from scrubjay_desktop.text.formatting import format_number
from scrubjay_desktop.text.shortcuts import with_keys
from scrubjay_desktop.widgets.banner import announce
from scrubjay_desktop.widgets.buttons import IconButton
from scrubjay_desktop.widgets.labels import muted_label
from scrubjay_desktop.widgets.layouts import hbox
from scrubjay_desktop.widgets.theme import GRID

_ROOMY = 50 * GRID
"""Width from which the box has enough room beside a sentence in one line."""


class FindBar(QWidget):
    """The box with "3 of 7" beside it, over the note or the picture that it looks in."""

    def __init__(self, view: NoteView, *canvases: PageCanvas) -> None:
        super().__init__()
        self._view: NoteView | PageCanvas = view
        """Part of the preview that is shown now."""
        self.box = QLineEdit()
        self.count = muted_label()
        previous = IconButton("earlier", with_keys(self.tr("Previous match"), "Shift+Enter"))
        following = IconButton("later", with_keys(self.tr("Next match"), "Enter"))
        close = IconButton("close", with_keys(self.tr("Close"), "Esc"))
        # The box takes all the room that the count and the buttons leave.
        parts = ((self.box, 1), self.count, previous, following, close)
        hbox(*parts, on=self, margins=(3, 0, 2, 1), spacing=0.5)
        # What is typed is marked at once; the view answers with its count.
        self.box.textChanged.connect(lambda text: self._view.look_for(text))
        previous.clicked.connect(lambda: self._view.step(-1))
        following.clicked.connect(lambda: self._view.step(1))
        close.clicked.connect(self.close_bar)
        # While the note has the keys; the box has its own.
        self._escapes: list[QShortcut] = []
        # Only one of them is seen, but each has its own keys.
        views: tuple[NoteView | PageCanvas, ...] = (view, *canvases)
        for each in views:
            each.stepped.connect(self._show_count)
            escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), each)
            escape.setContext(Qt.ShortcutContext.WidgetShortcut)
            escape.setEnabled(False)
            escape.activated.connect(self.close_bar)
            self._escapes.append(escape)
        self.hide()

    def look_in(self, view: NoteView | PageCanvas) -> None:
        """Look in another part of the preview from now on; the box closes if it was open."""
        if view is not self._view:
            self.close_bar()
            self._view = view

    def open_bar(self) -> None:
        """Show the box, ready to type, with the text that is selected in the note."""
        selected = self._view.selected_text
        self._name_box()
        self.show()
        self._enable_escape(True)
        if selected and "\n" not in selected:
            self.box.setText(selected)
        self._view.look_for(self.box.text())
        self.box.selectAll()
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def close_bar(self) -> None:
        """Mark what the question found again, and give the keys to the note."""
        if self.isAncestorOf(self.focusWidget() or self._view):
            self._view.setFocus()
        self.hide()
        self._enable_escape(False)
        self._view.look_for("")

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: D102
        super().resizeEvent(event)
        # A wrapped sentence has two lines however much room there is.
        self.count.setWordWrap(self.width() < _ROOMY)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: D102
        match event.key():
            case Qt.Key.Key_Escape:
                self.close_bar()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                is_back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
                self._view.step(-1 if is_back else 1)
            case _:
                super().keyPressEvent(event)

    def _name_box(self) -> None:
        """Say where the box looks: of a PDF, only in the page that is shown."""
        text = self.tr("Find in this note")
        if isinstance(self._view, PageCanvas):
            text = self.tr("Find in this picture")
            if self._view.is_of_document:
                text = self.tr("Find on this page")
        self.box.setPlaceholderText(text)
        self.box.setAccessibleName(text)

    def _enable_escape(self, is_open: bool) -> None:
        for escape in self._escapes:
            escape.setEnabled(is_open)

    def _show_count(self) -> None:
        if self.isHidden():
            return
        # What was not found may still be in the lines that an excerpt does not show.
        count = self._view.match_count
        is_excerpt = self._view.is_excerpt
        sentence = self.tr("Not found in this note")
        if isinstance(self._view, PageCanvas):
            sentence = self.tr("Not found in this picture")
            if self._view.is_of_document:
                sentence = self._page_sentence(self._view)
        if is_excerpt:
            sentence = self.tr("Not found in the lines shown")
        if count:
            most: str = format_number(count)
            if count >= MAX_MATCHES:
                most = f"{most}+"
            sentence = self.tr("{n} of {count}")
            if is_excerpt:
                sentence = self.tr("{n} of {count} in the lines shown")
            sentence = sentence.format(n=format_number(self._view.current_match + 1), count=most)
        self.count.setText(sentence if self.box.text() else "")
        announce(self.box, self.count.text())

    def _page_sentence(self, page: PageCanvas) -> str:
        # The text of the file itself can be found only as text.
        if page.has_text:
            return self.tr("Not found on this page")
        return self.tr("To search this page, choose “Text”")
