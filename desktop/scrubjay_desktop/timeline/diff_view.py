"""How a note changed, line by line, with signs as well as colours."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QPainter,
    QPaintEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from scrubjay.records.journal_records import ChangeKind, DiffLine, LineKind, NoteDifference
from scrubjay_desktop.text.formatting import number, translate
from scrubjay_desktop.widgets.buttons import IconButton
from scrubjay_desktop.widgets.labels import ElidedLabel
from scrubjay_desktop.widgets.theme import GRID, Colors, colors_of, sized, slim

SIGNS = {LineKind.SAME: " ", LineKind.ADDED: "+", LineKind.REMOVED: "−", LineKind.GAP: "⋯"}


class DiffText(QPlainTextEdit):
    """The lines, each with its sign in front."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: Sequence[DiffLine] = ()
        """What is shown."""
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.setAccessibleName(self.tr("What changed, line by line"))
        slim(self)

    def show_lines(self, lines: Sequence[DiffLine]) -> None:
        """Show a comparison from its beginning."""
        self.lines = lines
        self._draw()
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def changeEvent(self, event: QEvent) -> None:  # noqa: D102
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()

    def _draw(self) -> None:
        colors = colors_of(self.palette())
        self.clear()
        cursor = self.textCursor()
        cursor.beginEditBlock()
        for place, line in enumerate(self.lines):
            block, look = _formats(line.kind, colors)
            if place:
                cursor.insertBlock()
            cursor.setBlockFormat(block)
            cursor.insertText(line_text(line), look)
        cursor.endEditBlock()


class DiffView(QWidget):
    """A note's name, how much of it changed, and the lines."""

    open_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = ElidedLabel()
        self._title.setFont(sized(self.font(), 1, QFont.Weight.DemiBold))
        self._summary = ElidedLabel(is_muted=True)
        self._summary.setFont(sized(self.font(), -1))
        self.open_button = IconButton("open", self.tr("Open (Enter)"))
        self.open_button.clicked.connect(self.open_requested)
        self._sentence = QLabel()
        self._sentence.setWordWrap(True)
        self.text = DiffText()
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._title)
        words.addWidget(self._summary)
        head = QHBoxLayout()
        head.addLayout(words, 1)
        head.addWidget(self.open_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 2 * GRID, 2 * GRID, 0)
        column.setSpacing(GRID)
        column.addLayout(head)
        column.addWidget(self._sentence)
        column.addWidget(self.text, 1)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: D102
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setPen(colors_of(self.palette()).border)
        painter.drawLine(0, 0, 0, self.height())

    @property
    def summary(self) -> str:
        """How much changed."""
        return self._summary.text()

    @property
    def sentence(self) -> str:
        """What stands above the lines or in place of them; empty for none."""
        return self._sentence.text()

    def show_waiting(self, title: str, *, exists: bool) -> None:
        """A comparison of this note is on its way."""
        self._title.setText(title)
        self._summary.setText("")
        self._say(self.tr("Comparing…"))
        self.open_button.setVisible(exists)
        self.text.show_lines(())

    def show_difference(self, found: NoteDifference) -> None:
        """Show how a note changed."""
        self._summary.setText(" · ".join(filter(None, (found.path, counts_sentence(found)))))
        self._say(explanation(found))
        self.text.show_lines(found.lines)

    def show_failure(self, sentence: str) -> None:
        """Say why there is nothing to show."""
        self._say(sentence)

    def _say(self, sentence: str) -> None:
        self._sentence.setText(sentence)
        self._sentence.setVisible(bool(sentence))


def line_text(line: DiffLine) -> str:
    """A line as it is shown and read aloud: the sign says what its colour says."""
    if line.kind is LineKind.GAP:
        words = translate("Diff", "{n} unchanged lines").format(n=number(line.number))
        return f"{SIGNS[line.kind]} {words}"
    return f"{SIGNS[line.kind]} {line.text}"


def counts_sentence(found: NoteDifference) -> str:
    """`3 lines added, 1 line removed`; empty when none can be counted."""
    parts = []
    if found.added == 1:
        parts.append(translate("Diff", "1 line added"))
    elif found.added:
        parts.append(translate("Diff", "{n} lines added").format(n=number(found.added)))
    if found.removed == 1:
        parts.append(translate("Diff", "1 line removed"))
    elif found.removed:
        parts.append(translate("Diff", "{n} lines removed").format(n=number(found.removed)))
    return ", ".join(parts)


def explanation(found: NoteDifference) -> str:
    """What a person has to know about a comparison beside its lines."""
    if not found.is_known:
        if found.kind is ChangeKind.REMOVED:
            return translate("Diff", "It was removed. Its text is not kept any more.")
        return translate("Diff", "It changed, but its older text is not kept any more.")
    if found.is_cut:
        return translate("Diff", "A long change: only its beginning is shown.")
    if not found.lines:
        return translate("Diff", "Only line ends or spaces changed.")
    if found.kind is ChangeKind.REMOVED:
        return translate("Diff", "It was removed. This is what it held.")
    if found.kind is ChangeKind.ADDED:
        return translate("Diff", "It is new.")
    return ""


def _formats(kind: LineKind, colors: Colors) -> tuple[QTextBlockFormat, QTextCharFormat]:
    block, look = QTextBlockFormat(), QTextCharFormat()
    background: QColor | None = None
    match kind:
        case LineKind.ADDED:
            background = colors.good_soft
        case LineKind.REMOVED:
            background = colors.danger_soft
        case LineKind.GAP:
            look.setForeground(colors.muted)
        case LineKind.SAME:
            pass
    if background is not None:
        block.setBackground(background)
    return block, look
