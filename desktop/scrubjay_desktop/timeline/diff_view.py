"""The difference between two versions of a note, with signs as well as colours."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontDatabase, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from scrubjay.records.journal_records import ChangeKind, DiffLine, LineKind, NoteDifference
from scrubjay_desktop.text.formatting import format_number, translate
from scrubjay_desktop.text.shortcuts import with_keys
from scrubjay_desktop.widgets.buttons import IconButton
from scrubjay_desktop.widgets.labels import NoteHeading, plain_label
from scrubjay_desktop.widgets.layouts import hbox, vbox
from scrubjay_desktop.widgets.theme import palette_colors

SIGNS = {LineKind.SAME: " ", LineKind.ADDED: "+", LineKind.REMOVED: "−", LineKind.GAP: "⋯"}
"""Kind of a line -> its sign, so that kinds differ not only in colour."""


class DiffText(QPlainTextEdit):
    """The lines of a difference, each with its sign in front."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: Sequence[DiffLine] = ()
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setAccessibleName(self.tr("What changed, line by line"))

    def show_lines(self, lines: Sequence[DiffLine]) -> None:
        """Show a difference from its beginning."""
        self.lines = lines
        self._draw()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def changeEvent(self, event: QEvent) -> None:  # noqa: D102
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()

    def _draw(self) -> None:
        colors = palette_colors(self.palette())
        papers = {LineKind.ADDED: colors.good_soft, LineKind.REMOVED: colors.danger_soft}
        self.clear()
        cursor = self.textCursor()
        # One edit for all lines: the layout is computed once.
        cursor.beginEditBlock()
        for index, line in enumerate(self.lines):
            block = QTextBlockFormat()
            look = QTextCharFormat()
            if line.kind in papers:
                block.setBackground(papers[line.kind])
            elif line.kind is LineKind.GAP:
                look.setForeground(colors.muted)
            if index:
                cursor.insertBlock()
            cursor.setBlockFormat(block)
            cursor.insertText(line_text(line), look)
        cursor.endEditBlock()


class DiffView(QWidget):
    """The name of a note, the number of changed lines, and the lines."""

    def __init__(self) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        # The note's name, a sentence on what happened, and the lines.
        self._heading = NoteHeading()
        self.open_button = IconButton("open", with_keys(self.tr("Open"), "Enter"))
        self.sentence = plain_label()
        self.text = DiffText()
        head = hbox((self._heading, 1), self.open_button)
        vbox(head, self.sentence, (self.text, 1), on=self, margins=(3, 2, 2, 0), spacing=1)

    @property
    def summary(self) -> str:
        """The number of changed lines in words."""
        return self._heading.details.text()

    def show_waiting(self, title: str, *, exists: bool) -> None:
        """Show that the difference of this note is being computed."""
        self._heading.title.setText(title)
        self._heading.details.setText("")
        self.show_sentence(self.tr("Comparing…"))
        self.open_button.setVisible(exists)
        # The lines of another note would be read as those of this one.
        self.text.show_lines(())

    def show_moved(self, title: str, index: str, paths: Sequence[str]) -> None:
        """Show the notes that were moved together."""
        self.show_waiting(title, exists=False)
        self._heading.details.setText(index)
        self.show_sentence(self.tr("These notes were moved. Their text did not change."))
        self.text.show_lines([DiffLine(LineKind.SAME, path, 0) for path in paths])

    def show_difference(self, difference: NoteDifference) -> None:
        """Show how a note changed."""
        # A note that was moved has its former path in front.
        index = " → ".join(filter(None, (difference.former_path, difference.path)))
        parts = (index, counts_sentence(difference))
        self._heading.details.setText(" · ".join(filter(None, parts)))
        self.show_sentence(difference_sentence(difference))
        self.text.show_lines(difference.lines)

    def show_sentence(self, sentence: str) -> None:
        """Show a sentence above the lines, such as a failure."""
        self.sentence.setText(sentence)
        self.sentence.setVisible(bool(sentence))


def line_text(line: DiffLine) -> str:
    """A line with its sign, for eyes and screen readers."""
    if line.kind is LineKind.GAP:
        words = translate("Diff", "{n} unchanged {n:line|lines}").format(
            n=format_number(line.number)
        )
        return f"{SIGNS[line.kind]} {words}"
    return f"{SIGNS[line.kind]} {line.text}"


def counts_sentence(difference: NoteDifference) -> str:
    """`3 lines added, 1 line removed`; empty when none can be counted."""
    counts = (
        (difference.added, translate("Diff", "{n} {n:line|lines} added")),
        (difference.removed, translate("Diff", "{n} {n:line|lines} removed")),
    )
    return ", ".join(words.format(n=format_number(count)) for count, words in counts if count)


def difference_sentence(difference: NoteDifference) -> str:
    """A sentence about a difference beside its lines; empty for none."""
    # What is not known or not complete is told before what happened.
    if not difference.is_known:
        if difference.kind is ChangeKind.REMOVED:
            return translate("Diff", "This note was removed. Its text is no longer available.")
        return translate("Diff", "This note changed, but its earlier text is no longer available.")
    if difference.is_cut:
        return translate("Diff", "Only the beginning of this long change is shown.")
    return _explanation_of_kind(difference)


def _explanation_of_kind(difference: NoteDifference) -> str:
    """A sentence about what happened to a note; empty where its lines say it."""
    match difference.kind:
        case ChangeKind.MOVED if difference.lines:
            return translate("Diff", "This note was moved, and these lines changed.")
        case ChangeKind.MOVED:
            return translate("Diff", "This note was moved. Its text did not change.")
        case ChangeKind.REMOVED if difference.lines:
            return translate("Diff", "This note was removed. Its last version is shown here.")
        case ChangeKind.REMOVED:
            return translate("Diff", "This note was removed. It was empty.")
        case ChangeKind.ADDED if difference.lines:
            return translate("Diff", "This note is new.")
        case ChangeKind.ADDED:
            return translate("Diff", "This note is new and empty.")
    if not difference.lines:
        return translate("Diff", "Only line breaks or spaces changed.")
    return ""
