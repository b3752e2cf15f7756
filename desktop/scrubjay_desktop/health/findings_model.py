"""Findings as rows: a sign of the severity, title, detail and advice."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFont

from scrubjay.health.findings import Finding, FindingWords, Severity, finding_words
from scrubjay_desktop.text.formatting import translate, translated
from scrubjay_desktop.text.workspace_names import WorkspaceNames
from scrubjay_desktop.widgets.list_models import ROW_ROLE, Index, ListModel
from scrubjay_desktop.widgets.text_rows import Sign, TextLine
from scrubjay_desktop.widgets.theme import Colors

_PICTURES = {Severity.TROUBLE: "trouble", Severity.ATTENTION: "warning", Severity.NOTICE: "notice"}


def finding_texts(finding: Finding, names: WorkspaceNames = MappingProxyType({})) -> FindingWords:
    """The texts of a finding, in the language of the app; of several folders it names its own."""
    words = finding_words(finding, names)
    return FindingWords(translated(words.title), translated(words.detail), translated(words.advice))


def severity_name(severity: Severity) -> str:
    """Severity in words, for screen readers."""
    match severity:
        case Severity.TROUBLE:
            return translate("Health", "Problem")
        case Severity.ATTENTION:
            return translate("Health", "Needs attention")
    return translate("Health", "Information")


class FindingListModel(ListModel):
    """Findings with their texts, worst first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_describe, parent)

    def show(self, findings: Sequence[Finding], names: WorkspaceNames) -> None:
        """Show these findings; names are those of the workspaces by their ids."""
        self.replace([(finding, finding_texts(finding, names)) for finding in findings])

    def finding(self, number: int) -> Finding | None:
        """The finding of a row."""
        finding, _ = self.row(number) or (None, None)
        return finding


def _describe(row: tuple[Finding, FindingWords], role: int) -> str | None:
    finding, words = row
    # Severity is painted as a sign, so it is told to screen readers in words.
    match role:
        case Qt.ItemDataRole.DisplayRole:
            return words.title
        case Qt.ItemDataRole.ToolTipRole:
            return f"{words.detail}\n{words.advice}"
        case Qt.ItemDataRole.AccessibleDescriptionRole:
            return f"{severity_name(finding.severity)}. {words.detail} {words.advice}"
    return None


def row_text(index: Index, colors: Colors) -> tuple[tuple[TextLine, ...], Sign]:
    """Title, detail and advice of a finding, and the sign of its severity."""
    finding, words = index.data(ROW_ROLE)
    color = {
        Severity.TROUBLE: colors.danger,
        Severity.ATTENTION: colors.warning,
        Severity.NOTICE: colors.muted,
    }[finding.severity]
    # Severities differ by their pictures, not only by their colours.
    sign = Sign(_PICTURES[finding.severity], color, size=20, is_last=False)
    lines = (
        TextLine(words.title, colors.text, weight=QFont.Weight.DemiBold, wraps=True),
        TextLine(words.detail, colors.text, -0.5, wraps=True),
        TextLine(words.advice, colors.muted, -0.5, wraps=True),
    )
    return lines, sign
