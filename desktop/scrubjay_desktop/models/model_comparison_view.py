"""Which of two models found more: a sentence, and a bar for each."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from scrubjay.records.model_records import ModelComparison
from scrubjay_desktop.models.model_text import comparison_words, score_words
from scrubjay_desktop.widgets.theme import GRID, colors_of, sized

_BAR = GRID
_SPACE = GRID // 2


class ContestView(QWidget):
    """Shows a ModelComparison. Everything in the picture is in the sentence, too."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.bars = _Bars()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, GRID // 2, 0, 0)
        column.setSpacing(GRID // 2)
        column.addWidget(self.words)
        column.addWidget(self.bars)

    def show_result(self, result: ModelComparison) -> None:
        """Show a finished comparison."""
        self.words.setText(comparison_words(result))
        self.bars.show_result(result)


class _Bars(QWidget):
    """One line for each model: its name, its bar, its number."""

    def __init__(self) -> None:
        super().__init__()
        self._result: ModelComparison | None = None
        self.setFont(sized(self.font(), -1))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_result(self, result: ModelComparison) -> None:
        self._result = result
        self.setAccessibleName("; ".join(score_words(result, one) for one in result.scores))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        lines = len(self._result.scores) if self._result else 0
        return QSize(30 * GRID, lines * (self._line_height() + _SPACE))

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._result is None:
            return
        colors = colors_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics, height = self.fontMetrics(), self._line_height()
        names = min(
            self.width() // 3,
            max(metrics.horizontalAdvance(one.name) for one in self._result.scores) + GRID,
        )
        number = metrics.horizontalAdvance(f" {self._result.questions}") + GRID
        room = max(1, self.width() - names - number)
        for line, score in enumerate(self._result.scores):
            top = line * (height + _SPACE)
            name = metrics.elidedText(score.name, Qt.TextElideMode.ElideMiddle, names - GRID)
            painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
            left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(0, top, names, height), left, name)
            length = room * score.first / self._result.questions
            painter.drawText(
                QRectF(names + length + GRID / 2, top, number, height), left, str(score.first)
            )
            painter.setPen(Qt.PenStyle.NoPen)
            is_best = self._result.better in (None, score)
            painter.setBrush(colors.accent if is_best else colors.border)
            bar = QRectF(names, top + (height - _BAR) / 2, max(2.0, length), _BAR)
            painter.drawRoundedRect(bar, _BAR / 4, _BAR / 4)

    def _line_height(self) -> int:
        return max(_BAR, self.fontMetrics().height())
