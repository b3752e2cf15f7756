"""Findings as rows: a sign of how much each matters, what it is, what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from scrubjay import (
    Finding,
    FindingWords,
    Severity,
    finding_words,
)
from scrubjay_desktop.text.formatting import translate, translated
from scrubjay_desktop.widgets.icons import pixmap
from scrubjay_desktop.widgets.theme import GRID, colors_of, sized

Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()
FINDING_ROLE = Qt.ItemDataRole.UserRole
_WORDS_ROLE = FINDING_ROLE + 1
_ICON = 20
_PICTURES = {
    Severity.TROUBLE: "trouble",
    Severity.ATTENTION: "warning",
    Severity.NOTICE: "notice",
}


def in_words(finding: Finding) -> FindingWords:
    """What a finding says, in the person's language."""
    words = finding_words(finding)
    return FindingWords(translated(words.title), translated(words.detail), translated(words.advice))


def severity_name(severity: Severity) -> str:
    """How much it matters, for those who cannot see the sign."""
    match severity:
        case Severity.TROUBLE:
            return translate("Health", "Trouble")
        case Severity.ATTENTION:
            return translate("Health", "Worth a look")
    return translate("Health", "Good to know")


class FindingListModel(QAbstractListModel):
    """Findings, worst first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[tuple[Finding, FindingWords]] = []

    def show(self, findings: Sequence[Finding]) -> None:
        """Show these instead."""
        self.beginResetModel()
        self._rows = [(one, in_words(one)) for one in findings]
        self.endResetModel()

    def finding(self, number: int) -> Finding | None:
        """The finding of a row."""
        return self._rows[number][0] if 0 <= number < len(self._rows) else None

    def rowCount(self, parent: Index = _TOP) -> int:  # noqa: D102
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: D102
        if not index.isValid():
            return None
        finding, words = self._rows[index.row()]
        if role == _WORDS_ROLE:
            return words
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return words.title
            case Qt.ItemDataRole.UserRole:
                return finding
            case Qt.ItemDataRole.ToolTipRole:
                return f"{words.detail}\n{words.advice}"
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return f"{severity_name(finding.severity)}. {words.detail} {words.advice}"
        return None


class FindingDelegate(QStyledItemDelegate):
    """Sign and title, what was found, what to do."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: D102
        words: FindingWords = index.data(_WORDS_ROLE)
        width = self._view.viewport().width() - _ICON - 6 * GRID
        height = QFontMetrics(sized(option.font, 0, QFont.Weight.DemiBold)).height()
        for text in (words.detail, words.advice):
            height += _wrapped(QFontMetrics(sized(option.font, -0.5)), text, width)
        return QSize(30 * GRID, height + 3 * GRID)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: D102
        finding: Finding = index.data(FINDING_ROLE)
        words: FindingWords = index.data(_WORDS_ROLE)
        colors = colors_of(option.palette)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRect(option.rect).adjusted(GRID, 2, -GRID, -2)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colors.accent_soft)
            painter.drawRoundedRect(area, 4, 4)
        inner = area.adjusted(GRID, GRID, -2 * GRID, -GRID)
        color = {
            Severity.TROUBLE: colors.danger,
            Severity.ATTENTION: colors.warning,
            Severity.NOTICE: colors.muted,
        }[finding.severity]
        sign = pixmap(_PICTURES[finding.severity], color, _ICON, option.widget.devicePixelRatioF())
        painter.drawPixmap(QPoint(inner.left(), inner.top()), sign)
        inner.setLeft(inner.left() + _ICON + GRID)
        painter.setPen(colors.text)
        painter.setFont(sized(option.font, 0, QFont.Weight.DemiBold))
        top = _draw(painter, inner, words.title)
        painter.setFont(sized(option.font, -0.5))
        for text, shade in ((words.detail, colors.text), (words.advice, colors.muted)):
            painter.setPen(shade)
            inner.setTop(top)
            top = _draw(painter, inner, text)
        painter.restore()


def _wrapped(metrics: QFontMetrics, text: str, width: int) -> int:
    area = QRect(0, 0, max(1, width), 10_000)
    return metrics.boundingRect(area, _FLAGS, text).height()


def _draw(painter: QPainter, area: QRect, text: str) -> int:
    """Where the next line may begin."""
    painter.drawText(area, _FLAGS, text)
    return area.top() + _wrapped(painter.fontMetrics(), text, area.width())


_FLAGS = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
