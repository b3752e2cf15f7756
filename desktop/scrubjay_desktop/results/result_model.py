"""The rows of a result list as a Qt model."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QMimeData, QModelIndex, QObject, Qt

from scrubjay_desktop.results.explanation import (
    found_by,
    found_sentence,
    hit_reasons,
    why_sentences,
)
from scrubjay_desktop.results.result_rows import Row
from scrubjay_desktop.results.row_texts import mime_data
from scrubjay_desktop.text.formatting import translate
from scrubjay_desktop.widgets.list_models import TOP, Index, ListModel


class ResultListModel(ListModel):
    """The rows of the latest answer, best first."""

    has_markup_in_tips = True

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(_describe, parent)

    def update(self, rows: Sequence[Row]) -> None:
        """Change to other rows without a reset: views keep their selection and their place."""
        # Rows that are gone go first, from below, so that the others keep their numbers.
        keys = {row.key for row in rows}
        for number in reversed(range(len(self._rows))):
            if self._rows[number].key not in keys:
                self.beginRemoveRows(TOP, number, number)
                del self._rows[number]
                self.endRemoveRows()
        for number, row in enumerate(rows):
            # Most rows are where they were.
            if number < len(self._rows) and self._rows[number].key == row.key:
                continue
            present = [each.key for each in self._rows[number:]]
            if row.key in present:
                self._raise_row(number + present.index(row.key), number)
            else:
                self.beginInsertRows(TOP, number, number)
                self._rows.insert(number, row)
                self.endInsertRows()
        if rows:
            self._rows = list(rows)
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))

    def _raise_row(self, number: int, to: int) -> None:
        self.beginMoveRows(TOP, number, number, TOP, to)
        self._rows.insert(to, self._rows.pop(number))
        self.endMoveRows()

    def flags(self, index: Index) -> Qt.ItemFlag:  # noqa: D102
        flags = super().flags(index)
        if index.isValid():
            flags |= Qt.ItemFlag.ItemIsDragEnabled
        return flags

    def supportedDragActions(self) -> Qt.DropAction:  # noqa: D102
        # A file manager would move the notes else.
        return Qt.DropAction.CopyAction

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:  # noqa: D102
        return mime_data([self._rows[index.row()] for index in sorted(indexes)])


def _describe(row: Row, role: int) -> str | None:
    match role:
        case Qt.ItemDataRole.DisplayRole:
            return row.title
        case Qt.ItemDataRole.ToolTipRole:
            return why_html(row)
        case Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(filter(None, (row.title, row.badge, row.date, row.more)))
        case Qt.ItemDataRole.AccessibleDescriptionRole:
            # Screen readers hear everything that the row shows, in the order of reading.
            found = ""
            if row.found is not None:
                found = found_sentence(row.found)
            tags = " ".join(f"#{tag}" for tag in row.tags)
            parts = (group_title(row), row.breadcrumb, tags, row.snippet.text, found)
            return ". ".join(part for part in parts if part)
    return None


def why_html(row: Row, *, has_details: bool | None = None) -> str:
    """The days of a row's note and why it was found; and a link to the details, or these too."""
    # Beside the details stands the heading of the preview, with the row's day.
    is_said = not row.days or (has_details is not None and row.hit and row.hit.date is None)
    html = ""
    if not is_said:
        html = f"<p>{escape(row.days)}</p>"
    if row.hit is None:
        return html
    if row.hit.explanation.matched or not row.hit.explanation.parts.get("date"):
        html += f"<p><b>{escape(found_sentence(found_by(row.hit)))}</b></p>"
    html += f"<p>{escape(why_sentences(row.hit))}</p>"
    if has_details is None:
        return html
    # A link shows the details, or hides them again.
    details = translate("ResultList", "Details")
    link = f"<p><a href='details'>{escape(details)}</a></p>"
    if not has_details:
        return html + link
    lines = "".join(
        f"<tr><td style='padding-right:8px'><b>{escape(reason.label)}</b></td>"
        f"<td>{escape(reason.text)}</td></tr>"
        for reason in hit_reasons(row.hit)
    )
    return f"{html}{link}<table>{lines}</table>"


def group_title(row: Row) -> str:
    """The title over the first row of its kind; empty for sure rows."""
    if row.is_uncertain:
        return translate("ResultList", "Possible results (no certain matches)")
    if row.is_late:
        return translate("ResultList", "More results")
    if row.is_perhaps:
        return translate("ResultList", "Other possible results")
    return ""
