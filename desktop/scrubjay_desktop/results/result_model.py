"""The rows of a result list as a Qt model."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from scrubjay_desktop.results.explanation import found_sentence, reasons
from scrubjay_desktop.results.result_rows import Row
from scrubjay_desktop.text.formatting import translate

ROW_ROLE = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()


class ResultListModel(QAbstractListModel):
    """Holds the rows of the latest answer, best first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Row] = []

    @property
    def rows(self) -> Sequence[Row]:
        """All rows, top to bottom."""
        return self._rows

    def row(self, number: int) -> Row | None:
        """The row at a place counted from 0; None outside."""
        return self._rows[number] if 0 <= number < len(self._rows) else None

    def number_of(self, key: tuple[str, str, int]) -> int | None:
        """Where the row with this key stands."""
        return next((n for n, row in enumerate(self._rows) if row.key == key), None)

    def replace(self, rows: Sequence[Row]) -> None:
        """Show these rows instead of all others."""
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def update(self, rows: Sequence[Row]) -> None:
        """Change to rows that begin with what is left of the present ones, without a reset.

        Views keep their selection and their place.
        """
        left = {row.key for row in rows}
        for number in reversed(range(len(self._rows))):
            if self._rows[number].key not in left:
                self.beginRemoveRows(_TOP, number, number)
                del self._rows[number]
                self.endRemoveRows()
        kept = len(self._rows)
        if len(rows) > kept:
            self.beginInsertRows(_TOP, kept, len(rows) - 1)
            self._rows = [*self._rows, *rows[kept:]]
            self.endInsertRows()
        if kept:
            self._rows[:kept] = rows[:kept]
            self.dataChanged.emit(self.index(0), self.index(kept - 1))

    def rowCount(self, parent: Index = _TOP) -> int:  # noqa: D102
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: D102
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.title
            case Qt.ItemDataRole.UserRole:
                return row
            case Qt.ItemDataRole.ToolTipRole:
                return why_html(row)
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{row.title}, {row.badge}, {row.date}"
            case Qt.ItemDataRole.AccessibleDescriptionRole:
                return _spoken(row)
        return None


def why_html(row: Row) -> str:
    """The reasons of a row as a small table; empty for a recent note."""
    if row.hit is None:
        return ""
    lines = "".join(
        f"<tr><td style='padding-right:8px'><b>{escape(reason.label)}</b></td>"
        f"<td>{escape(reason.text)}</td></tr>"
        for reason in reasons(row.hit)
    )
    title = escape(translate("ResultList", "Why this result"))
    return f"<p><b>{title}</b></p><table>{lines}</table>"


def group_title(row: Row) -> str:
    """What stands over the first row of its kind; empty for the usual rows."""
    if row.is_uncertain:
        return translate("ResultList", "Nearest, not certain")
    return translate("ResultList", "Also found") if row.is_late else ""


def _spoken(row: Row) -> str:
    parts = [group_title(row), row.breadcrumb, row.snippet.text]
    if row.found is not None:
        parts.append(found_sentence(row.found))
    return ". ".join(part for part in parts if part)
