"""Findings as rows: a sign of the severity, title, detail and advice."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from scrubjay.health.findings import Finding, FindingWords, Severity, finding_words
from scrubjay_desktop.text.formatting import translate, translated
from scrubjay_desktop.widgets.icons import pixmap
from scrubjay_desktop.widgets.list_models import ROW_ROLE, Index, ListModel
from scrubjay_desktop.widgets.painting import paint_row_state
from scrubjay_desktop.widgets.theme import GRID, colors_of, sized

_ICON = 20
_PICTURES = {Severity.TROUBLE: "trouble", Severity.ATTENTION: "warning", Severity.NOTICE: "notice"}


def in_words(finding: Finding) -> FindingWords:
    """The texts of a finding, in the language of the app."""
    words = finding_words(finding)
    return FindingWords(translated(words.title), translated(words.detail), translated(words.advice))


def severity_name(severity: Severity) -> str:
    """Severity in words, for screen readers."""
    match severity:
        case Severity.TROUBLE:
            return translate("Health", "Trouble")
        case Severity.ATTENTION:
            return translate("Health", "Worth a look")
    return translate("Health", "Good to know")


class FindingListModel(ListModel):
    """Findings with their texts, worst first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_describe, parent)

    def show(self, findings: Sequence[Finding]) -> None:
        """Show these findings."""
        self.replace([(finding, in_words(finding)) for finding in findings])

    def finding(self, number: int) -> Finding | None:
        """The finding of a row."""
        finding, _ = self.row(number) or (None, None)
        return finding


def _describe(row: tuple[Finding, FindingWords], role: int) -> str | None:
    finding, words = row
    match role:
        case Qt.ItemDataRole.DisplayRole:
            return words.title
        case Qt.ItemDataRole.ToolTipRole:
            return f"{words.detail}\n{words.advice}"
        case Qt.ItemDataRole.AccessibleDescriptionRole:
            return f"{severity_name(finding.severity)}. {words.detail} {words.advice}"
    return None


class FindingDelegate(QStyledItemDelegate):
    """Paints sign and title, detail and advice."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: D102
        _, words = index.data(ROW_ROLE)
        width = self._view.viewport().width() - _ICON - 6 * GRID
        height = QFontMetrics(sized(option.font, 0, QFont.Weight.DemiBold)).height()
        for text in (words.detail, words.advice):
            height += _wrapped(QFontMetrics(sized(option.font, -0.5)), text, width)
        return QSize(30 * GRID, height + 3 * GRID)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: D102
        finding, words = index.data(ROW_ROLE)
        colors = colors_of(option.palette)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRect(option.rect).adjusted(GRID, 2, -GRID, -2)
        selected = option.state & QStyle.StateFlag.State_Selected
        paint_row_state(painter, area, selected, colors, radius=4)
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
    """Draw wrapped text; returns the top of the next line."""
    painter.drawText(area, _FLAGS, text)
    return area.top() + _wrapped(painter.fontMetrics(), text, area.width())


_FLAGS = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
