"""A rendered note with marked matches."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QRegularExpression, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QMouseEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QWheelEvent,
)
from PySide6.QtWidgets import QScrollBar, QTextBrowser, QTextEdit

from scrubjay.text.plain_snippet import SENTENCE_END
from scrubjay_desktop.bridge.bridge import Tasks
from scrubjay_desktop.preview.highlights import whole_word
from scrubjay_desktop.preview.marks import TextMarks
from scrubjay_desktop.preview.note_html import TASK, RenderedNote, style_sheet
from scrubjay_desktop.preview.note_pictures import NotePictures
from scrubjay_desktop.preview.note_trail import MOUSE_STEPS
from scrubjay_desktop.widgets.theme import GRID, LIGHT, palette_colors, sized_font

_ZOOM = range(-3, 17)
"""Points that people may add to the size of the text."""
MAX_MATCHES = 500
"""Marks of matches at most, more than a user steps through."""


class NoteView(QTextBrowser):
    """Shows rendered notes. Loads no files or addresses that they name."""

    stepped = Signal()
    """Other matches, or another one of them."""
    zoomed = Signal(int)
    """Points that the user has added to the size of the text."""
    _note: tuple[RenderedNote, int, list[str], str] | None = None
    """The note that is shown, its line, the words that are marked, and the sentence."""

    def __init__(self, tasks: Tasks) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.document().setDocumentMargin(3 * GRID)
        self.document().setIndentWidth(3 * GRID)
        # Pictures are drawn by our own object, which Qt asks for their size.
        self.pictures = NotePictures(tasks, self)
        self.pictures.changed.connect(self.viewport().update)
        kind = QTextFormat.ObjectTypes.ImageObject.value
        self.document().documentLayout().registerHandler(kind, self.pictures)
        self._matches: list[QTextCursor] = []
        self._sought = ""
        self._answer: list[QTextCursor] = []
        self.zoom = 0
        """Points that are added to the size of the text."""
        self.current_match = -1
        """The match that was stepped to, from 0; -1 without any."""

    def loadResource(self, kind: int, name: QUrl | str) -> Any:  # noqa: D102
        return None

    @property
    def match_count(self) -> int:
        """The number of marked matches."""
        return len(self._matches)

    @property
    def selected_text(self) -> str:
        """The text that the user selected."""
        return self.textCursor().selection().toPlainText()

    @property
    def is_excerpt(self) -> bool:
        """Whether only a part of the note is here."""
        return self._note is not None and self._note[0].is_excerpt

    def show_note(
        self, note: RenderedNote, line: int, words: list[str], sentence: str = ""
    ) -> None:
        """Show a note, scrolled to a sentence in a line, with words marked.

        Without a sentence, or where none is like it, the whole sentences of the line are meant.
        """
        self._note = (note, line, words, sentence)
        # Font and colours are part of the text that Qt makes from the HTML.
        colors = palette_colors(self.palette())
        self.document().setDefaultFont(self._text_font)
        self.document().setDefaultStyleSheet(style_sheet(colors))
        self.pictures.show(note.pictures)
        # A box of a task that had the keys keeps them, so that several can be ticked by keyboard.
        former = self.textCursor().charFormat().anchorHref()
        self.setHtml(note.html)
        if former.startswith(f"{TASK}:"):
            self._focus_link(former)
        self._matches = self._found(words)
        # The answer is marked as a passage; the first match from there on is the current one.
        anchor = note.anchor_above(line)
        start = _anchor_position(self, anchor)
        self._answer = []
        if line > 1 or sentence:
            self._answer = self._sentences(start, note.anchor_below(line), sentence)
            if sentence:
                # A sentence may begin on a line before.
                start = max(start, self._answer[0].selectionStart())
        following = (n for n, match in enumerate(self._matches) if match.selectionStart() >= start)
        self.current_match = next(following, len(self._matches) - 1)
        self._mark()
        self.stepped.emit()
        if start > 0:
            self._scroll_to(start)

    def show_whole(self, note: RenderedNote) -> None:
        """Show more of the same note, with the same lines and the same match in sight."""
        if self._note is None:
            return
        # Where the first seen line and the current match are, told from the anchors of their lines.
        top = _place_of(self, self.cursorForPosition(QPoint(0, 0)).position())
        matches = self._matches[self.current_match : self.current_match + 1]
        match = [_place_of(self, each.selectionStart()) for each in matches]
        self.show_note(note, *self._note[1:])
        # The same match has another number now, as more of them are shown.
        for anchor, distance in match:
            start = _anchor_position(self, anchor) + distance
            nearest = (n for n, at in enumerate(self._matches) if at.selectionStart() >= start)
            self.current_match = next(nearest, self.current_match)
        self._mark()
        self.stepped.emit()
        position = _anchor_position(self, top[0]) + top[1]
        bar = self._whole_bar()
        bar.setValue(bar.value() + self.cursorRect(self._cursor_at(position)).top())

    @property
    def _text_font(self) -> QFont:
        return sized_font(self.font(), 0.5 + self.zoom)

    def zoom_by(self, points: int) -> None:
        """Make the text larger, or smaller for a negative number, or for 0 as it is at first."""
        zoom = self.zoom + points if points else 0
        if zoom in _ZOOM and zoom != self.zoom:
            self.zoom = zoom
            bar = self.verticalScrollBar()
            share = bar.value() / max(1, bar.maximum())
            self._show_again()
            bar.setValue(round(share * bar.maximum()))
            self.zoomed.emit(zoom)

    def printable(self, above: str = "") -> QTextDocument:
        """The note as on white paper, without marks, below a sentence."""
        document = QTextDocument()
        document.setDefaultFont(self._text_font)
        document.setDefaultStyleSheet(style_sheet(LIGHT))
        document.setIndentWidth(self.document().indentWidth())
        kind = QTextFormat.ObjectTypes.ImageObject.value
        document.documentLayout().registerHandler(kind, self.pictures)
        if self._note is not None:
            above = f'<p class="about">{escape(above)}</p>' if above else ""
            document.setHtml(above + self._note[0].html)
        return document

    def _show_again(self) -> None:
        """Show the note in other colours or letters."""
        if self._note is not None:
            current = self.current_match
            self.show_note(*self._note)
            self.current_match = current
            self._mark()

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: D102
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            turned = event.angleDelta().y()
            if turned:
                self.zoom_by(1 if turned > 0 else -1)
            event.accept()
            return
        super().wheelEvent(event)

    def _focus_link(self, href: str) -> None:
        """Give the keys to a link again, as Tab does."""
        block = self.document().begin()
        while block.isValid():
            fragments = block.begin()
            while not fragments.atEnd():
                if fragments.fragment().charFormat().anchorHref() == href:
                    cursor = self._cursor_at(fragments.fragment().position())
                    step = QTextCursor.MoveOperation.Right
                    cursor.movePosition(step, QTextCursor.MoveMode.KeepAnchor)
                    self.setTextCursor(cursor)
                    return
                fragments += 1
            block = block.next()

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: D102
        if event.button() in MOUSE_STEPS:
            # The preview goes back and forward.
            event.ignore()
        else:
            super().mousePressEvent(event)

    def changeEvent(self, event: QEvent) -> None:  # noqa: D102
        super().changeEvent(event)
        # The colours of a rendered note are part of it, and this view knows the new ones last.
        if event.type() == QEvent.Type.PaletteChange:
            scroll = self.verticalScrollBar().value()
            self._show_again()
            self.verticalScrollBar().setValue(scroll)

    def look_for(self, text: str) -> None:
        """Mark a text, or for an empty one the question's words, and go to the next place with it.

        That is where the beginning of the text was found, otherwise on the part that is seen.
        """
        if text == self._sought or self._note is None:
            return
        # The search continues from the current match, or from the first line that is seen.
        start = self.cursorForPosition(QPoint(0, 0)).position()
        if self._sought and self._matches:
            start = self._matches[self.current_match].selectionStart()
        self._sought = text
        self._matches = self._found(self._note[2])
        if len(self._matches) == MAX_MATCHES and self._matches[-1].selectionStart() < start:
            self._matches = self._found(self._note[2], start)
        # Without a match below, the first one of the note is next.
        below = (at for at, match in enumerate(self._matches) if match.selectionStart() >= start)
        self.current_match = next(below, 0 if self._matches else -1)
        if text and self._matches:
            self._show_current()
        else:
            self._mark()
            self.stepped.emit()

    def _found(self, words: list[str], start: int = 0) -> list[QTextCursor]:
        if self._sought:
            return _matches(self, [re.escape(self._sought)], start)
        return _matches(self, map(whole_word, sorted(words, key=len, reverse=True)), start)

    def step(self, direction: int) -> None:
        """Go to the next match (1) or the one before (-1), around the ends."""
        if not self._matches:
            return
        self.current_match = (self.current_match + direction) % len(self._matches)
        self._show_current()

    def scroll_to_line(self, line: int) -> None:
        """Scroll to a line of the source."""
        if self._note is not None:
            self._scroll_to(_anchor_position(self, self._note[0].anchor_above(line)))

    def mark_picture(self, file: Path, marks: TextMarks, *, scrolls: bool) -> None:
        """Mark what was found on a picture of the note, and scroll to the picture if asked to."""
        name = self.pictures.mark(file, marks)
        position = _picture_position(self, name)
        if scrolls and name and position:
            self._scroll_to(position)

    def task_line(self) -> int:
        """The line of the task with the keys, otherwise of the one that is marked; 0 for none."""
        current = self._matches[self.current_match : self.current_match + 1]
        # A task is its box, somewhere in the paragraph of the cursor or the mark.
        for cursor in (self.textCursor(), *current, *self._answer):
            fragments = cursor.block().begin()
            while not fragments.atEnd():
                scheme, _, line = fragments.fragment().charFormat().anchorHref().partition(":")
                if scheme == TASK:
                    return int(line)
                fragments += 1
        return 0

    def _show_current(self) -> None:
        self._mark()
        self._scroll_to(self._matches[self.current_match].selectionStart())
        self.stepped.emit()

    def _cursor_at(self, position: int) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.setPosition(position)
        return cursor

    def _sentences(self, start: int, next_line: str, sentence: str) -> list[QTextCursor]:
        """The sentence of the source line at a place that is most like another, or all of them.

        A line of its own, such as an item, is whole, and so are all cells of a row.
        """
        cursor = self._cursor_at(start)
        table = cursor.currentTable()
        if table is not None and table.columns() > 1:
            # The cells of a row are marked whole.
            row = table.cellAt(cursor).row()
            cells = [table.cellAt(row, column) for column in range(table.columns())]
            parts = [each.firstCursorPosition() for each in cells]
            for part, cell in zip(parts, cells, strict=True):
                end = cell.lastCursorPosition().position()
                part.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            return parts
        block = cursor.block()
        text = block.text()
        # The line's own part of the paragraph, widened to the ends of its sentences.
        first = start - block.position()
        end = _anchor_position(self, next_line) - 1 - block.position()
        last = len(text)
        if first < end < len(text):
            last = end
        ends = [0, *(match.end() for match in SENTENCE_END.finditer(text)), len(text)]
        begin = max(each for each in ends if each <= first)
        until = min(each for each in ends if each >= last)
        # Of several sentences the one that shares most words with the one looked for is meant.
        words = _words(sentence)
        if words:
            inside = pairwise(sorted({each for each in ends if begin <= each <= until}))
            shares = {pair: _share(words, _words(text[slice(*pair)])) for pair in inside}
            if shares and max(shares.values()):
                begin, until = max(shares, key=shares.__getitem__)
        cursor.setPosition(block.position() + begin)
        cursor.setPosition(block.position() + until, QTextCursor.MoveMode.KeepAnchor)
        return [cursor]

    def _scroll_to(self, position: int) -> None:
        """Scroll a position to a third from the top."""
        bar = self._whole_bar()
        top = self.cursorRect(self._cursor_at(position)).top() + bar.value()
        bar.setValue(max(0, top - self.viewport().height() // 3))

    def _whole_bar(self) -> QScrollBar:
        """The bar with all of the text laid out; else it grows later, and stops a jump before."""
        layout = self.document().documentLayout()
        layout.documentSizeChanged.emit(layout.documentSize())
        return self.verticalScrollBar()

    def _mark(self) -> None:
        colors = palette_colors(self.palette())
        selections = [_selection(cursor, colors.accent_soft) for cursor in self._answer]
        # Marks of matches lie over the passage, and the current match over all others.
        for number, cursor in enumerate(self._matches):
            look = (colors.marked, colors.marked_text)
            if number == self.current_match:
                look = (colors.accent, colors.accent_text)
            selections.append(_selection(cursor, *look))
        self.setExtraSelections(selections)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def _share(words: set[str], others: set[str]) -> float:
    return len(words & others) / max(1, len(words | others))


def _matches(view: QTextEdit, patterns: Iterable[str], start: int) -> list[QTextCursor]:
    choice = "|".join(patterns)
    if not choice:
        return []
    pattern = QRegularExpression(
        choice,
        QRegularExpression.PatternOption.CaseInsensitiveOption
        | QRegularExpression.PatternOption.UseUnicodePropertiesOption,
    )
    matches: list[QTextCursor] = []
    cursor = view.document().find(pattern, start)
    while not cursor.isNull() and len(matches) < MAX_MATCHES:
        look = cursor.charFormat()
        # Words with a tooltip, except links, are said by the app and not by the note.
        if look.anchorHref() or not look.toolTip():
            matches.append(QTextCursor(cursor))
        cursor = view.document().find(pattern, cursor)
    return matches


def _anchor_position(view: QTextEdit, name: str) -> int:
    """The position of an anchor in the text; 0 when it is not there."""
    block = view.document().begin()
    while name and block.isValid():
        fragments = block.begin()
        while not fragments.atEnd():
            if name in fragments.fragment().charFormat().anchorNames():
                return int(fragments.fragment().position())
            fragments += 1
        block = block.next()
    return 0


def _picture_position(view: QTextEdit, name: str) -> int:
    """The position of a picture in the text; 0 when it is not there."""
    block = view.document().begin()
    while block.isValid():
        fragments = block.begin()
        while not fragments.atEnd():
            fragment = fragments.fragment()
            look = fragment.charFormat()
            if look.isImageFormat() and look.toImageFormat().name() == name:
                return int(fragment.position())
            fragments += 1
        block = block.next()
    return 0


def _place_of(view: QTextEdit, position: int) -> tuple[str, int]:
    """The last anchor of a line above a position, and the distance; else the text's beginning."""
    block = view.document().findBlock(position)
    while block.isValid():
        fragments = block.begin()
        anchors: list[tuple[str, int]] = []
        while not fragments.atEnd():
            fragment = fragments.fragment()
            names = [name for name in fragment.charFormat().anchorNames() if name.startswith("L")]
            if names and fragment.position() <= position:
                anchors.append((names[-1], position - fragment.position()))
            fragments += 1
        if anchors:
            return anchors[-1]
        block = block.previous()
    return "", position


def _selection(
    cursor: QTextCursor, paper: QColor, ink: QColor | None = None
) -> QTextEdit.ExtraSelection:
    """The selected text in two colours, or in its own."""
    look = QTextCharFormat()
    look.setBackground(paper)
    if ink is not None:
        look.setForeground(ink)
    selection = QTextEdit.ExtraSelection()
    selection.cursor = cursor
    selection.format = look
    return selection
